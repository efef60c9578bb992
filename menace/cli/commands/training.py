"""Define the commands that train learners and manage runs: selfplay, train, resume and abandon."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from menace.cli import completion, options
from menace.cli.terminal import progress_bar, say
from menace.errors import Overwritten, StoreError
from menace.games.plugins import is_file
from menace.text.wording import command_text, counted

if TYPE_CHECKING:
    from menace.ledger.runs import SelfPlay, Training
    from menace.ledger.store import Run, Store


go_on_option = click.option(
    "--go-on",
    "continue_when_ruined",
    is_flag=True,
    help="Continue after a machine has run out of beads for its first move; it loses the remaining games.",
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
@click.option(
    "--against",
    required=True,
    metavar="PLAYER",
    shell_complete=completion.opponents,
    help="A fixed opponent (see `menace players`); several in sequence, such as random:1000,perfect; another machine;"
    " or your own function, such as ./my_player.py:novice.",
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
    """Continue an interrupted run, by default the latest one, to the same result as without the interruption.

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
    """End an interrupted run. Its machines keep what they have learned."""
    from menace.ledger.runs import abandon as abandon_run

    run = abandon_run(store, run_id)
    say(f"run {run_id} was ended after {run.games_played:,} of {counted(run.games_wanted, 'game')}")


def _carry_out_in(db: str, request: SelfPlay | Training) -> None:
    """Carry out a request in a database. Create a missing database if the request also creates its learners."""
    from menace.learners.opponents.functions import tabulated_names
    from menace.ledger.create_and_open import open_database, open_or_create_database
    from menace.ledger.function_players import player_name
    from menace.ledger.runs import Training, order, taught_side

    opening = open_or_create_database if request.creates_its_learners else open_database
    with opening(db) as store:
        if isinstance(request, Training):
            request = replace(request, against=player_name(store, request.against, taught_side(store, request).other))
            options.print_notes_on_chance(tabulated_names(request.against))
        _carry_out(store, order(store, request))


def _carry_out(store: Store, run: Run) -> None:
    """Carry out a run with a progress bar, and print its summary. Ctrl-C stops the run after the current block."""
    from menace.cli.run_summary import summary
    from menace.ledger.training import continue_run, ruin_warnings

    for line in ruin_warnings(store, run):
        say(line)
    start, games_before = time.perf_counter(), run.games_played
    label = f"run {run.run_id}" + (f", from game {games_before + 1:,}" if games_before else "")
    bar = progress_bar(run.games_wanted - games_before, label)
    resuming = command_text("resume", str(run.run_id), db=store.path)
    with _interruptible() as interrupts, bar:
        try:
            for state in continue_run(store, run):
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
    """Provide a list that records the first Ctrl-C, so that the current block is completed; a second one interrupts.

    If Ctrl-C was already ignored, as in a shell's background jobs, it stays ignored.
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
