"""The table of `menace rules`: its figures for each variant equal those of enumeration."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from oracle import TICTACTOE

from menace.games import get_game
from menace.games.known_counts import Known, known_variants
from menace.learners.machine import Machine
from menace.learners.registry import PRESETS

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from make_rules import VARIANTS, known_variant

SMALL, LARGE = (
    1000,
    15_000,
)  # positions: counted in every run of the tests, and in none (tools/make_rules.py --check does)
TABLE = known_variants()


def test_the_table_has_what_its_tool_makes() -> None:
    assert [known[:2] for known in TABLE] == [
        (game, variant) for game, variants in VARIANTS.items() for variant in variants
    ]


@pytest.mark.parametrize("known", [row for row in TABLE if row.positions <= SMALL], ids=lambda row: "-".join(row[:2]))
def test_small_variants_are_as_the_table_says(known: Known) -> None:
    assert known_variant(*known[:2]) == known


@pytest.mark.slow
@pytest.mark.parametrize(
    "known", [row for row in TABLE if SMALL < row.positions <= LARGE], ids=lambda row: "-".join(row[:2])
)
def test_larger_variants_are_as_the_table_says(known: Known) -> None:
    assert known_variant(*known[:2]) == known


def test_it_counts_what_was_published() -> None:
    table = {known[:2]: known for known in TABLE}
    assert table["tictactoe", "3x3x3"][2:5] == (765, 304, 289)  # Scroggs' boxes
    assert table["hexapawn", "3x3"][2:5] == (71, 14, 17)  # Gardner's
    assert [table["hexapawn", size][7:] for size in ("3x3", "4x4")] == [(-1, 6, 7), (1, 11, 17)]
    assert table["nim", "21-take3"][2::5] == (42, 1)
    assert table["nim", "21-take3"][7:] == (1, 11, 21)
    assert table["nim", "21-take3-misere"].minimax == -1


def test_a_real_choice_is_one_between_moves_that_are_not_equivalent() -> None:
    """In nine boxes of O no turn or mirror tells its moves apart: found on boards, without the package's arrays."""
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


def test_wild_positions_are_fewer_by_the_exchange_of_signs() -> None:
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
def test_its_boxes_are_those_that_a_machine_has(case: tuple[str, str]) -> None:
    import menace

    positions = menace.enumerate_positions(menace.get_game(*case))
    (known,) = (known for known in TABLE if known[:2] == case)
    for side, boxes in (("X", known.x_boxes), ("O", known.o_boxes)):
        machine = Machine("menace", side, positions=positions)
        assert PRESETS["menace"].settings.boxes == "choices"
        assert machine.boxed.sum() == boxes
