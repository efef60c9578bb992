"""Tests of the rules of each game: published facts, parsing, refused input and the table that `menace rules` prints."""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from functools import reduce
from operator import xor
from pathlib import Path

import notakto
import pytest
from commands import Run, refused
from database_templates import Case, positions_for
from docs.make_rules import VARIANTS, known_variant
from oracle import TICTACTOE
from trial_games import brute_force

from menace.analysis.position import show
from menace.errors import IllegalMove, InvalidBoard, InvalidGame, UnreachableBoard
from menace.games import GAMES, Known, get_game, known_variants
from menace.games.base import OUTCOME_OF_NUMBER, OrbitRules
from menace.games.symmetry import SymmetricGame
from menace.learners.machine import Machine
from menace.learners.registry import PRESETS
from menace.ledger import create_and_open
from menace.ledger.create_and_open import create_database

pytestmark = pytest.mark.slow


def test_misere_tictactoe_has_same_boards_and_is_drawn() -> None:
    normal, misere = positions_for(("tictactoe", "3x3x3")), positions_for(("tictactoe", "3x3x3-misere"))
    assert list(misere.boards) == list(normal.boards)
    assert len(misere) == 765
    assert [int((misere.moved_by(side) & (misere.action_counts > 1)).sum()) for side in (0, 1)] == [304, 289]
    assert misere.minimax[0] == 0
    over = normal.to_move < 0
    assert (misere.minimax[over] == -normal.minimax[over]).all()


VALUES = {
    ("connect", "4x4x3"): 1,
    # X takes the centre, then replies to each move with the point reflection of the move
    ("tictactoe", "3x3x3-wild"): 1,
    ("tictactoe", "3x3x3-wild-misere"): 0,
    # Plambeck and Whitehead proved that the first player wins with one or three boards but loses with two
    notakto.ONE: 1,
    notakto.TWO: -1,
    notakto.THREE: 1,
    ("hexapawn", "3x3"): -1,
    ("nim", "21-take3"): 1,
    ("nim", "21-take3-misere"): -1,
}


@pytest.mark.parametrize("case", VALUES, ids="-".join)
def test_game_has_published_value(case: Case) -> None:
    assert positions_for(case).minimax[0] == VALUES[case]


LARGE = [
    ("tictactoe", "3x3x3-misere"),
    ("tictactoe", "3x3x3-wild"),
    ("connect", "3x4x3"),
    ("hexapawn", "4x4"),
    ("nim", "2-3-4-5"),
    notakto.TWO,
]


@pytest.mark.parametrize("case", LARGE, ids="-".join)
def test_larger_games_match_brute_force_without_symmetry(case: Case) -> None:
    """Every board has the value and outcome of its position, so symmetry does not affect them."""
    rules, positions = brute_force(case), positions_for(case)
    waiting, boards = [rules.empty], {rules.empty}
    while waiting:
        children = set(rules.children(waiting.pop()).values()) - boards
        boards |= children
        waiting.extend(children)
    number = {board: position for position, board in enumerate(positions.boards)}
    joined: Counter[int] = Counter()
    for board in boards:
        position = number[positions.canonical(board)]
        joined[position] += 1
        assert positions.minimax[position] == rules.minimax(board)
        assert OUTCOME_OF_NUMBER[int(positions.outcome[position])] == rules.outcome(board)
    assert len(joined) == len(positions)
    # Some images of a Nim board are unreachable, because heaps that start with different sizes cannot be exchanged.
    few = case[0] == "nim"
    assert all(count <= positions.images[p] if few else count == positions.images[p] for p, count in joined.items())


@pytest.mark.parametrize("heaps", ["1-2-3-4", "7", "5-5", "2-3-6", "1-1-1-1-1-1-1-1"])
def test_nim_values_follow_xor_of_heaps(heaps: str) -> None:
    for misere in ("", "-misere"):
        positions = positions_for(("nim", heaps + misere))
        for board, value in zip(positions.boards, positions.minimax.tolist(), strict=True):
            sizes, side = list(map(int, board[:-2].split("-"))), board[-1]
            wins = reduce(xor, sizes) != 0
            # by Bouton's theorem, misère play differs only if every heap has at most one stone
            if misere and max(sizes) <= 1:
                wins = not wins
            assert value == (1 if (side == "X") == wins else -1)


@pytest.mark.parametrize(("case", "few"), [(("nim", "1-2-3-11"), 1), (notakto.ONE, 1), (notakto.TWO, 40)])
def test_fast_canonical_board_matches_search_of_all_symmetries(case: Case, few: int) -> None:
    game = get_game(*case)
    assert isinstance(game, OrbitRules)
    chance = random.Random(1)
    for canonical in positions_for(case).boards[::few]:
        board = chance.choice(game.symmetries).board(canonical)
        images = [symmetry.board(board) for symmetry in game.symmetries]
        carrier = game.carrier(board)
        assert carrier in game.symmetries
        assert carrier.board(board) == max(images) == SymmetricGame(game).canonical(board)
        assert game.image_count(board) == len(set(images))
        for action in game.actions(board):
            carried = game.play(max(images), carrier.action(action))
            assert carried == carrier.board(game.play(board, action))


def open_spiel(name: str) -> object:
    try:
        import pyspiel
    except ImportError:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)("open_spiel is not installed")
    return pyspiel.load_game(name).new_initial_state()


@pytest.mark.parametrize(
    ("case", "name"),
    [
        (("tictactoe", "3x4x3"), "mnk(m=4,n=3,k=3)"),
        (("tictactoe", "4x3x3"), "mnk(m=3,n=4,k=3)"),
        (("connect", "4x4x3"), "connect_four(rows=4,columns=4,x_in_row=3)"),
        (("connect", "4x5x4"), "connect_four(rows=4,columns=5,x_in_row=4)"),
        (("nim", "3-4-5"), "nim(pile_sizes=3;4;5,is_misere=False)"),
        (("nim", "1-3-5-7-misere"), "nim(pile_sizes=1;3;5;7,is_misere=True)"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else value.partition("(")[0],
)
def test_rules_match_openspiel_in_random_games(case: Case, name: str) -> None:
    """After each move, both programs agree on the legal moves, on whether the game is over, and on the outcome."""
    game, begin, chance = get_game(*case), open_spiel(name), random.Random(4)
    heaps = len(case[1].split("-")) - case[1].count("misere")
    for _ in range(60):
        state, board = begin.clone(), game.initial
        while not state.is_terminal():
            assert game.outcome(board) is None
            assert state.current_player() == "XO".index(game.to_move(board))
            legal = list(state.legal_actions())
            if case[0] == "nim":  # OpenSpiel numbers its actions as heap + (taken - 1) * heaps
                legal = [action % heaps * game.most + action // heaps for action in legal]
            assert sorted(legal) == list(game.actions(board))
            choice = chance.randrange(len(legal))
            board = game.play(board, legal[choice])
            state.apply_action(state.legal_actions()[choice])
        assert state.returns()[0] == {"X": 1, "draw": 0, "O": -1}[game.outcome(board)]


@pytest.mark.parametrize(
    ("name", "variant", "reason"),
    [
        ("hexapawn", "2x3", "variant '2x3' of hexapawn is not ROWSxCOLUMNS, 3 to 8 rows and 1 to 8 columns, such as"),
        ("hexapawn", "3x3x3", "is not ROWSxCOLUMNS"),
        ("hexapawn", "3x\N{ARABIC-INDIC DIGIT THREE}", "is not ROWSxCOLUMNS"),
        ("nim", "", "variant '' of nim is not HEAP-HEAP-... (1 to 8 heaps of 1 to 99 stones)"),
        ("nim", "3-0", "variant '3-0' of nim"),
        ("nim", "21-take0", "variant '21-take0' of nim"),
        ("nim", "1-1-1-1-1-1-1-1-1", "1 to 8 heaps"),
        ("nim", "9" * 70, "variant '9999999999999999999999999999999...' of nim".replace("9...", "...")),
        (notakto.EXAMPLE, "4", "variant '4' of notakto is not the number of boards, 1 to 3"),
        ("connect", "4x4", "variant '4x4' is not ROWSxCOLUMNSxINAROW, such as 3x3x3"),
        ("connect", "4x4x5", "5 in a row do not fit"),
        ("tictactoe", "9x9x5-wild", "variant '9x9x5-wild' has 81 cells"),
        ("connect", "6x7x4", "has 42 cells; the maximum is 25"),
        ("tictactoe", "3x3x3-tame", "such as 3x3x3; for other rules, add -misere, -wild or -wild-misere"),
        ("tictactoe", "3x3x3-misere-wild", "variant '3x3x3-misere-wild' is not"),
        ("tictactoe", "3x3x4-wild", "4 in a row do not fit"),
    ],
)
def test_invalid_variant_error_is_one_line_with_expected_form(name: str, variant: str, reason: str) -> None:
    with pytest.raises(InvalidGame) as refusal:
        get_game(name, variant)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_text_rules_have_lower_position_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert create_and_open.MAX_POSITIONS_BY_TEXT < create_and_open.MAX_POSITIONS
    monkeypatch.setattr(create_and_open, "MAX_POSITIONS_BY_TEXT", 200)
    with pytest.raises(InvalidGame, match=r"hexapawn 5x5 has more than 200 .* stopped after 201"):
        create_database(tmp_path / "large.db", "hexapawn", "5x5")
    assert not list(tmp_path.iterdir())
    create_database(tmp_path / "connect.db", "connect", "3x3x3").close()  # this database uses the array rules


BOARDS = [
    ("hexapawn", "3x3", "ooo x.. .xx : o", "OOOX...XX:O"),
    ("hexapawn", "3x3", "OOO/.../XXX", "OOO...XXX:X"),  # X always begins
    ("hexapawn", "3x3", "OOO/X../.XX", "OOOX...XX:O"),
    ("nim", "3-4-5", "3 4 5", "3-4-5:X"),
    ("nim", "3-4-5", " 5,4 , 1:x", "5-4-1:X"),
    ("nim", "21-take3", "20:O", "20:O"),
    ("notakto", "2", "X../.../... .../.X./... : X", "X......../....X....:X"),
    ("notakto", "2", "XXX...... .........:O", "#########/.........:O"),
    ("notakto", "1", "....X....", "....X....:O"),
    ("tictactoe", "3x3x3-wild", "o../.../..x", "O.......X"),
    ("connect", "3x3x3", ".../.../xo.", "......XO."),
]


@pytest.mark.parametrize(("name", "variant", "text", "board"), BOARDS)
def test_parse_reads_common_board_notations(name: str, variant: str, text: str, board: str) -> None:
    assert get_game(name, variant).parse(text) == board


REFUSED_BOARDS = [
    ("hexapawn", "3x3", "OOO...XX", InvalidBoard, "has 8 cells; it needs 9"),
    ("hexapawn", "3x3", "OOO...XXZ", InvalidBoard, "contains 'Z'; cells are X, O or ."),
    ("hexapawn", "3x3", "OOO...XXX:Y", InvalidBoard, "ends in 'Y'; after the colon, write the side to move, X or O"),
    ("hexapawn", "3x3", ".O.X...X.", InvalidBoard, "does not contain the side to move; write"),
    (
        "hexapawn",
        "3x3",
        "OOO...XXX:O",
        UnreachableBoard,
        "has O to move, but its pawns imply the following numbers of moves: 0 by X and 0 by O",
    ),
    ("hexapawn", "3x3", "OOOX..XXX", UnreachableBoard, "has 4 pawns of X; each side starts with 3"),
    ("hexapawn", "3x3", "X.......O:X", UnreachableBoard, "has X to move, although X has already won"),
    ("nim", "3-4-5", "3-4", InvalidBoard, "is not 3 heaps, such as 3-4-5:X"),
    ("nim", "3-4-5", "3-4-x:O", InvalidBoard, "is not 3 heaps"),
    ("nim", "3-4-5", "5-5-1:O", UnreachableBoard, "cannot be reached from 3-4-5 by taking stones"),
    ("nim", "3-4-5", "3-4-5:O", UnreachableBoard, "is the initial board, on which X moves first"),
    ("nim", "3-4-5", "3-4-4:X", UnreachableBoard, "the number of stones taken is 1, and each move takes exactly one"),
    ("nim", "3-4-5", "1-4-5", UnreachableBoard, ""),
    ("notakto", "2", "X........", InvalidBoard, "has 9 cells; it needs 18"),
    ("notakto", "1", "O........", InvalidBoard, "contains 'O'; cells are X or ."),
    ("notakto", "1", "X........:X", UnreachableBoard, "has X to move after 1 crosses"),
    ("notakto", "1", "XXXXXX...:X", UnreachableBoard, "no single last cross completes"),
    ("notakto", "1", "####.....:X", InvalidBoard, "has # on some of its cells"),
    ("tictactoe", "3x3x3-wild", "XXXOOO...", UnreachableBoard, "rows that no single last move could have completed"),
    ("tictactoe", "3x3x3-misere", "XXXOO...O", UnreachableBoard, "a move by O after X lost"),
    ("connect", "3x3x3", "X........", UnreachableBoard, "has X above an empty cell in column 1"),
    ("connect", "3x3x3", "...X..O..", UnreachableBoard, "no O on top of a column could have been the last move"),
]


@pytest.mark.parametrize(("name", "variant", "text", "error", "reason"), REFUSED_BOARDS)
def test_invalid_board_error_states_reason(
    name: str, variant: str, text: str, error: type[InvalidBoard], reason: str
) -> None:
    if not reason:  # two stones can be taken in a single move or in two moves
        assert get_game(name, variant).parse(f"{text}:O") == f"{text}:O"
        return
    with pytest.raises(error) as refusal:
        get_game(name, variant).parse(text)
    assert type(refusal.value) is error
    assert reason in str(refusal.value)


def test_notakto_move_marks_whole_dead_board() -> None:
    game = get_game(*notakto.TWO)
    board = "XX......./X.......X:X"
    for action in game.actions(board):
        cells = game.where(board, action).cells
        before, after = game.pieces(board), game.pieces(game.play(board, action))
        assert {cell for cell in range(21) if before[cell] != after[cell]} == set(cells)
        row, column = divmod(cells[0], 7)
        assert 9 * (column // 4) + 3 * row + column % 4 == action
        assert len(cells) == (9 if action in {2, 9 + 4} else 1)


EXACT = [("nim", "2-3"), ("nim", "3-3-take1"), notakto.ONE, ("tictactoe", "2x3x2-wild"), ("tictactoe", "2x3x3-misere")]


@pytest.mark.parametrize(
    "case", [*EXACT, ("hexapawn", "3x2"), ("connect", "2x3x3"), ("connect", "3x2x2")], ids="-".join
)
def test_parse_accepts_reachable_boards_only(case: Case) -> None:
    """Some games may accept unreachable boards that are hard to recognize.

    The games in EXACT must refuse all unreachable boards.
    """
    game = get_game(*case)
    images = {symmetry.board(board) for board in positions_for(case, "none").boards for symmetry in game.symmetries}
    letters = {"nim": "0123", "notakto": ".X"}.get(case[0], ".XO")
    cells = len(game.initial.partition(":")[0].replace("-", ""))
    texts = map("".join, itertools.product(letters, repeat=cells))
    sides = (":X", ":O") if ":" in game.initial else ("",)
    read = set()
    for text, side in itertools.product(texts, sides):
        board = ("-".join(text) if case[0] == "nim" else text) + side
        try:
            read.add(game.parse(board))
        except InvalidBoard:
            continue
    assert images <= read
    assert case not in EXACT or read == images


def test_unreachable_board_is_not_reported_as_damage(tmp_path: Path) -> None:
    with create_database(tmp_path / "hexapawn.db", "hexapawn", "3x3") as store:
        with pytest.raises(UnreachableBoard, match=r"no game of hexapawn 3x3 reaches the board O..X.X.X.:X"):
            show(store, "O..X.X.X.:X")
        box = Machine("menace", "X", positions=positions_for(("hexapawn", "3x3")))
        with pytest.raises(UnreachableBoard, match=r"no game of .* reaches board"):
            box.box("O..X.X.X.:X")


MOVES = [
    ("hexapawn", "3x3", "OOO...XXX:X", "A1 - A2", None),
    ("hexapawn", "3x3", "OOO...XXX:X", " A1-a2 ", "a1-a2"),
    ("hexapawn", "3x3", "OOOX...XX:O", "b3a2", "b3xa2"),
    ("nim", "3-4-5", "3-4-5:X", "3  FROM heap 1", "3 from heap 1"),
    ("nim", "21-take3", "21:X", "2", "2 from heap 1"),
    ("nim", "21-take3", "21:X", "4", None),
    ("notakto", "1", ".........:X", "4", "4"),
    ("notakto", "2", "........./.........:X", "B 4", "b4"),
    ("notakto", "2", "........./.........:X", "4 on board b", "b4"),
    ("notakto", "2", "........./.........:X", "4", None),
    ("connect", "4x4x3", "." * 16, "Column 2", "column 2"),
    ("connect", "4x4x3", "." * 16, "4", "column 4"),
    ("connect", "4x4x3", "." * 16, "5", None),
    ("tictactoe", "3x3x3-wild", "." * 9, "o 4", "O4"),
    ("tictactoe", "3x3x3-wild", "." * 9, "4x", "X4"),
    ("tictactoe", "3x3x3-wild", "." * 9, "4", None),
]


@pytest.mark.parametrize(("name", "variant", "board", "text", "wanted"), MOVES)
def test_parse_action_reads_common_notations_or_lists_legal_moves(
    name: str, variant: str, board: str, text: str, wanted: str | None
) -> None:
    game = get_game(name, variant)
    if wanted is not None:
        assert game.name_of(board, game.parse_action(board, text)) == wanted
        return
    with pytest.raises(IllegalMove) as refusal:
        game.parse_action(board, text)
    for action in game.actions(board):
        assert game.name_of(board, action).removeprefix("column ") in str(refusal.value)


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"tictactoe"}))
def test_play_refuses_illegal_moves(name: str) -> None:
    variant = {"hexapawn": "3x3", "nim": "1-2", "notakto": "1", "connect": "2x2x2"}.get(name, "")
    if not variant:
        pytest.skip("not a game of this package")
    game = get_game(name, variant)
    for board in positions_for((name, variant), "none").boards:
        legal = set(game.actions(board))
        assert bool(legal) == (game.outcome(board) is None)
        for action in {-1, *range(40)} - legal:
            with pytest.raises(IllegalMove, match=r"is not legal on .*; (the moves are|columns with|no move is left)"):
                game.play(board, action)


def test_drawn_boards_fit_80_columns(run: Run) -> None:
    run("init", "--game", "nim", "--variant", "21-take3", "--db", "nim.db")
    assert "\N{BLACK CIRCLE}" * 20 + "   20" in run("show", "20:O", "--db", "nim.db").out
    assert get_game("connect", "2x2x2").draw("..X.").splitlines() == ["   |   ", "---+---", " X |   ", " 1   2"]
    assert get_game("hexapawn", "3x2").draw("OO..XX:X").splitlines()[0] == "3  O | O "
    for case in [("nim", "99-take3"), notakto.THREE, ("hexapawn", "8x8"), ("connect", "5x5x4")]:
        game = get_game(*case)
        assert max(map(len, game.draw(game.initial).splitlines())) <= 80
    refused(run("init", "--game", "nim", "--variant", "3-x"), "variant '3-x' of nim is not HEAP-HEAP")


# Only `tools/docs/make_rules.py --check` checks variants with more positions than this limit.
MAX_ENUMERATED = 15_000
TABLE = known_variants()


def test_table_lists_variants_of_its_generator() -> None:
    assert [known[:2] for known in TABLE] == [
        (game, variant) for game, variants in VARIANTS.items() for variant in variants
    ]


@pytest.mark.parametrize(
    "known", [row for row in TABLE if row.positions <= MAX_ENUMERATED], ids=lambda row: "-".join(row[:2])
)
def test_table_matches_enumerated_variants(known: Known) -> None:
    assert known_variant(*known[:2]) == known


def test_table_matches_published_counts() -> None:
    table = {known[:2]: known for known in TABLE}
    assert table["tictactoe", "3x3x3"][2:5] == (765, 304, 289)  # the number of boxes, as counted by Scroggs
    assert table["hexapawn", "3x3"][2:5] == (71, 14, 17)  # the number of boxes, as counted by Gardner
    assert [table["hexapawn", size][7:] for size in ("3x3", "4x4")] == [(-1, 6, 7), (1, 11, 17)]
    assert table["nim", "21-take3"][2::5] == (42, 1)
    assert table["nim", "21-take3"][7:] == (1, 11, 21)
    assert table["nim", "21-take3-misere"].minimax == -1


def test_choice_counts_exclude_boxes_with_only_equivalent_moves() -> None:
    """In nine of O's boxes, all moves are equivalent.

    The test counts these boxes by going through boards as strings, without using the package's arrays.
    """
    (known,) = (known for known in TABLE if known[:2] == ("tictactoe", "3x3x3"))
    wanted = {"X": (known.x_boxes, known.x_choices), "O": (known.o_boxes, known.o_choices)}
    for side, counts in wanted.items():
        several = {
            TICTACTOE.canonical(board): {TICTACTOE.canonical(after) for after in TICTACTOE.children(board).values()}
            for board in TICTACTOE.boards()
            if TICTACTOE.to_move(board) == side and len(TICTACTOE.empties(board)) > 1
        }
        assert (len(several), sum(len(after) > 1 for after in several.values())) == counts
    assert wanted["O"] == (289, 280)
    assert known.perfect == TICTACTOE.plies_to_end(TICTACTOE.empty)


def test_exchanging_signs_reduces_wild_positions() -> None:
    wild = get_game("tictactoe", "3x3x3-wild")
    marked = wild.play(wild.initial, 0)
    apart = [turned for turned in wild.symmetries if turned.board(marked).count("X") == marked.count("X")]
    assert 2 * len(apart) == len(wild.symmetries) == 16
    boards = {wild.initial}
    ahead = [wild.initial]
    while ahead:
        board = ahead.pop()
        after = {wild.play(board, action) for action in wild.actions(board)} if wild.outcome(board) is None else set()
        ahead += after - boards
        boards |= after
    assert len(boards) == 18_753
    assert len({max(symmetry.board(board) for symmetry in apart) for board in boards}) == 2694
    assert len({max(symmetry.board(board) for symmetry in wild.symmetries) for board in boards}) == 1359


@pytest.mark.parametrize("case", [("hexapawn", "3x3"), ("nim", "3-4-5"), ("tictactoe", "3x3x3")])
def test_table_box_counts_match_machine(case: tuple[str, str]) -> None:
    import menace

    positions = menace.enumerate_positions(menace.get_game(*case))
    (known,) = (known for known in TABLE if known[:2] == case)
    for side, boxes in (("X", known.x_boxes), ("O", known.o_boxes)):
        machine = Machine("menace", side, positions=positions)
        assert PRESETS["menace"].settings.boxes == "choices"
        assert machine.boxed.sum() == boxes


@pytest.mark.parametrize(
    ("heaps", "sentence"),
    [
        ("5", "There is a heap of 5 stones."),
        ("2-1", "There are heaps of 2 and 1 stone."),
        ("3-4-5", "There are heaps of 3, 4 and 5 stones."),
    ],
)
def test_rules_of_nim_name_every_heap(heaps: str, sentence: str) -> None:
    assert get_game("nim", heaps).rules.startswith(sentence)
