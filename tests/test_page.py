"""The page of a machine's boxes: what is in it, and, in a browser, what it shows of every board."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import Run, ok, refused
from oracle import TICTACTOE
from templates import fresh_database, learner_of_old

from menace.colours import Naming, bead_colours, cell_numbers
from menace.errors import InvalidPlayer, InvalidSetting
from menace.exporting import shelf as shelves
from menace.exporting.page import data_of, page
from menace.exporting.shelf import shelf_of
from menace.ledger.database import open_database
from menace.ledger.machines import new_learner
from menace.ledger.store import Store
from menace.ledger.training import selfplay, train
from menace.shelf import contests
from menace.shelf.box import boxes_of
from menace.shelf.position import show

NASTY = """=1+1 "q" 'a' <b>&amp; </script><!-- \\N $1 {{title}} Ж 木"""
HASHES = 100  # browsers stop following a script that changes the address some hundred times a minute
VOID = {"meta", "input", "br", "link", "img"}
CHROMIUM = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --dump-dom"
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with fresh_database(tmp_path_factory.mktemp("page") / "menace.db") as opened:
        presets = {"adam": "menace", NASTY: "menace", "td": "zhang", "q": "sala"}
        for number, (name, preset) in enumerate(presets.items()):
            learner_of_old(opened, name, "O" if name in {NASTY, "td"} else "X", preset)
            train(opened, name, "random", games=300, seed=number)
        new_learner(opened, "single", "X", settings={"boxes": "all", "beads": "1"})
        yield opened


def page_of(store: Store, name: str, naming: Naming | None = None) -> str:
    return page(shelf_of(store, name, naming)).decode()


class Reader(HTMLParser):
    """What a page consists of: its tags, its texts by element, and its boxes as rows of texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.boxes: dict[str, list[list[str]]] = {}
        self.open: list[str] = []
        self.box: list[list[str]] | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.box = self.boxes.setdefault(str(attributes["id"]), []) if attributes.get("class") == "box" else None
        elif tag == "tr" and self.box is not None:
            self.box.append([])
        elif tag == "td" and self.box is not None:
            self.box[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        inside = self.open[-1] if self.open else ""
        self.texts.setdefault(inside, []).append(data)
        if inside == "td" and self.box is not None:
            self.box[-1][-1] += data


def data_in(text: str) -> Any:
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert len(found) == 1
    return json.loads(found[0])


@pytest.mark.parametrize("name", ["adam", NASTY])
def test_the_page_holds_every_box_as_it_is(store: Store, name: str) -> None:
    text = page_of(store, name)
    reader, data, boxes = Reader(text), data_in(text), boxes_of(store, name)
    assert len(data["boxes"]) == len(boxes) == (304 if name == "adam" else 289)
    for box, shown in zip(boxes, data["boxes"], strict=True):
        assert [shown[key] for key in ("number", "position_id", "board", "stage")] == [
            box.number,
            box.position_id,
            box.board,
            box.stage,
        ]
        assert shown["moves"] == [
            [m.action, m.multiplicity, m.beads, m.share or 0.0, m.count, m.verdict, m.optimal] for m in box.moves
        ]
        cells = [cell.strip() for row in reader.boxes[f"box-{box.number}"] for cell in row]
        beads = {move.action: f"{move.beads:,}" for move in box.moves}
        assert cells == [beads.get(cell, "") if mark == "." else mark for cell, mark in enumerate(box.board)]
    assert len(reader.boxes) == len(boxes)
    assert len(text) < 400_000


def test_the_data_of_a_move_are_named_by_their_columns(store: Store) -> None:
    shelf = shelf_of(store, "adam")
    data = data_of(shelf)
    for box, shown in zip(shelf.boxes, data["boxes"], strict=True):
        assert [dict(zip(data["columns"], values, strict=True)) for values in shown["moves"]] == [
            {key: getattr(move, key) for key in data["columns"]} for move in box.moves
        ]


def test_beads_are_counted_in_one_or_many(store: Store) -> None:
    text = page_of(store, "adam")
    assert re.search(r"<small>1 bead</small>", page_of(store, "single"))
    assert not re.search(r"\b1 (beads|boxes)\b", text)


@pytest.mark.parametrize("name", ["td", "q"])
def test_a_machine_without_boxes_shows_where_it_has_a_choice(store: Store, name: str) -> None:
    text = page_of(store, name)
    data = data_in(text)
    assert f"<h1>What {name} learned</h1>" in text
    assert len(data["boxes"]) == (304 if name == "q" else 289)
    for shown in data["boxes"][::29]:
        view = show(store, shown["board"], name)
        for values, move in zip(shown["moves"], view.moves, strict=True):
            action, multiplicity, amount, share, count, verdict, optimal = values
            assert (action, multiplicity, amount) == (move.action, len(move.cells), move.amount)
            assert (share, verdict, optimal) == (pytest.approx(move.share), move.verdict, move.optimal)
            assert count == (None if name == "td" else move.count)


def test_a_machine_that_takes_the_favourite_shows_how_it_plays(store: Store) -> None:
    new_learner(store, "favourite", "X", "article-code", {"beads": "4,3,2,1"})
    text = page_of(store, "favourite")
    assert "takes the colour with the most beads" in text
    assert not data_in(text)["when_empty"]  # its shares are never all 0
    shown = data_in(text)["boxes"][0]
    assert sum(values[3] for values in shown["moves"]) == pytest.approx(1)
    assert [values[3] for values in shown["moves"]] == pytest.approx([4 / 9, 4 / 9, 1 / 9])


def test_the_page_needs_no_network(store: Store) -> None:
    text = page_of(store, "adam")
    for sign in ("http", "//", "url(", "@import", "src=", "fetch(", "<link", "<iframe"):
        assert sign not in text, sign
    for tag, attributes in Reader(text).tags:
        assert str(attributes.get("href", "#")).startswith("#"), (tag, attributes)
        assert not {"src", "srcset", "action", "data", "poster"} & attributes.keys()


def test_ids_are_there_once_and_links_lead_to_them(store: Store) -> None:
    tags = Reader(page_of(store, "adam")).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {str(attributes["href"])[1:] for tag, attributes in tags if tag == "a"}
    assert {link for link in links if not link.startswith("board=")} <= set(ids)
    assert len([link for link in links if link.startswith("board=")]) == 304


def test_every_tag_is_closed(store: Store) -> None:
    assert Reader(page_of(store, "adam")).open == []


def test_a_name_is_a_text_and_nothing_else(store: Store) -> None:
    text = page_of(store, NASTY)
    reader = Reader(text)
    assert "".join(reader.texts["title"]) == "".join(reader.texts["h1"]) == f"The matchboxes of {NASTY}"
    assert data_in(text)["name"] == NASTY
    assert [tag for tag, _ in reader.tags if tag in {"script", "b", "style"}] == ["style", "script", "script"]
    assert text.count("</script") == 2
    assert "{{" not in text.replace(html.escape(NASTY), "").replace(json.dumps(NASTY)[1:-1].replace("<", "\\u003c"), "")


def test_the_same_machine_gives_the_same_bytes(store: Store) -> None:
    assert page(shelf_of(store, "td")) == page(shelf_of(store, "td"))


def test_strength_is_the_exact_one(store: Store) -> None:
    cells = [cell.strip() for cell in Reader(page_of(store, "adam")).texts["td"]]
    for strength in contests.strength_of(store, "adam").against.values():
        shares = [f"{share:.1%}" for share in strength]
        assert any(cells[i : i + 3] == shares for i in range(len(cells))), (shares, cells[:12])


def test_more_boxes_than_a_page_holds_are_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "BOXES_MOST", 303)
    with pytest.raises(InvalidPlayer, match="adam has 304 boxes, more than the 303"):
        shelf_of(store, "adam")


def test_the_command_writes_a_page(trained: Run, tmp_path: Path) -> None:
    out = ok(trained("export", "boxes.html", "--learner", "menace-x"))
    assert out == "boxes.html: 304 positions, 1,087 moves, with what menace-x has learned\n"
    with open_database("menace.db") as opened:
        assert (tmp_path / "boxes.html").read_text("utf-8") == page_of(opened, "menace-x")
    assert ok(trained("export", "-", "--to", "html", "--learner", "menace-x")) == Path("boxes.html").read_text("utf-8")
    ok(trained("export", "named.html", "--learner", "menace-x", "--colours", "michie", "--numbering", "michie"))
    with open_database("menace.db") as opened:
        named = page_of(opened, "menace-x", Naming("michie", "michie"))
    assert (tmp_path / "named.html").read_text("utf-8") == named
    refused(trained("export", "page.html"), "a page needs a learner", "menace-x, menace-o")
    refused(trained("export", "page.html", "--learner", "nobody"), "nobody")
    refused(trained("export", "page.html", "--learner", "menace-x", "--part", "played"), "leave --part out")


# In a browser.


def browsed(tmp_path: Path, text: str, script: str, fragment: str = "", width: int | None = None) -> str:
    """Return as JSON what a script `told` that a browser ran at the end of a page, which may have a width in pixels.

    A browser's window has a least width of its own; a frame in it has not.
    """
    chromium = shutil.which("chromium")
    if chromium is None:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)("chromium is not installed")
    teller = 'const told = [], top = parent.document; addEventListener("error", event => { top.title = "ERROR"; });'
    ending = 'const end = Object.assign(top.createElement("pre"), { id: "told", textContent: JSON.stringify(told) });'
    ending += "top.body.replaceChildren(end);"
    shown = text.replace("</body>", f"<script>{{ {teller}\n{script}\n{ending} }}</script></body>")
    if width is not None:
        shown = f'<iframe style="width: {width}px; height: 800px; border: 0" srcdoc="{html.escape(shown)}"></iframe>'
    file = tmp_path / "page.html"
    file.write_text(shown, "utf-8")
    command = [str(chromium), *CHROMIUM.split(), f"--user-data-dir={tmp_path / 'profile'}", file.as_uri() + fragment]
    dom = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert "ERROR" not in dom
    return html.unescape(re.search('<pre id="told">(.*)</pre>', dom, re.DOTALL)[1])  # type: ignore[index]


LOOK = """
const look = () => ({
  board: document.getElementById("explorer").dataset.board,
  box: [...document.querySelectorAll(".box.here")].map(box => box.id),
  cells: [...document.querySelectorAll("#board button")].map(cell =>
    [cell.querySelector(".mark")?.textContent || cell.querySelector("span:not(.number)")?.textContent || "",
     cell.className, cell.getAttribute("aria-disabled")]),
  numbers: [...document.querySelectorAll("#board button")].map(cell => cell.querySelector(".number")?.textContent),
  status: document.getElementById("status").textContent,
  hash: location.hash,
});
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", [NASTY])
def test_every_board_finds_its_box_and_shows_it_as_the_board_lies(store: Store, tmp_path: Path, name: str) -> None:
    boxes = {box.board: box for box in boxes_of(store, name)}
    plays = store.learner(name).plays
    boards = list(TICTACTOE.boards())[:: 1 if plays == "X" else 5]
    script = f"for (const board of {json.dumps(boards)}) {{ start(board); told.push(look()); }}"
    told = json.loads(browsed(tmp_path, page_of(store, name), LOOK + script))
    assert len(told) == len(boards)
    sign = 1 if plays == "X" else -1
    letters = {1: "w", 0: "d", -1: "l"}
    for number, (board, seen) in enumerate(zip(boards, told, strict=True)):
        canonical, children = TICTACTOE.canonical(board), TICTACTOE.children(board)
        box = boxes.get(canonical)
        assert seen["board"] == board
        assert number >= HASHES or seen["hash"] == f"#board={board}"
        assert seen["box"] == ([f"box-{box.number}"] if box else [])
        leads = {TICTACTOE.canonical(TICTACTOE.put(box.board, m.action)): m for m in box.moves} if box else {}
        for cell, (text, verdict, disabled) in enumerate(seen["cells"]):
            if cell not in children:
                assert (text, verdict, disabled) == (board[cell].strip("."), "", "true")
                continue
            move = leads.get(TICTACTOE.canonical(children[cell]))
            assert text == (f"{move.beads:,}" if move else "")
            assert (verdict, disabled) == (letters[sign * TICTACTOE.minimax(children[cell])], "false")
        outcome = TICTACTOE.outcome(board)
        says = {None: "is to move", "draw": "A draw."}.get(outcome, f"{outcome} has won")
        assert says in seen["status"]


def test_a_link_names_a_board_and_clicks_play_on(store: Store, tmp_path: Path) -> None:
    script = """
      const click = cell => document.querySelectorAll("#board button")[cell].click();
      told.push(look()); click(1); told.push(look()); click(1); told.push(look());
      document.getElementById("back").click(); told.push(look());
      document.getElementById("wanted").value = "x.o / .x. / ..o"; document.querySelector("#find button").click();
      told.push(look()); click(0); click(3); told.push(look());
      document.getElementById("wanted").value = "304"; document.querySelector("#find button").click();
      told.push(look());
      document.getElementById("wanted").value = "XXX......"; document.querySelector("#find button").click();
      told.push(look());
      document.getElementById("again").click(); told.push(look());
    """
    told = json.loads(browsed(tmp_path, page_of(store, "adam"), LOOK + script, "#board=....O...X"))
    boards = ["....O...X", ".X..O...X", ".X..O...X", "....O...X", "X.O.X...O", "X.OXX...O", None, None, "........."]
    last = boxes_of(store, "adam")[-1].board
    assert [seen["board"] for seen in told] == [last if board is None else board for board in boards]
    assert told[0]["box"] == ["box-4"]
    assert "No game reaches that" in told[7]["status"]
    assert told[8]["box"] == ["box-1"]


@pytest.mark.slow
def test_a_bead_is_drawn_by_its_share_and_never_where_there_is_none(store: Store, tmp_path: Path) -> None:
    box = boxes_of(store, "adam")[3]
    script = f"""
      const random = Math.random;
      for (let step = 0; step < 200; step++) {{
        start("{box.board}"); let calls = 0; Math.random = () => calls++ ? 0 : (step + 0.5) / 200;
        document.getElementById("draw").click(); told.push(path[path.length - 1]);
      }}
      start("X........"); document.getElementById("draw").click(); told.push(path[path.length - 1]);
      start("XX.OO..OX"); Math.random = random; document.getElementById("draw").click(); told.push(path.length);
    """
    *drawn, waits, forced = json.loads(browsed(tmp_path, page_of(store, "adam"), script))
    assert waits == "X........"  # the opponent's turn
    assert forced == 2
    for move in box.moves:
        board = TICTACTOE.put(box.board, move.action)
        assert drawn.count(board) == pytest.approx(200 * move.share, abs=1), move


@pytest.mark.slow
def test_a_machine_of_values_plays_in_the_browser_too(store: Store, tmp_path: Path) -> None:
    script = """
      for (let game = 0; game < 50; game++) {
        start(empty);
        while (!isOver(path[path.length - 1])) {
          const board = path[path.length - 1];
          if (mover(board) === data.plays) document.getElementById("draw").click();
          else play(movesOf(board)[game % movesOf(board).length].cells[0]);
        }
        told.push(path);
      }
    """
    for path in json.loads(browsed(tmp_path, page_of(store, "td"), script)):
        assert path[0] == TICTACTOE.empty
        assert TICTACTOE.outcome(path[-1])
        for board, after in pairwise(path):
            assert after in TICTACTOE.children(board).values()


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "symmetry"), [("2x3x3", "full"), ("1x3x2", "none"), ("3x3x3", "none")])
def test_other_boards_have_pages_that_run(tmp_path: Path, variant: str, symmetry: Any) -> None:
    with fresh_database(tmp_path / "other.db", variant=variant, symmetry=symmetry) as opened:
        selfplay(opened, games=50, seed=1)
        boxes = boxes_of(opened, "menace-o")
        text = page_of(opened, "menace-o")
    script = "for (const box of data.boxes.slice(-100)) { start(box.board); told.push(look()); }"
    told = json.loads(browsed(tmp_path, text, LOOK + script))
    assert [seen["box"] for seen in told] == [[f"box-{box.number}"] for box in boxes[-100:]]


@pytest.mark.slow
@pytest.mark.parametrize("naming", [Naming(), Naming("michie", "michie"), Naming("menace", "michie")])
def test_cells_and_beads_are_called_as_on_printed_labels(store: Store, tmp_path: Path, naming: Naming) -> None:
    box = boxes_of(store, "adam")[3]
    script = f"""
      document.getElementById("colours").click(); start("{box.board}");
      const beads = selector => [...document.querySelectorAll(selector)].map(bead =>
        getComputedStyle(bead).getPropertyValue("--bead").trim());
      told.push(look().numbers, [...document.querySelectorAll("#moves .first")].map(cell => cell.textContent.trim()),
        [...document.querySelectorAll("#moves .bead")].map(bead => bead.title), beads("#moves .bead"),
        beads("#box-4 td"));
    """
    text = page_of(store, "adam", naming)
    numbers, cells, names, drawn, beads = json.loads(browsed(tmp_path, text, LOOK + script))
    wanted, colours = cell_numbers(9, naming.numbering), bead_colours(9, naming.colours)
    assert numbers == [str(wanted[cell]) if mark == "." else None for cell, mark in enumerate(box.board)]
    assert beads == [colour.hex for colour in colours]
    moves = sorted(box.moves, key=lambda move: (-move.share, move.action))
    assert names == [colours[move.action].name for move in moves]
    assert drawn == [colours[move.action].hex for move in moves]
    assert [text.split()[0] for text in cells] == [str(wanted[move.action]) for move in moves]


def test_names_that_the_board_is_too_small_for_are_refused(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "other.db", variant="2x2x2") as opened:
        new_learner(opened, "x", "X")
        for naming in (Naming("michie"), Naming(numbering="michie")):
            with pytest.raises(InvalidSetting, match="'michie'"):
                shelf_of(opened, "x", naming)


@pytest.mark.slow
def test_nothing_scrolls_sideways_on_a_phone(store: Store, tmp_path: Path) -> None:
    script = f"""
      document.querySelector("details").open = true;
      const scrolls = one => one === document.documentElement || getComputedStyle(one).overflowX === "auto";
      const broad = () => [...document.querySelectorAll("*")]
        .filter(one => scrolls(one) && one.scrollWidth > one.clientWidth)
        .map(one => [one.tagName, one.className, one.scrollWidth]);
      for (const id of ["", "colours", "verdicts"]) {{
        if (id) document.getElementById(id).click();
        for (const board of {json.dumps([box.board for box in boxes_of(store, "adam")[:40]])}) {{
          show(board); told.push(...broad());
        }}
      }}
      told.push(innerWidth);
    """
    *broad, width = json.loads(browsed(tmp_path, page_of(store, "adam"), script, width=360))
    assert broad == []
    assert width == 360


def test_a_bead_stands_beside_its_cells(store: Store, tmp_path: Path) -> None:
    script = """
      for (const id of ["colours", "verdicts"]) {
        document.getElementById(id).click();
        told.push(...[...document.querySelectorAll("#moves tr")].map(row => row.getBoundingClientRect().height));
      }
    """
    heights = json.loads(browsed(tmp_path, page_of(store, "adam"), script, width=1280))
    assert len(heights) == 8
    assert max(heights) < 45
