"""The commands that measure strength: evaluate, strength, compare, players, mistakes and expect."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from menace.cli.shared import completion
from menace.cli.shared.options import (
    PAPER_FORMS,
    database_option,
    examples,
    form_options,
    marks_option,
    opened,
    player_and_side,
    plays_option,
    seed_option,
    side,
)
from menace.cli.shared.terminal import print_records, print_table, say, table, table_text
from menace.errors import InvalidPlayer
from menace.figures.kind import BY_HELP, split_by
from menace.files.tables import Table
from menace.text.wording import MEASURES, OPPONENTS, OUTCOMES, RESULTS, Form, TableForm, counted, ends_of, percent

if TYPE_CHECKING:
    from fractions import Fraction

    from menace.analysis.mistakes import Mistakes
    from menace.analysis.strength_reports import Matchup, Sample, StrengthReport
    from menace.arena.exact_strength import Strength
    from menace.learners.machine import Machine
    from menace.learners.player import Player
    from menace.learners.policy import Policy, PolicyName
    from menace.ledger.store import Store


@click.command(
    epilog=examples(
        "menace evaluate menace-x random",
        "menace evaluate random random --fractions",
        "menace evaluate menace-x menace-o --greedy --sampled 100000",
        "menace evaluate random random --fractions --json",
    )
)
@click.argument("x", metavar="X", shell_complete=completion.players_of("X"))
@click.argument("o", metavar="O", shell_complete=completion.players_of("O"))
@click.option("--greedy", is_flag=True, help="Let machines play their best: most beads, or highest value.")
@click.option("--fractions", is_flag=True, help="Print fractions, without rounding.")
@click.option("--sampled", type=int, metavar="N", help="Also play N games, and show them beside the exact figures.")
@seed_option
@form_options()
@database_option
def evaluate(
    x: str, o: str, greedy: bool, fractions: bool, sampled: int | None, seed: int | None, form: Form | None, db: str
) -> None:
    """Print the exact probabilities of the outcomes when X plays O.

    X and O are machines of that side, fixed opponents, as `menace players` lists them, or functions in Python files of
    yours, as ./my_player.py:novice.
    """
    from menace.analysis import strength_reports
    from menace.analysis.listings import matchup_records
    from menace.ledger.function_players import player_name
    from menace.ledger.positions import positions_of

    if seed is not None and sampled is None:
        raise click.UsageError("--seed is for the games that --sampled N plays; add it, or leave both out")
    policy = _policy(greedy)
    with opened(db) as store:
        x, o = player_name(store, x, "X"), player_name(store, o, "O")
        matchup = strength_reports.matchup_of(store, x, o, policy)
        sample = None if sampled is None else strength_reports.sample(store, x, o, sampled, policy, seed)
        exact = [_fraction_text(p) for p in matchup.fractions] if fractions else []
        draws = positions_of(store).has_draws
    if form is not None:
        print_records(matchup_records(matchup, sample, exact), form)
    else:
        say(_matchup_text(matchup, sample, exact, draws))


def _matchup_text(matchup: Matchup, sample: Sample | None, fractions: list[str], draws: bool) -> str:

    columns: list[list[str]] = [list(OUTCOMES), [f"{p:.6f}" for p in matchup.outcomes]]
    header = ["", "exact"]
    if sample is not None:
        header += [f"of {counted(sample.games, 'game')}", "standard error", "off by"]
        columns += [[f"{share:.6f}" for share in sample.shares], [f"{error:.6f}" for error in sample.errors]]
        compared = zip(sample.shares, matchup.outcomes, sample.errors, strict=True)
        columns.append([f"{(share - p) / error:+.1f} errors" if error > 0 else "exact" for share, p, error in compared])
    if fractions:  # last: they can be thousands of digits long
        header.append("as a fraction")
        columns.append(fractions)
    below = "" if sample is None else f"\nseed {sample.seed}"
    return table(header, ends_of(list(zip(*columns, strict=True)), draws)) + below


def _fraction_text(value: Fraction) -> str:
    sys.set_int_max_str_digits(0)  # Python's own limit is 4,300 digits, and the boxes of two learners can make more
    return f"{value.numerator}/{value.denominator}"


@click.command(
    short_help="Print how strong a machine is, and how to beat it.",
    name="strength",
    epilog=examples(
        "menace strength menace-x",
        "menace strength menace-x --csv",
        "menace strength 'td-*' --by alpha,epsilon",
        "menace strength 'td-*' --by alpha --latex",
        "menace strength random --plays O",
        "menace strength ./my_player.py:novice --plays O",
    ),
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=completion.learners_and_functions)
@plays_option
@click.option("--by", multiple=True, metavar="SETTING[,SETTING]", help=f"Several machines: {BY_HELP}")
@form_options(**PAPER_FORMS)
@database_option
def strength_command(
    names: tuple[str, ...], plays: str | None, by: tuple[str, ...], form: TableForm | None, db: str
) -> None:
    """Print how strong the machine NAME is, exactly; whether anyone can beat it, and how.

    NAME is a machine, or with --plays a fixed opponent, or a function in a Python file of yours.

    Of several machines, or of a pattern of names in quotes ('td-*'), a table is printed, a row for each group and
    policy: how many games it loses, the mean of the middle half of its machines, and the 95 % interval of that
    (bootstrap over machines). Three machines or more are a group that differ by chance alone and have learned from as
    many games. --json and --csv have wins and draws, too.
    """
    from menace.games.plugins import is_file
    from menace.learners.opponents.fixed import is_fixed

    with opened(db) as store:
        if len(names) == 1 and (plays is not None or is_fixed(names[0]) or is_file(names[0])):
            _print_strength(store, names[0], plays, form)
            return
        learners = store.expand_names(names)
        if len(learners) == 1 and not by:
            _print_strength(store, learners[0], None, form)
        else:
            _print_groups(store, learners, split_by(by), form)


def _print_groups(store: Store, names: Sequence[str], by: Sequence[str], form: TableForm | None) -> None:
    from menace.analysis.strength_tables import GROUP_COLUMNS, group_strengths

    strengths = group_strengths(store, names, by)
    last = len(strengths.columns) - len(GROUP_COLUMNS)  # of the columns that tell groups apart
    losses: dict[tuple[str, ...], list[str]] = {}
    several = False
    for row in strengths.rows:
        fewest, most, policy, _, result, value, low, high, n = row[last:]
        if result == RESULTS[-1]:
            games = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
            key = (*(cell or "" for cell in row[:last]), policy, games, f"{n:,}")
            shares = [f"{100 * share:.1f}" for share in (value, low, high)]
            losses.setdefault(key, []).append("{} ({} to {})".format(*shares) if n > 1 else shares[0])
            several = several or n > 1
    # Machines are named where nothing else tells groups apart.
    first = 1 if len({key[1:] for key in losses}) == len(losses) else 0
    if form is None:
        about = ": interquartile mean of machines, and its 95 % interval" if several else ""
        say(f"{MEASURES['losses']}, in percent{about}\n")
    header = [*strengths.columns[first:last], "policy", "games", "n", *OPPONENTS.values()]
    print_table(Table(header, [[*key[first:], *shares] for key, shares in losses.items()]), strengths, form)


def _print_strength(store: Store, name: str, plays: str | None, form: TableForm | None) -> None:
    from menace.analysis.strength_reports import strength_of
    from menace.learners.opponents.fixed import is_fixed
    from menace.ledger.positions import positions_of
    from menace.ledger.training import POLICIES

    name, own = player_and_side(store, name, plays)
    policies = POLICIES[:1] if is_fixed(name) else POLICIES
    reports = [strength_of(store, name, policy, own) for policy in policies]
    draws = positions_of(store).has_draws
    rows = [
        [report.policy, OPPONENTS[opponent], *(percent(share) for share in ends_of(outcomes, draws))]
        for report in reports
        for opponent, outcomes in report.against.items()
    ]
    if form is None:
        both = "; as it trains (behaviour), and at its best (greedy)" if len(reports) > 1 else ""
        say(f"{name} plays {reports[0].plays}{both}\n")
    header = ["policy", "", *(f"{result:>6}" for result in ends_of(RESULTS, draws))]
    tables = [report.table() for report in reports]
    whole = Table(tables[0].columns, [row for table in tables for row in table.rows])
    print_table(Table(header, rows), whole, form)
    if form is not None:
        return
    for report in reports:
        say(f"\n{report.policy}: exploitability {report.exploitability:.4f}; {_line_text(report)}")


def _line_text(report: StrengthReport) -> str:
    from menace.games.base import Side
    from menace.learners.opponents.fixed import is_fixed

    if report.line is None:
        return "nobody can beat it"
    itself = "the player" if is_fixed(report.name) else "the machine"
    lines = [f"it can be beaten; the surest way (probability {report.line.probability:.6g}):"]
    for ply, (move, board) in enumerate(zip(report.moves, report.boards[1:], strict=True)):
        side = Side.after(ply)
        player = itself if side == report.plays else "its opponent"
        lines.append(f"  {side} plays {move}: {board}  {player}")
    if report.line.resigns:
        lines.append(f"  {report.plays} resigns: its box is empty")
    return "\n".join(lines)


@click.command(
    short_help="Print the exact results of machines of X against machines of O.",
    epilog=examples("menace compare", "menace compare menace-x perfect --greedy", "menace compare 'men*' --json"),
)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.players)
@click.option("--greedy", is_flag=True, help="Let machines play their best: most beads, or highest value.")
@form_options()
@database_option
def compare(names: tuple[str, ...], greedy: bool, form: Form | None, db: str) -> None:
    """Print the exact table of all X machines against all O machines, or of those that are named.

    NAME may be a pattern, in quotes: 'men*' stands for all machines whose names begin so. It may be a fixed opponent,
    or a function in a Python file of yours, as ./my_player.py:novice; these play both sides.
    """
    from menace.analysis.strength_reports import comparison
    from menace.ledger.function_players import player_names

    with opened(db) as store, _garbage_collection_off():
        pairs = comparison(store, player_names(store, names), _policy(greedy))
        words = pairs.in_words()
    if form is not None:
        print_records(pairs.table(), form)
    else:
        say(table_text(words))


@contextmanager
def _garbage_collection_off() -> Iterator[None]:
    """Switch off garbage collection, which would search a quarter of a million tuples for cycles again and again."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@click.command(
    short_help="List the fixed opponents: how each plays, and how strong it is.",
    epilog=examples("menace players", "menace players --game hexapawn", "menace players --json"),
)
@click.option(
    "--game",
    shell_complete=completion.games,
    help="The game, without the database.  [default: the database's, else tictactoe]",
)
@click.option("--variant", metavar="TEXT", shell_complete=completion.variants, help="Which one of its family.")
@form_options()
@database_option
def players(game: str | None, variant: str | None, form: Form | None, db: str) -> None:
    """List the fixed opponents of a game, who never learn: how each plays, and how strong it is, exactly.

    The best response is the opponent that exploits a player most. Some opponents are for one game only and are refused
    in any other. The list includes functions of yours that the database stores, by the names of their tables.
    """
    from menace.analysis.listings import player_records
    from menace.games import DEFAULT_GAME, get_game
    from menace.ledger.database_file import is_missing_or_empty, positions_within
    from menace.ledger.positions import positions_of
    from menace.ledger.training import measured_opponents

    kept: list[str] = []
    if game is None and variant is None and not is_missing_or_empty(db):
        with opened(db) as store:
            positions = positions_of(store)
            kept = [row.name for row in store.policies()]
    else:
        positions = positions_within(get_game(game or DEFAULT_GAME, variant))
    strengths = measured_opponents(positions, kept)
    if form is not None:
        print_records(player_records(strengths), form)
    else:
        say(f"{positions.title}\n\n{_players_text(strengths, positions.has_draws)}")


def _players_text(strengths: Mapping[Policy, Mapping[str, Strength]], draws: bool) -> str:
    from menace.learners.opponents.fixed import fixed_opponent

    descriptions = {policy.name: fixed_opponent(policy.name).line for policy in strengths}
    rows = [
        [
            policy.name,
            policy.plays,
            *("/".join(f"{100 * p:.1f}" for p in ends_of(shares, draws)) for shares in against.values()),
        ]
        for policy, against in strengths.items()
    ]
    title = f"{' / '.join(ends_of(RESULTS, draws))} in percent"
    parts = [
        table(["player", "how it plays"], list(descriptions.items())),
        title,
        table(["player", "as", *(opponent.replace("_", " ") for opponent in OPPONENTS)], rows),
    ]
    return "\n\n".join(parts)


def _policy(greedy: bool) -> PolicyName:
    return "greedy" if greedy else "behaviour"


@click.command(
    short_help="List the moves by which a player gives something away.",
    epilog=examples(
        "menace mistakes menace-x",
        "menace mistakes ./my_player.py:novice --plays O",
        "menace mistakes random --plays X --most 5",
        "menace mistakes menace-x --greedy --csv",
    ),
)
@click.argument("name", shell_complete=completion.learners_and_functions)
@plays_option
@click.option("--greedy", is_flag=True, help="Let a machine play its best: most beads, or highest value.")
@click.option(
    "--most", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="How many to list at most."
)
@form_options()
@database_option
def mistakes(name: str, plays: str | None, greedy: bool, most: int, form: Form | None, db: str) -> None:
    """List where NAME errs: boards that it may come to, and moves there that give a win or a draw away.

    NAME is a machine, or with --plays a fixed opponent, or a function in a Python file of yours, as
    ./my_player.py:novice. What costs it most against random play comes first. JSON and CSV have all mistakes.
    """
    from menace.analysis.mistakes import mistakes_of

    with opened(db) as store:
        name, side = player_and_side(store, name, plays)
        listed = mistakes_of(store, name, "greedy" if greedy else "behaviour", side)
    if form is not None:
        print_records(listed.table(), form)
    else:
        say(_mistakes_text(listed, most))


def _mistakes_text(listed: Mistakes, most: int) -> str:
    from menace.analysis.mistakes import HEADER

    if not len(listed):
        return listed.title
    rows = [mistake.row for mistake in listed.all[:most]]
    more = f"\nand {counted(len(listed) - most, 'more mistake')} (--most {len(listed)})" if len(listed) > most else ""
    return f"{listed.title}\n\n{table(HEADER, rows)}{more}"


@click.command(
    short_help="Print the beads that a machine is expected to have, without playing.",
    epilog=examples(
        "menace expect menace-x --against random",
        "menace expect menace --plays X --against perfect --games 2000 --machines 1000",
        "menace expect menace-o --against perfect --board X........ --csv",
        "menace expect her --against optimal --games 20 --exact",
    ),
)
@click.argument("name", shell_complete=completion.learners)
@click.option(
    "--against",
    required=True,
    metavar="PLAYER",
    shell_complete=completion.opponents,
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
    from menace.analysis.strength_reports import loaded_player
    from menace.learners.machine import Machine
    from menace.ledger.database_file import is_missing_or_empty
    from menace.ledger.function_players import player_name
    from menace.ledger.learners import named_machine
    from menace.ledger.positions import positions_of

    if is_missing_or_empty(db):
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
