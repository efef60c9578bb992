"""Tests that read every export format of the game graph back and compare it with the database."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import networkx as nx
import pytest
from commands import Run, ok, refused
from database_templates import fresh_database, learner_by_hand
from oracle import TICTACTOE
from runs import selfplay, train

from menace.analysis.position import show
from menace.cli.commands import draw_and_export as command
from menace.errors import InvalidPlayer, InvalidSetting, UnknownLearner
from menace.exporting import graphs
from menace.exporting.graphs import export, game_graph
from menace.games import get_game
from menace.games.networkx_graph import GameGraph
from menace.ledger.learners import new_learner
from menace.ledger.queries import query
from menace.ledger.store import Store
from menace.text.wording import EXPORT_FORMATS, PARTS

pytestmark = pytest.mark.slow

NASTY = """=1+1 "q" 'a' <b>&amp; </script> \\N \\"$x {{title}} Жé 木"""
GRAPHS = ("json", "gexf", "graphml", "dot")
RESERVED = {"value", "label", "id", "name", "weight", "source", "target", "key", "type", "start", "end", "viz", "pid"}


def program(name: str) -> str:
    """Return the path of a program, or skip the test if the program is not installed."""
    path = shutil.which(name)
    if path is None:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)(f"{name} is not installed")
    return str(path)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database with five briefly trained learners, one of each kind. The first learner's name is NASTY."""
    with fresh_database(tmp_path_factory.mktemp("exporting") / "menace.db") as opened:
        presets = {NASTY: "menace", "mirror": "menace", "td": "zhang", "q": "sala", "odds": "michie-1963"}
        for number, (name, preset) in enumerate(presets.items()):
            learner_by_hand(opened, name, "O" if name in {"mirror", "td"} else "X", preset)
            train(opened, name, "random", games=200, seed=number)
        new_learner(opened, "new", "X")
        yield opened


def written(store: Store, form: str, part: Any = "all", learner: str | None = None) -> bytes:
    graph = game_graph(store, part, learner)
    return bytes_of(graph, form)


def bytes_of(graph: GameGraph, form: str) -> bytes:
    writers = {
        "json": graphs.node_link_json,
        "gexf": graphs.gexf,
        "graphml": graphs.graphml,
        "dot": lambda graph: graphs.dot(graph, get_game()),
    }
    return writers[form](graph)


def test_whole_graph_matches_enumeration(store: Store, graphs: dict[str, GameGraph]) -> None:
    graph = game_graph(store)
    wanted = {n: {k: v for k, v in node.items() if v is not None} for n, node in graphs["full"].nodes(data=True)}
    assert dict(graph.nodes(data=True)) == wanted
    assert list(graph.edges(data=True)) == list(graphs["full"].edges(data=True))
    assert graph.graph == {**graphs["full"].graph, "part": "all"}


def brute_force(careful: str) -> tuple[set[str], set[tuple[str, str]]]:
    """Return the positions and moves of all games in which the sides in `careful` make only best moves."""
    canonical = TICTACTOE.canonical
    reached, moves, queue = {TICTACTOE.empty}, set(), [TICTACTOE.empty]
    while queue:
        board = queue.pop()
        best = TICTACTOE.to_move(board) in careful and not TICTACTOE.outcome(board)
        for cell in TICTACTOE.best_cells(board) if best else TICTACTOE.empties(board):
            child = TICTACTOE.put(board, cell)
            moves.add((canonical(board), canonical(child)))
            if child not in reached:
                reached.add(child)
                queue.append(child)
    return {canonical(board) for board in reached}, moves


@pytest.mark.parametrize(
    ("part", "careful", "counts"),
    [("all", "", (765, 2096)), ("optimal", "XO", (125, 210)), ("X-optimal", "X", (507, 980)), ("O-optimal", "O", None)],
)
def test_part_matches_brute_force(store: Store, part: Any, careful: str, counts: Any) -> None:
    graph = game_graph(store, part)
    boards = dict(graph.nodes(data="board"))
    positions, moves = brute_force(careful)
    assert set(boards.values()) == positions
    assert {(boards[start], boards[end]) for start, end in graph.edges} == moves
    assert counts in {None, (len(graph), graph.number_of_edges())}
    if part == "optimal":
        plies = Counter(ply for _, ply in graph.nodes(data="ply"))
        assert [plies[ply] for ply in range(10)] == [1, 3, 5, 16, 18, 23, 24, 22, 10, 3]


def test_parts_keep_order_of_whole_graph(store: Store) -> None:
    whole = game_graph(store, "all", "td")
    for part in PARTS[1:]:
        graph = game_graph(store, part, "td")
        assert list(graph) == sorted(graph)
        edges = set(graph.edges)
        assert list(graph.edges) == [edge for edge in whole.edges if edge in edges]


@pytest.mark.parametrize("name", [NASTY, "mirror"])
def test_beads_match_database(store: Store, name: str) -> None:
    graph = game_graph(store, "all", name)
    rows = query(
        store,
        "SELECT position_id, next_position_id, amount, picked, share FROM choices "
        f"JOIN move USING (position_id, action) WHERE learner = '{name.replace(chr(39), chr(39) * 2)}'",
    ).rows
    assert {
        (start, end): (edge["beads"], edge["picked"]) for start, end, edge in graph.edges(data=True) if "beads" in edge
    } == {(start, end): (beads, drawn) for start, end, beads, drawn, _ in rows}
    for start, end, _, _, share in rows:  # an empty box has no shares, because it is restocked before the next move
        assert share is None or graph.edges[start, end]["share"] == pytest.approx(share)
    visits: Counter[int] = Counter()
    for start, end, _, drawn, _ in rows:
        visits.update({start: drawn, end: drawn})
    visits_in_graph = {position: node["visits"] for position, node in graph.nodes(data=True) if "visits" in node}
    assert {position: number for position, number in visits_in_graph.items() if number} == +visits
    assert visits_in_graph.keys() == {start for start, *_ in rows} | {end for _, end, *_ in rows}
    if name == NASTY:
        assert graph.nodes[0]["visits"] == 200


@pytest.mark.parametrize("name", [NASTY, "mirror", "td", "q", "odds", "new"])
def test_shares_match_policy_of_learner(store: Store, name: str) -> None:
    graph = game_graph(store, "all", name)
    plays = store.learner(name).plays
    for position, node in graph.nodes(data=True):
        shares = [edge.get("share") for edge in graph[position].values()]
        if node.get("to_move") == plays:
            assert sum(shares) == pytest.approx(1)
        else:
            assert set(shares) <= {None}
    view = show(store, "X........" if plays == "O" else ".........", name)
    start = view.position_id
    for move, (end, edge) in zip(view.moves, graph[start].items(), strict=True):
        assert (move.action, move.share) == (edge["action"], pytest.approx(edge["share"]))
        assert edge.get("beads", edge.get("learned_value")) == move.amount
        assert edge.get("picked", edge.get("updates", graph.nodes[end].get("visits"))) == move.count


def test_played_part_contains_visited_positions(store: Store) -> None:
    for name, begins in ((NASTY, 1), ("mirror", 3), ("td", 1)):
        whole, graph = game_graph(store, "all", name), game_graph(store, "played", name)
        assert 0 < len(graph) < len(whole)
        assert set(graph) == {position for position, node in whole.nodes(data=True) if node.get("visits", 0) > 0}
        plays = store.learner(name).plays
        for start, end, edge in whole.edges(data=True):
            own = whole.nodes[start]["to_move"] == plays and "picked" in edge
            assert graph.has_edge(start, end) == (start in graph and end in graph and (not own or edge["picked"] > 0))
        assert len([position for position, degree in graph.in_degree if degree == 0]) == begins


def test_unknown_part_is_refused(store: Store) -> None:
    with pytest.raises(InvalidSetting, match="unknown part 'best'; choose one of all, optimal"):
        game_graph(store, "best")  # type: ignore[arg-type]
    with pytest.raises(InvalidPlayer, match=r"name one with --learner \(the machines are: .*mirror"):
        game_graph(store, "played")
    with pytest.raises(InvalidPlayer, match="new has not learned from any game yet"):
        game_graph(store, "played", "new")
    with pytest.raises(UnknownLearner):
        game_graph(store, "all", "nobody")


def test_attributes_avoid_names_reserved_by_viewers(store: Store) -> None:
    for name in (NASTY, "td", "q"):
        graph = game_graph(store, "all", name)
        for values in (graph.graph, *graph.nodes.values(), *graph.edges.values()):
            assert not RESERVED & values.keys()
            assert {type(value) for value in values.values()} <= {int, float, str}


def same(values: dict[str, Any], wanted: dict[str, Any]) -> bool:
    types = {name: type(value) for name, value in values.items()}
    return values == wanted and types == {name: type(value) for name, value in wanted.items()}


def assert_same(again: Any, graph: GameGraph, extra: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Check that both graphs contain the same data with the same types, except for the attributes in `extra`."""
    assert list(map(int, again)) == list(graph)
    assert again.is_directed()
    nodes = {int(position): node for position, node in again.nodes(data=True)}
    edges = {(int(start), int(end)): edge for start, end, edge in again.edges(data=True)}
    assert edges.keys() == set(graph.edges)
    for elements, wanted in ((nodes, graph.nodes), (edges, graph.edges)):
        for key, values in elements.items():
            mine = {name: value for name, value in values.items() if name not in extra}
            assert same(mine, wanted[key]), (key, values)


def read_gexf(content: bytes) -> Any:
    return nx.read_gexf(io.BytesIO(content))


def read_graphml(content: bytes) -> Any:
    return nx.read_graphml(io.BytesIO(content))


def strict(content: bytes) -> Any:
    def refuse(text: str) -> None:
        raise AssertionError(text)

    return json.loads(content, parse_constant=refuse)


STATEMENT = re.compile(r"^  (\d+)(?: -> (\d+))? \[(.*)\]$|^  graph \[(.*)\]$")
ATTRIBUTE = re.compile(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^",\]\s]+))(?:, |$)', re.DOTALL)


def dot_value(text: str, bare: str) -> Any:
    if bare:
        return int(bare) if re.fullmatch(r"-?\d+", bare) else float(bare) if re.fullmatch(r"-?[\d.]+", bare) else bare
    plain = re.sub(r'\\(["\\])', r"\1", text)
    return float(plain) if re.fullmatch(r"-?[\d.]+e-\d+", plain) else plain


def read_dot(text: str) -> Any:
    """Parse DOT as menace writes it, with one statement per line."""
    graph = nx.DiGraph()
    for line in text.splitlines():
        if statement := STATEMENT.match(line):
            start, end, body, about = statement.groups()
            attributes = ATTRIBUTE.findall(about if body is None else body)
            values = {name: dot_value(quoted, bare) for name, quoted, bare in attributes}
            if start is None:
                graph.graph.update(values)
            elif end is None:
                graph.add_node(int(start), **values)
            else:
                graph.add_edge(int(start), int(end), **values)
    return graph


DRAWING = {"label", "fillcolor", "pos", "peripheries", "style", "color", "penwidth"}


@pytest.mark.parametrize(("part", "learner"), [("all", None), ("played", NASTY), ("all", "td"), ("optimal", "q")])
def test_every_format_is_read_back_unchanged(store: Store, part: Any, learner: str | None) -> None:
    graph = game_graph(store, part, learner)
    for values in (next(iter(graph.nodes.values())), next(iter(graph.edges.values()))):
        values["note"] = NASTY
    assert_same(read_gexf(graphs.gexf(graph)), graph, {"id", "label", "viz"})
    graphml = read_graphml(graphs.graphml(graph))
    assert_same(graphml, graph)
    assert {name: value for name, value in graphml.graph.items() if "default" not in name} == graph.graph

    content = strict(graphs.node_link_json(graph))
    again = nx.node_link_graph(content, edges="edges")
    assert_same(again, graph)
    assert again.graph == graph.graph

    dot = read_dot(graphs.dot(graph, get_game()).decode())
    assert_same(dot, graph, DRAWING)
    drawn = {"label", "labelloc", "fontname", "fontsize", "ranksep", "nodesep"}
    assert {name: value for name, value in dot.graph.items() if name not in drawn} == graph.graph


@pytest.mark.parametrize("learner", [None, "td", "q", NASTY])
def test_csv_tables_are_read_back_unchanged(store: Store, learner: str | None) -> None:
    graph = game_graph(store, "all", learner)
    texts = {name: table.decode() for name, table in graphs.csv_tables(graph).items()}
    tables = {name: list(csv.DictReader(io.StringIO(text))) for name, text in texts.items()}

    def number(text: str) -> Any:
        return int(text) if re.fullmatch(r"-?\d+", text) else float(text) if re.fullmatch(r"-?\d.*", text) else text

    def read(row: dict[str, str]) -> dict[str, Any]:
        return {name: number(text) for name, text in row.items() if text != ""}

    again = nx.DiGraph()
    for row in map(read, tables["positions"]):
        again.add_node(row.pop("position_id"), **row)
    for row in map(read, tables["moves"]):
        start, end = row.pop("position_id"), row.pop("next_position_id")
        assert (row.pop("board"), row.pop("next_board")) == (graph.nodes[start]["board"], graph.nodes[end]["board"])
        again.add_edge(start, end, **row)
    assert_same(again, graph)


@pytest.mark.parametrize("form", GRAPHS)
def test_bytes_do_not_depend_on_the_date(store: Store, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = written(store, form, "optimal", NASTY)
    monkeypatch.setattr("networkx.readwrite.gexf.time.strftime", lambda *_: "1961-04-01")
    assert written(store, form, "optimal", NASTY) == before
    assert b"1961" not in before


def test_layout_is_by_ply_with_empty_board_on_top(store: Store) -> None:
    graph = game_graph(store)
    gexf = read_gexf(graphs.gexf(graph))
    places = set()
    for (position, node), drawn in zip(graph.nodes(data=True), gexf.nodes.values(), strict=True):
        place = drawn["viz"]["position"]
        assert place["y"] == gexf.nodes["1"]["viz"]["position"]["y"] * node["ply"]
        assert drawn["label"] == node["board"]
        colour = {1: (86, 180, 233), 0: (204, 204, 204), -1: (230, 159, 0)}[node["minimax"]]
        assert tuple(drawn["viz"]["color"][part] for part in "rgb") == colour, position
        places.add((place["x"], place["y"]))
    assert gexf.nodes["1"]["viz"]["position"]["y"] < 0
    assert len(places) == 765


@pytest.fixture
def special_character_graph(store: Store) -> GameGraph:
    """Return a small graph whose strings contain characters that are special in at least one format."""
    graph = game_graph(store, "optimal", NASTY)
    graph.nodes[0]["note"] = NASTY
    graph.edges[0, 1]["note"] = NASTY
    return graph


def test_graph_contains_no_characters_forbidden_in_xml(tmp_path: Path) -> None:
    """The graph can be written even if its strings come from a damaged or edited database."""
    with fresh_database(tmp_path / "menace.db") as store:
        for preset, plain in {"menace": "adam", "zhang": "tired"}.items():
            odd = "".join(map(chr, [*range(1, 32), 127, 0x85, 0x2028, 0xFFFE, 0xFFFF])) + plain
            learner_by_hand(store, odd, "X", preset)
            graph = game_graph(store, "optimal", odd)
            assert set(graph.graph["learner"]) == {"\ufffd", *plain}
            assert read_graphml(graphs.graphml(graph)).graph["learner"] == graph.graph["learner"]
            assert graph.graph["learner"] in "".join(ET.fromstring(graphs.gexf(graph)).itertext())


def test_csv_tables_preserve_special_characters_and_escape_formulas(special_character_graph: GameGraph) -> None:
    special_character_graph.nodes[0]["board"] = NASTY
    positions = graphs.csv_tables(special_character_graph)["positions"].decode()
    assert next(csv.DictReader(io.StringIO(positions, newline="")))["board"] == "'" + NASTY


def test_dot_puts_positions_of_a_ply_in_one_row(store: Store) -> None:
    graph = game_graph(store, "played", NASTY)
    rows = re.findall(r"^  { rank=same; (.*) }$", graphs.dot(graph, get_game()).decode(), re.MULTILINE)
    plies = [[graph.nodes[int(position)]["ply"] for position in row.split("; ")] for row in rows]
    assert [set(row) for row in plies] == [{ply} for ply in range(len(rows))]
    assert sum(map(len, plies)) == len(graph)


def test_graphviz_lays_out_dot_file(store: Store, tmp_path: Path) -> None:
    dot = program("dot")
    for learner in (None, NASTY):
        graph = game_graph(store, "optimal", learner)
        file = tmp_path / "graph.dot"
        file.write_bytes(graphs.dot(graph, get_game()))
        plain = subprocess.run([dot, "-Tplain", file], capture_output=True, text=True, check=True)
        assert plain.stderr == ""
        kinds = Counter(re.findall("^(node|edge) ", plain.stdout, re.MULTILINE))
        assert kinds == {"node": 125, "edge": 210}
        rows: dict[str, set[int]] = {}
        for position, y in re.findall(r"^node (\d+) \S+ (\S+)", plain.stdout, re.MULTILINE):
            rows.setdefault(y, set()).add(graph.nodes[int(position)]["ply"])
        assert sorted(map(len, rows.values())) == [1] * 10  # each row is one ply


def test_graphviz_preserves_special_characters(special_character_graph: GameGraph, tmp_path: Path) -> None:
    dot = program("dot")
    file = tmp_path / "graph.dot"
    file.write_bytes(graphs.dot(special_character_graph, get_game()))
    content = subprocess.run([dot, "-Tjson", file], capture_output=True, check=True).stdout
    read = json.loads(content, strict=False)  # Graphviz does not escape control characters in its output
    doubled = NASTY.replace("\\", "\\\\")
    nodes = {node["name"]: node for node in read["objects"] if "nodes" not in node}
    assert nodes["0"]["note"] == doubled
    assert [edge["note"] for edge in read["edges"] if edge.get("note")] == [doubled]
    assert read["learner"] == doubled
    svg = subprocess.run([dot, "-Tsvg", file], capture_output=True, check=True).stdout
    texts = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    shown = ["".join(text.itertext()) for text in texts]
    assert shown[0] == f"tictactoe 3x3x3: optimal play, moves as {NASTY} plays them"
    assert shown[1:4] == [". . ."] * 3


@pytest.mark.parametrize("form", GRAPHS)
def test_graph_is_written_to_one_file(trained: Run, tmp_path: Path, form: str) -> None:
    out = ok(trained("export", f"graph.{form}"))
    assert out == f"graph.{form}: 765 positions, 2,096 moves\n"
    assert {file.name for file in tmp_path.iterdir()} == {"menace.db", f"graph.{form}"}


def test_csv_tables_are_written_to_their_own_folder(trained: Run, tmp_path: Path) -> None:
    command = ("export", "my.game.csv", "--part", "played", "--learner", "menace-o")
    for _ in range(2):  # the second export replaces the first
        out = ok(trained(*command))
        assert re.fullmatch(
            "the folder my.game/, with positions.csv and moves.csv: \\d+ positions, \\d+ moves,"
            " with what menace-o has learned\n",
            out,
        ), out
        assert {file.name for file in tmp_path.iterdir()} == {"menace.db", "my.game"}
        assert {file.name for file in (tmp_path / "my.game").iterdir()} == {"positions.csv", "moves.csv"}
    assert (tmp_path / "my.game" / "moves.csv").read_bytes().startswith(b"position_id,")


def test_help_says_that_csv_creates_a_folder(run: Run) -> None:
    help_text = " ".join(ok(run("export", "--help")).split())
    assert "game.csv creates the folder game/ with positions.csv and moves.csv" in help_text


def test_csv_folder_does_not_replace_other_files(trained: Run, tmp_path: Path) -> None:
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "positions.csv").write_text("old")
    (tmp_path / "both" / "notes.txt").write_text("mine")
    refused(trained("export", "both.csv"), "both contains notes.txt, which")
    (tmp_path / "both" / "notes.txt").rename(tmp_path / "both" / "moves.csv")
    (tmp_path / "both" / "moves.csv").unlink()
    (tmp_path / "both" / "moves.csv").mkdir()
    refused(trained("export", "both.csv"), "moves.csv is a database or a folder")
    assert (tmp_path / "both" / "positions.csv").read_text() == "old"
    (tmp_path / "single").write_text("mine")
    refused(trained("export", "single.csv"), "single is a file, but 2 files need a folder")


def test_graph_formats_refuse_colours_and_numbering(trained: Run, tmp_path: Path) -> None:
    for words in (["game.gexf", "--colours", "michie"], ["game.json", "--numbering", "michie"]):
        result = trained("export", *words)
        assert (result.code, result.out) == (2, "")
        assert "--colours, --numbering, --words, --sql and --names apply only to a site" in result.err
    assert {file.name for file in tmp_path.iterdir()} == {"menace.db"}


def test_unwritable_export_prints_one_line_and_keeps_old_file(trained: Run, tmp_path: Path) -> None:
    refused(trained("export", "graph.xyz"), "graph.xyz", ".gexf")
    refused(trained("export", "-"), "has no extension")
    refused(trained("export", "no/such/graph.gexf"), "there is no folder")
    refused(trained("export", "graph.gexf", "--part", "played"), "menace-x, menace-o")
    refused(trained("export", "graph.gexf", "--learner", "nobody"), "nobody")
    refused(trained("export", "graph.gexf", "--db", "none.db"), "none.db")
    (tmp_path / "kept.json").write_text("kept")
    (tmp_path / "folder.json").mkdir()
    refused(trained("export", "folder.json"), "folder.json is a folder; choose a file in this folder")
    refused(trained("export", "kept.json", "--learner", "nobody"), "nobody")
    assert (tmp_path / "kept.json").read_text() == "kept"
    assert {file.name for file in tmp_path.iterdir()} == {"menace.db", "kept.json", "folder.json"}


@pytest.mark.parametrize("variant", ["2x2x2", "1x3x2", "2x3x3"])
@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_every_variant_is_exported_in_every_format(tmp_path: Path, variant: str, symmetry: Any) -> None:
    with fresh_database(tmp_path / "other.db", variant=variant, symmetry=symmetry) as store:
        selfplay(store, games=20, seed=2)
        for form in EXPORT_FORMATS:
            for part in ("all", "optimal"):
                done = export(store, tmp_path / f"out.{form}", part, "menace-x")  # type: ignore[arg-type]
                assert all(Path(file).stat().st_size for file in done.files)
        graph = game_graph(store, "all", "menace-x")
        assert graph.graph["symmetry"] == symmetry
        assert_same(read_graphml(graphs.graphml(graph)), graph)


def test_game_of_one_move_is_exported(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "other.db", variant="1x1x1") as store:
        for form in (*GRAPHS, "csv"):
            done = export(store, tmp_path / f"out.{form}")
            assert (done.positions, done.moves) == (2, 1)
        assert command._export_text(done, None).endswith(": 2 positions, 1 move")
