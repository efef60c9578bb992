"""The command that tells what boxes are expected to have after games: expect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from menace.cli import completion_candidates
from menace.cli.options import database_option, examples, form_options, marks_option, opened, side
from menace.cli.tables_and_bars import print_table
from menace.errors import InvalidPlayer
from menace.wording import TableForm

if TYPE_CHECKING:
    from menace.learners.machine import Machine
    from menace.learners.player import Player


@click.command(
    short_help="Print the beads that a machine is expected to have, without playing.",
    epilog=examples(
        "menace expect menace-x --against random",
        "menace expect menace --plays X --against perfect --games 2000 --machines 1000",
        "menace expect menace-o --against perfect --board X........ --csv",
        "menace expect her --against optimal --games 20 --exact",
    ),
)
@click.argument("name", shell_complete=completion_candidates.learners)
@click.option(
    "--against",
    required=True,
    metavar="PLAYER",
    shell_complete=completion_candidates.opponents,
    help="Who teaches it, and does not learn.",
)
@click.option("--plays", metavar="X|O", help="NAME is a preset: a machine of this side before its first game.")
@click.option("--games", type=int, default=220, show_default=True, metavar="N", help="After up to how many games.")
@marks_option
@click.option("--board", help="Whose box.  [default: the boxes of its first move]")
@click.option("--machines", type=int, default=0, metavar="N", help="Let N copies play, with seeds 1 to N, beside it.")
@click.option("--exact", is_flag=True, help="Also the exact law of its boxes, where these have few contents.")
@form_options()
@database_option
def expect(name: str, against: str, plays: str | None, form: TableForm | None, db: str, **options: Any) -> None:
    """Print the beads that the machine NAME is expected to have after games against PLAYER, computed without playing.

    The expected change of a game is exact; game after game it is the path of a mean machine, which no machine need
    follow. --machines sets real ones beside it, with the mean of their shares and its standard deviation; --exact the
    probability of every contents that the boxes can have. Nothing is learned, and nothing is written.
    """
    from menace.analysis.expected_beads import expect as expected

    machine, opponent = _players(db, name, against, plays)
    beads = expected(machine, opponent, **options)
    print_table(beads.in_words(), beads.table(), form)


def _players(db: str, name: str, against: str, plays: str | None) -> tuple[Machine, Player]:
    """Return the machine and its opponent; a preset without a database plays tic-tac-toe."""
    from menace.analysis.strength import loaded_player
    from menace.learners.machine import Machine
    from menace.ledger.database_file import is_vacant
    from menace.ledger.learners import named_machine
    from menace.ledger.player_names import player_name
    from menace.ledger.stored_positions import positions_of

    if is_vacant(db):
        _check_kind(name, plays, is_machine=False)
        if plays is not None:
            return Machine(name, side(plays)), against
    with opened(db) as store:
        _check_kind(name, plays, store.has_learner(name))
        positions = positions_of(store)
        machine = named_machine(store, name) if plays is None else Machine(name, side(plays), positions)
        return machine, loaded_player(store, positions, player_name(store, against, machine.plays.other))


def _check_kind(name: str, plays: str | None, is_machine: bool) -> None:
    """Raise InvalidPlayer for a preset without a side, and for a machine, which has one, with it."""
    from menace.learners.registry import PRESETS

    if plays is None and name in PRESETS and not is_machine:
        raise InvalidPlayer(f"{name} is a preset; add the side that it plays, as --plays X")
    if plays is not None and is_machine and name not in PRESETS:
        raise InvalidPlayer(f"{name} is a machine, which has a side; leave out --plays, which is for presets")
