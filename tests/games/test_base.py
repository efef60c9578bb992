"""Tests of the game rules on all boards and symmetries, and of the type `Side`."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import re
import sqlite3

import pytest
from oracle import TICTACTOE, Rules, grid_rules

import menace
from menace.errors import IllegalMove, InvalidBoard, InvalidGame, InvalidPlayer, UnreachableBoard
from menace.games import get_game
from menace.games.base import NO_SIDE, NUMBER_OF_SIDE, TEXT_OF_SIDE, Game, Side
from menace.ledger.learners import new_learner
from menace.ledger.store import Store
from menace.people.session import Session
from menace.testing import check_game

VARIANTS = [(3, 3, 3), (2, 2, 2), (1, 3, 2), (1, 1, 1), (4, 2, 2), (3, 3, 2), (2, 4, 3), (1, 8, 2)]


def tictactoe_game(size: tuple[int, int, int]) -> Game:
    return get_game("tictactoe", "x".join(map(str, size)))


def random_boards(rules: Rules, games: int) -> list[str]:
    """Return the boards of random games that were drawn with a fixed seed."""
    dice, boards = random.Random(3), []
    for _ in range(games):
        board = rules.empty
        while rules.empties(board):
            boards.append(board)
            board = rules.put(board, dice.choice(rules.empties(board)))
        boards.append(board)
    return boards


def sample_boards(size: tuple[int, int, int]) -> list[str]:
    """Return all boards of a small variant, or the boards of 100 random games of a large variant."""
    rules = grid_rules(*size)
    return list(rules.boards()) if rules.cells < 10 else random_boards(rules, 100)


def test_square_board_has_eight_symmetries(game: Game) -> None:
    assert {symmetry.source for symmetry in game.symmetries} == set(TICTACTOE.maps)
    assert len(game.symmetries) == 8
    assert len({symmetry.name for symmetry in game.symmetries}) == 8


def test_symmetry_names_match_their_effect(game: Game) -> None:
    done = {symmetry.name: symmetry.board("XO.......") for symmetry in game.symmetries}
    assert done == {
        "identity": "XO.......",
        "half turn": ".......OX",
        "left-right mirror": ".OX......",
        "top-bottom mirror": "......XO.",
        "quarter turn clockwise": "..X..O...",
        "quarter turn anticlockwise": "...O..X..",
        "diagonal mirror": "X..O.....",
        "antidiagonal mirror": ".....O..X",
    }


@pytest.mark.parametrize("size", [*VARIANTS, (3, 4, 3), (4, 4, 4)])
def test_rules_match_brute_force(size: tuple[int, int, int]) -> None:
    game, rules = tictactoe_game(size), grid_rules(*size)
    assert (game.initial, game.longest, game.variant) == (rules.empty, rules.cells, "x".join(map(str, size)))
    for board in sample_boards(size):
        assert game.outcome(board) == rules.outcome(board)
        assert game.to_move(board) == rules.to_move(board)
        assert {action: game.play(board, action) for action in game.actions(board)} == rules.children(board)
        assert list(game.actions(board)) == sorted(game.actions(board))


@pytest.mark.parametrize("size", [(1, 8, 2), (4, 2, 2), (3, 4, 3), (4, 4, 4), (5, 5, 5)])
def test_variants_obey_laws_of_games(size: tuple[int, int, int]) -> None:
    """Test that boards and symmetries obey the laws that every game must obey.

    For example, symmetries form a group, array rules agree with text rules, and parsing a board returns the same board.
    """
    game = tictactoe_game(size)
    check_game(game, boards=30)
    assert len(game.symmetries) == (8 if size[0] == size[1] else 4)


def test_illegal_moves_are_refused(game: Game) -> None:
    for board, action in [("X........", 0), (".........", 9), (".........", -1), ("XXX.OO...", 3), ("XOXXOOOXX", 0)]:
        with pytest.raises(IllegalMove, match=f"cell {action} is not legal on {re.escape(board)}"):
            game.play(board, action)
    with pytest.raises(IllegalMove, match=r"empty cells: 1, 2, 3, 4, 5, 6, 7, 8$"):
        game.play("X........", 0)
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play("XXX.OO...", 3)


def expected_reason(rules: Rules, board: str) -> str:
    """Return a phrase that must occur in the error for an unreachable board."""
    crosses, noughts = board.count("X"), board.count("O")
    won = [side for side in "XO" if rules.has_line(board, side)]
    if crosses - noughts not in (0, 1):
        return f"has {crosses} X and {noughts} O"
    if len(won) == 2:
        return "for both X and O"
    if won == ["X"] and crosses == noughts:
        return "by O after X won"
    if won == ["O"] and crosses > noughts:
        return "by X after O won"
    return f"rows of {won[0]} that no single last move"


@pytest.mark.parametrize("size", [(3, 3, 3), (2, 2, 2), (2, 4, 3), (1, 1, 1)])
def test_parse_accepts_only_reachable_boards(size: tuple[int, int, int]) -> None:
    game, rules = tictactoe_game(size), grid_rules(*size)
    reachable = set(rules.boards())
    for cells in itertools.product(".OX", repeat=rules.cells):
        board = "".join(cells)
        if board in reachable:
            assert game.parse(board) == board
            continue
        with pytest.raises(UnreachableBoard) as caught:
            game.parse(board)
        assert str(caught.value).startswith(f"board {board} ")
        assert expected_reason(rules, board) in str(caught.value)
    if size == (3, 3, 3):
        assert len(reachable) == 5478


@pytest.mark.parametrize(
    "text", ["x.o.x...o", "X.O .X. ..O", "X.O/.X./..O", "X.O\n.X.\n..O\n", "\tX . O . X . . . O ", "/x.o.X...o/"]
)
def test_parse_ignores_case_spaces_line_breaks_and_slashes(game: Game, text: str) -> None:
    assert game.parse(text) == "X.O.X...O"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has 0 cells; it needs 9"),
        (" / ", "has 0 cells; it needs 9"),
        ("X.......", "has 8 cells; it needs 9"),
        ("X.........", "has 10 cells; it needs 9"),
        ("X0.......", "'0' in cell 1 .a zero; use the letter O"),
        ("X.../0....", "'0' in cell 4 .a zero"),
        ("X-.......", "'-' in cell 1; cells are X, O or ."),
        ("012345678", "'0' in cell 0"),
        ("\N{CYRILLIC CAPITAL LETTER HA}........", "in cell 0; cells are X, O or"),
        ("\N{MULTIPLICATION SIGN}........", "in cell 0; cells are X, O or"),
        ("........\N{LATIN SMALL LETTER SHARP S}", "in cell 8; cells are X, O or"),
        ("X..;DROP TABLE", "';' in cell 3"),
    ],
)
def test_parse_refuses_invalid_boards(game: Game, text: str, why: str) -> None:
    with pytest.raises(InvalidBoard, match=why) as caught:
        game.parse(text)
    assert not isinstance(caught.value, UnreachableBoard)
    assert repr(text) in str(caught.value)


def test_draw_numbers_empty_cells(game: Game) -> None:
    assert game.draw("X.O.X...O") == " X | 1 | O \n---+---+---\n 3 | X | 5 \n---+---+---\n 6 | 7 | O "
    assert get_game("tictactoe", "3x4x3").draw("." * 12).splitlines()[-1] == "  8 |  9 | 10 | 11 "


BAD_VARIANTS = ["", "3", "3x3", "3x3x3x3", "0x3x3", "3x0x3", "3x3x0", "03x3x3", "axbxc", "3X3X3", "3x3x3\n", " 3x3x3"]
BAD_VARIANTS += ["3x3x-3", "3x3x3.0", "100x1x1", "\N{SUPERSCRIPT THREE}x3x3"]


@pytest.mark.parametrize("text", BAD_VARIANTS)
def test_malformed_variant_is_refused(text: str) -> None:
    with pytest.raises(InvalidGame, match="is not ROWSxCOLUMNSxINAROW"):
        get_game("tictactoe", text)


def test_oversized_board_and_too_long_row_are_refused() -> None:
    with pytest.raises(InvalidGame, match="has 26 cells; the maximum is 25"):
        get_game("tictactoe", "2x13x3")
    with pytest.raises(InvalidGame, match="4 in a row do not fit"):
        get_game("tictactoe", "3x3x4")
    assert get_game("tictactoe", "5x5x5").longest == 25
    assert get_game("tictactoe", "2x4x4").longest == 8


@pytest.mark.parametrize("size", VARIANTS)
def test_parse_action_reads_cell_number_and_row_column(size: tuple[int, int, int]) -> None:
    game = tictactoe_game(size)
    rows, columns = game.shape
    assert (rows, columns) == size[:2]
    cells = {}
    for cell in range(game.longest):
        drawn = game.draw(game.initial).splitlines()[::2]  # skip the lines between the rows
        ((row, column),) = [
            (r, c) for r, line in enumerate(drawn, 1) for c, text in enumerate(line.split("|"), 1) if int(text) == cell
        ]
        cells[cell] = (row, column)
        texts = (str(cell), f" {cell} ", f"{row},{column}", f"{row} , {column}", f"{row} {column}")
        assert {game.parse_action(game.initial, text) for text in texts} == {cell}
    assert len(set(cells.values())) == rows * columns


@pytest.mark.parametrize(
    "text", ["", "9", "-1", "0,1", "1,0", "4,1", "1,4", "1,2,3", "a", "1.5", "٣", "1,", "99999", "1;1"]
)
def test_invalid_cell_error_lists_valid_cells(text: str, game: Game) -> None:
    with pytest.raises(IllegalMove, match=r"is not a cell; type its number, 0 to 8, or row,column from 1,1 .* to 3,3"):
        game.parse_action(game.initial, text)


def test_side_numbers_signs_and_opponents_agree() -> None:
    assert [side.number for side in Side] == [0, 1]
    for side in Side:
        assert side.other.other is side
        assert side.other.sign == -side.sign == (-1) ** side.other.number
        assert Side.of_number(side.number) is Side(side) is Side(str(side)) is side
        assert side.x_and_o(*side.x_and_o(1, 2)) == (1, 2)
        assert side.x_and_o(side, side.other) == tuple(Side)
        assert side.outcome == side
        assert {Side.after(side.number + plies) for plies in (0, 2, 4)} == {side}
        assert TEXT_OF_SIDE[NUMBER_OF_SIDE[side]] == side
    assert TEXT_OF_SIDE[NO_SIDE] is None


@pytest.mark.parametrize("side", Side)
def test_side_behaves_as_its_text(side: Side) -> None:
    text = side.value
    assert (f"{side}", str(side), repr(side), json.dumps({side: side})) == (
        text,
        text,
        f"'{text}'",
        f'{{"{text}": "{text}"}}',
    )
    assert side == text
    assert {text: 1}[side] == 1
    assert pickle.loads(pickle.dumps(side)) is side
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE one (plays TEXT NOT NULL CHECK (plays IN ('X', 'O'))) STRICT")
        database.execute("INSERT INTO one VALUES (?)", [side])
        assert database.execute("SELECT plays, typeof(plays) FROM one").fetchall() == [(text, "text")]


@pytest.mark.parametrize("wrong", ["x", "Z", "", "draw", 0, None])
def test_invalid_side_is_refused_in_one_line(store: Store, wrong: object) -> None:
    calls = (
        Side,
        lambda side: menace.Machine("menace", side),
        lambda side: new_learner(store, "adam", side),
        lambda side: Session(store, "random", side) if side is not None else Side(side),
    )
    for call in calls:
        with pytest.raises(InvalidPlayer, match=re.escape(repr(wrong))) as refused:
            call(wrong)  # type: ignore[arg-type]
        assert "plays X or O" in str(refused.value)
        assert "\n" not in str(refused.value)


def test_text_is_converted_to_side(store: Store) -> None:
    assert menace.Machine("menace", "O").plays is Side.O
    row = new_learner(store, "adam", "X")
    assert row.plays is store.learner("adam").plays is Side.X
    assert Session(store, "random", "O").person is Side.O
