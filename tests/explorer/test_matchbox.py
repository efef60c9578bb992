"""A matchbox as drawn: its beads are those of the box, lie in its drawer and apart, the drawn one in the corner."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from scripts_in_node import load_scripts, run_in_node

from menace.text.narration import for_scripts

DRAW = """
const { clauses, views } = JSON.parse(require("fs").readFileSync(0, "utf8"));
menace.clauses = clauses;
console.log(JSON.stringify(views.map(view => menace.matchbox(view))));
"""
COLOURS = ("#d52b2b", "#f39200", "#ffffff", "#008c50", "#1446aa")
BEAD = re.compile(
    r'<g class="bead( drawn)?" transform="translate\(([\d.]+) ([\d.]+)\)"><circle r="(12|7.2)" fill="([^"]+)"'
)
TIP, SHOULDER, MIDDLE, INSIDE = 436, 306, 210, 192  # the corner of the V, where it meets the walls, half the drawer


def view(amounts: Sequence[int], drawn: int = 0) -> dict[str, Any]:
    """A box of tic-tac-toe with beads for its first cells, as a page has it."""
    moves = [
        {"names": [str(cell)], "cells": [cell], "path": None, "amount": amount, "colour": colour, "bead": "gold"}
        for cell, (amount, colour) in enumerate(zip(amounts, COLOURS, strict=False))
    ]
    board = {"board": "." * 9, "shape": (3, 3), "pieces": [""] * 9}
    return {
        **board,
        "kind": "cell",
        "number": 7,
        "title": "box 7 for all",
        "unit": "beads",
        "drawn": drawn,
        "moves": moves,
    }


def drawings(*views: dict[str, Any]) -> list[str]:
    data = {"clauses": for_scripts(), "views": views}
    drawn: list[str] = run_in_node(load_scripts("words.js", "drawing.js", "matchbox.js") + DRAW, data)
    return drawn


def beads_in(drawing: str) -> list[tuple[bool, float, float, str]]:
    """What lies in the drawer: whether it is the drawn one, where, and its colour. The board's beads are smaller."""
    return [(bool(drawn), float(x), float(y), colour) for drawn, x, y, _, colour in BEAD.findall(drawing)]


@pytest.mark.parametrize(
    "amounts", [(4, 4, 4), (1,), (0, 3), (0, 0, 0), (30, 20, 10, 5, 7), (1865, 27, 11400), (1, 2**31)]
)
def test_the_beads_are_those_of_the_box_in_its_shares(amounts: tuple[int, ...]) -> None:
    (drawing,) = drawings(view(amounts))
    drawn = Counter(colour for *_, colour in beads_in(drawing))
    each = max(1, math.ceil(sum(amounts) / 72))
    for amount, colour in zip(amounts, COLOURS, strict=False):
        assert (drawn[colour] == 0) == (amount == 0)
        assert abs(drawn[colour] - amount / each) <= (0 if each == 1 else 1)
        small = {radius for *_, radius, of in BEAD.findall(drawing) if of == colour} == {"7.2"}
        assert small == (0 < amount < each / 2)  # one that stands for fewer than the others
    assert ("stands for" in drawing) == (each > 1)
    assert f"{sum(amounts):,} bead" in drawing


@pytest.mark.parametrize("count", [1, 2, 3, 7, 30, 60, 72])
def test_beads_lie_in_the_drawer_above_the_card_and_apart(count: int) -> None:
    (drawing,) = drawings(view((count,)))
    places = [(x, y) for _, x, y, _ in beads_in(drawing)]
    assert len(places) == count
    for x, y in places:
        aside = abs(x - MIDDLE)
        assert aside + 12 <= INSIDE + 1
        assert y - 12 > 150
        assert y <= SHOULDER + (TIP - SHOULDER) * (1 - aside / INSIDE) - 12  # the card below it
    assert all(
        math.dist(one, other) >= 18 for one, other in combinations(places, 2)
    )  # they overlap a little, as a heap seen from above


def test_the_drawn_bead_is_alone_in_the_corner_and_the_rest_shaken() -> None:
    drawing, again, other = drawings(view((20, 20, 20), 1), view((20, 20, 20), 1), view((20, 20, 20), 2))
    for picture, wanted in ((drawing, COLOURS[1]), (other, COLOURS[2])):
        ((_, x, y, colour),) = [bead for bead in beads_in(picture) if bead[0]]
        assert (x, colour) == (MIDDLE, wanted)
        assert all(below < y for drawn, _, below, _ in beads_in(picture) if not drawn)
    assert drawing == again
    colours = [colour for *_, colour in beads_in(drawing)]
    assert colours != sorted(colours)


def test_a_box_that_moved_for_nobody_marks_no_bead_and_says_what_it_is() -> None:
    drawing, moved = drawings({**view((3, 2)), "drawn": None}, view((3, 2), 1))
    assert not any(drawn for drawn, *_ in beads_in(drawing))
    assert 'aria-label="box 7 for all"' in drawing
    assert 'aria-label="box 7 for all, gold: the top edge"' in moved


def test_a_sleeve_says_why_not_every_cell_has_a_colour_and_its_bead_is_named_with_its_place() -> None:
    merged = view((4, 4, 4), 1)
    merged["moves"][1]["names"] = ["1", "3"]
    heaps = {**merged, "kind": "move", "shape": (1, 9)}
    many = {**heaps, "moves": [{**move, "names": [*"abcd"]} for move in merged["moves"]]}
    alone, mirrored, alike, long = drawings(view((4, 4, 4), 1), merged, heaps, many)
    assert not re.search("mirror|share a colour", alone)
    assert "mirror images share a colour" in mirrored
    assert "equivalent moves share a colour" in alike
    assert [re.findall('class="says".*?>(.*?)<', drawing) for drawing in (mirrored, alike, long)] == [
        ["gold: the top edge"],
        ["gold: 1 3"],
        ["gold: a and 3 more"],
    ]
    assert [drawing.count('class="ring"') for drawing in drawings(merged, {**merged, "drawn": None})] == [
        2,
        0,
    ]  # around the bead, and its cell


@pytest.mark.parametrize("amounts", [(1, 1, 1), (83, 13, 4), (200_000, 1, 0), (7, 6, 5, 4, 3), (2, 0, 0)])
def test_the_shares_on_a_sleeve_are_the_largest_and_sum_to_a_hundred(amounts: tuple[int, ...]) -> None:
    (drawing,) = drawings(view(amounts))
    shown = re.findall(r'class="held share".*?>(\d+|&lt;1)%<', drawing)
    assert len(shown) == min(4, sum(amount > 0 for amount in amounts))
    assert sum(int(share) if share.isdigit() else 0 for share in shown) == 100
    largest = sorted(amounts, reverse=True)
    for share, amount in zip(shown[:3], largest, strict=False):
        assert abs((int(share) if share.isdigit() else 0) - 100 * amount / sum(amounts)) < 1


def test_small_drawers_of_a_picture_have_one_scale() -> None:
    """A bead that is drawn stands for as many in each of them, and only what is there at all has one at least."""
    views = [view(amounts) for amounts in ((4, 4, 4), (900, 20, 80), (0, 2, 0), (24_000, 1, 0))]
    script = """
    const views = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const each = menace.smallEach(views);
    console.log(JSON.stringify([each, views.map(view => menace.smallDrawer(view, each))]));
    """
    each, drawn = run_in_node(load_scripts("words.js", "drawing.js", "matchbox.js") + script, views)
    assert each == 2000  # 24,001 are 24 beads at most, of a round number each
    for shown, drawing in zip(views, drawn, strict=True):
        counts = Counter(re.findall(r'<circle r="(?:23|13.8)" fill="([^"]+)"', drawing))
        for move in shown["moves"]:
            assert counts[move["colour"]] == (max(1, round(move["amount"] / each)) if move["amount"] else 0)
