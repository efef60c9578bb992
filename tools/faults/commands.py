"""Define the commands and requests that interruptions.py interrupts, and create the folder in which they start.

tests/tools/test_faults.py checks that no command is missing, and tests/explorer/test_routes.py checks the addresses of
POST requests.
"""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock
from urllib.parse import quote

from menace.analysis.bead_names import BeadNames
from menace.files.output import write_folder
from menace.ledger import training
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.runs import SelfPlay, order
from menace.ledger.training import Trainer, carry_out
from menace.people.session import Session
from menace.site.play_tables import site_learner_record
from menace.studies.study import Study

FILE = "menace.db"
CELLS = "\n".join(["?", *"4026813570"] * 2) + "\n"  # typed input for `menace play`, which refuses occupied cells
BEADS = "\n".join(["0", "1", "2", "3", "4", "5", "6", "7", "8"] * 6 + ["y"]) + "\n"  # typed input for `menace physical`
STUDY = """plays = "X"\ngames = 20\nseeds = 3\nagainst = ["random"]\n[grid]\nwin = [1, 3]\n"""
PLAYER = "def lowest(board, moves):\n    return moves[0]\n"

# The command lines to try, indexed by command. The commands in WRITING change files, whereas those in READING do not.
WRITING: dict[str, list[str]] = {
    "play": ["play menace-x --seed 1", "play menace-o --seed 1 --no-learning"],
    "forget": ["forget menace-x --yes"],
    "selfplay": ["selfplay --games 12 --seed 3", "selfplay --games 12 --seed 3 --db new.db"],
    "train": [
        "train menace-x --against random --games 12 --seed 3",
        "train td-x --against ./player.py:lowest --games 12 --seed 3",
    ],
    "resume": ["resume --db unfinished.db"],
    "abandon": ["abandon 1 --db unfinished.db"],
    "new": ["new eva --plays O", "new adam --plays X --preset td --db new.db"],
    "rename": ["rename menace-x adam"],
    "copy": ["copy menace-x adam"],
    "merge": ["merge learned.json other.db", "merge learned.json --into class"],
    "delete": ["delete td-x --yes"],
    "serve": ["POST"],
    "study": [
        "study run beads.toml --workers 1",
        "study run done.study --workers 1",
        "study export done.study out.csv",
    ],
    "plot": ["plot outcomes menace-x out.csv"],
    "picture": ["picture out.svg --learner menace-x --part optimal"],
    "export": [
        "export out.json",
        "export out.csv --part optimal",
        "export earlier.json",
        "export earlier.csv --part optimal",
        "export site/ --learner menace-x",
    ],
    "labels": ["labels menace-x out.pdf"],
    "physical": ["physical menace-x"],
    "recount": ["recount menace-x count.csv --yes"],
    "init": ["init --db new.db --variant 2x2x2", "init --db new.db --game nim"],
    "backup": ["backup copy.db"],
    "new-game": ["new-game hex"],
    "exam": ["exam --player ./player.py:lowest --game hexapawn --plays O --symmetric --answers answers.jsonl"],
}
READING: dict[str, list[str]] = {
    "learners": ["learners"],
    "games": ["games", "games --run 1 --first 3"],
    "replay": ["replay 1"],
    "history": ["history ......... --learner menace-x"],
    "presets": ["presets"],
    "show": ["show X........ --learner menace-o"],
    "query": ["query openings", "query 'SELECT * FROM choices'"],
    "runs": ["runs"],
    "evaluate": ["evaluate menace-x menace-o"],
    "strength": ["strength menace-x"],
    "compare": ["compare"],
    "players": ["players"],
    "mistakes": ["mistakes menace-x"],
    "grade": ["grade player.py"],
    "expect": ["expect menace-x --against random --games 20"],
    "contents": ["contents menace-x"],
    "rules": ["rules"],
    "verify": ["verify"],
    "check": ["check nim"],
}

# The paths and bodies of requests, in the order in which they are sent. Tokens and run ids from earlier responses are
# inserted into the bodies.
POSTS: list[tuple[str, dict[str, object]]] = [
    ("", {"plays": "X"}),
    ("/play/{player}/begin", {"seed": 1}),
    ("/play/{player}/move", {"move": "0"}),
    ("/play/{player}/undo", {}),
    ("/play/{player}/resign", {}),
    ("/play/{player}/finish", {}),
    ("/play/{player}/next", {}),
    ("/play/{player}/matchboxes/recount", {"number": 1, "counted": {"red": 9}}),
    ("/beginner/begin", {"seed": 1}),
    ("/beginner/move", {"move": "0"}),
    ("/beginner/undo", {}),
    ("/beginner/move", {"move": "0"}),
    ("/beginner/resign", {}),
    ("/beginner/finish", {}),
    ("/beginner/next", {}),
    ("/play/{player}/train", {"against": "random", "games": 100_000_000, "paused": True}),
    ("/play/{player}/train/step", {}),
    ("/play/{player}/train/resume", {}),
    ("/play/{player}/train/pause", {}),
    ("/play/{player}/train/game", {}),
    ("/play/{player}/train/stop", {}),
    ("/machines", {"name": "Eva", "plays": "O"}),
    ("/machines/{name}/copy", {"name": "Twin"}),
    ("/machines/{name}/world", {"name": "Exile", "against": "random", "games": 5}),
    ("/machines/{name}/world", {"name": "Robbed", "empty": "........."}),
    ("/play/{player}/train", {"against": "random", "games": 5, "paused": True}),
    ("/machines/{name}/resume", {}),
    ("/play/{player}/train", {"against": "random", "games": 5, "paused": True}),
    ("/machines/{name}/abandon", {}),
    ("/machines/{name}/delete", {"yes": True}),
    ("/machines/{name}/rename", {"name": "menace-y"}),
]
PARTS = {"database": "menace", "name": "menace-x", "player": "menace-x", "board": quote("XO.......")}
REQUEST_HEADERS = {
    "host": "127.0.0.1:8001",
    "origin": "http://127.0.0.1:8001",
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
}


@dataclass(frozen=True)
class Case:
    """A command line or the word POST, which stands for all requests in POSTS."""

    text: str

    @property
    def arguments(self) -> list[str]:
        """The arguments of the command."""
        return shlex.split(self.text)

    @property
    def typed(self) -> str:
        """The text that is typed into the command."""
        return {"play": CELLS, "physical": BEADS}.get(self.arguments[0], "")

    @property
    def is_repeatable(self) -> bool:
        """Whether every run writes the same data.

        The requests in POSTS write different data in each run, because the explorer's trainer stops at a random moment.
        """
        return self.text != "POST"


def select_cases(table: dict[str, list[str]], pattern: str = "") -> list[Case]:
    """Return the command lines in a table that match a regular expression."""
    return [Case(text) for texts in table.values() for text in texts if re.search(pattern, text)]


def make_initial_folder(folder: Path) -> None:
    """Create the initial folder, with databases, a study, a downloaded machine, a count of beads and a player."""
    folder.mkdir()
    with create_database(folder / FILE) as store:
        new_learner(store, "td-x", "X", "td")
        carry_out(store, order(store, SelfPlay(games=30, seed=1)))
        play_lowest_cells(Session(store, "menace-x", seed=1))
        machine = named_machine(store, "menace-x")
        table = site_learner_record(machine, BeadNames(machine.positions, machine.naming))
    saved = {"format": "menace memory", "version": 1, "print": table["print"], "games": 0, "epsilon": 0.0}
    saved |= {"weight": machine.learned.amount.astype(int).tolist(), "picked": machine.learned.count.tolist()}
    (folder / "learned.json").write_text(json.dumps(saved))
    with create_database(folder / "other.db") as store:
        carry_out(store, order(store, SelfPlay(games=5, seed=1)))
    with create_database(folder / "unfinished.db") as store:
        run = order(store, SelfPlay(games=60, seed=2))
        with mock.patch.object(training, "BLOCK_SECONDS", 0.0):  # commits after each block
            Trainer(store).play_blocks(run)
    (folder / "earlier.json").write_text("{}")
    write_folder(folder / "earlier", {"positions.csv": b"1", "moves.csv": b"2"})
    (folder / "count.csv").write_text("box,cell,counted\n1,0,9\n1,1,5\n")
    (folder / "player.py").write_text(PLAYER)
    (folder / "beads.toml").write_text(STUDY)
    (folder / "done.toml").write_text(STUDY)
    Study.from_toml(folder / "done.toml").run(workers=1)
    (folder / "done.toml").unlink()


def play_lowest_cells(session: Session) -> None:
    """Play a game in which the person always takes the lowest free cell, and record the game."""
    while session.game.outcome is None:
        if session.game.persons_turn:
            session.game.make_person_move(session.game.rules.actions(session.game.board)[0])
        else:
            session.game.make_machine_move()
    session.finish()


def post_all(folder: Path) -> Iterator[tuple[str, int, str]]:
    """Send all requests in POSTS to the explorer, and yield the address, status and text of each response."""
    from menace.explorer.server import ROOT
    from menace.explorer.server.serving import site

    async def answer(datasette: object, where: str, body: dict[str, object]) -> tuple[int, str]:
        await datasette.invoke_startup()  # type: ignore[attr-defined]
        content = json.dumps(body).encode()
        # type: ignore[attr-defined]
        answered = await datasette.client.post(ROOT + where, content=content, headers=REQUEST_HEADERS)
        return answered.status_code, answered.text

    datasette, names = site([folder / FILE]), {}
    for path, body in POSTS:
        parts = PARTS | ({"name": "Twin"} if path.endswith("delete") else {})
        where = "/{database}" + path if path else ""
        where = re.sub(r"{(\w+)}", lambda part, parts=parts: parts[part[1]], where)
        there = datasette if where else site([folder / "new.db"])
        status, text = asyncio.run(answer(there, where, {**names, **body}))
        reply = json.loads(text)
        names |= {name: reply[name] for name in ("token", "run_id") if name in reply}
        yield where, status, text


def command_names() -> set[str]:
    """Return the names of all commands of menace."""
    from menace import cli

    return set(cli.cli.commands)


def verify_database(path: Path) -> None:
    """Verify that a database agrees with its log. Raises MenaceError if the two differ."""
    from menace.ledger.log.verification import verify

    with open_database(path) as store:
        verify(store)
