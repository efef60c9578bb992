"""Tests that the picture of a game is complete, contains no overlaps, and has correct line widths and tints."""

from __future__ import annotations

import itertools
import os
import random
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from commands import Run, ok, refused
from database_templates import fresh_database, learner_by_hand
from numpy.typing import NDArray
from oracle import TICTACTOE
from runs import selfplay

import menace
from menace.drawing import game_picture as picture_layout
from menace.drawing.game_picture import MAX_WIDTH, MIN_WIDTH, mistake_probability, risk_tint
from menace.drawing.graph_layout import by_ply, count_crossings, order_rows, place_nodes
from menace.exporting.graphs import game_graph
from menace.figures import game_graph as pictures
from menace.figures.boards import PIECE_COLOURS
from menace.figures.game_graph import Drawn, draw, picture, row_texts
from menace.figures.panels import menace_style
from menace.ledger.learners import load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.text.wording import PARTS

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")

SPECIAL_NAME = "$x$ <b>&amp;\"'\\ =1+1"
NAMES = [SPECIAL_NAME, "W" * 60, "\u4e2d" * 60]  # the font does not contain the letter in the last name
NOUGHT_RADIUS = 0.29  # in cells
CASES = ["optimal", "all", "X-optimal", "learner", "played", "none", "2x2x2", "2x3x2", "5x1x3"]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Store]]:
    """Yield databases by variant; the key `none` stands for tic-tac-toe without symmetry.

    The learners in the tic-tac-toe database have played 300 games.
    """
    folder = tmp_path_factory.mktemp("pictures")
    made = {v: fresh_database(folder / f"{v}.db", variant=v) for v in ("3x3x3", "2x2x2", "2x3x2", "5x1x3")}
    made["none"] = fresh_database(folder / "none.db", symmetry="none")
    selfplay(made["3x3x3"], games=300, seed=1)
    for name in NAMES:
        learner_by_hand(made["3x3x3"], name, "O", "zhang")
    yield made
    for store in made.values():
        store.close()


@pytest.fixture(scope="module")
def store(stores: dict[str, Store]) -> Store:
    return stores["3x3x3"]


class Drawings(dict[str, Drawn]):
    """A lazily filled dictionary from the name of a case to its picture.

    Each picture is drawn when it is first used, which takes up to two seconds. Tests must not change the pictures.
    """

    def __init__(self, stores: dict[str, Store]) -> None:
        self.stores = stores

    def __missing__(self, case: str) -> Drawn:
        words = {"learner": ("X-optimal", "menace-o"), "played": ("played", "menace-o"), "none": ("optimal",)}
        part = (case,) if case in PARTS else ("all",)
        with menace_style():
            self[case] = draw(self.stores.get(case, self.stores["3x3x3"]), *words.get(case, part))
        return self[case]


@pytest.fixture(scope="module")
def drawings(stores: dict[str, Store]) -> Drawings:
    return Drawings(stores)


@pytest.fixture
def drawn(drawings: dict[str, Drawn], request: pytest.FixtureRequest) -> Drawn:
    return drawings[request.param]


each_case = pytest.mark.parametrize("drawn", CASES, indirect=True)
slide_cases = pytest.mark.parametrize("drawn", ["optimal", "2x2x2", "2x3x2"], indirect=True)


@pytest.fixture(scope="module", autouse=True)
def cached_orders() -> Iterator[None]:
    """Cache the order of positions in each part of a game, because computing this order is slow.

    One of the tests checks that another process computes the same order.
    """
    orders: dict[str, list[list[int]]] = {}

    def once(rows: list[list[int]], edges: list[tuple[int, int]], starts: int | None = None) -> list[list[int]]:
        key = repr((rows, edges, starts))
        if key not in orders:
            orders[key] = order_rows(rows, edges, starts)
        return orders[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(picture_layout, "order_rows", once)
        yield


def random_rows(seed: int, most: int) -> tuple[list[list[int]], list[tuple[int, int]]]:
    generator = random.Random(seed)
    numbers = itertools.count()
    rows = [[next(numbers) for _ in range(generator.randint(1, most))] for _ in range(generator.randint(2, 4))]
    edges = [edge for pair in itertools.pairwise(rows) for edge in itertools.product(*pair) if generator.random() < 0.5]
    return rows, edges


def crossings_by_pairs(rows: list[list[int]], edges: list[tuple[int, int]]) -> int:
    place = {node: (number, place) for number, row in enumerate(rows) for place, node in enumerate(row)}
    return sum(
        place[a][0] == place[b][0] and (place[a][1] - place[b][1]) * (place[c][1] - place[d][1]) < 0
        for (a, c), (b, d) in itertools.combinations(edges, 2)
    )


@pytest.mark.parametrize("seed", range(20))
def test_crossing_count_matches_pairwise_count(seed: int) -> None:
    rows, edges = random_rows(seed, 12)
    assert count_crossings(rows, edges) == crossings_by_pairs(rows, edges)


@pytest.mark.parametrize("seed", [0, 6])  # these seeds give three or more rows
def test_moves_that_skip_rows_do_not_affect_order(seed: int) -> None:
    rows, edges = random_rows(seed, 6)
    longer = [(start, end) for above, below in zip(rows, rows[2:], strict=False) for start in above for end in below]
    assert len(rows) > 2
    assert count_crossings(rows, [*edges, *longer]) == count_crossings(rows, edges)
    assert order_rows(rows, [*edges, *longer]) == order_rows(rows, edges)


@pytest.mark.parametrize("seed", range(5))
def test_small_graphs_have_minimum_crossings(seed: int) -> None:
    rows, edges = random_rows(seed, 3)
    orders = itertools.product(*map(itertools.permutations, rows))
    order_found = order_rows(rows, edges, starts=20)
    assert [sorted(row) for row in order_found] == rows
    assert count_crossings(order_found, edges) == min(
        crossings_by_pairs([list(row) for row in order], edges) for order in orders
    )


def test_ordering_reduces_perfect_play_crossings_from_723_to_265(drawings: dict[str, Drawn]) -> None:
    before, drawn = crossings_before_and_after(drawings["optimal"])
    assert before == 723
    assert drawn <= 265


@pytest.mark.parametrize("drawn", ["all", "X-optimal"], indirect=True)
def test_ordering_halves_poster_crossings(drawn: Drawn) -> None:
    before, now = crossings_before_and_after(drawn)
    assert now < 0.51 * before


def crossings_before_and_after(drawn: Drawn) -> tuple[int, int]:
    """Return two numbers of crossings: with each row sorted by position number, and as drawn."""
    rows, moves = list(by_ply(drawn.graph).values()), list(drawn.sheet.moves)
    in_order = [sorted(row, key=lambda node: drawn.sheet.places[node].left) for row in rows]
    return count_crossings(rows, moves), count_crossings(in_order, moves)


@pytest.mark.parametrize("seed", range(12))
def test_node_places_keep_order_spacing_and_margins(seed: int) -> None:
    rows, edges = random_rows(seed, 8)
    x = place_nodes(rows, edges, [10.0] * len(rows), 100.0)
    for row in rows:
        assert all(x[b] - x[a] > 10 - 1e-9 for a, b in itertools.pairwise(row))
        assert all(5 - 1e-9 <= x[node] <= 95 + 1e-9 for node in row)
    lonely = place_nodes([[0, 1, 2], [3, 4, 5]], [(0, 3), (0, 4), (0, 5)], [10.0, 10.0], 300.0)
    assert lonely[3] > 50 + 1e-9
    assert lonely[5] < 250 - 1e-9  # if nodes were evenly spaced, this node would be at 250


@pytest.mark.parametrize("case", CASES)
def test_every_position_and_move_of_part_is_drawn(
    case: str, drawings: dict[str, Drawn], stores: dict[str, Store]
) -> None:
    drawn = drawings[case]
    part, learner = {"learner": ("X-optimal", "menace-o"), "played": ("played", "menace-o")}.get(case, (case, None))
    if part not in PARTS:
        part = "optimal" if case == "none" else "all"
    graph = game_graph(stores.get(case, stores["3x3x3"]), part, learner)
    assert set(drawn.sheet.places) == set(drawn.paint.tints) == set(graph)
    assert set(drawn.sheet.moves) == set(drawn.paint.strokes) == set(graph.edges)
    assert len(drawn.figure.axes[0].collections[0].get_paths()) == graph.number_of_edges()
    for (start, end), points in drawn.sheet.moves.items():
        upper, lower = drawn.sheet.places[start], drawn.sheet.places[end]
        assert points[0][1] == upper.top + upper.height
        assert points[-1][1] == lower.top
        assert abs(points[0][0] - upper.middle) < upper.width / 2
        assert abs(points[-1][0] - lower.middle) < lower.width / 2


def test_parts_have_published_position_counts(drawings: dict[str, Drawn]) -> None:
    plies = {case: [len(row) for row in by_ply(drawings[case].graph).values()] for case in ("optimal", "all")}
    assert plies["optimal"] == [1, 3, 5, 16, 18, 23, 24, 22, 10, 3]
    assert plies["all"] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert (len(drawings["optimal"].sheet.moves), len(drawings["all"].sheet.moves)) == (210, 2096)


@each_case
def test_boards_fit_sheet_without_overlap(drawn: Drawn) -> None:
    sheet = drawn.sheet
    boxes = np.array([(p.left, p.top, p.left + p.width, p.top + p.height) for p in sheet.places.values()])
    assert (boxes[:, :2] > 0).all()
    assert (boxes[:, 2:] < (sheet.width, sheet.height)).all()
    apart = (boxes[:, None, 2:] < boxes[None, :, :2]).any(axis=2)
    assert (apart | apart.T | np.eye(len(boxes), dtype=bool)).all()
    for upper, lower in itertools.pairwise(sheet.rows):
        assert lower.top - upper.bottom > 12


@each_case
def test_move_lines_avoid_boards(drawn: Drawn) -> None:
    """The test checks 60 points on each line and takes the width of the line into account.

    A line may touch only the two boards that it connects.
    """
    collection = drawn.figure.axes[0].collections[0]
    widths = np.array(collection.get_linewidths())[:, None] / 2
    vertices = np.array([path.vertices for path in collection.get_paths()])
    xs, ys = sample_lines(vertices[:, :, 0]), sample_lines(vertices[:, :, 1])
    assert (np.diff(ys, axis=1) > -1e-9).all()
    for place in drawn.sheet.places.values():
        inside = (xs + widths > place.left) & (xs - widths < place.left + place.width)
        assert not (inside & (ys > place.top + 1e-9) & (ys < place.top + place.height - 1e-9)).any()


def sample_lines(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 60 points on each line, as an array [lines, 60].

    A line has six vertices, which define a straight segment, a cubic Bezier curve and another straight segment.
    """
    t = np.linspace(0, 1, 20)
    a, b, c, d, e, f = (points[:, [number]] for number in range(6))
    curve = (1 - t) ** 3 * b + 3 * (1 - t) ** 2 * t * c + 3 * (1 - t) * t**2 * d + t**3 * e
    return np.concatenate([a + (b - a) * t, curve, e + (f - e) * t], axis=1)


@each_case
def test_texts_fit_sheet_without_overlap(drawn: Drawn) -> None:
    sheet, extents = drawn.sheet, {}
    for text in drawn.figure.axes[0].texts:
        box = text.get_window_extent()
        extents[text] = (box.x0, sheet.height - box.y1, box.x1, sheet.height - box.y0)
    boards = [(p.left, p.top, p.left + p.width, p.top + p.height) for p in sheet.places.values()]
    for text, box in extents.items():
        assert box[0] > 0
        assert box[1] > 0
        assert box[2] < sheet.width
        assert box[3] < sheet.height
        extents_beside = [extent for key, extent in extents.items() if key is not text] + boards
        touching = [o for o in extents_beside if box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3]]
        assert not touching, (text.get_text(), touching)


def test_row_labels_give_side_and_counts(drawings: dict[str, Drawn]) -> None:
    graph = drawings["all"].graph
    rows = by_ply(graph)
    assert row_texts(graph, rows[0]) == ("X to move", "1 position")
    assert row_texts(graph, rows[5]) == ("O to move, 21 over", "174 positions")
    assert row_texts(graph, rows[9]) == ("the game is over", "15 positions")
    texts = [text.get_text() for text in drawings["all"].figure.axes[0].texts]
    assert {"the empty board", "1 move made", "9 moves made", "174 positions", "All of noughts and crosses"} <= {*texts}


@slide_cases
def test_boards_can_be_read_from_pixels(drawn: Drawn) -> None:
    """At 1920 x 1080, a cross colours the centre of its cell, whereas a nought colours only its circle."""
    from PIL import Image

    buffer = BytesIO()
    with menace_style():
        drawn.figure.savefig(buffer, format="png", dpi=160)
    pixels = np.array(Image.open(buffer).convert("RGB")).astype(int)
    assert pixels.shape == (1080, 1920, 3)
    for position, node in drawn.graph.nodes(data=True):
        if node.get("outcome") in {None, "draw"}:  # the winner's marks are struck through
            columns = {"2x2x2": 2}.get(drawn.graph.graph["variant"], 3)
            assert read_board(pixels, drawn, position, columns, len(node["board"])) == node["board"]


def read_board(pixels: NDArray[np.int_], drawn: Drawn, position: int, columns: int, cells: int) -> str:
    place, text = drawn.sheet.places[position], ""
    cell = place.width / columns
    for number in range(cells):
        x, y = place.left + (number % columns + 0.5) * cell, place.top + (number // columns + 0.5) * cell
        if has_colour(pixels, x, y, PIECE_COLOURS["X"]):
            text += "X"
        else:
            text += "O" if has_colour(pixels, x + NOUGHT_RADIUS * cell, y, PIECE_COLOURS["O"]) else "."
    return text


def has_colour(pixels: NDArray[np.int_], x: float, y: float, colour: str) -> bool:
    """Return whether the pixel at a point on the sheet has approximately the given colour."""
    wanted = [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
    pixel = pixels[round(y * 160 / 72 - 0.5), round(x * 160 / 72 - 0.5)]
    return bool((abs(pixel - wanted) < 60).all())


def test_winning_rows_are_struck_through(drawings: dict[str, Drawn]) -> None:
    graph = drawings["2x2x2"].graph
    won = sum(node.get("outcome") == "X" for _, node in graph.nodes(data=True))
    strokes = [patch for patch in drawings["2x2x2"].figure.axes[0].patches if patch.get_zorder() == 7]
    assert won == 2
    assert len(strokes[0].get_path().vertices) == 2 * won


def test_perfect_play_tints_show_risk_of_random_mistake(drawings: dict[str, Drawn], store: Store) -> None:
    whole, drawn = game_graph(store), drawings["optimal"]
    for position, node in drawn.graph.nodes(data=True):
        cells = len(TICTACTOE.empties(node["board"]))
        mistakes = cells - len(TICTACTOE.best_cells(node["board"]))
        chance = mistakes / cells if cells else 0.0
        assert mistake_probability(whole, position) == pytest.approx(chance, abs=1e-12)
        assert drawn.paint.tints[position] == risk_tint(chance)
    assert drawn.paint.tints[0] == "#ffffff"  # no first move is a mistake
    assert len(set(drawn.paint.tints.values())) > 5


def test_whole_game_tints_show_minimax_values(drawings: dict[str, Drawn]) -> None:
    drawn = drawings["all"]
    by_value: dict[int, set[str]] = {}
    for position, node in drawn.graph.nodes(data=True):
        by_value.setdefault(node["minimax"], set()).add(drawn.paint.tints[position])
    assert sorted(map(len, by_value.values())) == [1, 1, 1]
    assert len(set.union(*by_value.values())) == 3


@pytest.mark.parametrize("name", ["menace-x", "menace-o", SPECIAL_NAME], ids=["X", "O", "odd"])
def test_line_widths_show_move_probabilities_of_learner(name: str, store: Store) -> None:
    positions = positions_of(store)
    machine = load_machine(store, positions, store.learner(name))
    shares = machine.policy().probability
    with menace_style():
        drawn = draw(store, "optimal", name)
    widths = line_widths(drawn)
    own = 0
    for move, share in enumerate(shares):
        edge = (int(positions.position_of_move[move]), int(positions.next_position[move]))
        if edge in widths and positions.ply[edge[0]] % 2 == machine.side:
            assert widths[edge] == pytest.approx(MIN_WIDTH + share * (MAX_WIDTH - MIN_WIDTH))
            own += 1
        elif edge in widths:
            assert drawn.paint.strokes[edge].above == 0
    assert 80 < own < 130
    whole = game_graph(store, "all", name)
    for position, node in drawn.graph.nodes(data=True):
        if node.get("to_move") == machine.plays:
            kept = sum(float(shares[move]) for move in positions.moves_of(position) if positions.optimal[move])
            assert mistake_probability(whole, position) == pytest.approx(1 - kept)


def line_widths(drawn: Drawn) -> dict[tuple[int, int], float]:
    """Return the width of the line that is drawn for each move."""
    collection = drawn.figure.axes[0].collections[0]
    move_of = {points: move for move, points in drawn.sheet.moves.items()}
    paths, widths = collection.get_paths(), collection.get_linewidths()
    return {
        move_of[tuple(map(tuple, path.vertices.tolist()))]: float(width)
        for path, width in zip(paths, widths, strict=True)
    }


def test_any_learner_name_fits_in_title(store: Store) -> None:
    for name in NAMES:
        with menace_style():
            drawn = draw(store, "optimal", name)
        title = drawn.paint.title
        assert title.endswith("'s choices")
        if name.isascii():
            assert f"and {name}'s" in title
        written = next(text for text in drawn.figure.axes[0].texts if text.get_text() == title)
        assert written.get_window_extent().x1 < drawn.sheet.width


def test_picture_command_reports_counts_and_titles_learner(run: Run, store: Store) -> None:
    printed = ok(run("picture", "a.svg", "--learner", SPECIAL_NAME, "--db", str(store.path)))
    assert printed == "a.svg: 125 positions, 210 moves\n"
    title = ET.parse("a.svg").getroot()[0].text or ""
    assert title.endswith(f", and {SPECIAL_NAME}'s choices")


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_same_picture_has_the_same_bytes(
    form: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "DOTS_PER_INCH", 72)  # for time
    for name in ("first", "second"):
        picture(store, tmp_path / f"{name}.{form}", "optimal", "menace-o")
    assert (tmp_path / f"first.{form}").read_bytes() == (tmp_path / f"second.{form}").read_bytes()


def test_another_process_writes_same_bytes(store: Store, tmp_path: Path) -> None:
    picture(store, tmp_path / "first.svg", "optimal", "menace-o")
    arguments = ["picture", str(tmp_path / "second.svg"), "--learner", "menace-o", "--db", str(store.path)]
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-m", "menace", *arguments]
    done = subprocess.run(command, check=True, env=environment, capture_output=True)
    assert (tmp_path / "second.svg").read_bytes() == (tmp_path / "first.svg").read_bytes()
    assert done.stderr == b""


@pytest.mark.usefixtures("begun")
def test_played_part_without_moves_is_refused_with_working_advice(run: Run) -> None:
    ok(run("new", "two words", "--plays", "O", "--preset", "value-function"))
    ok(run("train", "two words", "--against", "random", "--games", "30", "--seed", "1"))
    result = run("picture", "a.svg", "--part", "played", "--learner", "two words")
    refused(result, "two words", "includes only")
    assert not Path("a.svg").exists()
    advice = shlex.split(result.err.split("`")[1])
    assert advice == ["--part", "optimal", "--learner=two words"]
    ok(run("picture", "a.svg", *advice))


@pytest.mark.usefixtures("begun")
def test_invalid_picture_requests_are_refused_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(run("picture", "a.gif"), ".svg")
    refused(run("picture", "-"), "- has no extension", ".svg, .png, .pdf")
    refused(run("picture", "none/a.svg"), "there is no folder")
    refused(run("picture", "a.svg", "--learner", "nobody"), "nobody")
    refused(run("picture", "a.svg", "--part", "played"), "--learner")
    ok(run("new", "adam", "--plays", "X"))
    refused(run("picture", "a.svg", "--part", "played", "--learner", "adam"), "train it first")
    monkeypatch.setattr(pictures, "MAX_POSITIONS", 124)
    refused(run("picture", "a.svg"), "125 positions", "124")
    assert not Path("a.svg").exists()


def test_picture_of_too_many_positions_is_refused(stores: dict[str, Store], tmp_path: Path) -> None:
    with pytest.raises(menace.errors.InvalidGame, match=r"5,478 positions.*2,000"):
        picture(stores["none"], tmp_path / "a.svg", "all")
