"""Take the screenshots of the explorer in docs/pictures/explorer/, which README.md and docs/explorer.md show.

    python tools/docs/make_screenshots.py          take all
    python tools/docs/make_screenshots.py 'play*'  take those with matching names
    python tools/docs/make_screenshots.py preview  menace/site/static/preview.png, the preview of a link to a site

The program trains machines with fixed seeds, serves their pages with `menace serve`, and opens the pages in Chromium.
The contents of a page are the same each time, except on the class's page, because simulated pupils play there. The
shapes of the letters depend on the fonts that are installed. The program requires the `test` extra and Chromium.
"""

from __future__ import annotations

import argparse
import io
import math
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import classroom

from docs.transcripts import open_shell, serve_database
from menace.explorer.content.drawable_boxes import move_records
from menace.explorer.kiosk import Exhibit
from menace.ledger.create_and_open import open_database, open_or_create_database
from menace.ledger.learners import new_learner
from menace.ledger.store.database import save_lesson
from menace.people.session import Session
from menace.text.wording import VERDICTS

PICTURES = Path(__file__).parents[2] / "docs" / "pictures" / "explorer"
PREVIEW = Path(__file__).parents[2] / "menace" / "site" / "static" / "preview.png"
COMMANDS = [
    *("menace selfplay --games 2000 --seed 1", "menace new zhang --preset zhang --plays X"),
    *("menace train zhang --against random --games 5000 --seed 2", "menace new adam --plays X"),
    *("menace new noah --plays X", "menace train noah --against random --games 1000 --seed 3"),
    *("menace init --game hexapawn --db hexapawn.db", "menace selfplay --games 60 --seed 1 --db hexapawn.db"),
    *("menace init --game nim --variant 3-4-5 --db nim.db", "menace selfplay --games 2000 --seed 1 --db nim.db"),
    *("menace init --db empty.db", "cp menace.db played.db"),
]
KIOSKS = ("museum", "visited")  # databases that are served as kiosks, created by `teach_kiosks`
SCREEN, WIDE, PHONE = (1280, 800), (1000, 760), (375, 800)  # CSS pixels
CLASS, CLASS_PORT, CLASS_GAMES = "class", 8151, 480  # the lesson with simulated pupils
PUPILS = ["Ada", "Ben", "Cem", "Dina", "Eli", "Fay", "Gus", "Hana", "Ivo", "Jo", "Kai", "Lea"]
TIMEOUT = 120_000  # a timeout in milliseconds that is long enough even if the computer is busy
MAX_BYTES = 100_000  # bytes in a picture
COLOURS = 256  # the number of colours in each picture, small enough to reduce the file to a third of its size
PREVIEW_COLOURS = 64  # the number of colours in the preview, kept small because every site contains a copy of it


def do_nothing(page: Any) -> None:
    """Do nothing to a page."""


class Shot(NamedTuple):
    """A screenshot to take.

    Attributes:
        name: The file name without its extension.
        file: The database's file name without its extension.
        address: The address below that of the database; None for the home page.
        acts: The function that prepares the page.
        size: The window's width and height in CSS pixels. If the height is None, the picture shows the whole page.
        dark: Whether the page is in dark mode.
    """

    name: str
    file: str
    address: str | None
    acts: Callable[[Any], None] = do_nothing
    size: tuple[int, int] = WIDE
    dark: bool = False


def make_moves(*cells: int) -> Callable[[Any], None]:
    """Return a function that makes a person's moves on the Play page, skipping occupied cells."""

    def act(page: Any) -> None:
        page.wait_for_selector("#board button")
        for cell in cells:
            if page.locator(f'#board button[data-cell="{cell}"]:not([aria-disabled])').count():
                page.locator(f'#board button[data-cell="{cell}"]').click()
                page.wait_for_selector("#play:not([aria-busy])")
                page.wait_for_timeout(100)
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")

    return act


def play_games(count: int) -> Callable[[Any], None]:
    """Return a function that plays games on the Play page, always choosing the first free cell."""

    def act(page: Any) -> None:
        for game in range(count):
            if game:
                page.click("#next")
                page.wait_for_selector("#play:not(.over)")
            while not page.locator("#play.over").count():
                make_moves(*range(9))(page)

    return act


def open_second_box(page: Any) -> None:
    """Enter a drawn bead and the opponent's move, so that the page shows the label of a turned board."""
    page.click("[data-bead=white]")
    page.click('#board button[data-cell="8"]:not([aria-disabled])')
    page.wait_for_selector("text=turned half round")


def press_key(key: str) -> Callable[[Any], None]:
    """Return a function that presses a key."""
    return lambda page: page.keyboard.press(key)


def show_values(*cells: int) -> Callable[[Any], None]:
    """Return a function that makes moves on a page and then shows the value of each possible move."""

    def act(page: Any) -> None:
        make_moves(*cells)(page)
        page.keyboard.down("h")

    return act


BARE = """
header, .ways, .michie, figcaption, .scene p, .steps, section, .more { display: none !important }
main { zoom: 1.05 } .scene .open { filter: none }
"""


def hide_all_but_one_box(page: Any) -> None:
    """Let the machine practise, and hide everything on the first page except the explanation and one box."""
    page.click("#practise")
    page.add_style_tag(content=BARE)


def teach_kiosks(visitors: int = 143, skill: float = 0.8) -> None:
    """Create museum.db, whose machine was taught by visitors, and visited.db, a copy with a game in progress.

    Args:
        visitors: the number of visitors; each plays one game.
        skill: the probability with which a visitor makes the best move instead of a random one.
    """
    exhibit = Exhibit(daily=True)
    with open_or_create_database("museum.db") as store:
        new_learner(store, exhibit.name, "X")
        for seed in range(visitors):
            session, chance = Session(store, exhibit.name, seed=seed).answer(), random.Random(seed)  # noqa: S311 - no secret
            while session.game.outcome is None:
                moves = move_records(store, session.game.board)
                best = min(moves, key=lambda move: list(VERDICTS.values()).index(move["verdict"]))
                session.move((best if chance.random() < skill else chance.choice(moves))["name"])
            session.finish()
    shutil.copy("museum.db", "visited.db")
    with open_database("visited.db") as store:
        session = Session(store, exhibit.name, seed=1).answer().move("0")
        save_lesson(store, None, {"machine": exhibit.name, "turn": "x", **session.progress()})


def wait_for_cards(page: Any) -> None:
    """Wait until the teacher's page shows the machines of all pupils."""
    page.wait_for_function("count => document.querySelectorAll('div.card').length === count", arg=len(PUPILS))


def wait_for_film(page: Any) -> None:
    """Wait until a kiosk's film reaches its last frame, which stays on the screen for several seconds."""
    page.wait_for_selector("#wall.full", timeout=120_000)


def finish_game(page: Any) -> None:
    """Finish the game at a kiosk, and wait until the changes in the boxes appear."""
    while page.is_hidden("#next"):
        page.wait_for_timeout(700)
        for cell in page.locator("#stage button[data-cell]:not([aria-disabled])").all()[:1]:
            cell.click()
    page.wait_for_selector("#changed .changed")


PAWN = 1  # the cell of a pawn that is selected to show its moves
HEAP = 7  # the cell of the first stone in the second heap of Nim
PLAY, LEARNERS = "play/menace-x?seed=4&name=Anna", "learner=menace-x&learner=zhang"
PAGES = [
    Shot("home", "menace", None, size=SCREEN),
    Shot("home-first", "empty", None, size=(1000, 420)),
    Shot("play", "menace", PLAY, show_values(0), size=(1280, 620)),
    Shot("choose", "menace", "play", size=SCREEN),
    Shot("play-beginner", "menace", "beginner?seed=3", make_moves(), size=(1280, 720)),
    Shot("play-after", "played", "beginner?seed=3", play_games(5), size=(1280, 780)),
    Shot("play-hexapawn", "hexapawn", PLAY, show_values(PAWN), size=(1280, 660)),
    Shot("play-nim", "nim", PLAY, show_values(HEAP), size=(1280, 660)),
    Shot("matchboxes", "menace", "play/noah/matchboxes", open_second_box, size=PHONE),
    Shot("explore", "menace", f"explore/XX.OO....?{LEARNERS}", size=(1000, 900)),
    Shot("explore-setting", "menace", f"explore/XX.OO....?set=1&{LEARNERS}", size=(1000, 520)),
    Shot("explore-hexapawn", "hexapawn", "explore/OOO.X.X.X:O?learner=menace-o"),
    Shot("explore-nim", "nim", "explore/3-4-5:X?learner=menace-x"),
    Shot("history", "menace", "explore/........./history?learner=menace-x", size=(1000, 620)),
    Shot("boxes", "menace", "boxes/menace-x", size=(1000, 900)),
    Shot("boxes-hexapawn", "hexapawn", "boxes/menace-x?colour=beads", size=(1000, 900)),
    Shot("boxes-nim", "nim", "boxes/menace-x?colour=minimax", size=(1000, 900)),
    Shot("machines", "menace", "machines"),
    Shot("machine", "menace", "machines/menace-x"),
    Shot("compare", "menace", "compare?learner=menace-x&learner=zhang&learner=noah", size=(1000, 900)),
    Shot("graph", "menace", "graph?learner=menace-x", size=(1000, 900)),
    Shot("graph-hexapawn", "hexapawn", "graph?part=all", size=(1000, 860)),
    Shot("class", CLASS, None, wait_for_cards, size=SCREEN),
    Shot("kiosk", "museum", None, wait_for_film, size=SCREEN),
    Shot("kiosk-game", "visited", None, size=SCREEN),
    Shot("kiosk-after", "visited", None, finish_game, size=SCREEN),
    Shot("keys", "menace", PLAY, press_key("?")),
    Shot("not-there", "menace", "machines/nobody", size=(1000, 240)),
]
VARIED_PAGES = ("play", "explore", "boxes")  # pages with additional screenshots in dark mode and on a phone
SHOTS = [
    *PAGES,
    *(shot._replace(name=f"{shot.name}-dark", dark=True) for shot in PAGES if shot.name in VARIED_PAGES),
    *(
        shot._replace(name=f"{shot.name}-phone", size=PHONE)
        for shot in PAGES
        if shot.name in (*VARIED_PAGES, "home", "graph")
    ),
]


# Most websites show previews with an aspect ratio of 1.91:1 (https://ogp.me).
PREVIEW_SHOT = Shot(PREVIEW.stem, "menace", None, hide_all_but_one_box, size=(1200, 630))


@contextmanager
def play_lesson() -> Iterator[str]:
    """Let simulated pupils play, and yield the address of the teacher's page."""
    classroom.THINKING = 0.1
    server = classroom.Server(Path(f"{CLASS}.db"), CLASS_PORT)
    try:
        pupils = [classroom.Pupil(number, server, math.inf) for number, _ in enumerate(PUPILS)]
        for pupil, name in zip(pupils, PUPILS, strict=True):
            pupil.label = name
            pupil.start()
        while not all(pupil.token for pupil in pupils):
            time.sleep(1)
        server.tell("phase", phase="play")
        while sum(len(pupil.ended) for pupil in pupils) < CLASS_GAMES:
            time.sleep(1)
        server.tell("phase", phase="paused")
        yield server.teacher
    finally:
        server.process.kill()


@contextmanager
def open_pages(lesson: bool) -> Iterator[Callable[[Shot], Any]]:
    """Yield a function that opens a page and prepares it for a screenshot.

    When the context ends, all pages and servers are closed.
    """
    from playwright.sync_api import sync_playwright

    with open_shell(80) as shell, ExitStack() as stack:
        for command in COMMANDS:
            shell(command)
        teach_kiosks()
        homes = {
            name: stack.enter_context(serve_database(name, *(["--kiosk"] if name in KIOSKS else [])))
            for name in sorted(path.stem for path in Path().glob("*.db"))
        }
        if lesson:
            homes[CLASS] = stack.enter_context(play_lesson())
        driver = stack.enter_context(sync_playwright())
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        stack.callback(browser.close)

        def opened(shot: Shot) -> Any:
            width, height = shot.size
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="dark" if shot.dark else "light",
                reduced_motion="reduce",
            )
            page.set_default_timeout(TIMEOUT)
            home = homes[shot.file]
            page.goto(home if shot.address is None else f"{home}/{shot.file}/{shot.address}")
            playing = "/play/" in page.url or "/beginner" in page.url or shot.file == CLASS
            page.wait_for_load_state() if playing else page.wait_for_load_state("networkidle")
            shot.acts(page)
            return page

        yield opened


def compress_png(png: bytes, colours: int = COLOURS) -> bytes:
    """Make a PNG smaller by reducing the number of its colours."""
    small = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(colours, Image.Quantize.FASTOCTREE).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> int:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["*"], help="names of pictures to take, or patterns")
    names = parser.parse_args().names
    chosen = [shot for shot in [*SHOTS, PREVIEW_SHOT] if any(fnmatch(shot.name, name) for name in names)]
    PICTURES.mkdir(exist_ok=True)
    large = []
    with open_pages(any(shot.file == CLASS for shot in chosen)) as opened:
        for shot in chosen:
            page = opened(shot)
            picture = compress_png(page.screenshot(), PREVIEW_COLOURS if shot is PREVIEW_SHOT else COLOURS)
            page.close()
            (PREVIEW if shot is PREVIEW_SHOT else PICTURES / f"{shot.name}.png").write_bytes(picture)
            print(f"{shot.name}.png  {len(picture):,} bytes")
            if len(picture) > MAX_BYTES:
                large.append(shot.name)
    print("".join(f"{name}.png is larger than {MAX_BYTES:,} bytes\n" for name in large), end="")
    return 1 if large else 0


if __name__ == "__main__":
    sys.exit(main())
