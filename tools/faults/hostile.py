"""Pass hostile words to every command, hostile SQL to `menace query` and random requests to the explorer.

A command must exit with 0, with 1 and a one-line error, or with 2 and a usage message. Tracebacks, control characters
and damaged databases are faults. A query must stay within its time limit and must not change a byte of the file.
Responses must have a status below 500, and GET requests must not change the file. The program prints each fault, and
exits with 1 if it found any.

    .venv/bin/python tools/faults/hostile.py            # every query, 400 words, 300 requests
    .venv/bin/python tools/faults/hostile.py --words 0  # all words in all places
    .venv/bin/python tools/faults/hostile.py --requests 3000 --seed 7

The requirements are the same as those of tools/faults/interruptions.py.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import shlex
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from menace.errors import MenaceError

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.commands import FILE, Case
from faults.interruption_folders import Bench, Report
from faults.trials import Ended, exit_faults, load_calls, load_everything, run

LONG = "x" * 10_000
WORDS = [
    "",
    " ",
    ".",
    "..",
    "../up",
    "/",
    "-",
    "--",
    "--help",
    "-1",
    "0",
    "1e999",
    "nan",
    "9" * 5_000,
    LONG,
    "\n",
    "a\nb",
]
WORDS += ["\x1b[2J", "\x1b]0;title\x07", "\r", "\x7f", "\u202eabc", "\u200b", "\ufeff", "e\u0301", "\U0001f4a9"]
WORDS += [
    "'",
    '"',
    "';--",
    '"; DROP TABLE learner; --',
    "`id`",
    "$(id)",
    "%s%n",
    "{0}",
    "{}",
    "{{7*7}}",
    "\udcff\udcfe",
]
WORDS += ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "&amp;", "=1+1", "@SUM(A1)", "menace.db-journal"]
WORDS += [
    "menace.db",
    "earlier",
    "/dev/null",
    "/dev/full",
    "/proc/self/mem",
    "random:5,perfect",
    "imperfect:nan",
]
WORDS += ["./player.py:nothing", "./missing.py:f", "XO.......", "XXXXXXXXX", ".........:Z", "٣", "*", "[", "x?*", "~/x"]
PLACES = ["new {} --plays O", "new a --plays {}", "new a --plays X --preset {}", "new a --plays X --set {}"]
PLACES += ["rename menace-x {}", "rename {} a", "copy menace-x {}", "copy {} a", "delete {} --yes", "forget {} --yes"]
PLACES += ["train {} --against random --games 3", "train menace-x --against {} --games 3", "selfplay --games {}"]
PLACES += ["selfplay --games 3 --seed {}", "selfplay --games 3 --marks {}", "selfplay --x {} --games 3", "resume {}"]
PLACES += [
    "abandon {}",
    "play {}",
    "play menace-x --name {}",
    "physical {}",
    "contents {}",
    "recount menace-x {} --yes",
]
PLACES += ["show {}", "show ......... --learner {}", "query {}", "strength {}", "evaluate {} random", "mistakes {}"]
PLACES += [
    "expect {} --against random --games 3",
    "expect menace-x --against {} --games 3",
    "compare {}",
    "players --game {}",
]
PLACES += [
    "plot outcomes menace-x {}.csv",
    "plot outcomes {} a.csv",
    "export {}.json",
    "export {}",
    "backup {}",
]
PLACES += ["labels menace-x {}", "merge {}", "merge learned.json --into {}"]
PLACES += ["init --db {}", "init --db a.db --game {}", "init --db a.db --variant {}", "learners --db {}", "rules {}"]
PLACES += [
    "games --run {}",
    "replay {}",
    "history {} --learner menace-x",
    "history ......... --learner {}",
    "presets {}",
]
PLACES += ["study run {} --workers 1", "study show {}", "study export done.study {}", "new-game {}", "check {}", "{}"]

BOMB = "WITH RECURSIVE r(n, t) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, t || t FROM r) SELECT"
QUERIES = ["ATTACH '/etc/passwd' AS other", "ATTACH 'new.db' AS other", "DETACH main", "VACUUM", "VACUUM INTO 'new.db'"]
QUERIES += [
    "PRAGMA writable_schema = 1",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = 9",
    "PRAGMA query_only = 0",
]
QUERIES += ["PRAGMA temp_store_directory = '/tmp'", "PRAGMA wal_checkpoint", "PRAGMA optimize", "REINDEX", "ANALYZE"]
QUERIES += [
    "DELETE FROM learner",
    "DROP TABLE learner",
    "INSERT INTO rules VALUES (1, 2, 3)",
    "CREATE TEMP TABLE t (x)",
]
QUERIES += [
    "UPDATE learner SET name = 'x' RETURNING name",
    "BEGIN EXCLUSIVE",
    "COMMIT",
    "SAVEPOINT a",
    "SELECT 1; SELECT 2",
]
QUERIES += ["WITH t AS (SELECT 1) DELETE FROM learner", "EXPLAIN DELETE FROM learner", "SELECT load_extension('x.so')"]
QUERIES += [
    "SELECT writefile('new', 'x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT edit('x')",
    "SELECT fts3_tokenizer('x')",
]
QUERIES += [
    "SELECT zeroblob(2147483647)",
    "SELECT hex(randomblob(999999999))",
    "SELECT printf('%.*c', 2000000000, 'x')",
]
QUERIES += [f"{BOMB} length(t) FROM r", f"{BOMB} t FROM r ORDER BY n DESC", f"{BOMB} group_concat(t) FROM r"]
QUERIES += ["WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r", "SELECT char(0)"]
QUERIES += [
    "SELECT count(*) FROM move, move AS b, move AS c",
    "SELECT * FROM move, move AS b",
    "SELECT 1 / 0",
    "SELECT 9e999",
]
QUERIES += [
    "SELECT * FROM move a JOIN move b JOIN move c ORDER BY random()",
    "SELECT json_group_array(a.action) FROM move a, move b",
]
QUERIES += ["SELECT replace(hex(zeroblob(400000)), '0', '((') LIKE '%(((%'", "SELECT '" + "%" * 40_000 + "' GLOB '*'"]
QUERIES += [
    "SELECT 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' LIKE '" + "%a" * 20_000 + "b'",
    "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
]
QUERIES += [
    "SELECT " + "1," * 5_000 + "1",
    "SELECT 1" + " UNION SELECT 1" * 600,
    "SELECT '" + "x" * 60_000 + "'",
    "SELECT char(27)",
]
QUERIES += ["SELECT CAST(x'ff' AS TEXT)", "SELECT x'00ff'", "SELECT char(8238) || 'abc'", "", ";", "--", "/*", "SELECT"]
QUERIES += [
    "SELECT * FROM sqlite_master",
    "SELECT * FROM pragma_function_list",
    "SELECT * FROM sqlite_dbpage",
    "SELECT * FROM dbstat",
]
MAX_QUERY_SECONDS = 40.0  # the time limit in seconds for a query with --timeout 2 on a busy computer


def output_faults(ended: Ended) -> list[str]:
    """Return the faults in a command's exit code and output."""
    usage = ended.code == 2 and "Traceback" not in ended.err  # noqa: PLR2004 - click's exit code
    names = [] if usage else exit_faults(ended, killed=False)
    if any(not (c.isprintable() or c in "\n\t\r") for c in ended.out + ended.err):
        names.append("control characters")
    return names


def try_words(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Run commands with hostile strings in place of names, files, boards and numbers."""
    pairs = list(itertools.product(PLACES, WORDS))
    if options.words:
        pairs = random.Random(options.seed).sample(pairs, options.words)  # noqa: S311 - for words
    for place, word in pairs:
        case = Case(place.replace("{}", shlex.quote(word)))
        ended = run(case, bench.reset())
        faults = output_faults(ended)
        try:
            bench.state(bench.work)
        except (sqlite3.Error, MenaceError) as error:
            faults.append(f"damaged: {error}")
        report.add("words", Case(repr(case.text[:200])), faults, ended.err)


def try_queries(bench: Bench, report: Report, _options: argparse.Namespace) -> None:
    """Run hostile SQL with `menace query`."""
    before = (bench.reset() / FILE).read_bytes()
    for sql in QUERIES:
        began = time.monotonic()
        ended = run(Case(f"query {shlex.quote(sql)} --timeout 2"), bench.work)
        faults = output_faults(ended)
        if time.monotonic() - began > MAX_QUERY_SECONDS:
            faults.append("exceeds its time limit")
        if (bench.work / FILE).read_bytes() != before or (bench.work / "new.db").exists():
            faults.append("writes")
        report.add("queries", Case(repr(sql[:200])), faults, ended.err)


def try_requests(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Send random requests to every address, as tests/explorer/test_access.py does."""
    tests = Path(__file__).parents[2] / "tests"
    sys.path[:0] = [str(tests), str(tests / "explorer")]
    from random_requests import attack

    for turn in range(-(-options.requests // 100)):
        wrong = asyncio.run(attack(bench.reset() / FILE, options.seed + turn, 100))
        report.count["requests"] += 100
        report.add("hundreds of requests", Case(f"seed {options.seed + turn}"), wrong)
        bench.state(bench.work)


def main() -> None:
    """Run all trials."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--words",
        type=int,
        default=400,
        metavar="N",
        help="how many random pairs of a word and a place to try (default 400; 0: all)",
    )
    parser.add_argument("--requests", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    load_calls()
    load_everything()
    report = Report(Counter(), quiet=True)
    with tempfile.TemporaryDirectory(prefix="menace-hostile-") as name:
        bench = Bench(Path(name).resolve() / "bench")
        for trial in (try_queries, try_words, try_requests):
            trial(bench, report, options)
            print(f"... {report}", flush=True)
    print(report)
    sys.exit(1 if report.count["faults"] else 0)


if __name__ == "__main__":
    main()
