"""Commands that measure: evaluate, strength, compare."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from menace.cli import completion
from menace.cli.options import database_option, examples, seed_option
from menace.wording import OPPONENTS, OUTCOMES, RESULTS, percent

if TYPE_CHECKING:
    from menace.learners.base import PolicyKind
    from menace.shelf.contests import Report


@click.command(
    epilog=examples(
        "menace evaluate menace-x random",
        "menace evaluate random random --fractions",
        "menace evaluate menace-x menace-o --greedy --sampled 100000",
    )
)
@click.argument("x", metavar="X", shell_complete=completion.players_of("X"))
@click.argument("o", metavar="O", shell_complete=completion.players_of("O"))
@click.option("--greedy", is_flag=True, help="Learners at their best: most beads, or highest value.")
@click.option("--fractions", is_flag=True, help="Without rounding, all digits.")
@click.option("--sampled", type=int, metavar="N", help="Play N games, too, and show them beside the exact figures.")
@seed_option
@database_option
def evaluate(x: str, o: str, greedy: bool, fractions: bool, sampled: int | None, seed: int | None, db: str) -> None:
    """Print the exact probabilities of the outcomes when X plays O.

    X and O are learners of that side, or random, optimal, perfect, imperfect:P.
    """
    from menace.cli.text import table
    from menace.ledger.database import open_database
    from menace.shelf import contests

    if seed is not None and sampled is None:
        raise click.UsageError("--seed is of the games that --sampled N plays; add it, or leave both out")
    kind = _kind(greedy)
    with open_database(db) as store:
        meeting = contests.meeting_of(store, x, o, kind)
        exact = meeting.outcomes
        columns: list[list[object]] = [list(OUTCOMES), [f"{p:.6f}" for p in exact]]
        header = ["", "exact"]
        if sampled is not None:
            found = contests.sample(store, x, o, sampled, kind, seed)
            header += [f"of {sampled:,} games", "standard error", "off by"]
            columns += [[f"{share:.6f}" for share in found.shares], [f"{error:.6f}" for error in found.errors]]
            columns.append([_off(s, p, e) for s, p, e in zip(found.shares, exact, found.errors, strict=True)])
        if fractions:  # last: they can be thousands of digits long
            header.append("as a fraction")
            columns.append([_fraction_text(p) for p in meeting.fractions])
    click.echo(table(header, list(zip(*columns, strict=True))))
    if sampled is not None:
        click.echo(f"seed {found.seed}")


def _fraction_text(value: Fraction) -> str:
    sys.set_int_max_str_digits(0)  # Python's own limit is 4,300 digits, and the boxes of two learners can make more
    return f"{value.numerator}/{value.denominator}"


def _off(share: float, probability: float, error: float) -> str:
    return f"{(share - probability) / error:+.1f} errors" if error > 0 else "exact"


@click.command(
    short_help="Print how strong a learner is, and how to beat it.",
    name="strength",
    epilog=examples("menace strength menace-x"),
)
@click.argument("name", shell_complete=completion.learners)
@database_option
def strength_command(name: str, db: str) -> None:
    """Print how strong the learner NAME is, exactly; whether anyone can beat it, and how."""
    from menace.cli.text import table
    from menace.ledger.database import open_database
    from menace.shelf.contests import strength_of

    kinds: tuple[PolicyKind, PolicyKind] = ("behaviour", "greedy")
    with open_database(db) as store:
        reports = [strength_of(store, name, kind) for kind in kinds]
    rows = [
        [report.kind, OPPONENTS[opponent], *(percent(share) for share in found)]
        for report in reports
        for opponent, found in report.against.items()
    ]
    click.echo(f"{name} plays {reports[0].plays}; as it trains (behaviour), and at its best (greedy)\n")
    click.echo(table(["policy", "", *(f"{result:>6}" for result in RESULTS)], rows))
    for report in reports:
        click.echo(f"\n{report.kind}: exploitability {report.exploitability:.4f}; {_line_text(report)}")


def _line_text(report: Report) -> str:
    from menace.games.base import Side

    if report.line is None:
        return "nobody can beat it"
    lines = [f"it can be beaten, most surely so (with probability {report.line.probability:.6g}):"]
    for ply, (action, board) in enumerate(zip(report.actions, report.boards[1:], strict=True)):
        side = Side.after(ply)
        who = "the learner" if side == report.plays else "its opponent"
        lines.append(f"  {side} plays {action}: {board}  {who}")
    if report.line.resigns:
        lines.append(f"  {report.plays} gives up: its box is empty")
    return "\n".join(lines)


@click.command(
    short_help="Print the exact table of X against O learners.",
    epilog=examples("menace compare", "menace compare menace-x menace-o perfect --greedy"),
)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.players)
@click.option("--greedy", is_flag=True, help="Learners at their best: most beads, or highest value.")
@database_option
def compare(names: tuple[str, ...], greedy: bool, db: str) -> None:
    """Print the exact table of all X learners against all O learners, or of those that are named."""
    from menace.cli.text import table
    from menace.ledger.database import open_database
    from menace.shelf.contests import compare as compare_players

    with open_database(db) as store:
        found = compare_players(store, list(names), _kind(greedy))
    x_names, o_names = (list(dict.fromkeys(pair[side] for pair in found)) for side in (0, 1))
    rows = [[x, *("/".join(f"{100 * p:.1f}" for p in found[x, o]) for o in o_names)] for x in x_names]
    click.echo(f"{' / '.join(OUTCOMES)}, in percent\n")
    click.echo(table(["X \\ O", *o_names], rows))


def _kind(greedy: bool) -> PolicyKind:
    return "greedy" if greedy else "behaviour"


COMMANDS = [evaluate, strength_command, compare]
