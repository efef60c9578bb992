"""Tests of pictures of boards and matchboxes: Python and the scripts agree, and the beads match the box."""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import notakto
import numpy as np
import pytest
from scripts_in_node import draw_with_scripts, load_scripts, run_in_node
from trial_games import DOMINOES

from menace.analysis.bead_names import BeadNames
from menace.analysis.board_report import images
from menace.analysis.position import show_machine
from menace.drawing.boards import cell_names, strokes
from menace.explorer.content.board_inputs import cells_of
from menace.explorer.content.drawable_boxes import move_records, played_record, seen_record
from menace.exporting.board_html import amount_text
from menace.games import get_game
from menace.games.base import GAP
from menace.learners.machine import Machine
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.store import Store
from menace.site.pages import _environment
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
    """Return a tic-tac-toe box with beads for its first cells, in the form that the server sends to pages."""
    moves = [
        {
            "names": [str(cell)],
            "cells": [cell],
            "path": None,
            "ends": cell == 2,
            "amount": amount,
            "colour": colour,
            "bead": "gold",
        }
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


def test_sleeve_says_that_all_moves_are_equally_likely() -> None:
    (drawing,) = drawings(view((4, 4, 4)))
    assert "all 3 equally likely" in drawing
    assert "%<" not in drawing


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
            "It will play the top left corner more often. It now does so in 5 of 10 games instead of 3.",
        ),
        (
            5,
            1,
            "more often",
            "It will play the top left corner more often. It now does so in 4 of 10 games instead of 3.",
        ),
        (
            3,
            -1,
            "less often",
            "It will play the top left corner a little less often. ",
        ),
        (
            0,
            -4,
            "no longer",
            "It will not play the top left corner again. ",
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


OFTEN = "It now does so in 4 of 10 games instead of 3."


@pytest.mark.parametrize(
    ("after", "verdicts", "details"),
    [
        (3, ("draws", "draws"), ""),
        (3, ("loses", "draws"), "The top edge would have drawn."),
        (0, ("draws", "wins"), "The top right corner would have won."),
        (6, ("wins", "draws"), OFTEN),
        (
            6,
            ("draws", "wins"),
            f"{OFTEN} The top right corner would have won, but the machine cannot know that.",
        ),
    ],
)
def test_better_move_is_named_unless_the_machine_won(after: int, verdicts: tuple[str, str], details: str) -> None:
    saw = view((4, 4, 4))
    saw["moves"] = [{**move, "verdict": verdicts[min(row, 1)]} for row, move in enumerate(saw["moves"])]
    kept, changed = (
        {**saw, "moves": [{**saw["moves"][0], "before": 4, "after": end, "put_back": 0}]} for end in (4, after)
    )
    script = """
    const { clauses, changes, saw } = JSON.parse(require("fs").readFileSync(0, "utf8"));
    menace.clauses = clauses;
    const outcome = saw.moves[0].verdict === "wins" ? "X" : "draw";
    const { cell, details } = menace.meaningOf(changes, () => saw, { outcome, person: "O" });
    console.log(JSON.stringify([cell, details.replace("\u00a0", " ")]));
    """
    data = {"clauses": for_scripts(), "changes": [kept, kept, changed], "saw": saw}
    assert run_in_node(load_scripts("words.js", "drawing.js", "matchbox.js") + script, data) == [0, details]


pytestmark = pytest.mark.slow

# The symmetries of these games rotate or reflect the board, or permute heaps or boards.
VARIANTS = [
    "tictactoe 3x3x3",
    "tictactoe 3x3x3-wild",
    "connect 3x3x3",
    "hexapawn 3x3",
    "nim 1-2-3",
    " ".join(notakto.ONE),
    " ".join(DOMINOES),
]
POSITIONS, IMAGES = 12, 6  # the numbers of positions and of images that the tests check


@pytest.fixture(scope="module", params=VARIANTS)
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Store, Machine]]:
    """Return a machine whose moves all have different numbers of beads, and its database file."""
    with create_database(tmp_path_factory.mktemp("board") / "menace.db", get_game(*request.param.split())) as store:
        new_learner(store, "adam", "X")
        named = named_machine(store, "adam")
        named.learned.amount[:] = np.arange(1, len(named.learned.amount) + 1)
        yield store, named


def boards(machine: Machine) -> Iterator[tuple[int, str]]:
    boxed = machine.boxed.nonzero()[0].tolist()
    for position in boxed[:: max(len(boxed) // POSITIONS, 1)]:
        for board in images(machine.positions, machine.positions.boards[position], IMAGES):
            yield position, board


def test_open_box_is_oriented_like_the_board(machine: tuple[Store, Machine]) -> None:
    store, adam = machine
    positions, game = adam.positions, adam.positions.game
    for position, board in boards(adam):
        view = show_machine(store, board, adam)
        assert view.box is not None
        assert view.seen_box is not None
        beads = {move.action: move.amount for move in view.box.moves}
        cells = [cell for move in view.moves for cell in move.cells]
        assert sorted(cells) == sorted(game.actions(board))
        assert [move.cells[0] for move in view.moves] == sorted(move.cells[0] for move in view.moves)
        for move, seen_move in zip(view.moves, view.seen_box.moves, strict=True):
            assert (seen_move.action, seen_move.amount) == (min(move.cells), move.amount)
            for cell in move.cells:
                assert beads[positions.to_canonical(board, cell)] == move.amount
        assert (view.seen_box.board, view.box.board) == (board, positions.boards[position])


def test_open_box_uses_the_move_names_and_order_of_the_board(machine: tuple[Store, Machine]) -> None:
    store, adam = machine
    names = BeadNames(adam.positions, adam.naming)
    views = [show_machine(store, board, adam) for _, board in boards(adam)]
    records = [seen_record(view, names, None) for view in views]
    for view, drawn in zip(views, draw_with_scripts("data.map(menace.openBox)", records), strict=True):
        if len(view.moves) == 1 and len(view.moves[0].cells) == 1:
            continue  # in this case, the page says that the move is the only one
        assert f" for {html.escape(view.board)} (" in drawn
        rows = re.findall(r'<span class="name">(.*?)</span></th><td>(?:<i [^>]*></i> )?([\d,]+) beads?<', drawn)
        assert rows == [(html.escape(move.text), f"{move.beads:,}") for move in view.moves]


def test_first_and_last_cells_of_moves_are_clickable(machine: tuple[Store, Machine]) -> None:
    store, adam = machine
    game = adam.positions.game
    shown = [board for _, board in boards(adam)]
    records = [{**played_record(game, board), "moves": move_records(store, board)} for board in shown]
    for board, drawn in zip(
        shown, draw_with_scripts("data.map(board => menace.buttons(board, board.moves, 'A'))", records), strict=True
    ):
        still = {int(cell) for cell in re.findall(r'data-cell="(\d+)"[^>]*aria-disabled', drawn)}
        where = [game.where(board, action) for action in game.actions(board)]
        open_cells = {cell for cells in where for cell in (cells.ends or cells.cells[:1])}
        assert open_cells == {int(cell) for cell in re.findall(r'data-cell="(\d+)"', drawn)} - still
        assert drawn.count("<path") == sum(cells.ends is not None for cells in where)


@pytest.mark.parametrize(
    ("variant", "board", "beside", "names", "struck"),
    [
        ("tictactoe 3x3x3", "XXXOO....", "", "012345678", 1),
        ("tictactoe 3x3x3-wild", "O...O...O", "", "012345678", 1),
        ("tictactoe 3x3x3", "XXOXO.O..", "", "012345678", 1),
        ("tictactoe 4x4x3", "XXXXOOO.........", "", "0123456789101112131415", 3),
        ("connect 3x3x3", "......X..", "123", "", 0),
        ("hexapawn 3x3", "OOO...XXX:X", "321abc", "", 0),
        (" ".join(notakto.TWO), "#########/.........:X", "", "a0a1a2b0b1b2a3a4a5b3b4b5a6a7a8b6b7b8", 0),
        ("nim 1-2-3", "1-2-3:X", "", "", 0),
    ],
)
def test_python_and_scripts_agree_on_cell_names_and_strokes(
    variant: str, board: str, beside: str, names: str, struck: int
) -> None:
    game = get_game(*variant.split())
    boards = _environment().get_template("menace_board.html").module
    pages = boards.board_table(cells_of(game, board, [], None), "A", lambda _: {}, struck=strokes(game, board))
    drawn = draw_with_scripts("menace.buttons(data, [], 'A')", played_record(game, board))
    assert len(strokes(game, board)) == struck
    for text in (pages, drawn):
        assert re.findall(r'class="struck" d="([^"]*)"', text) == strokes(game, board)
        assert "".join(re.findall(r'class="name" aria-hidden="true">(\w+)<', text)) == names
        assert sorted(re.findall(r'class="(?:rank|file)" aria-hidden="true">(\w)<', text)) == sorted(beside)
    assert re.findall(r'aria-label="([^"]*)"', pages) == re.findall(r'aria-label="([^"]*)"', drawn)
    assert len({*cell_names(game)["places"]} - {""}) == sum(piece != GAP for piece in game.pieces(board))


BEADS = [0, 1, 9999, 10000, 26123, 999_499, 999_500, 1_234_567, 1_250_000, 4_073_000, 9_949_999, 9_950_000, 2**31]
VALUES = [0.0, 0.5, -0.51234, 9.999, 10.0, 12.5, 26123.4, 1e-9, -0.00025, 3e-10, 0.0005]


def test_amounts_have_at_most_five_characters_in_python_and_scripts() -> None:
    amounts = [*BEADS, *map(int, np.geomspace(1, 9e18, 200)), *VALUES, *map(float, np.geomspace(1e-9, 1e9, 100))]
    scripts = "data.map(([amount, unit]) => menace.amountText(amount, unit))"
    units = ["beads" if isinstance(amount, int) else "value" for amount in amounts]
    texts = [amount_text(amount) for amount in amounts]
    assert draw_with_scripts(scripts, [*zip(amounts, units, strict=True)]) == texts
    assert max(map(len, texts)) == 5
    assert texts[3:8] == ["10k", "26k", "999k", "1.0M", "1.2M"]
