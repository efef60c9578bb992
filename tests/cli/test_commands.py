"""Tests of the output and exit codes of commands, including one-line error messages."""

from __future__ import annotations

import csv
import importlib
import io
import json
import os
import pkgutil
import pty
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest
from commands import Run, ok, refused, start_command
from database_templates import fresh_database, learner_by_hand
from playing import play_out
from runs import boxes_of, train, use_small_blocks

import menace
from menace import cli
from menace.analysis.grades import strength_of
from menace.analysis.matchups import fraction_text, matchup_of
from menace.analysis.position import show
from menace.cli.commands.learners import explain_settings
from menace.cli.commands.matchboxes import _instructions
from menace.figures.kinds import KINDS
from menace.learners.registry import LEARNERS, PRESETS
from menace.learners.settings import describe, from_assignments, show as show_setting
from menace.ledger.create_and_open import open_database
from menace.ledger.queries import named_queries
from menace.ledger.runs import SelfPlay, order
from menace.ledger.training import play_to_end
from menace.people.physical import PhysicalSession


def test_selfplay_creates_database_and_its_summary_matches(run: Run, tmp_path: Path) -> None:
    out = ok(run("selfplay", "--games", "500", "--seed", "1"))
    assert [file.name for file in tmp_path.iterdir()] == ["menace.db"]
    assert "run 1: menace-x (X) against menace-o (O), 500 games, seed 1" in out
    assert len(re.findall("[▁▂▃▄▅▆▇█]{9} ", out)) == 3  # nine marks up to 500
    assert len(re.findall("against the best response", out)) == 2
    assert "games a second" in out
    with open_database("menace.db") as store:
        outcomes = [sum(block[i] for block in store.blocks()) for i in (4, 5, 6)]
        beads = [move.beads for move in show(store, ".........", "menace-x").moves]
        strength = strength_of(store, "menace-o").against["best_response"]
    for name, count in zip(("X wins", "draws", "O wins"), outcomes, strict=True):
        assert re.search(rf"{name} +\S+ +{100 * count / 500:.1f}% of all", out)
    box = re.search(r"the box of menace-x.*?\n\n", out, re.DOTALL)
    assert box is not None
    assert [int(n) for n in re.findall(r"draws +(\d+)", box[0])] == beads
    assert re.search(
        rf"menace-o +against the best response +{100 * strength.win:.1f}% +{100 * strength.draw:.1f}%", out
    )
    for line in out.split("next:")[1].strip().splitlines():
        assert ok(run(*line.split()[1:]))


def test_summary_lists_moves_as_show_does(run: Run) -> None:
    ok(run("init", "--game", "nim", "--variant", "1-2"))
    summary = ok(run("selfplay", "--games", "10", "--seed", "1"))
    named = re.compile(r"^ *(\d from heap \d)", re.MULTILINE)
    assert named.findall(summary) == named.findall(ok(run("show", "1-2:X"))) != []


def test_pipe_gets_only_summary_and_terminal_shows_progress(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "menace", "selfplay", "--games", "100000", "--db", str(tmp_path / "a.db")]
    piped = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    assert piped.stderr == ""
    assert "\r" not in piped.stdout
    ours, theirs = pty.openpty()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=theirs, check=True, cwd="/")
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    assert "run 2" in shown
    assert "100,000/100,000" in shown


def test_database_comes_from_option_then_environment_then_default(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(run("init"))
    monkeypatch.setenv("MENACE_DB", "from-environment.db")
    ok(run("init"))
    ok(run("init", "--db", "from-option.db"))
    assert sorted(f.name for f in tmp_path.iterdir()) == ["from-environment.db", "from-option.db", "menace.db"]
    ok(run("new", "adam", "--plays", "X"))
    assert "adam" in ok(run("learners"))
    assert "no machines yet" in ok(run("learners", "--db", "menace.db"))


@pytest.mark.parametrize(
    ("command", "learners"),
    [
        (["new", "adam", "--plays", "O"], ["adam"]),
        (["train", "menace-o", "--against", "random", "--games", "5"], ["menace-o"]),
        (["train", "menace-x", "--against", "menace-o", "--games", "5"], ["menace-x", "menace-o"]),
    ],
)
def test_missing_database_is_created_on_request(run: Run, command: list[str], learners: list[str]) -> None:
    ok(run(*command))
    with open_database("menace.db") as store:
        assert [row.name for row in store.learners()] == learners
    ok(run("verify"))


def test_init_prints_what_it_created(run: Run) -> None:
    assert ok(run("init")) == "menace.db: tictactoe 3x3x3, 765 positions, 2,096 moves\n"
    out = ok(run("init", "--db", "all.db", "--no-symmetry"))
    assert out == "all.db: tictactoe 3x3x3, 5,478 positions, 16,167 moves\n"


@pytest.mark.parametrize("board", ["XX.OO....", "....OO.XX", "X.. XO. .O.", "xx./oo./..."])
def test_show_accepts_any_image_of_a_board(trained: Run, board: str) -> None:
    out = ok(trained("show", board, "--learner", "menace-x"))
    assert re.search(r"menace-x's box \d+ \(stage 3\):", out)
    assert "a mistake" in out


def test_show_and_history_accept_box_numbers(trained: Run) -> None:
    with open_database("menace.db") as store:
        shelf = {box.number: box for box in boxes_of(store, "menace-x")}
    for number in (1, 57, 304):
        shown = ok(trained("show", str(number), "--learner", "menace-x"))
        assert shown == ok(trained("show", shelf[number].board, "--learner", "menace-x"))
        assert f"menace-x's box {number} (stage {shelf[number].stage}): " in shown
    assert ok(trained("history", "57", "--learner", "menace-x")) == ok(
        trained("history", shelf[57].board, "--learner", "menace-x")
    )
    for words, reason in (
        (["57"], "57 is the number of a box; choose a machine with --learner, or give a board instead"),
        (["0", "--learner", "menace-x"], "machine menace-x has no box 0; boxes are numbered 1 to 304"),
        (["305", "--learner", "menace-x"], "machine menace-x has no box 305; boxes are numbered 1 to 304"),
        (["9" * 40, "--learner", "menace-o"], f"no box {'9' * 20}; boxes are numbered 1 to 289"),
    ):
        refused(trained("show", *words), reason)


def test_show_describes_the_given_image_of_the_board(trained: Run) -> None:
    out = ok(trained("show", "....OO.XX", "--learner", "menace-x"))
    assert "position 60: XX.OO.... (the board turned half round), ply 4" in out
    winning = next(line for line in out.splitlines() if "wins" in line and "....OOXXX" in line)
    assert winning.split()[0] == "6"  # on this board, cell 6 completes the bottom row for X


def test_show_explains_finished_game_and_missing_box(trained: Run) -> None:
    assert "over: X has won" in ok(trained("show", "XXXOO...."))
    assert "over: a draw" in ok(trained("show", "XOXXOOOXX"))
    assert "it plays O" in ok(trained("show", "X...O....", "--learner", "menace-o"))
    assert "it plays a random cell" in ok(trained("show", "XOXXOOOX.", "--learner", "menace-x"))


def test_query_lists_queries_and_prints_csv_and_json(trained: Run) -> None:
    listed = ok(trained("query"))
    names = [line.split()[0] for line in listed.splitlines()[1:]]
    assert len(names) >= 10
    for name in names:
        assert ok(trained("query", name))
    sql = "SELECT name, plays, games, seed FROM learner ORDER BY name"
    rows = json.loads(ok(trained("query", sql, "--json")))
    assert rows[0] == {"name": "menace-o", "plays": "O", "games": 500, "seed": None}
    table = list(csv.reader(io.StringIO(ok(trained("query", sql, "--csv")))))
    assert table == [["name", "plays", "games", "seed"], ["menace-o", "O", "500", ""], ["menace-x", "X", "500", ""]]
    assert ok(trained("query", "SELECT 1 AS n WHERE 0")) == "no rows\n"


def test_named_queries_are_listed_in_every_format(run: Run) -> None:
    rows = [{"name": named.name, "question": named.title} for named in named_queries()]
    assert json.loads(ok(run("query", "--json"))) == rows
    assert list(csv.DictReader(io.StringIO(ok(run("query", "--csv"))))) == rows
    assert [line.split("  ")[0] for line in ok(run("query")).splitlines()[1:]] == [row["name"] for row in rows]


def test_query_of_one_word_may_be_sql(trained: Run) -> None:
    assert ok(trained("query", "VALUES(7)", "--csv")) == "column1\n7\n"
    assert ok(trained("query", " runs ")) == ok(trained("query", "runs"))


def test_learners_are_created_listed_renamed_and_trained(run: Run) -> None:
    ok(run("init"))
    assert "adam plays X: menace, boxes=choices beads=10,5,3" in ok(
        run("new", "adam", "--plays", "x", "--preset", "scroggs", "--set", "beads=10,5,3", "--set", "win=4")
    )
    ok(run("new", "eva", "--plays", "O"))
    ok(run("train", "adam", "--against", "eva", "--games", "50", "--keep"))
    ok(run("train", "eva", "--against", "imperfect:0.2", "--games", "70"))
    ok(run("rename", "eva", "Eva the second"))
    out = ok(run("learners"))
    assert re.search(r"^adam +X +menace +scroggs +50 +beads=10,5,3 win=4$", out, re.MULTILINE)
    assert re.search(r"^Eva the second +O +menace +menace +70$", out, re.MULTILINE)
    out = ok(run("runs"))
    assert re.search(r"^ +1 +train +adam +Eva the second +50 +finished", out, re.MULTILINE)
    assert re.search(r"^ +2 +train +imperfect:0.2 +Eva the second +70 +finished", out, re.MULTILINE)
    assert ok(run("verify")).startswith("replayed 15 blocks with 120 games:")


def test_players_are_evaluated_exactly_and_by_sampling(trained: Run) -> None:
    out = ok(trained("evaluate", "random", "random", "--fractions", "--sampled", "20000", "--seed", "1"))
    for text in ("737/1260", "8/63", "121/420", "0.584921", "of 20,000 games", "seed 1"):
        assert text in out
    with open_database("menace.db") as store:
        exactly = matchup_of(store, "menace-x", "menace-o").fractions
    printed = re.findall(r"\d+/\d+", ok(trained("evaluate", "menace-x", "menace-o", "--fractions")))
    assert [Fraction(text) for text in printed] == list(exactly)
    assert min(map(len, printed)) > 60
    assert fraction_text(Fraction(1, 10**6000)) == f"1/1{'0' * 6000}"
    assert ok(trained("evaluate", "menace-x", "random", "--greedy")) != ok(trained("evaluate", "menace-x", "random"))


def test_strength_prints_how_to_beat_a_learner(trained: Run) -> None:
    out = ok(trained("strength", "menace-x"))
    assert len(re.findall("against the best response", out)) == 2
    assert "behaviour: exploitability" in out
    assert "it can be beaten; the most probable lost game" in out
    assert re.search(r"  O plays \d: [XO.]{9}  its opponent\n\ngreedy", out)


def test_compare_pairs_every_x_with_every_o(trained: Run) -> None:
    ok(trained("new", "z", "--plays", "X", "--preset", "zhang"))
    out = ok(trained("compare"))
    assert re.search(r"^X . O +menace-o$", out, re.MULTILINE)
    assert re.search(r"^z +[\d.]+/[\d.]+/[\d.]+$", out, re.MULTILINE)
    assert "0.0/100.0/0.0" in ok(trained("compare", "perfect", "optimal"))


def test_copy_starts_with_learned_state_and_is_logged(trained: Run) -> None:
    assert ok(trained("copy", "menace-x", "adam")) == "adam is a copy of menace-x; it plays X, after 500 games\n"
    ok(trained("train", "adam", "--against", "random", "--games", "100", "--seed", "1"))
    ok(trained("train", "menace-x", "--against", "random", "--games", "100", "--seed", "1"))
    with open_database("menace.db") as store:
        rows = {row.name: row for row in store.learners()}
        assert rows["adam"].games == 600
        boxes = [store.learned_rows("matchbox", rows[name].learner_id) for name in ("adam", "menace-x")]
    assert boxes[0] == boxes[1]
    assert "with 700 games:" in ok(trained("verify"))


def test_phases_set_exploration_rates(trained: Run) -> None:
    for name, plays in (("ax", "X"), ("ao", "O")):
        ok(trained("new", name, "--plays", plays, "--preset", "article-code"))
    ok(trained("selfplay", "--x", "ax", "--o", "ao", "--games", "400", "--phases", "article"))
    with open_database("menace.db") as store:
        games = [block.games for block in store.blocks(2)]
    assert sum(games) == 400
    assert 100 in [sum(games[: i + 1]) for i in range(len(games))]  # a block ends where its phase ends
    ok(trained("verify"))


def test_show_prints_values_of_learners_without_beads(trained: Run) -> None:
    learners = (("z", "zhang", "value"), ("q", "q-table", "value"), ("m", "michie-1963", "odds"))
    for name, preset, unit in (*learners, ("a", "article-code", "beads")):
        ok(trained("new", name, "--plays", "X", "--preset", preset))
        out = ok(trained("show", ".........", "--learner", name))
        assert f" {unit}  {'share' if unit == 'beads' else 'plays it'} " in out
        assert "it plays X" in ok(trained("show", "X........", "--learner", name))


def test_presets_lists_algorithm_and_sides(run: Run) -> None:
    lines = ok(run("presets")).splitlines()
    assert len(lines) == len(PRESETS) + 1
    for line, (name, preset) in zip(lines[1:], PRESETS.items(), strict=True):
        what = re.escape(": ".join((*preset.fits, preset.summary)))
        assert re.fullmatch(rf"{name} +{' '.join(preset.plays)} +{preset.algorithm} +{what}", line)


@pytest.mark.parametrize(("game", "variant"), [("hexapawn", "3x3"), ("nim", "10-take3-misere"), ("connect", "3x3x3")])
def test_presets_for_the_database_come_first(run: Run, game: str, variant: str) -> None:
    ok(run("init", "--game", game, "--variant", variant, "--db", "other.db"))
    names = [line.split()[0] for line in ok(run("presets", "--db", "other.db")).splitlines()[1:]]
    fits = [PRESETS[name].is_for(f"{game} {variant}") for name in names]
    assert fits == sorted(fits, reverse=True)
    made_for_it = [bool(PRESETS[name].fits) for name in names if PRESETS[name].is_for(f"{game} {variant}")]
    assert made_for_it == sorted(made_for_it, reverse=True)
    assert sorted(names) == sorted(PRESETS)
    assert ok(run("presets", "--db", "none.db")) == ok(run("presets"))


@pytest.mark.parametrize("name", PRESETS)
def test_preset_explanation_has_source_and_valid_settings(run: Run, name: str) -> None:
    preset = PRESETS[name]
    out = ok(run("presets", name))
    assert f"source: {preset.source}\n" in out
    lines = out.split("meaning\n")[1].splitlines()
    pairs = dict(line.split()[:2] for line in lines)
    assert from_assignments(type(preset.settings), pairs) == preset.settings
    for line in lines:
        key, value, text = line.split(maxsplit=2)
        assert re.search(r"\w{3,}.*; ", text), f"{key} is not explained"
        assert text.endswith(describe(type(preset.settings), key))
        assert value == show_setting(getattr(preset.settings, key))


def test_help_of_new_explains_every_setting(run: Run) -> None:
    out = ok(run("new", "--help"))
    told: set[tuple[str, str]] = set()
    for title, section in re.findall(r"^Settings of (.*):\n((?:  .*\n)+)", out, re.MULTILINE):
        names, others = re.split(", | and ", title), 0
        if names[-1].endswith(" others"):
            others = int(names.pop().split()[0])
        here = {
            (name, key)
            for name, algorithm in LEARNERS.items()
            for key, text in explain_settings(algorithm.settings).items()
            if f"{key} {text}" in " ".join(section.split())
        }
        owners = {name for name, _ in here}
        assert owners >= set(names)
        assert len(owners) == len(names) + others, title
        told |= here
    assert told == {(name, key) for name, algorithm in LEARNERS.items() for key in explain_settings(algorithm.settings)}


def test_backup_can_be_verified(trained: Run) -> None:
    assert re.fullmatch(r"copy\.db: [\d,]+ bytes\n", ok(trained("backup", "copy.db")))
    assert ok(trained("verify", "--db", "copy.db")) == ok(trained("verify"))
    assert ok(trained("verify", "--since", "5")) != ok(trained("verify"))


def test_menace_without_arguments_suggests_commands_that_run(trained: Run) -> None:
    out = ok(trained())
    typed = re.findall(r"^  menace (.*?)  ", out, re.MULTILINE)
    assert " ".join(command.split()[0] for command in typed) == "selfplay play show strength serve --help COMMAND"
    assert f"All {len(commands())} commands" in out
    assert len(out.splitlines()) <= 15
    for command in ("show .........", "strength menace-x"):
        assert command in typed
        ok(trained(*command.split()))


def test_help_lists_all_commands(run: Run) -> None:
    out = ok(run("--help"))
    assert set(re.findall(r"^  (\w[\w-]*)  ", out, re.MULTILINE)) == set(commands())
    assert "look into its first matchbox" in out


def test_version_names_the_kernel_in_use(run: Run) -> None:
    from menace.kernel import loop as kernel

    out = ok(run("--version"))
    assert out.startswith(f"menace {menace.__version__}, kernel {'compiled,' if kernel.COMPILED else 'not compiled'}")


def test_version_reports_a_stale_kernel(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from menace.kernel import loop as kernel

    monkeypatch.setattr(kernel, "COMPILED", True)
    monkeypatch.setattr(kernel, "SOURCE_HASH", "0" * 64)
    assert "compiled from a different loop.py" in ok(run("--version"))


def commands() -> Mapping[str, click.Command]:
    return cli.cli.commands


def test_every_command_is_in_one_section_and_its_module() -> None:
    defined = set()
    for module in pkgutil.iter_modules(cli.commands.__path__):
        members = vars(importlib.import_module(f"menace.cli.commands.{module.name}")).values()
        found = [member for member in members if isinstance(member, click.Command)]
        inner = [command for group in found if isinstance(group, click.Group) for command in group.commands.values()]
        defined |= {(module.name, command.name) for command in found if command not in inner}
    listed = [(module, name) for modules in cli.SECTIONS.values() for module in modules for name in modules[module]]
    assert sorted(listed) == sorted(defined)
    assert {name for _, name in listed} == {command.name for command in commands().values()}


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_example_and_help_for_all_options(run: Run, name: str) -> None:
    out = ok(run(name, "--help"))
    assert re.search(rf"Examples:\n +menace {name}\b", out)
    for parameter in commands()[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.name}"


def test_every_database_command_accepts_db() -> None:
    without = [name for name, command in commands().items() if "db" not in {p.name for p in command.params}]
    assert without == ["study", "exam", "grade", "rules", "new-game", "check"]


BAD_INPUT: list[tuple[list[str], list[str]]] = [
    (["show", "X"], ["'X' has 1 cell;", "needs 9"]),
    (["show", "XXXOOO..."], ["XXXOOO...", "both X and O"]),
    (["show", "OOOXX...."], ["2 X and 3 O"]),
    (["show", "XXXOO...O"], ["a move by O after X won"]),
    (["show", "X..0....."], ["'0' in cell 3", "letter O"]),
    (["show", "........?"], ["'?' in cell 8"]),
    (["show", ".........", "--learner", "nobody"], ["'nobody'", "menace-x, menace-o"]),
    (["new", "a", "--plays", "X", "--preset", "nonsense"], ["'nonsense'", "michie-1961"]),
    (["new", "a", "--plays", "O", "--preset", "michie-1961"], ["plays X, not O"]),
    (["new", "a", "--plays", "X", "--set", "nonsense=1"], ["'nonsense'", "when_empty"]),
    (["new", "a", "--plays", "X", "--set", "beads=-1"], ["beads=-1", "from 1 to"]),
    (["new", "a", "--plays", "X", "--set", "beads=4,,2"], ["beads=4,,2", "separated by commas"]),
    (["new", "a", "--plays", "X", "--set", "loss=-10001"], ["loss=-10001", "from -10000 to 10000"]),
    (["new", "a", "--plays", "X", "--set", "win=1.5"], ["win=1.5", "an integer"]),
    (["new", "a", "--plays", "X", "--set", "merged=perhaps"], ["merged=perhaps", "yes or no"]),
    (["new", "a", "--plays", "X", "--set", "when_empty=cry"], ["when_empty=cry", "resign, restock, random"]),
    (["new", "a", "--plays", "X", "--set", "draw=5"], ["draw=5", "win=3"]),
    (["new", "a", "--plays", "O", "--set", "boxes=michie"], ["boxes=michie", "plays X"]),
    (["new", "menace-x", "--plays", "X"], ["'menace-x'", "another name"]),
    (["new", "random", "--plays", "X"], ["'random'", "another"]),
    (["rename", "nobody", "somebody"], ["'nobody'"]),
    (["rename", "menace-x", "menace-o"], ["'menace-o'", "another name"]),
    (["selfplay", "--games", "0"], ["games=0", "choose from 1 to"]),
    (["selfplay", "--games", "-5"], ["games=-5"]),
    (["selfplay", "--seed", "-1"], ["seed -1", "2^63"]),
    (["selfplay", "--x", "nobody"], ["'nobody'"]),
    (["selfplay", "--x", "menace-o"], ["plays O, not X"]),
    (["selfplay", "--x", "menace-x", "--o", "menace-x"], ["plays X, not O"]),
    (["train", "nobody", "--against", "random"], ["'nobody'"]),
    (["train", "menace-x", "--against", "nobody"], ["'nobody'", "imperfect:0.1", "menace-o"]),
    (["train", "menace-x", "--against", "menace-x"], ["both play X"]),
    (["train", "menace-x", "--against", "imperfect:1.5"], ["'imperfect:1.5'", "0 to 1"]),
    (["train", "menace-x", "--against", "imperfect:"], ["'imperfect:'"]),
    (["train", "menace-x", "--against", "human"], ["'human'"]),
    (["selfplay", "--phases", "5:1:1"], ["cover 5 games", "10,000"]),
    (["selfplay", "--phases", "quickly"], ["'quickly'", "GAMES:X:O"]),
    (["selfplay", "--phases", "10000:2:1"], ["'10000:2:1'", "0 to 1"]),
    (["selfplay", "--games", "3", "--phases", "article"], ["every phase needs at least 1 game"]),
    (["copy", "nobody", "somebody"], ["'nobody'"]),
    (["copy", "menace-x", "menace-o"], ["'menace-o'", "another name"]),
    (["new", "a", "--plays", "X", "--preset", "zhang-random", "--seed", "-1"], ["seed -1"]),
    (["new", "a", "--plays", "X", "--preset", "zhang", "--set", "alpha=1.5"], ["alpha=1.5", "from 0 to 1"]),
    (["new", "a", "--plays", "X", "--preset", "zhang", "--set", "epsilon=nan"], ["epsilon=nan", "from 0 to 1"]),
    (["new", "a", "--plays", "X", "--preset", "sala", "--set", "epsilon_least=1", "--set", "epsilon=0"], ["epsilon"]),
    (["new", "a", "--plays", "X", "--preset", "michie-1963", "--set", "growth=0"], ["growth=0"]),
    (["evaluate", "nobody", "random"], ["'nobody'"]),
    (["evaluate", "menace-o", "random"], ["plays O, not X"]),
    (["evaluate", "random", "imperfect:x"], ["'imperfect:x'"]),
    (["evaluate", "random", "random", "--sampled", "0"], ["games=0"]),
    (["strength", "nobody"], ["'nobody'"]),
    (["strength", "perfect"], ["'perfect' is a fixed opponent, which can play either side; add --plays"]),
    (["labels", "random", "x.pdf"], ["'random' is a fixed opponent", "`menace players`"]),
    (["labels", "nobody", "x.pdf"], ["nobody"]),
    (["play", "nobody"], ["no machine is called 'nobody'"]),
    (["play", "menace-x", "--as", "X"], ["menace-x plays X; play O"]),
    (["play", "imperfect:7"], ["needs a probability from 0 to 1"]),
    (["play", "menace-x", "--seed", "-1"], ["seed -1"]),
    (["play", "menace-x", "--db", "missing.db"], ["there is no database"]),
    (["play", "imperfect:7", "--db", "missing.db"], ["needs a probability from 0 to 1"]),
    (["play", "--seed", "-1", "--db", "missing.db"], ["seed -1"]),
    (["compare", "menace-x"], ["no player plays O; add a player for O"]),
    (["resume"], ["no run was interrupted"]),
    (["resume", "1"], ["run 1 is finished"]),
    (["resume", "99"], ["no run 99"]),
    (["abandon", "1"], ["run 1 is finished"]),
    (["verify", "--since", "9999"], ["no block 9999"]),
    (["query", "nonsense"], ["no query is called 'nonsense'; `menace query` lists the named queries"]),
    (
        ["query", "opening"],
        ["no query is called 'opening'; did you mean openings? `menace query` lists the named queries"],
    ),
    (["presets", "monte"], ["there is no preset 'monte'; did you mean monte-carlo? choose one of"]),
    (["new", "a", "--plays", "X", "--preset", "ucb"], ["did you mean ucb1?"]),
    (["new", "a", "--plays", "X", "--preset", "td-lambda", "--set", "lambda=0.5"], ["did you mean trace_decay?"]),
    (["new", "a", "--plays", "X", "--set", "beeds=1"], ["did you mean beads?"]),
    (["train", "menace-x", "--against", "optimum"], ["did you mean optimal?"]),
    (["show", ".........", "--learner", "menac-x"], ["did you mean menace-x? existing machines: "]),
    (["init", "--game", "hexapwn", "--db", "new.db"], ["did you mean hexapawn?"]),
    (["expect", "never-punish", "--against", "random"], ["is a preset; add the side that it plays, such as --plays X"]),
    (["expect", "menace-x", "--plays", "X", "--against", "random"], ["is a machine", "leave out --plays"]),
    (["query", "SELEC 1"], ["syntax error"]),
    (["query", "DROP TABLE learner"], ["more than read"]),
    (["query", ""], ["is empty"]),
    (["selfplay", "--x", ""], ["no machine is called ''"]),
    (["selfplay", "--o", ""], ["no machine is called ''"]),
    (["selfplay", "--x", "", "--db", "new.db"], ["no database new.db"]),
    (["new", " a", "--plays", "X"], ["' a' begins or ends with a space"]),
    (["new", "", "--plays", "X"], ["'' is empty"]),
    (["new", "a" * 61, "--plays", "X"], ["has 61 characters", "1 to 60"]),
    (["new", "a\nb", "--plays", "X"], ["contains '\\n'; use only letters"]),
    (["new", "human", "--plays", "X"], ["'human' is reserved for another kind of player"]),
    (["show", "menace-x"], ["'m' in cell 0"]),
    (["backup", "."], [". is a directory"]),
    (["backup", ""], ["path is empty"]),
    (["plot", "outcomes", "menace-x", "x.gif"], ["x.gif has the extension .gif", "one of .svg, .png, .pdf"]),
    (
        ["plot", "outcomes", "menace-x", "menace-o"],
        ["menace-o does not end in any of .svg, .png, .pdf", "`menace plot outcomes menace-x menace-o outcomes.svg`"],
    ),
    (["picture", "x.gif"], ["x.gif has the extension .gif", ".svg, .png, .pdf"]),
    (["picture", "-"], ["- has no extension", ".svg, .png, .pdf"]),
    (["export", "x.gif"], ["x.gif ends in .gif", ".gexf", "or with / for a site"]),
    (["export", "menace-x"], ["has no extension to select its format", "or with / for a site"]),
    (["labels", "menace-x", "x.gif"], ["x.gif has the extension .gif", "use .pdf"]),
    (["labels", "menace-x", "x.pdf", "--width", "15"], ["width of 15 mm is too small to read", "20 to 184 mm"]),
    (["labels", "menace-x", "x.pdf", "--height", "300"], ["height of 300 mm does not fit on a4", "15 to 250"]),
    (["labels", "menace-x", "x.pdf", "--height", "nan"], ["nan mm is not a number"]),
    (["init"], ["menace.db is already a menace database; choose another file (--db), or delete this one first"]),
    (["init", "--db", "new.db", "--variant", "3x3"], ["'3x3'", "3x3x3"]),
    (["init", "--db", "new.db", "--variant", "3x3x4"], ["'3x3x4'", "cannot be won"]),
    (["init", "--db", "new.db", "--variant", "9x9x5"], ["'9x9x5'", "81 cells"]),
    (["init", "--db", "new.db", "--game", "chess"], ["'chess'", "tictactoe"]),
    (["init", "--db", "no folder/new.db"], ["no folder/new.db", "check the folder"]),
    (["backup", "menace.db"], ["menace.db already exists"]),
    (["resume", "9" * 30], ["there is no run 999"]),
    (["show", ".........", "--learner", "\udcff"], ["menace:"]),
    (["query", "SELECT 1", "--timeout", "nan"], ["time limit"]),
    (["train", "menace-x", "--against", "imperfect:0." + "0" * 50 + "1"], ["imperfect:0.000"]),
    (["init", "--db", "x" * 300], ["name too long"]),
    (["new", "a:b", "--plays", "X"], ["contains ':'; use only letters"]),
    (["backup", "no folder/copy.db"], ["check the folder"]),
    (["learners", "--db", "missing.db"], ["missing.db", "menace init"]),
    (["train", "a", "--against", "random", "--db", "missing.db"], ["missing.db"]),
    (["train", "menace-x", "--against", "menace-x", "--db", "missing.db"], ["missing.db"]),
    (["train", "menace-x", "--against", "imperfect:2", "--db", "missing.db"], ["imperfect:2"]),
    (["labels", "a", "a.pdf", "--db", "missing.db"], ["missing.db"]),
    (["new", "a", "--plays", "X", "--set", "win=x", "--db", "missing.db"], ["win=x"]),
    (["new", "", "--plays", "X", "--db", "missing.db"], ["the name ''"]),
    (["new", "a", "--plays", "X", "--seed", "-1", "--db", "missing.db"], ["-1"]),
    (["selfplay", "--x", "nobody", "--db", "missing.db"], ["missing.db"]),
    (["selfplay", "--games", "0", "--db", "missing.db"], ["games=0"]),
    (["selfplay", "--db", "."], ["is a directory"]),
]


@pytest.mark.parametrize(("arguments", "parts"), BAD_INPUT, ids=lambda value: " ".join(value)[:60])
def test_bad_input_prints_one_line_and_changes_no_file(
    trained: Run, tmp_path: Path, arguments: list[str], parts: list[str]
) -> None:
    before = (tmp_path / "menace.db").read_bytes()
    refused(trained(*arguments), *parts)
    assert (tmp_path / "menace.db").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["menace.db"]


PLOT = "menace plot outcomes"
WRONG_USAGE: list[tuple[list[str], str]] = [
    (["plot", "outcomes", "men 1"], f"the file is missing after men 1, as in `{PLOT} 'men 1' outcomes.svg`"),
    (["plot", "outcomes", "adam.v2"], f"the file is missing after adam.v2, as in `{PLOT} adam.v2 outcomes.svg`"),
    (["plot", "outcomes", "x.png"], f"the machine is missing before x.png, as in `{PLOT} menace-x outcomes.svg`"),
    (["plot", "outcomes"], "the machine and the file are missing"),
    (["new", "a"], "Missing option '--plays'."),
    (["new", "a", "--plays", "Z"], "Invalid value for --plays: 'Z' is neither X nor O"),
    (["play", "menace-x", "--as", "Z"], "Invalid value for --as: 'Z' is neither X nor O"),
    (["selfplay", "--games", "many"], "Invalid value for '--games': 'many' is not a valid integer."),
    (["show"], "Missing argument 'BOARD'."),
    (["nonsense"], "No such command 'nonsense'. Did you mean 'contents'?"),
    (["labels", "menace-x"], "the file is missing after menace-x, as in `menace labels menace-x labels.pdf`"),
    (["labels", "x.pdf"], "the machine is missing before x.pdf, as in `menace labels menace-x labels.pdf`"),
    (["recount", "menace-x"], "the file is missing after menace-x, as in `menace recount menace-x count.csv`"),
    (["recount", "x.csv"], "the machine is missing before x.csv, as in `menace recount menace-x count.csv`"),
    (["init", "x2.db"], "Got unexpected extra argument (x2.db); to choose a database, use `menace init --db PATH`"),
    (["serve", "x2.db"], "Got unexpected extra argument (x2.db); to choose a database, use `menace serve --db PATH`"),
    (["learners", "--format", "csv"], "No such option '--format'; use --csv or --json"),
    (["backup", "--format", "csv"], "No such option '--format'"),
    (["selfplay", "--x-name", "a"], "No such option '--x-name'"),
    (["selfplay", "--sed", "1"], "No such option '--sed'. Did you mean '--seed'?"),
    (["plot", "foo", "x.svg"], f"Invalid value for 'KIND': 'foo' is not one of {', '.join(map(repr, KINDS))}."),
    (["--seed", "1", "selfplay"], "No such option '--seed' before the command; put options after the command"),
    (
        ["evaluate", "random", "random", "--seed", "1"],
        "--seed applies only with --sampled; add --sampled or leave out --seed",
    ),
    (
        ["learners", "--db", ""],
        "Invalid value for '--db' (env var: 'MENACE_DB'): the path is empty; name a file, or leave out --db",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_USAGE, ids=lambda value: " ".join(value)[:60])
def test_wrong_usage_prints_a_specific_reason(run: Run, arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert (result.code, result.out, result.err) == (2, "", f"menace: {message} (see --help)\n")


@pytest.mark.parametrize("command", [["learners"], ["selfplay", "--games", "5"], ["query", "runs"], ["verify"]])
@pytest.mark.parametrize("content", [b"dear diary\n" * 99, b"SQLite format 3\0" + b"junk" * 2000])
def test_file_that_is_not_a_database_is_refused(run: Run, tmp_path: Path, command: list[str], content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    result: Any = run(*command, "--db", "file")
    refused(result, "file")
    assert (tmp_path / "file").read_bytes() == content


def test_unwritable_output_prints_one_line(trained: Run, tmp_path: Path) -> None:
    command = f"{sys.executable} -m menace query positions-by-ply --db {tmp_path}/menace.db > /dev/full"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd="/")
    assert run.returncode == 1
    assert run.stderr.splitlines() == ["menace: No space left on device; free some space"]


CLOSED = "standard output is closed; redirect it to a file, or to /dev/null to discard it"


EVERY_CLOSING = ("<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "closings"),
    [
        ("", (">&-",)),
        ("selfplay --games 9", EVERY_CLOSING),
        ("play", ("<&-",)),
        ("learners --json", ("<&- >&-",)),
    ],
)
def test_closed_streams_print_at_most_one_line_and_no_traceback(
    trained: Run, tmp_path: Path, command: str, closings: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command does nothing if the stream to which it would write its result is closed.

    If only other streams are closed, the command works as usual.
    """
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    right = trained(*command.split())
    menace_db = f"MENACE_DB={tmp_path}/menace.db {sys.executable} -m menace {command}"
    for closed in closings:
        before = (tmp_path / "menace.db").read_bytes()
        result = subprocess.run(
            ["bash", "-c", f"{menace_db} {closed}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        unseen = " 2>" in f" {closed}"
        if " >" in f" {closed}":
            assert result.returncode == 1
            assert (result.stdout, result.stderr) == ("", "" if unseen else f"menace: {CLOSED}\n")
            assert (tmp_path / "menace.db").read_bytes() == before
        else:
            assert result.returncode == (right.code or 0)
            assert len(result.stdout.splitlines()) == len(right.out.splitlines())
            assert result.stderr == ("" if unseen else right.err)


def test_terminal_without_block_characters_shows_question_marks(trained: Run, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "menace", "show", ".........", "--learner", "menace-x"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "MENACE_DB": str(tmp_path / "menace.db")}
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/", env=environment)
    assert "0 2 6 8" in run.stdout


def test_control_characters_do_not_reach_the_terminal(trained: Run) -> None:
    assert "\x1b" not in trained("new", "a", "--plays", "X", "--set", "win=3\x1b[31m").err
    assert "\x1b" not in ok(trained("query", 'SELECT 1 AS "\x1b[31m"'))


def test_suggested_commands_are_quoted_and_name_the_database(run: Run) -> None:
    db = "$(my own).db"
    ok(run("init", "--db", db))
    ok(run("new", "adam the first", "--plays", "X", "--db", db))
    out = ok(run("train", "adam the first", "--against", "random", "--games", "5", "--db", db))
    assert "menace show ......... '--learner=adam the first' --db '$(my own).db'" in out


def suggestions(text: str) -> list[list[str]]:
    """Return the arguments of each command that a message suggests, split as in a shell."""
    commands = re.findall(r"^  (menace .*)$|`(menace [^`]*)`", text, re.MULTILINE)
    return [shlex.split(next(filter(None, groups)))[1:] for groups in commands]


@pytest.mark.parametrize("database", ["menace.db", "-my own.db"])
def test_suggested_commands_work_for_names_that_begin_with_a_hyphen(run: Run, database: str) -> None:
    db = f"--db={database}"
    ok(run("init", db))
    with open_database(database) as store:
        for name, plays in (("-x", "X"), ("--o", "O"), ("--help", "X")):
            learner_by_hand(store, name, plays)  # type: ignore[arg-type]
    printed = ok(run("selfplay", "--x=-x", "--o=--o", "--games", "20", db))
    for kind in ("outcomes", "strength", "openings"):
        printed += run("plot", db, "--", kind, "--help", "out.svg").err
    with open_database(database) as store:
        session = PhysicalSession(store, "-x")
        train(store, "-x", "random", games=5, seed=1)
        printed += _instructions(session, play_out(session))
    commands = suggestions(printed)
    assert [command[0] for command in commands] == ["show", "strength", "query", "train", "train", "train", "contents"]
    for command in commands:
        assert ok(run(*command))


def test_suggested_commands_use_the_same_database(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MENACE_DB", "another.db")
    for db in ("menace.db", "another.db"):
        out = ok(run("selfplay", "--games", "5", "--db", db))
        for command in suggestions(out):
            assert ("--db" in command) == (db == "menace.db")


CAP = "at the maximum of 67,108,863 beads, so shares no longer reflect what the machine learns"


def test_full_piles_are_reported(run: Run) -> None:
    ok(run("selfplay", "--games", "50", "--seed", "1"))
    assert CAP not in ok(run("show", ".........", "--learner", "menace-x"))
    with open_database("menace.db") as store:
        store.database.execute(
            "UPDATE matchbox SET beads = 67108863 WHERE position_id = 0 AND action > 0 AND learner_id = 1"
        )
    assert f"2 piles of menace-x's box are {CAP}" in ok(run("show", ".........", "--learner", "menace-x"))
    assert CAP not in ok(run("show", "........."))
    out = ok(run("selfplay", "--games", "50", "--seed", "1"))
    assert f"\n\n2 piles of menace-x are {CAP}\n\n" in out


SLOW_QUERY = ["query", "SELECT count(*) FROM move a, move b, move c", "--timeout", "60"]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "lock"), [(SLOW_QUERY, "BEGIN"), (["learners"], "BEGIN EXCLUSIVE")])
def test_ctrl_c_ends_a_query_and_the_wait_for_a_lock(tmp_path: Path, command: list[str], lock: str) -> None:
    with fresh_database(tmp_path / "menace.db") as store:
        store.database.execute(lock)
        words = [sys.executable, "-m", "menace", *command, "--db", str(tmp_path / "menace.db")]
        with start_command(words, stderr=subprocess.PIPE) as process:
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (130, "menace: interrupted\n")


def test_full_disk_message_names_resume(trained: Run, tmp_path: Path) -> None:
    size = (tmp_path / "menace.db").stat().st_size
    limit = resource.RLIMIT_FSIZE
    run = subprocess.run(
        [sys.executable, "-m", "menace", "selfplay", "--games", "3000000", "--db", str(tmp_path / "menace.db")],
        preexec_fn=lambda: resource.setrlimit(limit, (size + 8192, size + 8192)),
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 1
    assert "cannot be written" in run.stderr
    if " kept; " in run.stderr:
        assert "menace resume 2 --db" in run.stderr
    ok(trained("verify"))


def test_runs_lists_current_names_of_learners(trained: Run) -> None:
    ok(trained("rename", "menace-x", "fred"))
    ok(trained("new", "menace-x", "--plays", "X"))
    assert re.search(r"^ +1 +selfplay +fred +menace-o ", ok(trained("runs")), re.MULTILINE)
    assert "menace-x" not in ok(trained("runs"))


@pytest.mark.parametrize("games_before", [0, 5])
def test_resume_warns_if_learners_changed_since_the_interruption(
    trained: Run, monkeypatch: pytest.MonkeyPatch, games_before: int
) -> None:
    use_small_blocks(monkeypatch)
    with open_database("menace.db") as store:
        run = order(store, SelfPlay("menace-x", "menace-o", 300, 1))
        next(play_to_end(store, run))
        if games_before:
            train(store, "menace-o", "random", games=games_before, seed=1)
    result = trained("resume")
    assert result.code in {None, 0}
    assert f"run {run.run_id}: menace-x (X) against menace-o (O), 300 games" in result.out
    notice = (
        f"menace-o learned from other games after run {run.run_id} was interrupted,"
        " so the result will differ from that of an uninterrupted run\n"
    )
    assert result.err == (notice if games_before else "")
