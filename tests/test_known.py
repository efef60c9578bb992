"""The table of `menace rules`: what it says of each variant is what enumerating it gives."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from menace.games.known import Known, known_variants
from menace.learners.machine import Machine
from menace.learners.registry import PRESETS

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from make_rules import VARIANTS, found

SMALL, LARGE = (
    1000,
    15_000,
)  # positions: counted in every run of the tests, and in none (tools/make_rules.py --check does)
TABLE = known_variants()


def test_the_table_has_what_its_tool_makes() -> None:
    assert [known[:2] for known in TABLE] == [(game, variant) for game, found in VARIANTS.items() for variant in found]


@pytest.mark.parametrize("known", [one for one in TABLE if one.positions <= SMALL], ids=lambda one: "-".join(one[:2]))
def test_small_variants_are_as_the_table_says(known: Known) -> None:
    assert found(*known[:2]) == known


@pytest.mark.slow
@pytest.mark.parametrize(
    "known", [one for one in TABLE if SMALL < one.positions <= LARGE], ids=lambda one: "-".join(one[:2])
)
def test_larger_variants_are_as_the_table_says(known: Known) -> None:
    assert found(*known[:2]) == known


def test_it_counts_what_was_published() -> None:
    table = {known[:2]: known for known in TABLE}
    assert table["tictactoe", "3x3x3"][2:6] == (765, 304, 289, 0)  # Scroggs' boxes
    assert table["hexapawn", "3x3"][2:6] == (71, 14, 17, -1)  # Gardner's
    assert table["nim", "21-take3"][2:6:3] == (42, 1)
    assert table["nim", "21-take3-misere"][5] == -1


@pytest.mark.parametrize("case", [("hexapawn", "3x3"), ("nim", "3-4-5"), ("tictactoe", "3x3x3")])
def test_its_boxes_are_those_that_a_machine_has(case: tuple[str, str]) -> None:
    import menace

    positions = menace.enumerate_positions(menace.get_game(*case))
    (known,) = (known for known in TABLE if known[:2] == case)
    for side, boxes in (("X", known.x_boxes), ("O", known.o_boxes)):
        machine = Machine("menace", side, positions=positions)
        assert PRESETS["menace"].settings.boxes == "choices"
        assert machine.boxed.sum() == boxes
