"""Tests of the contract for games, which all games in menace fulfil."""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import Any

import numpy as np
import pytest
from trial_games import Identity, TableGame, chomp

from menace.errors import BrokenGame, IllegalMove, InvalidGame
from menace.games import GAMES, contract, get_game
from menace.games.base import CellSymmetry, Game, MoveMark, Side
from menace.games.contract import LAWS_OF_A_BOARD, LAWS_OF_AN_IMAGE
from menace.games.enumeration import HIGHEST_ACTION, MAX_ACTIONS, MAX_MOVES
from menace.games.rules.hexapawn import Hexapawn
from menace.games.rules.mnk import MNK
from menace.games.rules.nim import Nim
from menace.testing import check_game

pytestmark = pytest.mark.slow

VARIANTS = [
    ("tictactoe", "2x2x2"),
    ("tictactoe", "3x2x2"),
    ("hexapawn", "3x3"),
    ("nim", "1-2-3"),
    ("nim", "5-take3-misere"),
]


@pytest.mark.parametrize("case", VARIANTS, ids="-".join)
def test_small_variants_obey_laws_on_every_board(case: tuple[str, str]) -> None:
    assert check_game(get_game(*case)).whole


def test_chomp_obeys_laws() -> None:
    for variant in ("1x1", "2x2", "2x3", "3x3"):
        assert check_game(chomp(variant)).whole


@pytest.mark.parametrize("name", GAMES)
def test_every_game_obeys_laws(name: str) -> None:
    assert not check_game(get_game(name), boards=100, seed=2).whole


def test_large_game_is_checked_in_part_to_its_end() -> None:
    boards: list[str] = []
    game = MNK(3, 3, 3)
    own = MNK.pieces
    broken = _broken(game, pieces=lambda self, board: boards.append(board) or own(self, board))
    assert check_game(broken, boards=16) == (16, False)
    assert len(set(boards)) >= 16
    assert any(game.outcome(board) for board in boards)
    assert {board.count(".") for board in boards} >= {4, 5, 6, 7, 8, 9}


class Endless(TableGame):
    """A game that counts upwards and never ends."""

    shape = (1, 2)

    def __init__(self) -> None:
        super().__init__({"1:X": ()})

    def outcome(self, _board: str) -> None:
        return None

    def children(self, board: str) -> dict[int, str]:
        return {step: f"{int(board[:-2]) + 1 + step}:{Side(board[-1]).other}" for step in range(2)}

    def pieces(self, _board: str) -> tuple[str, ...]:
        return "", ""

    def where(self, _board: str, action: int) -> MoveMark:
        return MoveMark((action,))


def test_endless_game_is_refused() -> None:
    with pytest.raises(BrokenGame, match=r"law of termination .* not over after 10,000 moves"):
        check_game(_plain(Endless()), boards=4)


def _plain(game: Any) -> Any:
    """Return a game that is defined by a table and obeys all the laws."""
    game.rules = "Anything."
    game.parse_action = lambda board, text: _read(game, board, text)
    game.where = lambda board, action: MoveMark((action,))
    return game


def _read(game: Game, board: str, text: str) -> int:
    for action in game.actions(board):
        if game.name_of(board, action) == text:
            return action
    raise IllegalMove(text)


def _broken(game: Any, **methods: Any) -> Game:
    """Return the game with some of its methods replaced. Each replacement receives the original game as an argument."""
    return type("Broken", (type(game),), methods)(*_arguments(game))


def _arguments(game: Any) -> tuple[Any, ...]:
    return dataclasses.astuple(game) if dataclasses.is_dataclass(game) else (game.variant,)


IDENTITY, HALF_TURN, *OTHERS = MNK(2, 2, 2).symmetries
TREE = {"1:X": ("2:O",), "2:O": ("3:X",), "3:X": ("2:O",)}


def illegal_is_played(self: Any, board: str, action: int) -> str:
    return board if action not in self.actions(board) else type(self).__mro__[1].play(self, board, action)


def _kept(game: Any, board: str) -> str:
    game.initial = board
    return board


def one_action_more(self: Any, board: str) -> tuple[int, ...]:
    return MNK.actions(self, board) or (0,)


class Lopsided(CellSymmetry):
    """A symmetry that maps actions differently from boards."""

    def action(self, action: int) -> int:
        return action


class Beyond(CellSymmetry):
    """A symmetry that maps some actions to cells outside the board."""

    def action(self, action: int) -> int:
        return action + 1


class OneWay(CellSymmetry):
    """A symmetry that its inverse does not undo."""

    def inverse(self) -> CellSymmetry:
        return self


class HalfWay(CellSymmetry):
    """A symmetry whose inverse undoes it for actions but not for boards."""

    def inverse(self) -> CellSymmetry:
        back = super().inverse()
        return CellSymmetry(back.name, self.source, tuple(back.action(action) for action in range(4)))


class OtherMover(Identity):
    """A symmetry that changes which side is to move."""

    def board(self, board: str) -> str:
        return f"{board[:-1]}{Side(board[-1]).other}"


QUARTER = next(symmetry for symmetry in MNK(2, 2, 2).symmetries if symmetry.name.startswith("quarter"))
Replaced = dict[str, Any]
SMALL, CHOMP, PAWNS, NIM = MNK(2, 2, 2), chomp("2x2"), Hexapawn(3, 3), Nim.from_variant("1-2")
OWN = type(CHOMP)

# (the law, the game, the part of the message that describes the violation)
BROKEN: list[tuple[str, Any, Replaced]] = [
    ("beginning .*over before the first move", SMALL, {"outcome": lambda self, board: "draw"}),
    ("beginning .*O moves first", SMALL, {"to_move": lambda self, board: MNK.to_move(self, board).other}),
    ("ends .*the outcome is 'nobody'", SMALL, {"outcome": lambda s, b: MNK.outcome(s, b) and "nobody"}),
    ("ends .*there is no legal action", CHOMP, {"outcome": lambda s, b: None}),
    ("ends .*action 0 is still legal", SMALL, {"actions": one_action_more}),
    ("actions .*tuple of integers", SMALL, {"actions": lambda s, b: list(MNK.actions(s, b))}),
    ("actions .*ascending", SMALL, {"actions": lambda s, b: MNK.actions(s, b)[::-1]}),
    ("actions .*`play` changes the initial board", CHOMP, {"play": lambda s, b, a: _kept(s, OWN.play(s, b, a))}),
    ("turns .*'X' is to move; expected Side", SMALL, {"to_move": lambda s, b: str(MNK.to_move(s, b)) + ""}),
    ("turns .*X is to move again", CHOMP, {"to_move": lambda s, b: Side.X}),
    ("illegal moves .*not legal, but `play` returns", CHOMP, {"play": illegal_is_played}),
    ("names .*both have the name", CHOMP, {"name_of": lambda s, b, a: str(a % 2)}),
    ("names .*parsed as", CHOMP, {"name_of": lambda s, b, a: str(3 - a)}),
    ("names .*expected one line", CHOMP, {"name_of": lambda s, b, a: f"{a}\n"}),
    ("names .*is parsed as action", CHOMP, {"parse_action": lambda s, b, t: int(t) if t.isdecimal() else 0}),
    ("reading .*parsed as", CHOMP, {"parse": lambda s, t: OWN.parse(s, t)[:-1] + "X"}),
    ("reading .*raise InvalidBoard", CHOMP, {"parse": lambda s, t: t}),
    ("drawing .*lines of text", CHOMP, {"draw": lambda s, b: ""}),
    ("drawing .*more than 80", CHOMP, {"draw": lambda s, b: "#" * 81}),
    ("pieces .*one per cell", CHOMP, {"pieces": lambda s, b: OWN.pieces(s, b)[1:]}),
    ("pieces .*at most 3", CHOMP, {"pieces": lambda s, b: ("choc",) * 4}),
    ("places .*cells, an arrow or a pair", CHOMP, {"where": lambda s, b, a: MoveMark((a,), (0, 1))}),
    ("places .*cells, an arrow or a pair", CHOMP, {"where": lambda s, b, a: MoveMark((a,), pair=(0, 1))}),
    ("places .*the same location", CHOMP, {"where": lambda s, b, a: MoveMark(pair=(0, 1)[:: 1 - a % 2 * 2])}),
    ("places .*a pair joins", PAWNS, {"where": lambda s, b, a: MoveMark(pair=(a // 3, a // 3))}),
    ("places .*numbered 0 to 3", CHOMP, {"where": lambda s, b, a: MoveMark((a + 1,))}),
    ("places .*the same location", CHOMP, {"where": lambda s, b, a: MoveMark((0, a))}),
    ("places .*an arrow or a pair joins", PAWNS, {"where": lambda s, b, a: MoveMark(arrow=(a // 3, a // 3))}),
    ("equivariance .*its image", SMALL, {"outcome": lambda s, b: "X" if b[0] == "X" else MNK.outcome(s, b)}),
    ("equivariance .*actions are mapped", SMALL, {"symmetries": (IDENTITY, Beyond("half", HALF_TURN.source))}),
    ("equivariance .*mapped by", SMALL, {"symmetries": (IDENTITY, Lopsided("half", HALF_TURN.source))}),
    ("inverses .*its inverse map", SMALL, {"symmetries": (IDENTITY, OneWay("quarter", QUARTER.source))}),
    ("equivariance .*X is to move, but on its image 1-2:O by 'identity' O is", NIM, {"symmetries": (OtherMover(),)}),
    ("inverses .*and its inverse map it to", SMALL, {"symmetries": (IDENTITY, HalfWay("quarter", QUARTER.source))}),
    ("group .*not the identity", SMALL, {"symmetries": (HALF_TURN, IDENTITY)}),
    ("group .*followed by .* not one of the game's symmetries", SMALL, {"symmetries": (IDENTITY, QUARTER)}),
    ("images .*on its image 2-1:X", NIM, {"parse": lambda s, t: Nim.parse(s, t if t != "2-1:X" else "")}),
    ("array rules .*outcome", SMALL, {"outcomes": lambda s, c: np.zeros(c.shape, np.int8)}),
    (
        "array rules .*sort",
        SMALL,
        {"encode": lambda s, b: 255 - MNK.encode(s, b), "decode": lambda s, c: MNK.decode(s, np.uint64(255) - c)},
    ),
    ("array rules .*decoding", SMALL, {"encode": lambda s, b: 0}),
    ("array rules .*images", SMALL, {"images": lambda s, c: MNK.images(s, c)[::-1]}),
    (
        "array rules .*moves",
        SMALL,
        {"successors": lambda s, c: type(MNK.successors(s, c))(*(x[::-1] for x in MNK.successors(s, c)))},
    ),
    ("moves .*fails with ZeroDivisionError", CHOMP, {"actions": lambda s, b: (1 // 0,)}),
]


@pytest.mark.parametrize(("law", "game", "replaced"), BROKEN, ids=[law for law, _, _ in BROKEN])
def test_broken_law_is_named(law: str, game: Any, replaced: Replaced) -> None:
    with pytest.raises(BrokenGame, match=f"breaks the law of {law}") as broken:
        check_game(_broken(game, **replaced))
    assert "\n" not in str(broken.value)
    assert f"{game.name} {game.variant} " in str(broken.value)


FAULTY = [case for case in BROKEN if case[0].split()[0] in {"turns", "pieces", "places", "equivariance"}]


@pytest.mark.parametrize(("law", "game", "replaced"), FAULTY, ids=[law for law, _, _ in FAULTY])
def test_all_faults_of_a_law_can_be_listed(law: str, game: Any, replaced: Replaced) -> None:
    broken = _broken(game, **replaced)
    boards = [game.initial, *(game.play(game.initial, action) for action in game.actions(game.initial))]
    of_boards, of_images = ({found.__name__: found for found in found} for found in (LAWS_OF_A_BOARD, LAWS_OF_AN_IMAGE))
    name, _, words = law.partition(" ")
    if name in of_boards:
        faults = [fault for board in boards for fault in of_boards[name](broken, board)]
    else:
        by = broken.symmetries
        faults = [fault for board in boards for symmetry in by for fault in of_images[name](broken, board, symmetry)]
    assert faults
    assert any(re.match(words, fault) for fault in faults)


def numbered(*actions: int, different: bool = False) -> Any:
    """Return a game that lasts one move, with the given actions."""
    game = _plain(TableGame({"1:X": ("2:O",)}))
    game.children = lambda board: {action: f"{2 + different * action}:O" for action in actions}
    return game


MANY = range(MAX_ACTIONS + 1)


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (numbered(-1, 0), f"the actions range from -1 to 0; the allowed range is 0 to {HIGHEST_ACTION}"),
        (numbered(0, HIGHEST_ACTION + 1), f"the actions range from 0 to {HIGHEST_ACTION + 1}; the allowed range is 0"),
        (numbered(*MANY), "it has 181 actions and 1 move; the limits are 180 and 31"),
        (numbered(*MANY[: MAX_MOVES + 1], different=True), "it has 32 actions and 32 moves; the limits"),
        (numbered(0, HIGHEST_ACTION), None),
        (numbered(*MANY[:-1]), None),
        (numbered(*MANY[:MAX_MOVES], different=True), None),
        (numbered(), None),
    ],
)
def test_actions_must_be_integers_in_range_and_not_too_many(game: Any, fault: str | None) -> None:
    found = list(contract.actions(game, "1:X"))
    assert (found[0].startswith(fault) and len(found) == 1) if fault else not found


def test_changing_actions_are_detected() -> None:
    game = numbered(0, 1)
    answers = itertools.cycle([(0, 1), (0,)])
    game.actions = lambda board: next(answers)
    assert next(contract.actions(game, "1:X")) == "two calls return different actions"


@pytest.mark.parametrize("boards", [2, 100])
def test_repeated_board_is_detected(boards: int) -> None:
    long = {f"{n}:{'OX'[n % 2]}": (f"{n % 50 + 1}:{'XO'[n % 2]}",) for n in range(1, 51)}
    for tree in (TREE, long):
        game = _plain(TableGame(tree))
        with pytest.raises(BrokenGame, match=r"no repeats on board .*: it can occur again"):
            check_game(game, boards)


def test_board_with_spaces_is_detected() -> None:
    with pytest.raises(BrokenGame, match=r"boards on board .*not a string without spaces"):
        check_game(_plain(TableGame({"1:X": ("2:O",), "2:O": ("3 3:X",)})))


@pytest.mark.parametrize(
    ("replaced", "reason"),
    [
        ({"name": "Chess Game"}, "has the name 'Chess Game'; expected a lower-case word"),
        ({"shape": (2,)}, "has the shape"),
        ({"rules": ""}, "has the rules ''"),
        ({"symmetries": ()}, "has the symmetries"),
        ({"initial": "a b"}, "has the initial"),
        ({"where": 3}, "has an attribute `where` that is not a method"),
    ],
)
def test_object_without_methods_of_a_game_is_refused(replaced: Replaced, reason: str) -> None:
    game = chomp()
    vars(game).update(replaced)
    with pytest.raises(InvalidGame, match=reason):
        check_game(game)
    with pytest.raises(InvalidGame, match="has no `"):
        check_game(object())  # type: ignore[arg-type]


def test_some_of_many_symmetries_are_checked() -> None:
    assert check_game(get_game("nim", "1-1-1-1-1-1"), boards=8).boards == 8
