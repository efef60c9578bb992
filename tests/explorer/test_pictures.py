"""Tests of the Compare and Graph pages."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from browsing import HOME, get
from database_templates import fresh_database
from oracle import TICTACTOE
from runs import selfplay, train
from scripts_in_node import draw_with_scripts

from menace.analysis.matchups import differences
from menace.arena.exact_strength import outcomes
from menace.errors import InvalidGame, InvalidPlayer
from menace.explorer.content.curves import Plane
from menace.explorer.server.serving import site
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.learners.machine import Machine
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.store import Store
from menace.site.pages import _environment
from menace.text.wording import counted


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("pictures") / "menace.db"
    with fresh_database(file) as store:
        for name, side in (("adam", "X"), ("abel", "X"), ("eva", "O")):
            new_learner(store, name, side, "michie-1961" if name == "abel" else "menace")  # type: ignore[arg-type]
        for x in ("adam", "abel"):
            selfplay(store, x, "eva", games=200, seed=3)
        new_learner(store, "zhang", "X", "zhang")
    return file


@pytest.fixture(scope="module")
def store(path: Path) -> Iterator[Store]:
    with open_database(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def datasette(path: Path) -> Any:
    return site([path])


@pytest.mark.slow
def test_difference_of_machines_is_the_total_variation_distance(store: Store) -> None:
    machine, rival = named_machine(store, "adam"), named_machine(store, "abel")
    distances = {each.position_id: each for each in differences(machine, rival)}
    positions, policies = machine.positions, (machine.policy(), rival.policy())
    for position in range(len(positions)):
        here = list(positions.moves_of(position)) if positions.to_move[position] == 0 else []
        shares = [[float(policy.probability[move]) for move in here] for policy in policies]
        resigns = [float(policy.resigns[position]) for policy in policies] if here else [0.0, 0.0]
        # The total variation distance is the largest difference in probability over all sets of choices.
        both = list(zip([*shares[0], resigns[0]], [*shares[1], resigns[1]], strict=True))
        most = sum(max(0.0, a - b) for a, b in both)
        if len(both) <= 5:
            sets = itertools.chain.from_iterable(itertools.combinations(both, size) for size in range(len(both) + 1))
            most = max(abs(sum(a - b for a, b in chosen)) for chosen in sets)
        assert (distances[position].apart if position in distances else 0.0) == pytest.approx(most, abs=1e-9)
    order = [each.apart for each in differences(machine, rival)]
    assert order == sorted(order, reverse=True)
    assert len(order) > 50


def test_machine_equals_itself_and_sides_are_not_compared(store: Store) -> None:
    machine = named_machine(store, "adam")
    assert differences(machine, machine, "greedy") == []
    with pytest.raises(InvalidPlayer, match="one machine plays X and the other plays O"):
        differences(machine, named_machine(store, "eva"))
    small = enumerate_positions(get_game("tictactoe", "2x3x2"))
    with pytest.raises(InvalidGame, match="for the same game"):
        differences(machine, Machine("menace", "X", positions=small))


@pytest.mark.slow
def test_pairs_are_exact_and_curves_end_at_the_current_strength(datasette: Any, store: Store) -> None:
    comparison = get(datasette, "/menace/compare.json").json()
    assert comparison["learners"] == ["adam", "abel", "eva", "zhang"]
    assert comparison["two"] == ["adam", "abel"]
    eva = named_machine(store, "eva")
    for pair in comparison["pairs"]:
        if pair["o"] == "eva" and pair["x"] in comparison["learners"]:
            x = named_machine(store, pair["x"]).policy()
            exact = outcomes(x, eva.policy())
            assert [pair[key] for key in ("x_wins", "draw", "o_wins")] == pytest.approx(exact, abs=1e-12)
            if pair["x"] == "adam":
                adam = pair["x_wins"]
    assert 0 < adam < 1
    assert {(pair["x"], pair["o"]) for pair in comparison["pairs"]} >= {
        ("adam", "eva"),
        ("random", "eva"),
        ("adam", "optimal"),
    }
    assert [point["games"] for point in comparison["curves"]["abel"]] == [0, 1, 2, 5, 10, 20, 50, 100, 200]
    assert comparison["curves"]["zhang"] == []


def test_compare_page_draws_curves_and_links_differences(datasette: Any) -> None:
    page = get(datasette, "/menace/compare?learner=adam&learner=eva&learner=abel&two=zhang&two=abel&policy=greedy").text
    curves = re.search(r'<svg class="curves".*?</svg>', page, re.DOTALL)
    assert curves is not None
    assert len(ET.fromstring(curves[0]).findall("g")) == 3
    assert "Differences between zhang and abel" in page
    differences_listed = get(datasette, "/menace/compare.json?two=zhang&two=abel&policy=greedy").json()["differences"]
    links = re.findall(r'href="/-/menace/menace/explore/([^"?]*)\?([^"]*)" aria-label', page)
    assert [board for board, _ in links] == [
        quote(difference["board"], safe="") for difference in differences_listed[: len(links)]
    ]
    assert {unescape(query) for _, query in links} == {"learner=zhang&learner=abel"}


def test_learners_differing_only_by_chance_are_drawn_as_median_and_bands(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "kin.db") as made:
        for seed in range(3):
            new_learner(made, f"m{seed}", "X")
            train(made, f"m{seed}", "random", games=50, seed=seed)
    comparison = get(site([tmp_path / "kin.db"]), "/kin/compare.json?opponent=best_response").json()
    (family,) = comparison["families"]
    assert family["names"] == ["m0", "m1", "m2"]
    for number, (games, middle) in enumerate(family["points"]):
        values = sorted(curve[number]["value"] for curve in comparison["curves"].values())
        assert {curve[number]["games"] for curve in comparison["curves"].values()} == {games}
        assert [family["bands"]["all"][side][number][1] for side in (0, 1)] == [values[0], values[2]]
        assert middle == values[1]
        quartiles = [(values[0] + values[1]) / 2, (values[1] + values[2]) / 2]
        assert [family["bands"]["half"][side][number][1] for side in (0, 1)] == pytest.approx(quartiles)
    page = get(site([tmp_path / "kin.db"]), "/kin/compare").text
    assert page.count('class="band') == 2
    assert "m0, m1, m2: median of 3" in page


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("learner=nobody", 404),
        ("learner=none*", 404),
        ("policy=wild", 400),
        ("opponent=perfection", 400),
        ("two=adam&two=eva", 400),
        ("two=adam", 200),
        ("learner=a*&learner=eva", 200),
        ("learner=random", 200),
    ],
)
def test_invalid_comparison_is_refused_in_one_line(datasette: Any, query: str, status: int) -> None:
    response = get(datasette, f"/menace/compare.json?{query}")
    assert response.status_code == status
    assert get(datasette, f"/menace/compare?{query}").status_code == status
    if status != 200:
        assert "\n" not in response.json()["error"]


def links_in(page: str) -> list[tuple[str, str]]:
    drawing = re.search(r'<svg id="graph".*?</svg>', page, re.DOTALL)
    assert drawing is not None
    tree = ET.fromstring(drawing[0])
    return [(link.attrib["href"], link.findtext("title") or "") for link in tree.iter("a")]


@pytest.mark.slow
def test_whole_graph_links_every_board_and_draws_every_move(datasette: Any) -> None:
    page = get(datasette, "/menace/graph?part=all").text
    links = links_in(page)
    canonical = {max(TICTACTOE.images(board)) for board in TICTACTOE.boards()}
    assert len(links) == len(canonical) == 765
    prefix = f"{HOME}/menace/explore/"
    assert {unescape(href) for href, _ in links} == {prefix + quote(board, safe="") for board in canonical}
    assert page.count('stroke-opacity="') == 2096
    assert page.count('class="over"') == 138
    assert page.count('tabindex="0"') == 1 + page.count('role="region"')


def test_graph_shows_perfect_play_first_and_learners_as_line_widths(datasette: Any, store: Store) -> None:
    plain, of_adam = (get(datasette, f"/menace/graph{query}").text for query in ("", "?learner=adam"))
    assert len(links_in(plain)) == len(links_in(of_adam)) == 125
    assert all(href.endswith("?learner=adam") for href, _ in links_in(of_adam))
    graph = get(datasette, "/menace/graph.json?learner=adam").json()
    shares = {
        (edge["position_id"], edge["next_position_id"]): edge["share"] for edge in graph["moves"] if "share" in edge
    }
    adam = named_machine(store, "adam")
    for (start, end), share in shares.items():
        here = [move for move in adam.positions.moves_of(start) if adam.positions.next_position[move] == end]
        assert share == pytest.approx(sum(adam.policy().probability[move] for move in here))
    widths = sorted(float(width) for width in re.findall(r'stroke-width="([\d.]+)"', of_adam))
    wanted = sorted(0.35 + share * (3.2 - 0.35) for share in shares.values())
    assert np.allclose(widths[-5:], wanted[-5:], atol=0.006)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hexapawn", "nim"])
def test_every_game_has_a_graph_and_comparisons(tmp_path: Path, game: str) -> None:
    with create_database(tmp_path / "small.db", game, "3-2" if game == "nim" else None) as made:
        count = made.position_count()
        boards = [row.board for row in made.positions()]
        new_learner(made, "her", "O")
        new_learner(made, "his", "O", settings={"beads": "9,1"})
    small = site([tmp_path / "small.db"])
    links = links_in(get(small, "/small/graph?part=all").text)
    assert len(links) == count
    assert {unescape(href).rpartition("/")[2] for href, _ in links} == {quote(board, safe="") for board in boards}
    for address in ("/small/graph", "/small/graph?learner=her", "/small/compare", "/small/machines/her", ""):
        page = get(small, address)
        assert page.status_code == 200, address
        assert '<th scope="col">draws</th>' not in page.text
        text = re.sub(r"<[^>]*>", " ", page.text)
        assert "machines" in address or not re.search(r"\bdraw(s|n)?\b", text), address


@pytest.mark.parametrize("query", ["part=nothing", "part=played", "learner=nobody", "part=played&learner=zhang"])
def test_invalid_graph_request_is_refused_in_one_line(datasette: Any, query: str) -> None:
    response = get(datasette, f"/menace/graph.json?{query}")
    assert response.status_code in {400, 404}
    assert "\n" not in response.json()["error"]
    page = get(datasette, f"/menace/graph?{query}").text
    assert "--learner" not in page
    if "nobody" not in query:  # all other pages still contain the form
        assert '<select name="part">' in page
        assert f'<p class="error">{response.json()["error"]}.</p>' in unescape(page)


def test_first_plies_of_a_large_game_are_drawn_from_rows(datasette: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = get(datasette, "/menace/graph.json?part=all&learner=adam").json()
    monkeypatch.setattr("menace.explorer.pages.graph.MAX_POSITIONS", 100)
    monkeypatch.setattr("menace.explorer.pages.graph.MAX_FIRST_POSITIONS", 60)
    assert get(datasette, "/menace/graph.json").json()["last"] == 4  # perfect play has 125 positions
    monkeypatch.setattr("menace.explorer.pages.graph._whole_graph", None)  # the page must not run the slow code
    shown = get(datasette, "/menace/graph.json?part=all&learner=adam").json()
    assert (everything["last"], shown["last"], len(shown["positions"])) == (None, 3, 1 + 3 + 12 + 38)
    known = {(move["position_id"], move["next_position_id"]): move for move in everything["moves"]}
    assert all(move.items() <= known[move["position_id"], move["next_position_id"]].items() for move in shown["moves"])
    assert "The page shows only the first 3 moves" in get(datasette, "/menace/graph?part=all").text
    assert "machines with beads" in get(datasette, "/menace/graph.json?part=all&learner=zhang").json()["error"]


# one figure is read from the rows, and the other from the whole graph
@pytest.mark.parametrize("most", [100, 2000])
def test_neighbours_of_a_board_are_those_before_and_after_it(
    datasette: Any, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    whole = get(datasette, "/menace/graph.json?part=all").json()
    monkeypatch.setattr("menace.explorer.pages.graph.MAX_POSITIONS", most)
    graph = get(datasette, "/menace/graph.json?board=O...X...X&learner=adam").json()
    here, *_ = [row["position_id"] for row in graph["positions"] if row["board"] == "X...X...O"]
    moves = [(row["position_id"], row["next_position_id"]) for row in whole["moves"]]
    before, after = {start for start, end in moves if end == here}, {end for start, end in moves if start == here}
    twice = {end for start, end in moves if start in after}
    assert {row["position_id"] for row in graph["positions"]} == {here} | before | after | twice


def test_curves_are_straight_between_marks_and_show_the_last_mark() -> None:
    points = [(0, 0.5), (1, 0.25), (10, -0.5), (1000, 0.75), (1100, 0.75), (1150, 0.75)]
    line = "menace.curves([['adam', data]], { ...menace.VALUE, label: 'A' })"
    macros = _environment().get_template("menace_curves.html", globals={"counted": counted}).module
    for drawn in (macros.curves(Plane.of([points]), {"adam": points}, "A"), draw_with_scripts(line, points)):
        (path,) = re.findall(r'class="line [^"]*" stroke-dasharray="" d="M([^"]*)"', drawn)
        marks = re.findall(r'<circle( class="hidden")? cx="([\d.]+)" cy="([\d.]+)"', drawn)
        assert path.split("L") == [f"{x} {y}" for _, x, y in marks]
        assert [not hidden for hidden, *_ in marks] == [True, True, True, False, False, True]
