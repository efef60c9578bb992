"""Define the commands that manage and train learners.

The commands are new, learners, presets, rename, copy, merge, delete, selfplay, train, resume and abandon.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from menace.cli import completion, options
from menace.cli.terminal import print_report, progress_bar, say, table
from menace.errors import Overwritten, StoreError
from menace.games import get_game
from menace.games.plugins import is_file
from menace.learners.settings import describe, explain, from_json, show
from menace.text.bead_colours import OWN
from menace.text.wording import Form, command_text, counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from menace.learners.algorithm import Preset, Settings
    from menace.ledger.runs import SelfPlay, Training
    from menace.ledger.store import Run, Store
    from menace.text.bead_colours import Scheme

MAX_NAMES_LENGTH = 40  # maximum length, in characters, of the list of algorithms in a heading


def explain_settings(cls: type[Settings]) -> dict[str, str]:
    """Return the meaning and the allowed values of each setting in a class, as text.

    >>> from menace.learners.algorithms.odds import OddsSettings
    >>> explain_settings(OddsSettings)["memory"]
    "Michie's D: the weight of a past result in the mean, relative to the weight of the next one; a number from 0 to 1"
    """
    return {name: f"{text}; {describe(cls, name)}" for name, text in explain(cls).items()}


def settings_by_algorithm() -> dict[str, list[tuple[str, str]]]:
    """Return the settings of all algorithms, grouped by the algorithms that use them.

    >>> next(iter(settings_by_algorithm()))
    'Settings of menace and favourite'
    """
    from menace.learners.registry import ALGORITHMS

    owners: dict[tuple[str, str], list[str]] = {}
    for algorithm in ALGORITHMS:
        for entry in explain_settings(algorithm.settings).items():
            owners.setdefault(entry, []).append(algorithm.name)
    entries_by_title: dict[str, list[tuple[str, str]]] = {}
    for entry, names in owners.items():
        *before, last = names if len(", ".join(names)) <= MAX_NAMES_LENGTH else (*names[:2], f"{len(names) - 2} others")
        words = f"{', '.join(before)} and {last}" if before else last
        entries_by_title.setdefault(f"Settings of {words}", []).append(entry)
    return entries_by_title


class SettingsHelpCommand(click.Command):
    """A command whose help explains every setting for `--set`."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, followed by the settings."""
        super().format_options(ctx, formatter)
        for title, rows in settings_by_algorithm().items():
            with formatter.section(title):
                formatter.write_dl(rows)


@options.command(
    "menace new eva --plays O",
    "menace new adam --plays X --preset scroggs --set beads=10,5,3,1 --set loss=-2",
    cls=SettingsHelpCommand,
    short_help="Create an untrained machine.",
)
@click.argument("name")
@click.option("--plays", required=True, metavar="X|O", help="The side that it plays; X begins.")
@click.option(
    "--preset",
    default="menace",
    shell_complete=completion.presets,
    show_default=True,
    help="The preset that provides its settings.",
)
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Change a setting; may be repeated.")
@click.option(
    "--seed",
    type=int,
    default=None,
    metavar="N",
    help="Random seed for presets with random initial values, such as zhang-random.",
)
@partial(options.naming_options, default="the preset's")
@options.database_option
def new(
    name: str, plays: str, preset: str, pairs: tuple[str, ...], seed: int | None, db: str, **schemes: Scheme | None
) -> None:
    """Create an untrained machine called NAME.

    NAME has 1 to 60 characters: letters, digits, spaces and `-_.`. `menace presets` lists the presets, and `menace
    presets NAME` explains one. `--set` changes a setting; all settings are explained at the end of this help. The
    colours and numbering are stored with the machine. The database is created if it is missing.
    """
    from menace.analysis.listings import naming_words
    from menace.arena import bead_distributions, play
    from menace.games.symmetry import SymmetricGame
    from menace.learners.registry import check_fits, check_name, preset_settings
    from menace.ledger.create_and_open import is_missing_or_empty, open_or_create_database
    from menace.ledger.learners import named_machine, new_learner

    settings = options.parse_assignments(pairs)
    # Check as much as possible before creating a database.
    check_name(name)
    if is_missing_or_empty(db):
        check_fits(preset, SymmetricGame(get_game()).title)
    preset_settings(preset, options.parse_side(plays), settings)
    if seed is not None:
        play.check_seed(seed)
    with open_or_create_database(db) as store:
        row = new_learner(store, name, options.parse_side(plays), preset, settings, seed, **schemes)
        text = bead_distributions.ruin_text(named_machine(store, row.name), "optimal", bead_distributions.GAMES_AHEAD)
    words = [_settings_text(row.algorithm, row.settings), *naming_words(row, OWN)]
    say(f"{row.name} plays {row.plays}: {row.algorithm}, {' '.join(words)}")
    if text is not None:
        say(text)


@options.command("menace learners", "menace learners --json", "menace learners --parquet learners.parquet")
@options.form_options()
@click.option(
    "--parquet",
    "out",
    metavar="FILE",
    shell_complete=completion.files,
    help="Write a Parquet file with the settings and exact strength of each machine, one row per policy and opponent.",
)
@options.with_database
def learners(store: Store, form: Form | None, out: str | None) -> None:
    """List the machines."""
    from menace.analysis.listings import list_learners

    if out is not None and form is not None:
        raise click.UsageError(f"--parquet and --{form} cannot be used together; give one of them")
    if out is not None:
        _write_parquet(store, out)
        return
    none = "there are no machines yet; `menace new` or `menace selfplay` creates one"
    print_report(list_learners(store), form, none)


def _write_parquet(store: Store, out: str) -> None:
    from menace.analysis.listings import learner_table
    from menace.files.output import parquet, write_file

    rows = learner_table(store)
    write_file(out, parquet(rows.columns, rows.rows))
    say(f"{out}: {counted(len(rows.rows), 'row')}")


@options.command(
    "menace presets",
    "menace presets --db hexapawn.db",
    "menace presets scroggs",
    short_help="List the presets, or explain one.",
)
@click.argument("name", required=False, metavar="[NAME]", shell_complete=completion.presets)
@options.database_option
def presets(name: str | None, db: str) -> None:
    """List the presets, which are named settings; with NAME, explain that preset's settings and cite its source.

    td, td-lambda, monte-carlo, sarsa, expected-sarsa, n-step-sarsa, q-learning and ucb1 are plain presets. If several
    of these algorithms share a setting, all plain presets give the setting the same value. The other presets describe
    MENACE or come from publications. Some presets are for a single game and cannot be used in the database of another
    game. If the database exists, the presets for its game are listed first.
    """
    from menace.learners.registry import PRESETS, get_preset, presets_for
    from menace.ledger.create_and_open import is_missing_or_empty
    from menace.ledger.rules import rules_of

    if name is None:
        fitting: Mapping[str, Preset] = {}
        if not is_missing_or_empty(db):
            with options.open_existing(db) as store:
                fitting = presets_for(rules_of(store).title)
        lines = [
            (name, " ".join(listed.plays), listed.algorithm, ": ".join((*listed.fits, listed.summary)))
            for name, listed in {**fitting, **PRESETS}.items()
        ]
        say(table(["preset", "plays", "algorithm", "what it is"], lines))
        return
    preset = get_preset(name)
    games = f" at {' and '.join(preset.fits)}" if preset.fits else ""
    say(f"{name} plays {' or '.join(preset.plays)}{games}: {preset.summary}\n\nsource: {preset.source}\n")
    values: Any = preset.settings
    rows = [(key, show(getattr(values, key)), text) for key, text in explain_settings(type(values)).items()]
    say(table([f"setting of {preset.algorithm}", "value", "meaning"], rows))


@options.command("menace rename menace-x adam")
@click.argument("old", shell_complete=completion.learners)
@click.argument("new_name", metavar="NEW")
@options.with_database
def rename(store: Store, old: str, new_name: str) -> None:
    """Rename the machine OLD to NEW."""
    from menace.ledger.learners import rename_learner

    rename_learner(store, old, new_name)
    say(f"{old} was renamed to {new_name}")


@options.command("menace copy menace-x adam", short_help="Copy a machine with everything that it has learned.")
@click.argument("old", shell_complete=completion.learners)
@click.argument("new_name", metavar="NEW")
@options.with_database
def copy(store: Store, old: str, new_name: str) -> None:
    """Copy the machine OLD, with everything that it has learned, to a new machine called NEW."""
    from menace.ledger.runs import copy_learner

    row = copy_learner(store, old, new_name)
    say(f"{row.name} is a copy of {old}; it plays {row.plays}, after {counted(row.games, 'game')}")


@options.command(
    "menace merge anna.json ben.json carla.json",
    "menace merge menace-x-120.json --into adam",
    "menace merge anna.json ben.json carla.json --into class-7b",
    "menace merge monday.db tuesday.db --db week.db",
    short_help="Import machines from files, or combine the machines into one.",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...", shell_complete=completion.files)
@click.option("--into", "new_name", metavar="NEW", help="Combine the files into one machine called NEW.")
@options.with_database
def merge(store: Store, files: tuple[str, ...], new_name: str | None) -> None:
    """Import the machines from all FILEs into this database; if any file is rejected, no machine is imported.

    A FILE is a machine downloaded from a website that menace exported, or another database for the same game. Each
    machine is imported under the name of its file, or under its own name if it comes from a database. The website must
    have been exported from this database, and the machine must not have learned anything in the database since the
    export.

    With --into, one download becomes the machine NEW. Several downloads of the same machine are combined. The changes
    from each download are added to the beads that the machine had when the website was exported. For example, thirty
    pupils can train one machine together.
    """
    from menace.site.merge_into_database import merge, merge_sum

    named = _expand_patterns(files)
    rows = merge(store, named) if new_name is None else [merge_sum(store, named, new_name)]
    for row in rows:
        say(f"{row.name} plays {row.plays}: {row.algorithm}, after {counted(row.games, 'game')}")


def _expand_patterns(files: Sequence[str]) -> list[str]:
    """Return the files that match patterns such as `*.json`, because shells on Windows do not expand patterns."""
    if os.name != "nt":
        return list(files)
    patterns = {file: Path(file) for file in files if {"*", "?"} & {*file}}
    found = {file: sorted(map(str, pattern.parent.glob(pattern.name))) for file, pattern in patterns.items()}
    return [name for file in files for name in found.get(file) or [file]]


@options.command("menace delete adam", "menace delete adam --yes", short_help="Delete a machine.")
@click.argument("name", shell_complete=completion.learners)
@click.option("--yes", is_flag=True, help="Delete the machine even if it has learned from games.")
@options.with_database
def delete(store: Store, name: str, yes: bool) -> None:
    """Delete the machine NAME.

    The machine no longer appears in lists, tables and plots, and its name can be used again.

    A machine that has learned from games is deleted only with --yes, and cannot be recovered. The log keeps the
    machine's games, runs and changes, so `menace verify` still works. Copies of the machine are not affected.
    """
    from menace.ledger.learners import check_untaught, delete_learner

    row = store.learner(name)
    if not yes:
        check_untaught(row, "`--yes` deletes")
    gone = delete_learner(store, row.name)
    say(f"{row.name} was deleted" if gone else f"{row.name} was deleted; the log keeps its runs and games")


def _settings_text(algorithm: str, settings: str) -> str:
    from menace.learners.registry import LEARNERS

    values: Any = from_json(LEARNERS[algorithm].settings, settings)
    return " ".join(f"{f.name}={show(getattr(values, f.name))}" for f in fields(values))


go_on_option = click.option(
    "--go-on",
    "continue_when_ruined",
    is_flag=True,
    help="Continue after a machine has run out of beads for its first move; the machine loses the remaining games.",
)


@options.command(
    "menace selfplay",
    "menace selfplay --games 1000000 --seed 1",
    "menace selfplay --x adam --o eva --games 5000",
    short_help="Train two machines against each other.",
)
@click.option(
    "--x",
    metavar="NAME",
    shell_complete=completion.complete_learners_of("X"),
    help="The machine that plays X.  [default: menace-x]",
)
@click.option(
    "--o",
    metavar="NAME",
    shell_complete=completion.complete_learners_of("O"),
    help="The machine that plays O.  [default: menace-o]",
)
@options.games_option
@options.seed_option
@options.marks_option
@click.option(
    "--phases", metavar="TEXT", help="Exploration rates: article, or GAMES:X:O,... such as 500:1:1,500:0.1:0."
)
@go_on_option
@options.database_option
def selfplay(db: str, **settings: Any) -> None:
    """Train two machines against each other; both learn from the same games.

    The database and the machines menace-x and menace-o are created if they are missing.
    """
    from menace.ledger.runs import SelfPlay

    _carry_out_in(db, SelfPlay(**settings))


@options.command(
    "menace train menace-x --against random",
    "menace train adam --against eva --games 50000 --keep",
    short_help="Train a machine against a player.",
)
@click.argument("name", shell_complete=completion.learners)
@options.against_option(
    "A fixed opponent (see `menace players`); several in sequence, such as random:1000,perfect; another machine;"
    " or your own function, such as ./my_player.py:novice."
)
@options.games_option
@options.seed_option
@options.marks_option
@click.option("--keep", "alone", is_flag=True, help="Do not train the other machine.")
@go_on_option
@options.database_option
def train(name: str, against: str, db: str, **settings: Any) -> None:
    """Train the machine NAME in games against PLAYER. If PLAYER is a machine, it also learns unless --keep is given.

    PLAYER is a machine for the other side, or a fixed opponent such as random, which never learns; `menace players`
    describes all fixed opponents. PLAYER can also be a function in your own Python file, such as ./my_player.py:novice,
    which is called once for each position. The database and the machines menace-x and menace-o are created if they are
    missing.
    """
    from menace.learners.opponents.fixed import check_fixed
    from menace.ledger.runs import DEFAULT_LEARNERS, Training

    if not is_file(against):
        check_fixed(against)
    if name in DEFAULT_LEARNERS:
        options.check_function(db, against, DEFAULT_LEARNERS[name].other)
    _carry_out_in(db, Training(name, against, **settings))


@options.command("menace resume", "menace resume 3", short_help="Continue an interrupted run.")
@click.argument("run_id", metavar="[RUN]", type=int, required=False)
@options.with_database
def resume(store: Store, run_id: int | None) -> None:
    """Continue an interrupted run, by default the latest one, with the same result as if it had not been interrupted.

    If the machines have learned from other games since the interruption, the run continues from their current state,
    and a message says so.
    """
    from menace.ledger.runs import taught_meanwhile, unfinished_run

    run = unfinished_run(store, run_id)
    names = [store.learner_by_id(learner_id).name for learner_id in taught_meanwhile(store, run)]
    if names:
        say(
            f"{' and '.join(names)} learned from other games after run {run.run_id} was interrupted,"
            " so the result will differ from that of an uninterrupted run",
            err=True,
        )
    _carry_out(store, run)


@options.command("menace abandon 3")
@click.argument("run_id", metavar="RUN", type=int)
@options.with_database
def abandon(store: Store, run_id: int) -> None:
    """End an interrupted run. The run's machines keep what they have learned."""
    from menace.ledger.runs import abandon as abandon_run

    run = abandon_run(store, run_id)
    say(f"run {run_id} was ended after {run.games_played:,} of {counted(run.games_wanted, 'game')}")


def _carry_out_in(db: str, request: SelfPlay | Training) -> None:
    """Carry out a request to train or play. If the request creates its learners, also create a missing database."""
    from menace.learners.opponents.functions import tabulated_names
    from menace.ledger.create_and_open import open_database, open_or_create_database
    from menace.ledger.learners import player_name
    from menace.ledger.runs import Training, order, taught_side

    opening = open_or_create_database if request.creates_its_learners else open_database
    with opening(db) as store:
        if isinstance(request, Training):
            request = replace(request, against=player_name(store, request.against, taught_side(store, request).other))
            options.print_notes_on_chance(tabulated_names(request.against))
        _carry_out(store, order(store, request))


def _carry_out(store: Store, run: Run) -> None:
    """Carry out a run with a progress bar, and print the run's summary.

    Ctrl-C stops the run after the current block.
    """
    from menace.cli.run_summary import summary
    from menace.ledger.training import play_to_end, ruin_warnings

    for line in ruin_warnings(store, run):
        say(line)
    start, games_before = time.perf_counter(), run.games_played
    label = f"run {run.run_id}" + (f", from game {games_before + 1:,}" if games_before else "")
    bar = progress_bar(run.games_wanted - games_before, label)
    resuming = command_text("resume", str(run.run_id), db=store.path)
    with _interruptible() as interrupts, bar:
        try:
            for state in play_to_end(store, run):
                bar.update(state.games_played - run.games_played)
                run = state
                if interrupts:
                    break
        except Overwritten:  # the number of committed games is unknown
            raise
        except StoreError as error:
            raise StoreError(
                f"{error} ({counted(run.games_played, 'game')} kept; `{resuming}` continues the run afterwards)"
            ) from None
    if run.finished_at is None:
        say(
            f"menace: interrupted after {run.games_played:,} of {counted(run.games_wanted, 'game')};"
            f" `{resuming}` continues the run",
            err=True,
        )
        sys.exit(130)
    say(summary(store, run, run.games_played - games_before, time.perf_counter() - start))


@contextmanager
def _interruptible() -> Iterator[list[int]]:
    """Provide a list that records the first Ctrl-C, so that the current block is completed.

    A second Ctrl-C interrupts the block. If Ctrl-C was already ignored, as in a shell's background jobs, it stays
    ignored.
    """
    interrupts: list[int] = []
    previous = signal.getsignal(signal.SIGINT)

    def record(number: int, _frame: FrameType | None) -> None:
        interrupts.append(number)
        signal.signal(signal.SIGINT, previous)

    if previous is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, record)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, previous)
