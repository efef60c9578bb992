"""Commands that make and manage learners: new, learners, presets, rename, copy, add, merge, delete."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from menace.cli.shared import completion
from menace.cli.shared.options import assignments, database_option, examples, form_options, naming_options, opened, side
from menace.cli.shared.terminal import print_records, say, table, table_text
from menace.learners.settings import describe, explain, from_json, show
from menace.text.bead_colours import OWN
from menace.text.wording import Form, counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from menace.learners.algorithm import Preset, Settings
    from menace.ledger.store import LearnerRow, Store
    from menace.text.bead_colours import Scheme

NAMES_ROOM = 40  # characters for the names of algorithms in a heading


def explained(cls: type[Settings]) -> dict[str, str]:
    """Return for each setting of a class its meaning and its allowed values.

    >>> from menace.learners.algorithms.odds import OddsSettings
    >>> explained(OddsSettings)["memory"]
    "Michie's D: the weight of a result in that mean, relative to the weight of the next result; a number from 0 to 1"
    """
    return {name: f"{text}; {describe(cls, name)}" for name, text in explain(cls).items()}


def sections() -> dict[str, list[tuple[str, str]]]:
    """Return the settings of all algorithms, grouped by the algorithms that have them.

    >>> next(iter(sections()))
    'Settings of menace and favourite'
    """
    from menace.learners.registry import ALGORITHMS

    owners: dict[tuple[str, str], list[str]] = {}
    for algorithm in ALGORITHMS:
        for entry in explained(algorithm.settings).items():
            owners.setdefault(entry, []).append(algorithm.name)
    entries_by_title: dict[str, list[tuple[str, str]]] = {}
    for entry, names in owners.items():
        *before, last = names if len(", ".join(names)) <= NAMES_ROOM else (*names[:2], f"{len(names) - 2} others")
        words = f"{', '.join(before)} and {last}" if before else last
        entries_by_title.setdefault(f"Settings of {words}", []).append(entry)
    return entries_by_title


class ExplainsSettings(click.Command):
    """A command whose help explains every setting for `--set`."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the settings."""
        super().format_options(ctx, formatter)
        for title, rows in sections().items():
            with formatter.section(title):
                formatter.write_dl(rows)


@click.command(
    cls=ExplainsSettings,
    short_help="Make a machine that has learned nothing yet.",
    epilog=examples(
        "menace new eva --plays O",
        "menace new adam --plays X --preset scroggs --set beads=10,5,3,1 --set loss=-2",
    ),
)
@click.argument("name")
@click.option("--plays", required=True, metavar="X|O", help="The side it plays; X begins.")
@click.option(
    "--preset",
    default="menace",
    shell_complete=completion.presets,
    show_default=True,
    help="Where its settings come from.",
)
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Replace a setting; may be repeated.")
@click.option("--seed", type=int, default=None, metavar="N", help="Seed of a random start (zhang-random).")
@partial(naming_options, default="the preset's")
@database_option
def new(
    name: str,
    plays: str,
    preset: str,
    pairs: tuple[str, ...],
    seed: int | None,
    colours: Scheme | None,
    numbering: Scheme | None,
    db: str,
) -> None:
    """Make a machine called NAME that has learned nothing yet.

    A name has 1 to 60 letters, digits, spaces and `-_.`. `menace presets` lists the presets, `menace presets NAME`
    explains one; `--set` replaces a setting; all are explained below. Its beads and cells keep the colours and
    numbers that are chosen here. Makes the database if it is missing.
    """
    from menace.analysis.listings import naming_words
    from menace.arena.first_box import GAMES_AHEAD, ruin_text
    from menace.arena.play import check_seed
    from menace.games import get_game
    from menace.games.symmetry import SymmetricGame
    from menace.learners.registry import check_fits, check_name, preset_settings
    from menace.ledger.database_file import is_vacant, open_or_create_database
    from menace.ledger.learners import named_machine, new_learner

    settings = assignments(pairs)
    # Everything that can be is checked before a database is made.
    check_name(name)
    if is_vacant(db):
        check_fits(preset, SymmetricGame(get_game()).title)
    preset_settings(preset, side(plays), settings)
    if seed is not None:
        check_seed(seed)
    with open_or_create_database(db) as store:
        row = new_learner(store, name, side(plays), preset, settings, seed, colours, numbering)
        text = ruin_text(named_machine(store, row.name), "optimal", GAMES_AHEAD)
    words = [_settings_text(row.algorithm, row.settings), *naming_words(row, OWN)]
    say(f"{row.name} plays {row.plays}: {row.algorithm}, {' '.join(words)}")
    if text is not None:
        say(text)


@click.command(
    epilog=examples("menace learners", "menace learners --json", "menace learners --parquet learners.parquet")
)
@form_options()
@click.option(
    "--parquet",
    "out",
    metavar="FILE",
    shell_complete=completion.files,
    help="Write them as Parquet: settings as columns, a row for each policy and opponent, with the exact strength.",
)
@database_option
def learners(form: Form | None, out: str | None, db: str) -> None:
    """List the machines."""
    from menace.analysis.listings import list_learners

    if out is not None and form is not None:
        raise click.UsageError(f"--parquet and --{form} cannot be used together; give one of them")
    with opened(db) as store:
        if out is not None:
            _write_parquet(store, out)
            return
        listed = list_learners(store)
    if form is not None:
        print_records(listed.table(), form)
    elif listed:
        say(table_text(listed.in_words()))
    else:
        say("no machines yet; `menace new` or `menace selfplay` makes one")


def _write_parquet(store: Store, out: str) -> None:
    from menace.analysis.strength_tables import learner_table
    from menace.files.output import parquet, write_file

    rows = learner_table(store)
    write_file(out, parquet(rows.columns, rows.rows))
    say(f"{out}: {counted(len(rows.rows), 'row')}")


@click.command(
    short_help="List the presets, or explain one.",
    epilog=examples("menace presets", "menace presets --db hexapawn.db", "menace presets scroggs"),
)
@click.argument("name", required=False, metavar="[NAME]", shell_complete=completion.presets)
@database_option
def presets(name: str | None, db: str) -> None:
    """List the presets, which are settings under a name; with NAME, explain each setting of it, and give its source.

    td, td-lambda, monte-carlo, sarsa, expected-sarsa, n-step-sarsa, q-learning and ucb1 are plain settings, the same
    for each as far as they have them; the others are MENACE's own, or were published.
    Some are for one game only, and are refused in a database of any other. Where there is a database, those that its
    game can have come first.
    """
    from menace.learners.registry import PRESETS, get_preset, presets_for
    from menace.ledger.database_file import is_vacant
    from menace.ledger.rules import rules_of

    if name is None:
        fitting: Mapping[str, Preset] = {}
        if not is_vacant(db):
            with opened(db) as store:
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
    rows = [(key, show(getattr(values, key)), text) for key, text in explained(type(values)).items()]
    say(table([f"{preset.algorithm}'s", "value", "what it says"], rows))


@click.command(epilog=examples("menace rename menace-x adam"))
@click.argument("old", shell_complete=completion.learners)
@click.argument("new_name", metavar="NEW")
@database_option
def rename(old: str, new_name: str, db: str) -> None:
    """Give the machine OLD the name NEW."""
    from menace.ledger.learners import rename_learner

    with opened(db) as store:
        rename_learner(store, old, new_name)
    say(f"{old} is now called {new_name}")


@click.command(
    short_help="Start a machine from what another has learned.", epilog=examples("menace copy menace-x adam")
)
@click.argument("old", shell_complete=completion.learners)
@click.argument("new_name", metavar="NEW")
@database_option
def copy(old: str, new_name: str, db: str) -> None:
    """Start a machine NEW from all that the machine OLD has learned."""
    from menace.ledger.runs import copy_learner

    with opened(db) as store:
        row = copy_learner(store, old, new_name)
    say(f"{row.name} plays {row.plays} as {old} does, after {counted(row.games, 'game')}")


@click.command(
    short_help="Take the machines of files in, or add them up.",
    epilog=examples(
        "menace merge anna.json ben.json carla.json",
        "menace merge menace-x-120.json --into adam",
        "menace merge anna.json ben.json carla.json --into class-7b",
        "menace merge monday.db tuesday.db --db week.db",
    ),
)
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...", shell_complete=completion.files)
@click.option("--into", "new_name", metavar="NEW", help="Add them up into one machine, called NEW.")
@database_option
def merge(files: tuple[str, ...], new_name: str | None, db: str) -> None:
    """Take the machines of FILEs into this database: all of them, or none.

    A FILE is what a website's page downloads, or another database of the same game. Each machine stays one of its own,
    called by its file, and by its name in a database. The website was exported from this database, whose machine has
    not learned on since.

    With --into, one download becomes the machine NEW. Several downloads of one machine become a single one: to the
    beads that it was exported with is added what each has learned beyond them. So thirty pupils teach one machine.
    """
    from menace.site.merge_machines import merge, merge_sum

    with opened(db) as store:
        named = _matched(files)
        rows = merge(store, named) if new_name is None else [merge_sum(store, named, new_name)]
    for row in rows:
        say(_come_in(row))


def _matched(files: Sequence[str]) -> list[str]:
    """Return the files that patterns such as `*.json` stand for: on Windows no shell does that."""
    if os.name != "nt":
        return list(files)
    patterns = {file: Path(file) for file in files if {"*", "?"} & {*file}}
    found = {file: sorted(map(str, pattern.parent.glob(pattern.name))) for file, pattern in patterns.items()}
    return [name for file in files for name in found.get(file) or [file]]


def _come_in(row: LearnerRow) -> str:
    return f"{row.name} plays {row.plays}: {row.algorithm}, after {counted(row.games, 'game')}"


@click.command(
    short_help="Delete a machine, and free its name.",
    epilog=examples("menace delete adam", "menace delete adam --yes"),
)
@click.argument("name", shell_complete=completion.learners)
@click.option("--yes", is_flag=True, help="Even if it has learned from games.")
@database_option
def delete(name: str, yes: bool, db: str) -> None:
    """Delete the machine NAME: it no longer appears in lists, tables or plots, and another can have its name.

    One that has learned from games is deleted only with --yes, and cannot be recovered. Its games and runs stay in the
    log, and so does what it learned, which `menace verify` compares; copies of it stay as they are.
    """
    from menace.ledger.learners import check_untaught, delete_learner

    with opened(db) as store:
        row = store.learner(name)
        if not yes:
            check_untaught(row, "`--yes` deletes")
        gone = delete_learner(store, row.name)
    say(f"{row.name} is deleted" if gone else f"{row.name} is deleted; the log keeps its runs and games")


def _settings_text(algorithm: str, settings: str) -> str:
    from menace.learners.registry import LEARNERS

    values: Any = from_json(LEARNERS[algorithm].settings, settings)
    return " ".join(f"{f.name}={show(getattr(values, f.name))}" for f in fields(values))
