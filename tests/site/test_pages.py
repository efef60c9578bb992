"""Tests of the static site: tables of games and learners, pages, and results of scripts."""

from __future__ import annotations

import html
import itertools
import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import notakto
import pytest
from commands import Run, ok, refused
from database_templates import fresh_bytes, fresh_database, learner_by_hand
from runs import boxes_of, train
from scripts_in_node import capitalize_narration, load_scripts, run_in_node
from trial_games import DOMINOES

from menace.analysis.bead_names import BeadNames
from menace.analysis.grades import strength_of
from menace.exporting.board_html import board_html, box_marks
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.policy import PolicyName
from menace.learners.registry import LEARNERS
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.people.session import Session
from menace.site import export_site, play_tables
from menace.site.pages import SCRIPTS
from menace.site.play_tables import FIRST_PIECE, game_tables, site_learner_record
from menace.text.bead_colours import OWN
from menace.text.wording import percent

pytestmark = pytest.mark.slow

NASTY = """=1+1 "q" 'a' <b>&amp; </script><!-- \\N $1 {{title}} Ж 木"""
GAMES = [
    DOMINOES,
    *(("tictactoe", "3x3x3"), ("tictactoe", "2x3x2"), ("tictactoe", "2x2x2-wild"), ("connect", "3x3x3")),
    *(("hexapawn", "3x3"), ("nim", "1-2-3"), notakto.ONE),
]
VOID = {"meta", "input", "br", "link", "img", "path", "td", "tr", "tfoot"}  # elements without an end tag


@cache
def positions_in(name: str, variant: str) -> Positions:
    return enumerate_positions(get_game(name, variant))


@cache
def tables_in(name: str, variant: str) -> dict[str, Any]:
    return game_tables(positions_in(name, variant))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with fresh_database(tmp_path_factory.mktemp("site") / "menace.db", variant="2x3x3") as opened:
        presets = {"adam": "menace", NASTY: "menace", "td": "zhang", "q": "sala", "odds": "michie-1963"}
        for number, (name, preset) in enumerate(presets.items()):
            learner_by_hand(opened, name, Side.O if name in {NASTY, "td"} else Side.X, preset)
            train(opened, name, "random", games=100, seed=number)
        yield opened


@pytest.fixture(scope="module")
def site(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site that shows all machines in the database."""
    folder = tmp_path_factory.mktemp("site") / "pages"
    export_site(store, folder)
    return folder


class Page(HTMLParser):
    """A parser that collects the tags of a page and the text of each element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)


def pages_of(site: Path) -> dict[str, Page]:
    return {file.name: Page(file.read_text("utf-8")) for file in sorted(site.glob("*.html"))}


def table_of(site: Path, file: str) -> Any:
    _, line = (site / file).read_text("utf-8").splitlines()
    return json.loads(re.sub(r"^(menace\.tables = |\(menace\.machines \?\?= \[\]\)\.push\()|\)?;$", "", line))


@pytest.mark.parametrize(("name", "variant"), GAMES)
def test_tables_contain_every_board_and_every_move(name: str, variant: str) -> None:
    positions, tables = positions_in(name, variant), tables_in(name, variant)
    game, boards = positions.game, tables["boards"].split(" ")
    cells = game.shape[0] * game.shape[1]
    numbers = {board: number for number, board in enumerate(boards)}
    assert boards[tables["start"]] == game.initial
    assert set(positions.boards) <= numbers.keys()
    assert len(numbers) == len(boards) == len(tables["home"]) == len(tables["moves"])
    for number, board in list(enumerate(boards))[:: 1 + len(boards) // 500]:
        position = tables["home"][number]
        assert positions.boards[position] == positions.canonical(board)
        letters = tables["pieces"][number * cells : (number + 1) * cells]
        assert tuple(tables["kinds"][ord(letter) - FIRST_PIECE] for letter in letters) == game.pieces(board)
        flat = tables["moves"][number]
        moves = [flat[at : at + 3] for at in range(0, len(flat), 3)]
        actions = game.actions(board)
        assert [tables["looks"][look]["name"] for look, _, _ in moves] == [
            game.name_of(board, action) for action in actions
        ]
        stands = [int(positions.action[tables["graph"]["first"][position] + place]) for _, place, _ in moves]
        assert stands == [positions.to_canonical(board, action) for action in actions]
        assert [boards[number + further] for _, _, further in moves] == [game.play(board, action) for action in actions]


def test_game_too_large_for_a_site_is_refused(trained: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(play_tables, "MAX_POSITIONS", 764)
    refused(trained("export", "site/"), "tictactoe 3x3x3 has 765 positions, but a site can have at most 764")
    monkeypatch.setattr(play_tables, "MAX_POSITIONS", 765)
    monkeypatch.setattr(play_tables, "MAX_BOARDS", 1000)
    refused(trained("export", "site/"), "tictactoe 3x3x3 has more than 1,000 boards")
    assert {file.name for file in tmp_path.iterdir()} == {"menace.db"}


def test_pages_request_only_their_own_files(site: Path) -> None:
    there = {file.name for file in site.iterdir()}
    for name, page in pages_of(site).items():
        assert page.open == [], name
        for tag, attributes in page.tags:
            for key in ("src", "href", "srcset", "action", "data", "poster"):
                if key in attributes:
                    file = str(attributes[key]).partition("#")[0]
                    assert file.startswith("data:image/svg+xml,") or (file or name) in there, (name, tag, attributes)
                    assert tag != "script" or (attributes.get("type"), "defer" in attributes) == (None, True)
        assert [text for text in page.texts.get("script", []) if text.strip()] == []
    for file in site.iterdir():
        text = file.read_text("utf-8", "replace").replace("http://www.w3.org/2000/svg", "")
        for sign in ("http:", "https:", "url(", "@import", "fetch(", "XMLHttpRequest", "import(", "eval("):
            assert sign not in text, (file.name, sign)


def test_every_page_has_a_title_and_marks_its_section(site: Path) -> None:
    for name, page in pages_of(site).items():
        said = {tag.get("name") or tag.get("property"): tag.get("content") for kind, tag in page.tags if kind == "meta"}
        assert said["description"] == said["og:description"] != ""
        assert (site / str(said["og:image"])).read_bytes().startswith(b"\x89PNG")
        assert str(said["og:title"]) in "".join(page.texts["title"])
        current = [tag["href"] for _, tag in page.tags if tag.get("aria-current") == "page"]
        section = re.sub(r"^play-.*", "choose.html", name)
        assert current == ([] if name == "index.html" else [section])


def test_links_lead_to_existing_targets(site: Path) -> None:
    tables = {file.name: table_of(site, file.name) for file in site.glob("tables*.js")}
    boards = {f"explore{name[6:-3]}.html": set(table["boards"].split(" ")) for name, table in tables.items()}
    pages = pages_of(site)
    ids_of = {name: [tag["id"] for _, tag in page.tags if "id" in tag] for name, page in pages.items()}
    for name, page in pages.items():
        ids = ids_of[name]
        assert len(ids) == len(set(ids)), name
        for tag, attributes in page.tags:
            file, _, fragment = str(attributes.get("href", "")).partition("#")
            if tag == "a" and fragment.startswith("board="):
                assert unquote(fragment.removeprefix("board=")) in boards[file]
            elif fragment:  # training.js handles #practice
                assert (fragment if fragment != "practice" else "training") in ids_of[file or name]
            if "for" in attributes or "aria-labelledby" in attributes:
                assert attributes.get("for") or attributes["aria-labelledby"] in ids


def test_names_are_escaped(site: Path) -> None:
    slug = next(file.stem.removeprefix("play-") for file in site.glob("play-1-1*.html"))
    pages = pages_of(site)
    assert "".join(pages[f"play-{slug}.html"].texts["h1"]) == f"Play {NASTY}"
    assert "".join(pages[f"boxes-{slug}.html"].texts["h1"]) == f"The matchboxes of {NASTY}"
    assert table_of(site, f"machine-{slug}.js")["name"] == NASTY
    for name, page in pages.items():
        assert [text for tag, _ in page.tags for text in [tag] if tag == "b"] in (["b"], ["b", "b"]) or "boxes" in name
    assert any(NASTY in text for text in pages["index.html"].texts["h3"])


@pytest.mark.parametrize("name", ["adam", NASTY, "td", "q", "odds"])
def test_every_box_is_on_its_page_unchanged(store: Store, site: Path, name: str) -> None:
    pages = {"".join(page.texts["h1"]): file for file, page in pages_of(site).items() if file.startswith("boxes-")}
    file = (
        next(file for title, file in pages.items() if name in title.split())
        if name != NASTY
        else next(file for title, file in pages.items() if NASTY in title)
    )
    text = (site / file).read_text("utf-8")
    boxes = [box for box in boxes_of(store, name) if box.has_beads or box.has_choice]
    shown = re.findall(r'<table class="box" data-board="(.*?)"><caption>(.*?)</caption>(.*?)</table>', text)
    assert [board for board, _, _ in shown] == [box.board for box in boxes]
    names = BeadNames(positions_of(store), store.learner(name).naming)
    for box, (_, caption, rows) in zip(boxes, shown, strict=True):
        assert rows == board_html(box.game.pieces(box.board), box.game.shape, box_marks(box, names))
        assert (f"{box.beads:,} bead" in caption) == box.has_beads
    for strength in strength_of(store, name).against.values():
        shares = [html.escape(percent(share).strip()) for share in strength]
        assert "".join(f'<td class="number">{share}</td>' for share in shares) in text


def test_same_learners_give_the_same_bytes(store: Store, site: Path, tmp_path: Path) -> None:
    export_site(store, tmp_path / "again")
    for file in site.iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


def test_a_site_is_small(trained: Run, tmp_path: Path) -> None:
    ok(trained("export", "site/"))
    sizes = {file.name: file.stat().st_size for file in (tmp_path / "site").iterdir()}
    first = sum(sizes[name] for name in ("index.html", "home.css", *SCRIPTS["home"]))
    assert first < 60_000
    assert sum(sizes.values()) < 2_000_000


@pytest.fixture
def small(run: Run, tmp_path: Path) -> Run:
    """Return `run` in a folder that contains the database of a small game without learners."""
    (tmp_path / "menace.db").write_bytes(fresh_bytes("2x3x2"))
    return run


def test_command_exports_all_or_some_machines(small: Run, tmp_path: Path) -> None:
    ok(small("selfplay", "--games", "5", "--seed", "1"))
    out = ok(small("export", "site/"))
    assert re.fullmatch(r"site/: \d+ files, with menace-x, menace-o; open index.html in a browser\n", out)
    assert (tmp_path / "site" / "play-menace-o.html").exists()
    ok(small("export", "site/", "--learner", "menace-[x]"))
    names = {file.name for file in (tmp_path / "site").iterdir()}
    assert "play-menace-x.html" in names
    assert "play-menace-o.html" not in names
    assert names == set((tmp_path / "site" / "files.txt").read_text().split())
    (tmp_path / "site" / "mine.txt").write_text("mine")
    refused(small("export", "site/"), "site/ contains mine.txt, which menace did not write")
    # the user may have run `ls > files.txt`
    (tmp_path / "site" / "files.txt").write_text("\n".join([*names, "mine.txt"]))
    refused(small("export", "site/"), "which menace did not write")
    assert (tmp_path / "site" / "mine.txt").read_text() == "mine"


def test_site_of_several_databases_lists_best_trained_first_and_then_the_winning_side(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a b:c.db").write_bytes(fresh_bytes("2x3x2"))
    with create_database(tmp_path / "nim.db", "nim", "1-2-3") as store:
        train(store, "menace-x", "menace-o", 20)
        new_learner(store, "values", "X", "td")
    (tmp_path / "again.db").write_bytes((tmp_path / "nim.db").read_bytes())
    ok(run("new", "menace-x", "--plays", "X", "--db", "a b:c.db"))
    dbs = ("--db", "a b:c.db", "--db", "nim.db", "--db", "again.db")
    names = "menace-o, menace-o, menace-x, menace-x, values, values, menace-x"
    assert f"with {names};" in ok(run("export", "site/", *dbs))
    pages = pages_of(tmp_path / "site")
    assert {"explore.html", "explore-tictactoe-2x3x2.html", "play-menace-x-3.html"} <= {*pages}
    assert len([*(tmp_path / "site").glob("tables*.js")]) == 2
    for slug, tables in (("menace-x", "tables.js"), ("menace-x-3", "tables-tictactoe-2x3x2.js")):
        scripts = [attributes.get("src") for tag, attributes in pages[f"play-{slug}.html"].tags if tag == "script"]
        assert [name for name in scripts if name and name.startswith("tables")] == [tables]
    test_links_lead_to_existing_targets(tmp_path / "site")
    test_pages_request_only_their_own_files(tmp_path / "site")
    out = ok(run("export", "site/", *dbs, "--learner", "values", "--learner", "menace-o"))
    assert "with menace-o, menace-o, values, values;" in out
    refused(run("export", "site/", *dbs, "--learner", "nobody"), "nobody")
    assert "give --db once" in run("export", "x.dot", *dbs).err
    monkeypatch.setenv("MENACE_DB", "a b:c.db")
    assert "with menace-x;" in ok(run("export", "one/"))


def test_invalid_exports_are_refused_in_one_line(small: Run, tmp_path: Path) -> None:
    refused(small("export", "site/"), "there is no machine", "`menace new`")
    ok(small("new", "adam", "--plays", "X"))
    refused(small("export", "boxes.html", "--learner", "adam"), "write to boxes/")
    refused(small("export", "boxes"), "boxes has no extension", "with / for a site")
    refused(small("export", "site/", "--learner", "nobody"), "nobody")
    refused(small("export", "no/site/"), "there is no folder")
    for words, message in [
        (["site/", "--part", "played"], "leave out --part"),
        (["x.dot", "--colours", "michie"], "apply only to a site"),
        (["x.dot", "--learner", "adam", "--learner", "eva"], "give --learner once"),
    ]:
        result = small("export", *words)
        assert (result.code, message in result.err, len(result.err.splitlines())) == (2, True, 1), result.err
    assert {file.name for file in tmp_path.iterdir()} == {"menace.db"}


DRAWN = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(({ tables, learner }) => {
  const game = new menace.Game(tables), kept = menace.tableCopy(learner);
  const { share } = menace.playerOf(game.graph, learner, kept).policy(), records = new menace.Records(game, learner);
  const own = position => game.home.indexOf(position) && game.texts.findIndex((_, board) => board in game.home);
  return learner.boards.map(text => menace.boxRows(records.box(game.numbers.get(text), kept, share)));
})));
"""
"""Plays games with a person, who takes the last move each time, and takes one back in each game."""
PLAYED = """
const { tables, learner, seed, games, policy } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const game = new menace.Game(tables);
const kept = { ...menace.tableCopy(learner), seed, numbers: 0, turns: 0, games: 0, people: 0 };
const answers = Array.from({ length: games }, () => {
  const under = new menace.GameUnderWay(game, learner, kept, { policy });
  let back = false;
  while (under.outcome === menace.ONGOING) {
    under.makePersonMove(game.movesOf(under.board).at(-1).action);
    if (!back && under.outcome === menace.ONGOING) { back = true; under.undo(); }
  }
  const boards = under.plies.map(ply => game.texts[ply.next]);
  const changed = under.finish(kept).flatMap(({ moves }) => moves);
  const changes = changed.map(({ before, put_back, after }) => [before, put_back, after]);
  return { boards, outcome: under.outcome, resigned: under.resigned, changes };
});
console.log(JSON.stringify({ answers, weight: kept.weight, picked: kept.picked, numbers: kept.numbers }));
"""


def test_script_and_python_draw_the_same_boxes() -> None:
    cases, wanted = [], []
    for game, side in itertools.product(GAMES, Side):
        machine = Machine("menace", side, positions_in(*game))
        names, boxes = BeadNames(machine.positions, OWN), machine.boxes[::3]
        learner = {**site_learner_record(machine, names), "boards": [box.board for box in boxes]}
        cases.append({"tables": tables_in(*game), "learner": learner})
        wanted.append([board_html(box.game.pieces(box.board), box.game.shape, box_marks(box, names)) for box in boxes])
    drawn = run_in_node(load_scripts("words.js", "drawing.js", "boards.js", "drawable_boxes.js") + DRAWN, cases)
    assert [list(map(rounded, shapes)) for shapes in drawn] == [list(map(rounded, shapes)) for shapes in wanted]


def rounded(text: str) -> str:
    """Return HTML with shares rounded to one decimal place, because JavaScript and Python round halves differently."""
    return re.sub(r"--s:([\d.]+)", lambda match: f"--s:{float(match[1]) + 1e-6:.1f}", text)


@pytest.mark.parametrize(
    ("game", "variant", "plays", "settings", "policy"),
    [
        (
            "tictactoe",
            "3x3x3",
            "X",
            {"beads": "2", "win": "0", "draw": "-1", "boxes": "michie", "when_empty": "resign"},
            "behaviour",
        ),
        ("tictactoe", "3x3x3", "O", {"beads": "1", "win": "0", "draw": "-1", "loss": "-2"}, "behaviour"),
        ("tictactoe", "3x3x3", "O", {"beads": "1", "win": "0", "draw": "-1", "loss": "-2"}, "greedy"),
        (
            "hexapawn",
            "3x3",
            "X",
            {"beads": "1", "win": "0", "draw": "0", "when_empty": "resign", "credit": "last"},
            "behaviour",
        ),
    ],
)
def test_games_with_a_person_equal_menace_play(
    tmp_path: Path, game: str, variant: str, plays: str, settings: dict[str, str], policy: PolicyName
) -> None:
    games, seed = 16, 2**62 + 7
    put_back = 0
    with create_database(tmp_path / "menace.db", game, variant) as store:
        new_learner(store, "adam", Side(plays), "menace", settings)
        names = BeadNames(positions_of(store), OWN)
        learner = site_learner_record(named_machine(store, "adam"), names)
        site_data = {"tables": tables_in(game, variant), "learner": learner, "seed": str(seed), "games": games}
        site_data["policy"] = policy
        replies = run_in_node(
            load_scripts("words.js", "drawing.js", "boards.js", "drawable_boxes.js", "game.js") + PLAYED, site_data
        )
        session = Session(store, "adam", seed=seed, policy=policy)
        for number, reply in enumerate(replies["answers"]):
            if number:
                session.begin()
            under = session.game
            back = False
            while under.outcome is None:
                if not under.persons_turn:
                    under.make_machine_move()
                    continue
                under.make_person_move(under.rules.actions(under.board)[-1])
                if under.outcome is None:
                    under.make_machine_move()
                if not back and under.outcome is None:
                    back = True
                    under.undo()
            boards = [under.rules.play(ply.board, ply.action) for ply in under.plies]
            finished = session.finish()
            assert reply["boards"] == boards
            assert reply["outcome"] == {"X": 1, "draw": 0, "O": -1}[finished.outcome]
            assert reply["resigned"] == under.resigned
            put_back += sum(change.put_back for change in finished.changes)
            assert sorted(reply["changes"]) == sorted(
                [change.before, change.put_back, change.after] for change in finished.changes
            )
        resigned = any(reply["resigned"] for reply in replies["answers"])
        assert (resigned, put_back > 0) == ("when_empty" in settings, "when_empty" not in settings)
        now = site_learner_record(named_machine(store, "adam"), names)
        assert (replies["weight"], replies["picked"]) == (now["weight"], now["picked"])
        assert session.run is not None
        last = store.blocks(session.run.run_id)[-1]
        assert replies["numbers"] == last.numbers_before + last.numbers


def test_texts_of_a_game_are_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    tables = dict(tables_in("tictactoe", "3x3x3"))
    tables["kinds"] = ["" if kind == "" else hostile for kind in tables["kinds"]]
    tables["cells"] = {**tables["cells"], "names": [hostile] * 9, "places": [hostile] * 9}
    tables["looks"] = [{**look, "name": hostile} for look in tables["looks"]]
    script = """
      const game = new menace.Game(JSON.parse(require("fs").readFileSync(0, "utf8")));
      const board = game.numbers.get("X........"), moves = game.movesOf(board);
      const mark = move => ({ ...move, puts: move.name, verdict: "wins", share: 0, amount: "1" });
      const arrow = { ...moves[0], path: "M0 0", verdict: "wins", share: 0, amount: "1" };
      console.log(JSON.stringify([menace.buttons(game.played(board), moves, moves[0].name),
        menace.rows(game.played(board), [mark(moves[0]), arrow])]));
    """
    for text in run_in_node(load_scripts("words.js", "drawing.js", "boards.js") + script, tables):
        assert "<img" not in text
        assert html.escape(hostile) in text


def test_texts_of_a_site_come_from_narration_toml(small: Run, tmp_path: Path) -> None:
    ours = resources.files("menace").joinpath("text/narration.toml").read_text("utf-8")
    learning = "".join(f'{name} = "{LEARNERS[name].words}"\n' for name in ("menace", "td"))
    ours = ours.replace("[learners]\n", f"[learners]\n{learning}")
    (tmp_path / "loud.toml").write_text(capitalize_narration(ours), "utf-8")
    for side, preset in (("X", "menace"), ("O", "td")):
        ok(small("new", f"ADAM-{side}", "--plays", side, "--preset", preset))
    ok(small("export", "site/", "--words", "loud.toml"))
    script = (tmp_path / "site" / "clauses.js").read_text("utf-8").partition("clauses = ")[2].rstrip(";\n")
    clauses = json.loads(script)
    assert clauses.pop("verdicts") == ["wins", "draws", "loses"]  # these values of moves are also names of CSS classes
    quiet = {name: re.sub(r"\{\w+\}", "", clause) for name, clause in clauses.items()}
    assert [name for name, clause in quiet.items() if clause != clause.upper()] == []
    pages = pages_of(tmp_path / "site")
    for side in "xo":
        texts = pages[f"boxes-adam-{side}.html"].texts
        spoken = [*texts["h1"], *texts["dt"], *texts["p"][:2], *texts["dd"][:1], *texts["th"][:4]]
        assert [text for text in spoken if text != text.upper()] == [], side
    explore = pages["explore.html"]
    named = [str(attributes["aria-label"]) for _, attributes in explore.tags if "aria-label" in attributes][1:]
    texts = [text for tag in ("h1", "h2", "p", "label", "button") for text in explore.texts[tag]]
    assert [text for text in [*texts, *named] if text != text.upper()] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('has_won = "gewonnen"', 'my.toml: has_won must have {winner}, as in "{winner} has won"'),
        ('[learners]\nmenace = "Es lernt."', "my.toml: learning by menace must have {alike}, as in "),
        ('[learners]\nnobody = "Es lernt."', "my.toml: learning by nobody is not a name in menace/text/narration.toml"),
        ('has_won = "{winner} {winer}"', "my.toml: has_won must have {winner}"),
        ('has_won = "{winner.__class__}"', "my.toml: has_won must have {winner}"),
        ('has_won = "{winner} {"', "my.toml: has_won must have {winner}"),
        ('[site]\nyes = "{yes}"', "my.toml: yes must have nothing in braces"),
        ("draw = 3", "my.toml: draw is not a text in quotes"),
        ('draw = " "', "my.toml: draw is not a text in quotes"),
        ('remis = "remis"', "my.toml: remis is not a name in menace/text/narration.toml"),
        ("site = 3", "my.toml: site is not a name in"),
        ("draw", "my.toml is not valid TOML: "),
        (None, "my.toml cannot be read: No such file"),
    ],
)
def test_invalid_translations_are_refused_in_one_line(
    small: Run, tmp_path: Path, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / "my.toml").write_text(text)
    ok(small("new", "adam", "--plays", "X"))
    refused(small("export", "site/", "--words", "my.toml"), message)
    assert not (tmp_path / "site").exists()
