"""Make everything that menace shows with the code of a commit, and with the code that stands here; print what differs.

    python tools/compare_with.py COMMIT                 exit 1, and say what, if anything differs
    python tools/compare_with.py COMMIT --only "nim: "  of the items whose names have this text, and little else is made
    python tools/compare_with.py COMMIT --lines 200     so many lines of each difference

Both are driven from outside alone: the command line, `menace serve` over HTTP, and what `import menace` offers. Each
makes the databases of `WRITTEN`, which are compared; then both are asked about those of the commit. What is made is in
the lists below, a line an item. Both have the same clock, by which blocks end, and the same seeds. What else no two
runs share is left out: times, speeds, versions, ports, tokens and nonces.
"""

from __future__ import annotations

import argparse
import configparser
import contextlib
import difflib
import functools
import hashlib
import html
import http.client
import io
import itertools
import json
import os
import re
import runpy
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlsplit

ROOT = Path(__file__).parents[1]
Item = tuple[str, bytes]
Names = dict[str, list[str]]
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it

# Commands that write. Behind `<` is what a person types, a word a line, `_` for a space; `!` stands for a run that
# Ctrl-C ends after fifty games.
TAUGHT = """new ada --plays X; new otto --plays O
new mia --plays X --preset scroggs --numbering michie --colours michie
new ted --plays X --preset td --set epsilon=0.5 --set epsilon_decay=0.9 --set epsilon_first=yes
new zoe --plays O --preset zhang-random --seed 7; new sam --plays O --preset sarsa
new quinn --plays X --preset q-learning --set order=backward; new olaf --plays O --preset michie-1963-hundreds
new cora --plays O --preset article-code; new pip --plays X; selfplay --x ada --o otto --games 300 --seed 1
train ted --against random --games 200 --seed 2; train quinn --against otto --games 200 --seed 3 --keep
train mia --against sam --games 100 --seed 4; train zoe --against imperfect:0.25 --games 50 --seed 5
train olaf --against optimal --games 250 --seed 6; train cora --against perfect --games 50 --seed 7"""
CUT = """! selfplay --x ada --o otto --games 400 --seed 8; resume; ! train ted --against perfect --games 300 --seed 9
abandon 9; rename pip una; copy ada tim; copy tim gil; delete gil --yes; train nobody --against random"""
PLAYED = """play ada --name Anna --seed 10 < {moves}; play otto --seed 11 --greedy < ? {moves}
play mia --seed 12 --no-learning < {moves}; play ted --seed 13 < {moves}; forget ada --yes
play ada --name Bert --seed 14 < {moves}; physical ada --name Cleo < {moves} y; physical otto < {moves} y
forget otto --yes; new ada --plays X; selfplay --games 0"""
LEFT_CUT = "forget una --yes; ! selfplay --x tim --o otto --games 300 --seed 15; verify"
CELLS = "0 1 2 3 4 5 6 7 8 " * 3
WRITTEN = {  # by database: how it is made and taught, what people type there, and what else is done
    "tictactoe": (
        f"init\n{TAUGHT}\n{CUT}\n{PLAYED}\n{LEFT_CUT}",
        CELLS,
        """new saturday --plays X --preset michie-1961; train saturday --against michie-1961 --games 60 --seed 16
train saturday --against perfect --games 300 --seed 17
selfplay --x mia --o zoe --games 30 --phases 10:1:1,20:0.1:0 --seed 18; recount ada count.csv --yes
recount tim count.csv --yes; forget tim --yes; recount ada wrong.csv --yes; verify""",
    ),
    "unfolded": (
        "init --no-symmetry; new ada --plays X; new sam --plays O --preset sarsa",
        CELLS,
        "play ada --seed 1 < {moves}",
    ),
    "wild": (f"init --variant 3x3x3-wild\n{TAUGHT}\n{PLAYED}", " ".join(f"X{cell} O{cell}" for cell in range(9)), ""),
    "hexapawn": (
        f"init --game hexapawn\n{TAUGHT}\n{CUT}\n{PLAYED}\n{LEFT_CUT}",
        " ".join(f"{a}{n}-{b}{m}" for n, m in ((1, 2), (2, 3), (3, 2), (2, 1)) for a in "abc" for b in "abc") * 2,
        "new her --plays O --preset gardner-1962; train her --against random --games 60 --seed 16",
    ),
    "nim": (
        f"init --game nim --variant 1-2-3\n{TAUGHT}\n{PLAYED}",
        " ".join(f"{n}_from_heap_{heap}" for heap in (1, 2, 3) for n in range(1, heap + 1)) + " 1_from_heap_3" * 3,
        "",
    ),
    "notakto": (f"init --game notakto --variant 1\n{TAUGHT}\n{PLAYED}", CELLS, ""),
    "connect": (f"init --game connect --variant 3x3x3\n{TAUGHT}\n{PLAYED}", CELLS, ""),
}
TYPED = {
    "count.csv": "board,cell,counted\n.........,0,9\n.........,4,\nXO.......,2,0\n",
    "wrong.csv": "board,cell,counted\n.........,99,9\n",
}
# Commands that read, for each learner, board and question of a database; LISTS also as JSON and as CSV.
LISTS = """learners; runs; games; games --learner {learner}; contents {learner}
contents ada --numbering michie --colours michie; strength {learner}; history {board} --learner {learner}; compare
compare --greedy; compare perfect {learner}; evaluate ada otto; evaluate ada perfect --greedy --fractions
evaluate mia sam --sampled 100 --seed 1; query {question}; query 'SELECT * FROM boxes ORDER BY 1, 2, 3, 4 LIMIT 300'"""
ASKED = """show {board}; show {board} --learner {learner}; show 2 --learner ada; replay 1; replay 3; replay 5; query
resume 99; show nonsense; history {board} --learner nobody; query 'SELECT nothing'"""
# Commands that write files, into OUT; most for tic-tac-toe alone.
FILES = """labels ada OUT/a.pdf; plot openings ada OUT/a.svg; picture OUT/a.svg --learner ada
export OUT/a.dot --part optimal; export OUT/site/"""
MORE_FILES = """labels mia OUT/a.pdf --paper letter --width 35 --height 15 --numbering menace
plot outcomes ada otto ted OUT/a.svg; plot strength ada otto ted sam OUT/a.svg
plot strength ada mia quinn OUT/a.svg --policy greedy --measure score --opponent best --apart
plot openings ted quinn OUT/a.svg --show values --axis linear; plot score ada otto OUT/a.png
plot score saturday OUT/a.svg --published 1961; plot first-box ada mia OUT/a.svg --axis log
plot beads ada OUT/a.pdf --stage 1 --stage 2; picture OUT/a.pdf --part played --learner otto; export OUT/a.gexf
export OUT/a.graphml --learner ted; export OUT/a.json --part x-optimal --learner ada
export OUT/a.cyjs --part played --learner otto; export OUT/a.csv --learner quinn
export OUT/site/ --learner ada --colours michie --numbering michie; backup OUT/a.db; plot strength nobody OUT/a.svg
plot outcomes ada OUT/a.gif"""
# Commands that need no database.
ALONE = """--help; {command} --help; plot beads --help; presets {preset}; rules {game}; rules nim 3-4-5; nonsense
show"""
LISTS_ALONE = """rules; players; players --game hexapawn; players --game nim --variant 1-2-3"""
# What objects show of themselves.
NOTEBOOK = """db; list(db); db[{learner!r}]; db[{learner!r}].settings; db[{learner!r}].games, db[{learner!r}].plays
db[{learner!r}].strength(); db['ada'].curve(); db['sam'].curve('greedy'); db[{learner!r}].box({board!r})
db[{learner!r}].history({board!r}); db.show({board!r}, {learner!r}); db.evaluate('ada', 'otto')
db.compare('ada', 'mia', 'otto', 'sam'); db.query('openings'); db.verify(); db.positions; db.graph(); db.replay(1)
menace.play_games(menace.Machine('menace', 'X'), 'perfect', games=200, seed=1); sorted(menace.PRESETS)"""
# What is sent to addresses below that of a database. `$` is what the answers before had by that name.
MOVE = 'play/max/move {"token": "$token", "move": "$move"}\n'
STEP = 'play/max/train/step {"run_id": "$run_id"}\n'
ACTS = f"""machines {{"name": "max", "plays": "X", "preset": "scroggs", "settings": {{"win": 2}}, "seed": 1}}
machines {{"name": "max", "plays": "X"}}
play/max/begin {{"seed": "3", "name": "Dora"}}
{MOVE * 2}play/max/next {{"token": "$token"}}
{MOVE}play/max/undo {{"token": "$token"}}
play/max/resign {{"token": "$token"}}
play/max/train {{"against": "random", "games": 2, "seed": "4", "paused": true}}
{STEP * 3}play/max/train/game {{"against": "otto", "seed": 5}}
play/otto/begin {{"seed": "6", "learning": false}}
play/otto/move {{"token": "$token", "move": "nonsense"}}
machines/max/rename {{"name": "moritz"}}
machines/moritz/delete {{}}
machines/moritz/delete {{"yes": true}}"""
FORMS = ("", " --json", " --csv")
WITH_FILES = {"tictactoe", "hexapawn"}  # which is where links are followed, too
# Addresses of the explorer that differ by names alone.
OF_EACH_KIND = {"tictactoe": 2, "unfolded": 0, "wild": 1, "hexapawn": 1, "nim": 1, "notakto": 1, "connect": 1}

VOLATILE = [
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+\d\d:?\d\d)?", "TIME"),
    (r"in [\d.,]+ m?s: [\d,]+ games a second", "SPEED"),
    (r"in [\d.,]+ m?s\b|[\d.]+ms\b|\"query_ms\": [\d.e-]+", "DURATION"),
    (r"nonce(=\"|-)[\w+/=-]+", "NONCE"),
    (r"(token\"?(: |=|\" value=)\"?)[\w.-]{16,}", r"\1TOKEN"),
    (r"Suggested facets: .*", "FACETS"),  # as many as Datasette has time for
    (r"(127\.0\.0\.1|localhost):\d+", "HOST"),
    (r"\b0x[0-9a-f]{6,}", "ADDRESS"),
    (r"menace \d+\.\d+\.\d+\S*", "menace VERSION"),
    (r"[^\s\"']*/compare-\w+/(old|new)", "FOLDER"),
]


# Making, in a process whose menace is that of PYTHONPATH, and in its working directory.


def forked(act: Callable[[], object], typed: str = "") -> bytes:
    """Do something in a fork, where all is loaded; return what it prints, and how it ends."""
    given, out, err = streams = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115 - the fork has them too
    given.write("\n".join([*typed.split(), ""]).replace("_", " ").encode())
    given.seek(0)
    if (child := os.fork()) == 0:
        code: Any = 70
        try:
            for number, stream in enumerate(streams):
                os.dup2(stream.fileno(), number)
            foresee()
            sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, "w" if n else "r", encoding="utf-8") for n in range(3))
            act()
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except BaseException:  # noqa: BLE001 - the other has to do the same
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    printed, said = (stream.seek(0) or stream.read() for stream in (out, err))
    return printed + (b"\nexit code %d\n%s" % (ended, said) if ended or said else b"")


def called(line: str) -> bytes:
    """Run a command of `menace`."""
    command, _, typed = line.removeprefix("! ").partition(" < ")

    def act() -> None:
        if line.startswith("! "):  # each look at the clock is a second later, and the sixth rest is interrupted
            foresee(1)
            mock.patch("time.sleep", side_effect=[*[None] * 5, KeyboardInterrupt]).start()
        run(command)

    return forked(act, typed)


def run(command: str) -> None:
    """Run a command of `menace` in this process."""
    sys.argv = ["menace", *shlex.split(command)]
    runpy.run_module("menace", run_name="__main__")


def foresee(seconds: float = 0.0001) -> None:
    """Replace what results depend on: a clock, of which each look is so much later, and the seeds that nobody gave."""
    mock.patch("time.perf_counter", itertools.count(0, seconds).__next__).start()
    mock.patch("secrets.randbits", return_value=1963).start()


def made_by(line: str, database: str) -> Iterator[Item]:
    """Yield what a command prints, and the files that it makes in OUT."""
    os.environ["MENACE_DB"] = f"{database}.db"
    Path("OUT").mkdir()
    yield f"{database}: {line}", called(line)
    for file in sorted(path for path in Path("OUT").rglob("*") if path.is_file()):
        yield f"{database}: {line}: {file.name}", dump(file) if file.suffix == ".db" else file.read_bytes()
    shutil.rmtree("OUT")


def dump(path: Path) -> bytes:
    """Return all that is in a database, as SQL."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return "\n".join(database.iterdump()).encode()


def databases(only: str) -> list[str]:
    """Return the databases that a text names, or all."""
    return [database for database in WRITTEN if database in only] or list(WRITTEN)


def write(only: str) -> Iterator[Item]:
    """Make the databases, and all that is written."""
    for name, text in TYPED.items():
        Path(name).write_text(text, encoding="utf-8")
    for database in databases(only):
        made, moves, more = WRITTEN[database]
        for line in lines_of(f"{made}\n{more}".strip()):
            yield from made_by(line.replace("{moves}", moves), database)
        yield f"{database}: all tables", dump(Path(f"{database}.db"))
        if database == "hexapawn" and ("POST" in only or only in f"{database}: POST"):
            yield from acted(database)
    sys.path.insert(0, os.environ["PYTHONPATH"] + "/tools")
    import transcripts

    for page in transcripts.pages():
        if only in f"page {page.name}":
            yield f"page {page.name}", forked(functools.partial(type_page, page))


def acted(database: str) -> Iterator[Item]:
    """Yield what the server answers to what is sent to it, and what that leaves in a copy of the database."""
    shutil.copy(f"{database}.db", "acted.db")
    with served("acted") as (client, home):
        known: dict[str, Any] = {}
        for number, line in enumerate(ACTS.splitlines()):
            address, _, text = line.partition(" ")
            sent = {
                key: known.get(value[1:]) if str(value)[:1] == "$" else value for key, value in json.loads(text).items()
            }
            answer = ask(client, f"{home}/acted/{address}", sent)
            told = json.loads(answer.partition(b"\n")[2])
            known |= {key: told[key] for key in ("token", "run_id") if key in told}
            known["move"] = next((move["name"] for move in told.get("moves") or []), None)
            yield f"{database}: POST {number} {line}", answer
    yield f"{database}: all tables after POST", dump(Path("acted.db"))


def type_page(page: Path) -> None:
    """Print what a page's commands print."""
    import transcripts

    print(*transcripts.fenced(transcripts.updated(page.read_text(encoding="utf-8")), "console"), sep="\n")


def read(only: str) -> Iterator[Item]:
    """Ask about the databases."""
    helped, presets = called("--help").decode(), called("presets").decode()
    names = {
        "command": re.findall(r"^  ([a-z]+)  ", helped, re.MULTILINE),
        "preset": re.findall(r"^([a-z][\w-]+)  ", presets, re.MULTILINE),
        "game": ["tictactoe", "hexapawn", "nim", "notakto", "connect"],
    }
    for line in (*expanded(ALONE, names), *in_forms(LISTS_ALONE, names)):
        if only in line:
            yield line, called(line)
    for database in databases(only):
        os.environ["MENACE_DB"] = f"{database}.db"
        names = {
            "board": column("query 'SELECT board FROM position ORDER BY position_id LIMIT 40'", "board")[::10],
            "learner": column("learners", "name")[: None if database == "tictactoe" else 4],
            "question": column("query", "name"),
        }
        yield from read_from(database, names, only)


def read_from(database: str, names: Names, only: str) -> Iterator[Item]:
    """Ask about a database: of the first each list in each form, of another in one, not of all in the same."""
    number = list(WRITTEN).index(database)
    lists = list(in_forms(LISTS, names))[number % len(FORMS) :: len(FORMS) if number else 1]
    files = lines_of(FILES if database in WITH_FILES else "") + lines_of("" if number else MORE_FILES)
    lines = [*lists, *expanded(ASKED, names), *files]
    for line in lines:
        if only in f"{database}: {line}":
            yield from made_by(line, database)
    shown = [line for line in expanded(NOTEBOOK, names) if only in f"{database}: {line}"]
    for part in forked(functools.partial(show, shown)).split(b"\0")[1:]:
        yield f"{database}: {part.partition(bytes([10]))[0].decode()}", part
    if OF_EACH_KIND[database] and ("GET" in only or only in f"{database}: GET"):
        with served(database) as (client, home):
            yield from crawled(client, home, database, names)


def column(command: str, name: str) -> list[str]:
    """Return what a command lists under a name."""
    return [row[name] for row in json.loads(called(f"{command} --json"))]


def lines_of(text: str) -> list[str]:
    """Return the lines of a list."""
    return [line for line in re.split(r"; |\n", text) if line]


def expanded(text: str, names: Names) -> Iterator[str]:
    """Yield each line of a list as often as its longest field has names; of other fields the names take turns."""
    for line in lines_of(text):
        fields = [field for field in names if f"{{{field}" in line]
        for number in range(max((len(names[field]) for field in fields), default=1)):
            yield line.format(**{field: names[field][number % len(names[field])] for field in fields})


def in_forms(text: str, names: Names) -> Iterator[str]:
    """Yield each line of a list as text, as JSON and as CSV; where it is there for many names, these take turns."""
    for line in lines_of(text):
        lines = list(expanded(line, names))
        yield from map(str.__add__, lines * (1 if lines[1:] else len(FORMS)), itertools.cycle(FORMS))


def show(lines: list[str]) -> None:
    """Print what expressions are worth, as a notebook would show it, each after a zero byte."""
    sys.modules.pop("pandas", None)
    import menace

    with menace.Database(os.environ["MENACE_DB"]) as db:
        for line in lines:
            print(f"\0{line}")
            try:
                value = eval(line, {"db": db, "menace": menace})  # noqa: S307 - of the list above
            except Exception as error:  # noqa: BLE001 - the other has to do the same
                value = f"{type(error).__name__}: {error}"
            looks = [getattr(value, name)() for name in ("_repr_html_", "_repr_svg_") if hasattr(value, name)]
            print(repr(value), value, *looks)
            if hasattr(value, "to_frame"):
                print(value.to_frame().to_csv())


@contextlib.contextmanager
def served(database: str) -> Iterator[tuple[http.client.HTTPConnection, str]]:
    """Serve a database; give a client, and the path of the home page."""
    here, there = os.pipe()
    if (server := os.fork()) == 0:
        os.dup2(there, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
        foresee()
        run(f"serve --port 0 --db {database}.db")
    os.close(there)
    try:
        with os.fdopen(here, encoding="utf-8") as told:
            parts = urlsplit(told.readline().split()[0])
            yield http.client.HTTPConnection(parts.netloc, timeout=60), parts.path
    finally:
        os.kill(server, signal.SIGKILL)
        os.waitpid(server, 0)


def ask(client: http.client.HTTPConnection, address: str, body: object = None) -> bytes:
    """Return what is answered: its status, and where it leads, on a line of their own."""
    ours = {"origin": f"http://{client.host}:{client.port}", "sec-fetch-site": "same-origin"}
    headers = {} if body is None else {"content-type": "application/json", **ours}
    client.request("GET" if body is None else "POST", address, None if body is None else json.dumps(body), headers)
    answer = client.getresponse()
    return f"{answer.status} {answer.headers.get('location', '')}\n".encode() + answer.read()


def crawled(client: http.client.HTTPConnection, home: str, database: str, names: Names) -> Iterator[Item]:
    """Yield what the server describes or links to: a few addresses of each kind."""
    described = ask(client, f"{home}/openapi.json").partition(b"\n")[2].decode()
    words = {"-", *re.findall(r"[\w.-]{3,}", described)}
    paths = "\n".join(path for path, methods in json.loads(described)["paths"].items() if "get" in methods)
    parts = {**names, "database": [database], "name": names["learner"], "player": [*names["learner"], "perfect"]}
    waiting = ["/", f"/{database}", f"/{database}.json", *expanded(paths, parts)]
    waiting += expanded(f"{home}/{database}/explore/{{board}}.json?learner={{learner}}", parts)
    kinds: Counter[str] = Counter()
    for address in waiting:  # which grows meanwhile
        kind = kind_of(address, words)
        kinds[kind] += address not in kinds
        if kinds[address] or kinds[kind] > OF_EACH_KIND[database]:
            continue
        kinds[address] += 1
        answer = ask(client, address)
        yield f"{database}: GET {address}", answer
        if database in WITH_FILES and b"<!doctype html" in answer[:200].lower():
            waiting += map(html.unescape, re.findall(r'(?:href|src)="(/[^/"][^"#]*)', answer.decode()))


def kind_of(address: str, words: set[str]) -> str:
    """Return an address without names: of its parts those that are words of the explorer's own. Datasette's are few."""
    found = urlsplit(address)
    if "static" in found.path:
        return "?" + address
    path = [
        re.sub(r".*?(\.json|\.svg|\.csv|)$", r"*\1", part) if part not in words else part
        for part in found.path.split("/")
    ]
    asked = {key if value not in words else f"{key}={value}" for key, value in parse_qsl(found.query)}
    return f"?{'/'.join(path)}?{'&'.join(sorted(asked)) if path[1] == '-' else ''}"


# Comparing.


def differences(name: str, old: bytes | None, new: bytes | None) -> list[str]:
    """Return what differs in an item, in lines."""
    if old is None or new is None:
        return ["is new" if old is None else "is gone"]
    if old == new:
        return []
    if old[:4] in {b"%PDF", b"\x89PNG"} and new[:4] == old[:4]:
        return pictures_differ(old, new)
    return lines_between(normal(old, name), normal(new, name))


def lines_between(old: str, new: str) -> list[str]:
    """Return the lines that differ, as a diff without context."""
    return list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0))[2:]


def normal(content: bytes, name: str) -> str:
    """Return a text in lines that can be compared, without what is volatile."""
    text = content.decode("utf-8", "backslashreplace")
    status, _, rest = text.partition("\n") if re.search(" (GET|POST) ", name) else ("", "", text)
    with contextlib.suppress(ValueError):
        text = f"{status}\n{json.dumps(json.loads(rest), indent=1, ensure_ascii=False)}"
    for pattern, word in [(r"><", ">\n<"), *VOLATILE]:
        text = re.sub(pattern, word, text)
    return text


def pictures_differ(old: bytes, new: bytes) -> list[str]:
    """Compare the text and the pixels of each page."""
    from PIL import ImageChops

    pages, others = pages_of(old), pages_of(new)
    found = [f"{len(pages)} pages, now {len(others)}"] if len(pages) != len(others) else []
    for number, ((text, image), (now, other)) in enumerate(zip(pages, others, strict=False), start=1):
        found += [f"page {number}: {line}" for line in lines_between(text, now)]
        box = (0, 0, *image.size) if image.size != other.size else ImageChops.difference(image, other).getbbox()
        found += [f"page {number}: pixels differ within {box} of {image.size}"] if box else []
    return found


def pages_of(content: bytes) -> list[tuple[str, Any]]:
    """Return the text and the picture of each page of a PDF, or of a PNG, which has no text."""
    if content.startswith(b"%PDF"):
        from pypdfium2 import PdfDocument

        return [(page.get_textpage().get_text_range(), page.render(scale=1).to_pil()) for page in PdfDocument(content)]
    from PIL import Image

    return [("", Image.open(io.BytesIO(content)).convert("RGB"))]


# The two, side by side.


def tree_of(commit: str | None, folder: Path) -> Path:
    """Return a folder with the code of a commit, or with what stands here, that can be imported as it is."""
    folder.mkdir(parents=True)
    here = "git ls-files --cached --others --exclude-standard -z | tar -c --null -T - --ignore-failed-read"
    packed = f"git archive {shlex.quote(commit)}" if commit else here
    command = f"set -o pipefail; {packed} | tar -x -C {shlex.quote(str(folder))}"
    subprocess.run(["bash", "-c", command], cwd=ROOT, check=True)
    setup = configparser.ConfigParser()
    setup.read(folder / "setup.cfg")
    for line in setup["options"]["package_dir"].strip().splitlines():
        package, place = (part.strip() for part in line.split("="))
        if not (folder / package.replace(".", "/")).exists():
            (folder / package.replace(".", "/")).symlink_to(folder / place)
    points, told = setup["options.entry_points"], folder / "matchbox_menace-0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: matchbox-menace\nVersion: 0\n", encoding="utf-8")
    (told / "entry_points.txt").write_text("\n".join(f"[{group}]{points[group]}" for group in points), encoding="utf-8")
    (kernel,) = (folder / "menace").rglob("kernel.py")
    digest = hashlib.sha256(kernel.read_bytes() + kernel.with_suffix(".pxd").read_bytes()).hexdigest()
    built = next((ROOT / "menace").rglob("kernel*.so"), None)
    if built and digest in (ROOT / "build" / "kernel.py").read_text(encoding="utf-8"):
        shutil.copy(built, kernel.parent)
    else:
        subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=folder, check=True)
    return folder


def make(act: str, result: str, only: str) -> None:
    """Make the items of an act, in a process of its own: import all modules, whatever they are called, then fork."""
    import gc
    import pkgutil

    sys.modules["pandas"] = None  # type: ignore[assignment]  # as the command line does
    import menace

    if Path(os.environ["PYTHONPATH"]) not in Path(menace.__file__).parents:
        sys.exit(f"compare_with: {menace.__file__} was imported")
    for module in pkgutil.walk_packages(menace.__path__, "menace."):
        if not module.name.endswith("__main__"):
            __import__(module.name)
    for library in ("figure", "backends.backend_svg", "backends.backend_agg", "backends.backend_pdf", "font_manager"):
        __import__(f"matplotlib.{library}")
    gc.freeze()
    items = {name: content.decode("latin-1") for name, content in {"write": write, "read": read}[act](only)}
    Path(result).write_text(json.dumps(items), encoding="utf-8")


def both(folder: Path, act: str, only: str) -> list[dict[str, bytes]]:
    """Let the old code and the new make something at the same time."""
    fixed = {"SOURCE_DATE_EPOCH": "0", "COLUMNS": "100", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    running = []
    for place in (folder / "old", folder / "new"):
        for name in ("work", "temporary"):
            (place / name).mkdir(exist_ok=True)
        command = [sys.executable, "-W", "ignore", __file__, "--make", act, f"../{act}.json", only]
        own = {"PYTHONPATH": str(place / "code"), "TMPDIR": str(place / "temporary")}
        running.append(subprocess.Popen(command, cwd=place / "work", env={**os.environ, **fixed, **own}))
    codes = [process.wait() for process in running]
    if any(codes):
        sys.exit(f"compare_with: making what is to be compared failed ({act})")
    texts = [json.loads((folder / which / f"{act}.json").read_text(encoding="utf-8")) for which in ("old", "new")]
    return [{name: content.encode("latin-1") for name, content in items.items()} for items in texts]


def main() -> int:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", metavar="COMMIT")
    parser.add_argument("--only", default="", metavar="TEXT", help="of items whose names have this")
    parser.add_argument("--lines", type=int, default=8, metavar="N", help="of each difference")
    wanted, start = parser.parse_args(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="compare-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        for which, commit in (("old", wanted.commit), ("new", None)):
            tree_of(commit, Path(name, which, "code"))
        old, new = both(Path(name), "write", wanted.only)
        for path in Path(name, "old", "work").glob("*.db"):
            shutil.copy(path, Path(name, "new", "work"))
        old, new = (items | more for items, more in zip((old, new), both(Path(name), "read", wanted.only), strict=True))
    items = [item for item in {**old, **new} if wanted.only in item]
    differing = {item: found for item in items if (found := differences(item, old.get(item), new.get(item)))}
    for item, found in differing.items():
        more = [f"... and {len(found) - wanted.lines} more lines"] if len(found) > wanted.lines else []
        print(item, *(f"    {line[:200]}" for line in [*found[: wanted.lines], *more]), sep="\n")
    print(f"{len(differing)} of {len(items)} items differ ({time.monotonic() - start:.0f} s)", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(make(*sys.argv[2:]) if sys.argv[1:2] == ["--make"] else main())
