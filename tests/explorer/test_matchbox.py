"""Tests of the picture of a matchbox: the beads match the box, and the drawn bead is in the corner."""

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
TIP, SHOULDER, MIDDLE, INSIDE = (
    436,
    306,
    210,
    192,
)  # y coordinates of the V's corner and of its upper ends at the walls; x coordinate and half width of the drawer


def view(amounts: Sequence[int], drawn: int = 0) -> dict[str, Any]:
    """Return a tic-tac-toe box with beads for its first cells, in the form in which pages receive it."""
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
    """Return three values for each bead in the drawer: whether it was drawn, where it is, and its colour.

    Beads are recognized by their size.
    """
    return [(bool(drawn), float(x), float(y), colour) for drawn, x, y, _, colour in BEAD.findall(drawing)]


@pytest.mark.parametrize(
    "amounts", [(4, 4, 4), (1,), (0, 3), (0, 0, 0), (30, 20, 10, 5, 7), (1865, 27, 11400), (1, 2**31)]
)
def test_drawn_beads_have_the_shares_of_the_box(amounts: tuple[int, ...]) -> None:
    (drawing,) = drawings(view(amounts))
    drawn = Counter(colour for *_, colour in beads_in(drawing))
    each = max(1, math.ceil(sum(amounts) / 72))
    for amount, colour in zip(amounts, COLOURS, strict=False):
        assert (drawn[colour] == 0) == (amount == 0)
        assert abs(drawn[colour] - amount / each) <= (0 if each == 1 else 1)
        small = {radius for *_, radius, of in BEAD.findall(drawing) if of == colour} == {"7.2"}
        assert small == (0 < amount < each / 2)  # this bead represents fewer real beads than the others
    assert ("stands for" in drawing) == (each > 1)
    assert f"{sum(amounts):,} bead" in drawing


@pytest.mark.parametrize("count", [1, 2, 3, 7, 30, 60, 72])
def test_beads_lie_in_the_drawer_above_the_card_without_much_overlap(count: int) -> None:
    (drawing,) = drawings(view((count,)))
    places = [(x, y) for _, x, y, _ in beads_in(drawing)]
    assert len(places) == count
    for x, y in places:
        aside = abs(x - MIDDLE)
        assert aside + 12 <= INSIDE + 1
        assert y - 12 > 150
        assert y <= SHOULDER + (TIP - SHOULDER) * (1 - aside / INSIDE) - 12  # the bead is above the card
    assert all(
        math.dist(one, other) >= 18 for one, other in combinations(places, 2)
    )  # beads overlap slightly, as in a heap seen from above


def test_drawn_bead_is_alone_in_the_corner_and_others_are_shuffled() -> None:
    drawing, again, other = drawings(view((20, 20, 20), 1), view((20, 20, 20), 1), view((20, 20, 20), 2))
    for picture, wanted in ((drawing, COLOURS[1]), (other, COLOURS[2])):
        ((_, x, y, colour),) = [bead for bead in beads_in(picture) if bead[0]]
        assert (x, colour) == (MIDDLE, wanted)
        assert all(below < y for drawn, _, below, _ in beads_in(picture) if not drawn)
    assert drawing == again
    colours = [colour for *_, colour in beads_in(drawing)]
    assert colours != sorted(colours)


def test_box_without_a_drawn_move_marks_no_bead() -> None:
    drawing, moved = drawings({**view((3, 2)), "drawn": None}, view((3, 2), 1))
    assert not any(drawn for drawn, *_ in beads_in(drawing))
    assert 'aria-label="box 7 for all"' in drawing
    assert 'aria-label="box 7 for all, gold: the top edge"' in moved


def test_sleeve_explains_shared_colours_and_names_the_place_of_the_bead() -> None:
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
    ]  # circles around the bead and around its cell


@pytest.mark.parametrize(("amounts", "shares"), [((4, 4, 4), ["1 in 3"] * 3), ((2,) * 5, ["1 in 5"] * 3 + ["2 in 5"])])
def test_equal_shares_are_shown_as_fractions(amounts: tuple[int, ...], shares: list[str]) -> None:
    (drawing,) = drawings(view(amounts))
    assert re.findall(r'class="held share".*?>(.*?)<', drawing) == shares


@pytest.mark.parametrize("amounts", [(83, 13, 4), (200_000, 1, 0), (7, 6, 5, 4, 3), (2, 0, 0)])
def test_sleeve_shows_the_largest_shares_rounded(amounts: tuple[int, ...]) -> None:
    (drawing,) = drawings(view(amounts))
    shown = re.findall(r'class="held share".*?>(\d+|&lt;1)%<', drawing)
    assert len(shown) == min(4, sum(amount > 0 for amount in amounts))
    largest = sorted(amounts, reverse=True)
    for share, amount in zip(shown[:3], largest, strict=False):
        assert abs((int(share) if share.isdigit() else 0) - 100 * amount / sum(amounts)) <= 0.5


def test_small_drawers_share_one_scale() -> None:
    """A bead in the picture represents the same number of real beads in every drawer.

    At least one bead is shown for each move that has beads.
    """
    views = [view(amounts) for amounts in ((4, 4, 4), (900, 20, 80), (0, 2, 0), (24_000, 1, 0))]
    script = """
    const views = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const each = menace.smallBeadScale(views);
    console.log(JSON.stringify([each, views.map(view => menace.smallDrawer(view, each))]));
    """
    each, drawn = run_in_node(load_scripts("words.js", "drawing.js", "matchbox.js") + script, views)
    assert each == 2000  # 24,001 beads are shown as at most 24 beads, each of which represents a round number of beads
    for shown, drawing in zip(views, drawn, strict=True):
        counts = Counter(re.findall(r'<circle r="(?:23|13.8)" fill="([^"]+)"', drawing))
        for move in shown["moves"]:
            assert counts[move["colour"]] == (max(1, round(move["amount"] / each)) if move["amount"] else 0)


CHANGE = """
const { clauses, changes, saw } = JSON.parse(require("fs").readFileSync(0, "utf8"));
menace.clauses = clauses;
const meaning = change => menace.meaningOf([change], () => saw);
const drawn = change => [menace.changedBox(change, saw), `${meaning(change).text} ${meaning(change).details}`];
console.log(JSON.stringify(changes.map(drawn)));
"""


@pytest.mark.parametrize(
    ("after", "beads", "often", "meaning"),
    [
        (
            7,
            3,
            "more often",
            "It will do this more often. It now begins with the top left corner 5 times in 10 instead of 3.",
        ),
        (
            5,
            1,
            "more often",
            "It will do this more often. It now begins with the top left corner 4 times in 10 instead of 3.",
        ),
        (
            3,
            -1,
            "less often",
            "It will do this a little less often. In the first box that it opened: the top left corner.",
        ),
        (
            0,
            -4,
            "no longer",
            "It will not try this again. In the first box that it opened, it no longer plays the top left corner.",
        ),
    ],
)
def test_changed_box_shows_which_beads_go_in_or_out(after: int, beads: int, often: str, meaning: str) -> None:
    saw = view((4, 4, 4))
    move = {**saw["moves"][0], "before": 4, "after": after, "put_back": 0}
    data = {"clauses": for_scripts(), "changes": [{**saw, "moves": [move]}], "saw": saw}
    ((drawing, text),) = run_in_node(load_scripts("words.js", "drawing.js", "matchbox.js") + CHANGE, data)
    assert text.replace("\N{NO-BREAK SPACE}", " ") == meaning
    assert f"the top left corner, {often}<span>" in drawing
    assert (drawing.count("dot comes"), drawing.count("dot goes")) == (max(0, beads), max(0, -beads))
    assert drawing.count('circle r="23"') == 8 + after
    assert ("ring taken" in drawing) == ('class="bead drawn"' not in drawing) == (beads < 0)
    (ring,) = re.findall(r'class="ring(?: taken)?" cx="([\d.]+)" cy="([\d.]+)" r="(?:23|29.9)"', drawing)
    assert (f'translate({" ".join(ring)})"><circle r="23"' in drawing) == (beads > 0)  # the tip is empty after a loss


@pytest.mark.parametrize(
    ("after", "verdicts", "text"),
    [
        (3, ("draws", "draws"), "It will do this a little less often."),
        (3, ("loses", "draws"), "It will make this mistake a little less often."),
        (0, ("draws", "wins"), "It will not fall for this again."),
        (5, ("loses", "draws"), "It will do this more often."),
    ],
)
def test_move_is_called_a_mistake_if_another_is_better(after: int, verdicts: tuple[str, str], text: str) -> None:
    saw = view((4, 4, 4))
    saw["moves"] = [{**move, "verdict": verdicts[min(row, 1)]} for row, move in enumerate(saw["moves"])]
    kept, changed = (
        {**saw, "moves": [{**saw["moves"][0], "before": 4, "after": end, "put_back": 0}]} for end in (4, after)
    )
    script = """
    const { clauses, changes, saw } = JSON.parse(require("fs").readFileSync(0, "utf8"));
    menace.clauses = clauses;
    const { text, details } = menace.meaningOf(changes, () => saw);
    console.log(JSON.stringify([text, details]));
    """
    data = {"clauses": for_scripts(), "changes": [kept, kept, changed], "saw": saw}
    said, details = run_in_node(load_scripts("words.js", "drawing.js", "matchbox.js") + script, data)
    assert said == text
    assert details.startswith(("In its last box", "It now begins with"))
