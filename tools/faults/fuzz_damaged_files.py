"""Fuzz-test every command and every page with damaged databases, and report faults.

On a damaged file, a command must either print a result and exit with 0, or leave the file unchanged, print a one-line
error and exit with 1. Faults are tracebacks, crashes, hangs, excessive use of memory, other output on standard error,
escape sequences from the file, and changes to the file by a command that fails. The HTTP status of a page must be below
500. The program prints each fault together with the trial that reproduces it.

    python tools/faults/fuzz_damaged_files.py                         # all edits, some commands, and 300 bit flips
    python tools/faults/fuzz_damaged_files.py --commands-per-edit 99  # all edits, all commands; takes hours
    python tools/faults/fuzz_damaged_files.py --edits 'beads|ply' --flips 0 --commands-per-edit 99
    python tools/faults/fuzz_damaged_files.py --edits '^$' --flips 50 --seed 7
    python tools/faults/fuzz_damaged_files.py --only 'train' --keep /tmp/faults

Edits change a value in one row, whole tables or the schema, with all of SQLite's checks disabled. The seed determines
which bits are flipped. Each command runs in a child process with limits on time and memory. At the end, the program
prints the number of trials and faults, and exits with 1 if there were any faults. The program requires the `test` extra
and a system that supports fork.
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

MAX_PROCESSOR_SECONDS = 10
TIMEOUT_SECONDS = 60.0  # time limit in seconds of wall time, long enough even if the computer is busy
MAX_MEMORY = 3 * 2**30  # limit in bytes of address space, because libraries reserve more than they use
SLOW = ("plot", "picture", "labels", "export out.graphml")
SLOW_SHARE = 0.15  # the probability that sampling does not put a slow command last
FILE = "menace.db"
LIBRARIES = (
    "matplotlib.backends.backend_svg",
    "networkx",
    "reportlab.pdfgen.canvas",
    "menace.cli",
    "menace.cli.run_summary",
)
LIBRARIES += (
    "menace.analysis.matchups",
    "menace.analysis.grades",
    "menace.exporting",
    "menace.analysis.history",
    "menace.labels",
    "menace.people.physical",
    "menace.figures",
)
LIBRARIES += ("menace.figures.game_graph", "menace.people.physical", "menace.ledger.log.verification")
LIBRARIES += ("datasette.app", "yaml", "menace.explorer.server.serving", "menace.explorer.pages")
SERVER_ERROR = 500  # the lowest HTTP status of a server error
PAGE = "page "  # prefix of an explorer address that is requested instead of running a command
COUNT = "box,cell,counted\n1,0,9\n1,1,5\n"  # the file of counts for `menace recount`
CELLS = "\n".join(["?", "hint", *"4026813570"] * 2)  # typed input for `menace play`, which refuses occupied cells
BEADS = "\n".join(["0", "1", "2", "3", "4", "5", "6", "7", "8"] * 6 + ["y"])  # typed into physical

# The command lines to run, with their arguments.
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
        "export table.csv --part optimal",  # not named out.csv, because the file `out` captures the output
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
    """A command and the damaged file on which it runs. `damage` describes how the file is damaged."""

    damage: str
    command: str
    folder: Path

    @property
    def arguments(self) -> list[str]:
        """The arguments of the command."""
        return COMMANDS[self.command]


@dataclass(frozen=True)
class Ended:
    """The outcome of a command: exit code (minus the signal if killed), output, and whether the file changed."""

    code: int
    seconds: float
    out: str
    err: str
    changed: bool


def faults(ended: Ended) -> list[str]:
    """Return the faults in a command's exit code, output and file."""
    names = []
    lines = ended.err.splitlines()
    if ended.seconds >= TIMEOUT_SECONDS or ended.code == -signal.SIGXCPU:
        names.append("hang")
    elif ended.code < 0:
        names.append(f"killed by {signal.Signals(-ended.code).name}")
    if "Traceback" in ended.err:
        names.append("traceback")
    elif ended.code == 1 and (len(lines) != 1 or not lines[0].startswith("menace: ")):
        names.append(f"{len(lines)} lines on standard error")
    elif ended.code == 0 and lines:
        names.append("exit 0 with output on standard error")
    if ended.code not in {0, 1} and ended.code > 0:
        names.append(f"exit {ended.code}")
    if "not enough memory" in ended.err:
        names.append("memory")
    if any(not (c.isprintable() or c in "\n\t\r") for c in ended.out + ended.err):
        names.append("control characters")
    if ended.code != 0 and ended.changed:
        names.append("failed and changed the file")
    return names


def start_trial(trial: Trial) -> int:
    """Start a command in a forked child process, and return the id of the child."""
    child = os.fork()
    if child:
        return child
    try:
        os.chdir(trial.folder)
        text = BEADS if trial.command.startswith("physical") else CELLS
        Path("in").write_text(text)
        for number, (name, mode) in enumerate((("in", os.O_RDONLY), ("out", os.O_RDWR), ("err", os.O_RDWR))):
            os.dup2(os.open(name, mode | os.O_CREAT, 0o600), number)
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_PROCESSOR_SECONDS, MAX_PROCESSOR_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.argv = ["menace", *trial.arguments]
        code = _run()
    except BaseException:  # noqa: BLE001 - a child must not continue as its parent
        import traceback

        traceback.print_exc()
        code = 99
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


STREAMS = ((1, "w"), (2, "w"), (0, "r"))  # standard output, error and input of a child


def _run() -> int:
    from menace import cli

    sys.stdout, sys.stderr, sys.stdin = (os.fdopen(*end, encoding="utf-8") for end in STREAMS)
    if sys.argv[1] == PAGE.strip():
        return _request_page(*sys.argv[2:])
    try:
        cli.main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def _request_page(address: str = "") -> int:
    """Print the response for a page. Return 0, or 2 if the server failed."""
    from menace.explorer.server import ROOT
    from menace.explorer.server.serving import site

    async def answer() -> tuple[int, str]:
        datasette = site([Path(FILE)])
        await datasette.invoke_startup()
        answered = await datasette.client.get(ROOT + address)
        return answered.status_code, answered.text

    status, text = asyncio.run(answer())
    print(text)
    return 2 if status >= SERVER_ERROR else 0


def run_trials(trials: Iterator[Trial], jobs: int) -> Iterator[tuple[Trial, Ended]]:
    """Run trials in up to `jobs` child processes at a time, and yield each result."""
    running: dict[int, tuple[Trial, float, str]] = {}
    waiting = True
    while waiting or running:
        while waiting and len(running) < jobs:
            trial = next(trials, None)
            if trial is None:
                waiting = False
            else:
                before = database_digest(trial.folder)
                running[start_trial(trial)] = (trial, time.monotonic(), before)
        for child, (trial, began, before) in list(running.items()):
            seconds = time.monotonic() - began
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and seconds >= TIMEOUT_SECONDS:
                os.kill(child, signal.SIGKILL)
                ended, status = os.waitpid(child, 0)
            if ended:
                del running[child]
                yield trial, _ended(trial, status, seconds, before)
        time.sleep(0.002)


def _ended(trial: Trial, status: int, seconds: float, before: str) -> Ended:
    out, err = ((trial.folder / name).read_bytes().decode("utf-8", "replace") for name in ("out", "err"))
    return Ended(os.waitstatus_to_exitcode(status), seconds, out, err, database_digest(trial.folder) != before)


def database_digest(folder: Path) -> str:
    """Return a digest of the content of a trial's database."""
    return hashlib.sha256((folder / FILE).read_bytes()).hexdigest()


def make_trials(base: Path, options: argparse.Namespace, root: Path) -> Iterator[Trial]:
    """Yield every trial, after creating its folder and its damaged file."""
    chance = random.Random(options.seed)  # noqa: S311 - for commands
    commands = [command for command in COMMANDS if re.search(options.only, command)]
    edits = [edit for edit in (*EDITS, *value_edits(base)) if re.search(options.edits, edit.name)]
    number = 0
    for edit in edits:
        damaged = root / "damaged.db"
        shutil.copy(base, damaged)
        try:
            apply_edit(damaged, edit)
        except sqlite3.Error as error:
            print(f"skipped: {edit.name} ({error})", file=sys.stderr)
            continue
        for command in sample_commands(chance, commands, options.commands_per_edit):
            number += 1
            yield _trial(root, number, damaged, edit.name, command)
    for flipped in range(options.flips):
        damaged = root / "damaged.db"
        shutil.copy(base, damaged)
        flip_bits(damaged, options.seed * 1_000_000 + flipped)
        for command in sample_commands(chance, commands, options.commands_per_flip):
            number += 1
            yield _trial(root, number, damaged, f"flipped bits {options.seed * 1_000_000 + flipped}", command)


def sample_commands(chance: random.Random, commands: list[str], count: int) -> list[str]:
    """Return all commands, or a random sample of `count` commands that contains few slow ones."""
    if count >= len(commands):
        return commands
    order = chance.sample(commands, len(commands))
    return sorted(order, key=lambda command: command.startswith(SLOW) and chance.random() > SLOW_SHARE)[:count]


def apply_edit(path: Path, edit: Edit) -> None:
    """Apply an edit to a file. Raises sqlite3.Error if SQLite rejects the edit even without checks."""
    write_unchecked(path, edit.sql)


def _trial(root: Path, number: int, damaged: Path, damage: str, command: str) -> Trial:
    folder = root / str(number)
    folder.mkdir()
    shutil.copy(damaged, folder / FILE)
    (folder / "count.csv").write_text(COUNT)
    return Trial(damage, command, folder)


def load_everything() -> None:
    """Import everything that commands import, so that child processes start quickly."""
    for name in LIBRARIES:
        importlib.import_module(name)
    os.environ.pop("MENACE_DB", None)


def main() -> None:
    """Run the trials that the arguments select."""
    options = _options()
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="menace-damage-") as name:
        root = Path(name)
        base = root / "base.db"
        make_base(base)
        load_everything()
        for trial, ended in run_trials(make_trials(base, options, root), options.jobs):
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
    print(", ".join(f"{number:,} {name}" for name, number in sorted(count.items())))
    bad = [name for name in count if name != "commands" and name not in {"exit 0", "exit 1"}]
    sys.exit(1 if bad else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", default="", metavar="REGEX", help="apply only the edits whose names match")
    parser.add_argument("--only", default="", metavar="REGEX", help="run only the commands that match")
    parser.add_argument("--commands-per-edit", type=int, default=3, metavar="N")
    parser.add_argument("--flips", type=int, default=300, metavar="N", help="number of files with flipped bits")
    parser.add_argument("--commands-per-flip", type=int, default=10, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--keep", metavar="FOLDER", help="copy the folders in which faults occurred to this folder")
    return parser.parse_args()


if __name__ == "__main__":
    main()
