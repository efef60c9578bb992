"""Tests of the static site in a real browser: a whole game, stored beads, and import and export of files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browsing import checked_page, serve_files
from database_templates import trained_bytes
from runs import selfplay, train
from scripts_in_node import capitalize_narration

from menace.analysis.exam import Exam
from menace.learners.opponents.fixed import opponents_for
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.site import export_site
from menace.site.merge_into_database import learned_on, machines_by_fingerprint
from menace.site.translation import translated

pytestmark = pytest.mark.slow

PHONE = {"width": 375, "height": 800}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that contains sites for tic-tac-toe and hexapawn, and the database of the first site."""
    folder = tmp_path_factory.mktemp("site") / "class 5b & more"
    folder.mkdir()
    (folder / "menace.db").write_bytes(trained_bytes(50))
    with open_database(folder / "menace.db") as store:
        new_learner(store, "zhang", "X", "zhang")
        export_site(store, folder / "menace")
    with create_database(folder / "hexapawn.db", "hexapawn") as store:
        selfplay(store, games=20, seed=1)
        export_site(store, folder / "hexapawn")
    return folder


@pytest.fixture
def page(chromium: Any, folder: Path) -> Iterator[Any]:
    """Return a page of the size of a phone's screen.

    The page's scripts must not fail, and the page must load only files.
    """
    with checked_page(chromium, folder.as_uri(), viewport=PHONE, accept_downloads=True) as opened:
        opened.set_default_timeout(10_000)
        yield opened


def address(folder: Path, page: str) -> str:
    return f"{folder.as_uri()}/{page}"


def over(page: Any) -> bool:
    return page.locator("#score").text_content() != "you 0, MENACE 0, 0 draws"


def downloaded(page: Any) -> Any:
    with page.expect_download() as waiting:
        page.click("#download")
    return json.loads(Path(waiting.value.path()).read_text("utf-8"))


def shown(page: Any) -> list[str]:
    """Return the rows of the box that is open on the page."""
    return page.locator("#box .moves tbody tr").all_text_contents()


def test_finished_game_is_stored_in_the_browser(page: Any, folder: Path) -> None:
    page.goto(address(folder, "menace/index.html"))
    page.click("text=Play it")
    page.click("text=Play against it")
    page.wait_for_selector("#board button")
    page.locator("#board button:not([aria-disabled])").first.focus()
    assert ", empty" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#moves li:nth-child(3)", state="attached")
    moves = page.locator("#moves").text_content()
    page.reload()
    page.wait_for_selector("#moves li:nth-child(3)", state="attached")
    assert page.locator("#moves").text_content() == moves  # the game continues
    page.keyboard.press("u")
    assert page.locator("#moves li").count() == 1
    while not over(page):
        page.locator("#board button:not([aria-disabled])").first.click()
    kept = downloaded(page)
    with open_database(folder / "menace.db") as store:
        before = named_machine(store, "menace-x").learned
    changed = [new - old for new, old in zip(kept["weight"], before.amount.tolist(), strict=True) if new != old]
    picked = [new - old for new, old in zip(kept["picked"], before.count.tolist(), strict=True) if new != old]
    score = {3: 3, 1: 1, -1: -1}[kept["score"][-1]]
    assert set(changed) <= {score, 0} and set(picked) == {1}  # noqa: PT018 - both are about one game
    assert (kept["games"], kept["people"]) == (1, 1)
    assert page.locator(".changed").count() == len(changed)
    page.reload()
    assert downloaded(page) == kept
    assert "menace-x has learned from 1 game in this browser" in page.locator("#kept").text_content()
    page.goto(address(folder, "menace/index.html"))
    assert "and 1 here" in page.locator("li", has_text="menace-x").text_content()
    page.click("#shake")
    assert page.locator("#first-box .open .drawn").count() == 1
    page.goto(address(folder, "menace/boxes-menace-x.html"))
    assert "in this browser" in page.locator("#whose").text_content()
    amounts = page.locator("#stage-1 td").all_text_contents()
    assert [int(text) for text in amounts if text] == kept["weight"][:3]
    page.click("#here")
    amounts = page.locator("#stage-1 td").all_text_contents()
    assert [int(text) for text in amounts if text] == before.amount[:3].tolist()


def test_visitor_teaches_a_beginner(page: Any, folder: Path) -> None:
    page.goto(address(folder, "hexapawn/index.html"))
    page.click("text=Play it")
    assert page.locator(".opponents .matchbox").count() == 2
    page.click("a:text('Teach it')")
    page.wait_for_selector("#board button")
    assert page.locator("body.pawns").count() == 1
    assert page.text_content("#status").strip() == "Your turn: you play the pawns at the bottom."
    page.click("#board .x")
    assert "Where to? a1-a2." in page.locator("#status").text_content()
    page.locator("#board .target").first.click()
    page.wait_for_selector("#moves :text('a1-a2')", state="attached")
    page.keyboard.press("r")
    page.keyboard.press("r")
    page.wait_for_selector(".changed")
    assert page.text_content("#status").strip().startswith("Beginner wins! You resigned.")
    assert "Your game put 3 beads into its boxes." in page.text_content("#status")
    assert page.inner_text("#challenges b >> nth=0") == "It took 1 game."
    with open_database(folder / "hexapawn.db") as store:
        base, learned = learned_on(store, machines_by_fingerprint(store), json.dumps(downloaded(page)).encode())
    assert (base.name, base.learned.games, learned.learned.games) == ("beginner", 0, 1)
    page.goto(address(folder, "hexapawn/play-beginner.html"))  # a new tab has no stored session
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.wait_for_selector("#lessons li", state="attached")
    assert page.locator("#lessons li").count() == 1


def test_two_tabs_keep_all_games(page: Any, folder: Path) -> None:
    second_tab = page.context.new_page()
    for tab in (page, second_tab):
        tab.goto(address(folder, "menace/play-menace-x.html"))
    for tab in (page, second_tab):
        tab.keyboard.press("r")
        tab.keyboard.press("r")
        tab.wait_for_selector(".changed")
    assert downloaded(second_tab)["games"] == 2


def test_training_on_a_site_equals_menace_train(page: Any, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "menace.db").write_bytes((folder / "menace.db").read_bytes())
    with open_database(tmp_path / "menace.db") as store:
        train(store, "menace-x", "random", games=700, seed=7)
        wanted = named_machine(store, "menace-x").learned
    page.goto(address(folder, "menace/play-menace-x.html#practice"))
    page.click("#more summary")
    page.fill("[form=train][name=speed]", "5")
    page.fill("[form=train][name=games]", "700")
    page.fill("[form=train][name=seed]", "7")
    page.click("#go")
    page.wait_for_function("document.getElementById('trained').textContent.includes('seed 7')")
    kept = downloaded(page)
    assert (kept["weight"], kept["picked"]) == (wanted.amount.tolist(), wanted.count.tolist())
    with open_database(folder / "menace.db") as store:  # as `menace merge` does
        _, machine = learned_on(store, machines_by_fingerprint(store), json.dumps(kept).encode())
    assert (machine.learned.amount.tolist(), machine.learned.games) == (wanted.amount.tolist(), wanted.games)
    for line, number in (("weight", -1), ("picked", 0.5), ("games", "many"), ("seed", "x"), ("print", "other")):
        wrong = json.loads(json.dumps(kept))
        wrong[line] = [number, *kept[line][1:]] if isinstance(kept[line], list) else number
        (tmp_path / "wrong.json").write_text(json.dumps(wrong))
        page.set_input_files("#load", tmp_path / "wrong.json")
        page.wait_for_function("/damaged|from another site/.test(document.getElementById('status').textContent)")
        page.evaluate("document.getElementById('status').textContent = ''")
    assert downloaded(page) == kept
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#forget")
    assert "nothing in this browser yet" in page.locator("#kept").text_content()
    (tmp_path / "kept.json").write_text(json.dumps(kept))
    page.set_input_files("#load", tmp_path / "kept.json")
    page.wait_for_function("document.getElementById('kept').textContent.includes('700 games')")
    assert downloaded(page) == kept


def test_invalid_curve_in_file_or_storage_is_refused(page: Any, folder: Path, tmp_path: Path) -> None:
    page.goto(address(folder, "menace/play-menace-x.html"))
    kept = downloaded(page)
    for curve in ([[0, "0.5"]], [[0, None]], None, True, [[games, 0.5] for games in range(300_000)]):
        wrong = json.dumps({**kept, "curve": curve})
        (tmp_path / "wrong.json").write_text(wrong)
        page.set_input_files("#load", tmp_path / "wrong.json")
        page.wait_for_function("document.getElementById('status').textContent.startsWith('This file is damaged')")
        assert page.locator("#status").text_content() == (
            'This file is damaged: its "curve" is not in the format that this page writes.'
        )
        for there in ("boxes", "play"):
            machine = [f"menace memory {kept['print']}", wrong]
            page.evaluate("([key, text]) => localStorage.setItem(key, text)", machine)
            page.goto(address(folder, f"menace/{there}-menace-x.html"))
        assert "menace-x has learned nothing in this browser yet" in page.locator("#kept").text_content()
        now = downloaded(page)
        assert {**now, "seed": kept["seed"]} == kept


def test_any_board_can_be_explored(page: Any, folder: Path) -> None:
    page.goto(address(folder, "hexapawn/explore.html#board=OOOX...XX:O"))
    board = page.locator("#board table")
    assert board.get_attribute("aria-label") == "Board OOOX...XX:O"
    page.click("[data-move]:first-child")
    assert board.get_attribute("aria-label") != "Board OOOX...XX:O"
    assert page.url.endswith("#board=" + board.get_attribute("aria-label").removeprefix("Board ").replace(":", "%3A"))
    page.fill("#wanted", "nonsense")
    page.keyboard.press("Enter")
    assert "No game reaches nonsense" in page.locator("#status").text_content()


def test_no_page_overflows_on_a_phone(page: Any, folder: Path) -> None:
    for name in ("index", "play-menace-o", "boxes-menace-x", "explore"):
        page.goto(address(folder, f"menace/{name}.html"))
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    with serve_files(folder.parent) as home:
        yield f"{home}/{quote(folder.name)}"


@pytest.mark.parametrize(
    ("scheme", "names"), [("light", ["play-menace-o", "index"]), ("dark", ["boxes-menace-x", "explore"])]
)
def test_axe_finds_no_violations_on_a_web_server(
    chromium: Any, axe: Callable[..., list[str]], served: str, scheme: str, names: list[str]
) -> None:
    with checked_page(chromium, served, viewport=PHONE, color_scheme=scheme) as page:
        for name in names:
            page.goto(f"{served}/hexapawn/{name}.html")
            if name.startswith("play"):
                page.click("#board button:not([aria-disabled])")
                page.click("#worth")
            assert axe(page) == [], name


SAID = """() => {
  const texts = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (!walk.currentNode.parentElement.closest("noscript, details .list, kbd")) texts.push(walk.currentNode.data);
  }
  for (const element of document.querySelectorAll("*")) {
    for (const name of ["aria-label", "aria-valuetext", "data-ends", "placeholder", "title"]) {
      texts.push(element.getAttribute(name) ?? "");
    }
  }
  return texts;
}"""


def test_every_word_of_a_site_can_be_translated(page: Any, folder: Path) -> None:
    ours = resources.files("menace").joinpath("text/narration.toml").read_text("utf-8")
    rules = '[rules]\n"tictactoe 3x3x3" = "RULES"\n'
    learners = '[learners]\nmenace = "LEARNS{alike}"\ntd = "LEARNS"\n'
    loud = capitalize_narration(ours).replace("[rules]\n", rules).replace("[learners]\n", learners)
    (folder / "loud.toml").write_text(loud, "utf-8")
    with open_database(folder / "menace.db") as store:
        export_site(store, folder / "loud", ["menace-x", "zhang"], words=translated(folder / "loud.toml"))
    names = [
        "menace-x",
        "zhang",
        "tictactoe 3x3x3",
        "noughts and crosses",
        "beginner",
        "menace",
        *opponents_for("tictactoe 3x3x3", 765),
    ]
    named = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))), re.IGNORECASE)

    def check() -> None:
        said = {named.sub("", text) for text in page.evaluate(SAID)}
        assert [text for text in said if text != text.upper()] == []

    for file in sorted((folder / "loud").glob("*.html")):
        page.goto(file.as_uri())
        check()
    page.goto(address(folder, "loud/play-menace-x.html#practice"))
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    page.check("[name=step]")
    page.check("[name=guess]")
    page.click("#next")
    page.click("#guesses button")
    while page.locator("#step").is_visible():
        check()
        page.click("#step")
    page.fill("[name=move]", "Z")
    page.press("[name=move]", "Enter")
    check()
    for _ in range(2):
        page.click("#resign")
        check()
    for button in ("#one-game", "#one-block", "#go", "#go", "#make-link"):
        page.click(button)
        page.wait_for_function("!document.body.matches('[aria-busy]')")
        check()
    assert page.evaluate("document.documentElement.lang") == "EN"


OVER = "document.getElementById('exam').classList.contains('over')"


def answer_with_keys(page: Any) -> None:
    """Choose the first free cell, using only the keyboard."""
    page.locator('#board button[tabindex="0"]').focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    cell = int(page.locator("#board button:not([aria-disabled])").first.get_attribute("data-cell"))
    for key in ("ArrowDown",) * (cell // 3) + ("ArrowRight",) * (cell % 3):
        page.keyboard.press(key)
    page.keyboard.press("Enter")


def bars(page: Any) -> list[float]:
    return [float(bar.get_attribute("width")) for bar in page.locator("#bars .bar").all()]


def test_person_is_graded_as_by_an_exam_in_python(page: Any, folder: Path) -> None:
    exam = Exam("O", symmetric=True, losses_only=True)
    page.goto(address(folder, "menace/exam.html"))
    page.click("text=O, second")
    widths = bars(page)
    while (board := exam.question()) is not None:
        assert page.get_attribute("#board table", "aria-label") == f"Board {board}"
        exam.answer(board, str(board.index(".")))
        answer_with_keys(page)
        number = len(exam.answers)
        assert all(now <= before + 1e-9 for now, before in zip(bars(page), widths, strict=True))
        widths = bars(page)
        if number == 5:
            page.reload()
            assert page.text_content("#status") == "Board 6: you are O, your move."
            page.click("#undo")
            assert page.text_content("#status") == "Board 5: you are O, your move."
            answer_with_keys(page)
    assert page.evaluate(OVER)
    assert page.text_content("#status") == "You can be beaten: an opponent who knows how you play wins every game."
    losses = exam.bounds()["random", "loss"]
    assert losses.in_percent in page.text_content("#decided")
    assert page.locator("#bars .amount").nth(2).text_content() == losses.in_percent
    assert exam.decided_by is not None
    decided, move = exam.decided_by.board, int(str(exam.decided_by.move))
    assert f"you played {move}." in page.text_content("#decided")
    shown = page.locator("#board .piece").all_text_contents()
    assert "".join(piece or "." for piece in shown) == decided[:move] + "O" + decided[move + 1 :]
    # The probabilities of a win and a draw are still open until the remaining boards are answered.
    exam = Exam("O", symmetric=True)
    page.click("#further")
    while (board := exam.question()) is not None:
        exam.answer(board, str(board.index(".")))
        if len(exam.answers) > number:
            answer_with_keys(page)
    assert page.locator("#further").is_hidden()
    wanted = [bounds.in_percent for bounds in exam.bounds().values()][:6]
    assert page.locator("#bars .amount").all_text_contents()[:6] == wanted


def test_link_to_a_grade_shows_it_and_keeps_own_answers(page: Any, folder: Path, chromium: Any) -> None:
    page.goto(address(folder, "hexapawn/exam.html"))
    while not page.evaluate(OVER):
        page.locator("#list button").first.click()
    grade, decided = page.text_content("#status"), page.text_content("#decided")
    page.click("#share")
    link = page.url
    assert "#exam=" in link
    page.reload()
    assert (page.text_content("#status"), page.locator("#undo").is_visible()) == (grade, True)
    with checked_page(chromium, folder.as_uri(), viewport=PHONE) as other:
        other.goto(address(folder, "hexapawn/exam.html"))
        other.locator("#list button").first.click()
        other.goto(link)
        other.wait_for_function(OVER)
        assert other.text_content("#status") == f"Somebody shared this result: “{grade}”"
        assert other.text_content("#decided") == decided
        assert other.locator("#undo").is_hidden()
        other.click("text=How good are you? >> nth=-1")
        other.wait_for_function("document.getElementById('status').textContent.startsWith('Board 2:')")
        for wrong in ("", "0", "0.1z.0.0", link.partition("=")[2] + ".zz", "7.1z.0"):
            other.goto(f"{address(folder, 'hexapawn/exam.html')}#exam={wrong}")
            other.wait_for_function("document.getElementById('said').textContent.startsWith('This link is damaged')")
            assert other.text_content("#status").startswith("Board 2:")
            other.evaluate("document.getElementById('said').textContent = ''")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#again")
    assert page.text_content("#status") == "Board 1: you are X, your move."
    assert "#" not in page.url
