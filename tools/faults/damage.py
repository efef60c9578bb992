"""Fuzz-test damaged databases: run every command and request every page, and report those that fail badly.

A command on a damaged file ends in one of two ways: with exit 0 and an answer, or with exit 1, one line on standard
error and the file as it was. A traceback, a crash, a hang, a blow-up of memory, noise on standard error, an escape
sequence from the file, and a change to a file that was refused are faults; each is printed with what repeats it. A page
of the explorer answers, or says in an answer of its own what is wrong: a status of 500 or more is a fault.

    python tools/faults/damage.py                        # all edits x some commands, 300 files with flipped bits
    python tools/faults/damage.py --commands-an-edit 99  # all edits x all commands: hours
    python tools/faults/damage.py --edits 'beads|ply' --flips 0 --commands-an-edit 99
    python tools/faults/damage.py --edits '^$' --flips 50 --seed 7
    python tools/faults/damage.py --only 'train' --keep /tmp/faults

Edits are made with all of SQLite's checks off: to a value in one row, to whole tables, and to the schema. Flipped bits
follow from the seed. Each command runs in a child process with limits on time and memory. It ends with the counts, and
exit 1 if there was a fault. Needs what `pip install -e '.[test]'` brings, and a system with fork.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import importlib
import os
import random
import re
import resource
import shlex
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.damage_edits import EDITS, Edit, flip_bits, make_base, value_edits, write_unchecked

HANG = 10  # seconds of processor time
PATIENCE = 60.0  # seconds, however busy the machine is
MEMORY = 3 * 2**30  # bytes of address space; libraries reserve more than they use
SLOW = ("plot", "picture", "labels", "export out.graphml")
SLOW_SHARE = 0.15  # how often they are run where they are picked
FILE = "menace.db"
LIBRARIES = (
    "matplotlib.backends.backend_svg",
    "networkx",
    "reportlab.pdfgen.canvas",
    "menace.cli",
    "menace.cli.shared.run_summary",
)
LIBRARIES += (
    "menace.analysis.strength_reports",
    "menace.exporting",
    "menace.analysis.history",
    "menace.labels",
    "menace.people.physical",
    "menace.figures",
)
LIBRARIES += ("menace.figures.game_picture", "menace.people.physical", "menace.ledger.log.verification")
LIBRARIES += ("datasette.app", "yaml", "menace.explorer.server.serving", "menace.explorer.pages")
SERVER_FAILED = 500  # the first of HTTP's codes that say so
PAGE = "page "  # and the address of one of the explorer's, below its root: requested instead of running a command
COUNT = "box,cell,counted\n1,0,9\n1,1,5\n"  # for recount
CELLS = "\n".join(["?", "hint", *"4026813570"] * 2)  # for play: those that are taken are refused
BEADS = "\n".join(["0", "1", "2", "3", "4", "5", "6", "7", "8"] * 6 + ["y"])  # for physical

# Each command as it is typed, and what is typed into it.
COMMANDS: dict[str, list[str]] = {
    command: shlex.split(command)
    for command in (
        "selfplay --games 300 --seed 3",
        "selfplay --x fav --o q-o --games 50 --seed 3",
        "train menace-x --against random --games 60 --seed 3",
        "train td-x --against menace-o --games 60 --seed 3 --keep",
        "train odds-o --against imperfect:0.2 --games 60 --seed 3",
        "train odds-x --against random --games 60 --seed 3",
        "train first --against michie-1961 --games 60 --seed 3",
        "train first --against optimal --games 60 --seed 3 --go-on",
        "resume",
        "abandon 9",
        "new eva --plays O",
        "learners",
        "presets",
        "rename menace-x adam",
        "copy menace-x adam",
        "copy td-x ada",
        "show .........",
        "show X...O.... --learner menace-x",
        "show 57 --learner menace-x",
        "show X........ --learner td-x",
        "show X........ --learner odds-o",
        "query openings",
        "query 'SELECT * FROM choices'",
        "query favourite-loses",
        "query learning-curve",
        "query 'SELECT * FROM learner' --json",
        "query 'SELECT * FROM position' --csv",
        "runs",
        "evaluate menace-x menace-o",
        "evaluate menace-x random --fractions",
        "evaluate td-x odds-o --greedy --sampled 500 --seed 1",
        "strength menace-x",
        "strength q-o",
        "strength fav",
        "compare",
        "plot outcomes menace-x menace-o out.svg",
        "plot strength menace-x td-x out.svg",
        "plot openings menace-x out.svg",
        "plot beads menace-x out.svg",
        "picture out.svg --learner menace-x",
        "export out.json --learner menace-x",
        "export out.graphml --learner td-x",
        "export table.csv --part optimal",  # `out` is what the command prints
        "export site/ --learner menace-x",
        "export out.dot --part played --learner menace-o",
        "labels menace-x out.pdf",
        "physical menace-x",
        "contents menace-x",
        "contents menace-o --csv",
        "recount menace-x count.csv --yes",
        "forget --yes",
        "delete menace-y --yes",
        "games",
        "games --learner menace-x",
        "replay 1",
        "replay 2",
        "history ......... --learner menace-x",
        "history ......... --learner td-x",
        "play menace-x --seed 1",
        "play td-x --seed 1",
        "play --seed 1 --no-learning",
        "init",
        "verify",
        "verify --since 4",
        "backup copy.db",
        *(
            f"{PAGE}{address}"
            for address in (
                "",
                ".json",
                "/menace/play/menace-x",
                "/menace/play/td-x.json",
                "/menace/play/menace-x/progress.json",
                "/menace/explore/X........?learner=menace-o",
                "/menace/explore/..........json?learner=menace-x&learner=td-x",
                "/menace/explore/........./history?learner=menace-x",
                "/menace/explore/........./history.json?learner=odds-x",
                "/menace/explore/........./history.svg?learner=td-x",
                "/menace/boxes/menace-x",
                "/menace/boxes/menace-o.json?at=9",
                "/menace/machines",
                "/menace/machines.json",
                "/menace/machines/menace-x",
                "/menace/machines/q-o.json",
                "/menace/prospect.json?learner=first",
                "/menace/compare",
                "/menace/compare.json?two=menace-x&two=menace-y",
                "/menace/graph?learner=menace-x",
            )
        ),
    )
}


@dataclass(frozen=True)
class Trial:
    """One command on one damaged file."""

    damage: str  # what was done to the file
    command: str
    folder: Path

    @property
    def arguments(self) -> list[str]:
        """The command as the program gets it."""
        return COMMANDS[self.command]


@dataclass(frozen=True)
class Ended:
    """How a command ended: its code (below 0: the signal that killed it), what it printed, whether the file changed."""

    code: int
    seconds: float
    out: str
    err: str
    changed: bool


def faults(ended: Ended) -> list[str]:
    """Return what is wrong with how a command ended; nothing if it is as it should be."""
    names = []
    lines = ended.err.splitlines()
    if ended.seconds >= PATIENCE or ended.code == -signal.SIGXCPU:
        names.append("hang")
    elif ended.code < 0:
        names.append(f"killed by {signal.Signals(-ended.code).name}")
    if "Traceback" in ended.err:
        names.append("traceback")
    elif ended.code == 1 and (len(lines) != 1 or not lines[0].startswith("menace: ")):
        names.append(f"{len(lines)} lines on standard error")
    elif ended.code == 0 and lines:
        names.append("exit 0 with noise on standard error")
    if ended.code not in {0, 1} and ended.code > 0:
        names.append(f"exit {ended.code}")
    if "not enough memory" in ended.err:
        names.append("memory")
    if any(not (c.isprintable() or c in "\n\t\r") for c in ended.out + ended.err):
        names.append("control characters")
    if ended.code != 0 and ended.changed:
        names.append("changed the file and failed")
    return names


def start(trial: Trial) -> int:
    """Start a command in a child process that has all of menace in memory already; return the child's number."""
    child = os.fork()
    if child:
        return child
    try:
        os.chdir(trial.folder)
        text = BEADS if trial.command.startswith("physical") else CELLS
        Path("in").write_text(text)
        for number, (name, mode) in enumerate((("in", os.O_RDONLY), ("out", os.O_RDWR), ("err", os.O_RDWR))):
            os.dup2(os.open(name, mode | os.O_CREAT, 0o600), number)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (HANG, HANG))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.argv = ["menace", *trial.arguments]
        code = _run()
    except BaseException:  # noqa: BLE001 - a child must not go on as its parent
        import traceback

        traceback.print_exc()
        code = 99
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


ENDS = ((1, "w"), (2, "w"), (0, "r"))  # of a child's standard output, error and input


def _run() -> int:
    from menace import cli

    sys.stdout, sys.stderr, sys.stdin = (os.fdopen(*end, encoding="utf-8") for end in ENDS)
    if sys.argv[1] == PAGE.strip():
        return _ask(*sys.argv[2:])
    try:
        cli.main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def _ask(address: str = "") -> int:
    """Print what a page answers; return 0, or 2 if the server failed."""
    from menace.explorer.server.errors import ROOT
    from menace.explorer.server.serving import site

    async def answer() -> tuple[int, str]:
        datasette = site([Path(FILE)])
        await datasette.invoke_startup()
        answered = await datasette.client.get(ROOT + address)
        return answered.status_code, answered.text

    status, text = asyncio.run(answer())
    print(text)
    return 2 if status >= SERVER_FAILED else 0


def run_all(trials: Iterator[Trial], jobs: int) -> Iterator[tuple[Trial, Ended]]:
    """Run trials in child processes, some at once, and yield how each ended."""
    running: dict[int, tuple[Trial, float, str]] = {}
    waiting = True
    while waiting or running:
        while waiting and len(running) < jobs:
            trial = next(trials, None)
            if trial is None:
                waiting = False
            else:
                before = digest(trial.folder)
                running[start(trial)] = (trial, time.monotonic(), before)
        for child, (trial, began, before) in list(running.items()):
            seconds = time.monotonic() - began
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and seconds >= PATIENCE:
                os.kill(child, signal.SIGKILL)
                ended, status = os.waitpid(child, 0)
            if ended:
                del running[child]
                yield trial, _ended(trial, status, seconds, before)
        time.sleep(0.002)


def _ended(trial: Trial, status: int, seconds: float, before: str) -> Ended:
    out, err = ((trial.folder / name).read_bytes().decode("utf-8", "replace") for name in ("out", "err"))
    return Ended(os.waitstatus_to_exitcode(status), seconds, out, err, digest(trial.folder) != before)


def digest(folder: Path) -> str:
    """Return the content of a trial's database, in short."""
    return hashlib.sha256((folder / FILE).read_bytes()).hexdigest()


def trials(base: Path, options: argparse.Namespace, root: Path) -> Iterator[Trial]:
    """Yield every trial, with its folder made and its file damaged."""
    chance = random.Random(options.seed)  # noqa: S311 - it picks commands
    commands = [command for command in COMMANDS if re.search(options.only, command)]
    edits = [edit for edit in (*EDITS, *value_edits(base)) if re.search(options.edits, edit.name)]
    number = 0
    for edit in edits:
        damaged = root / "damaged.db"
        shutil.copy(base, damaged)
        try:
            write(damaged, edit)
        except sqlite3.Error as error:
            print(f"passed over: {edit.name} ({error})", file=sys.stderr)
            continue
        for command in sampled(chance, commands, options.commands_an_edit):
            number += 1
            yield _trial(root, number, damaged, edit.name, command)
    for flipped in range(options.flips):
        damaged = root / "damaged.db"
        shutil.copy(base, damaged)
        flip_bits(damaged, options.seed * 1_000_000 + flipped)
        for command in sampled(chance, commands, options.commands_a_flip):
            number += 1
            yield _trial(root, number, damaged, f"flipped bits {options.seed * 1_000_000 + flipped}", command)


def sampled(chance: random.Random, commands: list[str], count: int) -> list[str]:
    """Return a random sample of that many commands; slow ones are rare, unless all are wanted."""
    if count >= len(commands):
        return commands
    order = chance.sample(commands, len(commands))
    return sorted(order, key=lambda command: command.startswith(SLOW) and chance.random() > SLOW_SHARE)[:count]


def write(path: Path, edit: Edit) -> None:
    """Damage a file by an edit. Raises sqlite3.Error if SQLite will not do that either."""
    write_unchecked(path, edit.sql)


def _trial(root: Path, number: int, damaged: Path, what: str, command: str) -> Trial:
    folder = root / str(number)
    folder.mkdir()
    shutil.copy(damaged, folder / FILE)
    (folder / "count.csv").write_text(COUNT)
    return Trial(what, command, folder)


def load_everything() -> None:
    """Import what commands import, once, so that their children need not."""
    for name in LIBRARIES:
        importlib.import_module(name)
    os.environ.pop("MENACE_DB", None)


def main() -> None:
    """Run the trial that the arguments ask for."""
    options = _options()
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="menace-damage-") as name:
        root = Path(name)
        base = root / "base.db"
        make_base(base)
        load_everything()
        for trial, ended in run_all(trials(base, options, root), options.jobs):
            names = faults(ended)
            count["commands"] += 1
            count[f"exit {ended.code}"] += 1
            for fault in names:
                count[fault] += 1
            if names:
                last = (ended.err.strip().splitlines() or [""])[-1][:300]
                print(f"{', '.join(names)}: menace {trial.command}\n    {trial.damage}\n    {last!r}", flush=True)
                if options.keep:
                    kept = Path(options.keep) / f"{count['commands']}"
                    shutil.copytree(trial.folder, kept, dirs_exist_ok=True)
            shutil.rmtree(trial.folder)
    print(", ".join(f"{number:,} {what}" for what, number in sorted(count.items())))
    bad = [what for what in count if what != "commands" and what not in {"exit 0", "exit 1"}]
    sys.exit(1 if bad else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", default="", metavar="REGEX", help="only edits whose name matches")
    parser.add_argument("--only", default="", metavar="REGEX", help="only commands that match")
    parser.add_argument("--commands-an-edit", type=int, default=3, metavar="N")
    parser.add_argument("--flips", type=int, default=300, metavar="N", help="files with flipped bits")
    parser.add_argument("--commands-a-flip", type=int, default=10, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--keep", metavar="FOLDER", help="where the folders of faults are kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()
