"""Define the commands that measure strength: evaluate, strength, compare, players, mistakes and expect."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from menace.cli import completion, options
from menace.cli.terminal import print_records, print_report, print_table, say, strength_table, table
from menace.errors import InvalidPlayer
from menace.figures.kinds import BY_HELP, split_names
from menace.files.tables import Table
from menace.games import DEFAULT_GAME, get_game
from menace.games.base import Side
from menace.games.plugins import is_file
from menace.text.wording import MEASURES, OPPONENTS, RESULTS, Form, TableForm, counted, ends_of

if TYPE_CHECKING:
    from menace.analysis import grades
    from menace.arena.exact_strength import Strength
    from menace.learners.machine import Machine
    from menace.learners.player_to_policy import Player
    from menace.learners.policy import Policy, PolicyName
    from menace.ledger.store import Store


@options.command(
    "menace evaluate menace-x random",
    "menace evaluate random random --fractions",
    "menace evaluate menace-x menace-o --greedy --sampled 100000",
    "menace evaluate random random --fractions --json",
)
@click.argument("x", metavar="X", shell_complete=completion.complete_players_of("X"))
@click.argument("o", metavar="O", shell_complete=completion.complete_players_of("O"))
@options.greedy_option()
@click.option("--fractions", is_flag=True, help="Print exact fractions, too.")
@click.option(
    "--sampled", type=int, metavar="N", help="Also play N games, and compare their results with the exact results."
)
@options.seed_option
@options.form_options()
@options.database_option
def evaluate(
    x: str,
    o: str,
    policy: PolicyName,
    fractions: bool,
    sampled: int | None,
    seed: int | None,
    form: Form | None,
    db: str,
) -> None:
    """Print the exact probabilities of an X win, a draw and an O win in games of X against O.

    X and O are machines for these sides, fixed opponents (see `menace players`), or functions in your own Python files,
    such as ./my_player.py:novice.
    """
    from menace.analysis import matchups
    from menace.ledger.learners import player_or_function

    if seed is not None and sampled is None:
        raise click.UsageError("--seed applies only with --sampled; add --sampled or leave out --seed")
    with options.open_existing(db) as store:
        players = player_or_function(store, x, "X"), player_or_function(store, o, "O")
        matchup = matchups.matchup_of(store, *players, policy)
        sample = None if sampled is None else matchups.sample(store, *players, sampled, policy, seed)
    options.print_notes_on_chance([matchup.x, matchup.o])
    matchup = replace(matchup, sampled=sample, with_fractions=fractions)
    if form is not None:
        print_records(matchup.table(), form)
        return
    words = matchup.in_words()
    say(table(words.columns, words.rows) + ("" if sample is None else f"\nseed {sample.seed}"))


@options.command(
    "menace strength menace-x",
    "menace strength menace-x --csv",
    "menace strength 'td-*' --by alpha,epsilon",
    "menace strength 'td-*' --by alpha --latex",
    "menace strength random --plays O",
    "menace strength ./my_player.py:novice --plays O",
    short_help="Print a machine's strength and how to beat it.",
    name="strength",
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=completion.learners_and_functions)
@options.plays_option
@click.option("--by", multiple=True, metavar="SETTING[,SETTING]", help=f"With several machines: {BY_HELP}")
@options.form_options(**options.PAPER_FORMS)
@options.with_database
def strength_command(
    store: Store, names: tuple[str, ...], plays: str | None, by: tuple[str, ...], form: TableForm | None
) -> None:
    """Print the exact strength of the machine NAME, whether it can be beaten, and by which moves.

    NAME is a machine or, with --plays, a fixed opponent or a function in your own Python file.

    For several machines, or a pattern of names in quotes such as 'td-*', the command prints a table with one row for
    each group and policy. For each opponent, the table shows the percentage of lost games: the mean over the middle
    half of the machines, with a 95 % bootstrap interval. Three or more machines form a group if they have the same
    settings and number of games and differ only by chance. --json and --csv also include wins and draws.
    """
    from menace.learners.opponents.fixed import is_fixed

    if len(names) == 1 and (plays is not None or is_fixed(names[0]) or is_file(names[0])):
        _print_strength(store, names[0], plays, form)
        return
    learners = store.expand_names(names)
    if len(learners) == 1 and not by:
        _print_strength(store, learners[0], None, form)
    else:
        _print_groups(store, learners, split_names(by), form)


def _print_groups(store: Store, names: Sequence[str], by: Sequence[str], form: TableForm | None) -> None:
    from menace.analysis.learning_curves import GROUP_COLUMNS, group_strengths

    strengths = group_strengths(store, names, by)
    last = len(strengths.columns) - len(GROUP_COLUMNS)  # the columns before this column distinguish the groups
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
    # The names of machines are shown only if the other columns do not distinguish the groups.
    first = 1 if len({key[1:] for key in losses}) == len(losses) else 0
    if form is None:
        about = ": interquartile mean over machines, with its 95 % interval" if several else ""
        say(f"{MEASURES['losses']}, in percent{about}\n")
    header = [*strengths.columns[first:last], "policy", "games", "n", *OPPONENTS.values()]
    print_table(Table(header, [[*key[first:], *shares] for key, shares in losses.items()]), strengths, form)


def _print_strength(store: Store, name: str, plays: str | None, form: TableForm | None) -> None:
    from menace.analysis import grades
    from menace.learners.opponents.fixed import is_fixed
    from menace.ledger.training import POLICIES

    player, own = options.resolve_player(store, name, plays)
    policies = POLICIES if isinstance(player, str) and not is_fixed(player) else POLICIES[:1]
    reports = [grades.strength_of(store, player, policy, own) for policy in policies]
    measured = ((report.policy, report.against) for report in reports)
    header, rows = strength_table("policy", measured, store.has_draws())
    _note_on_chance(reports[0])
    if form is None:
        both = (
            "; the policy behaviour is used in training, and greedy always makes the best move"
            if len(reports) > 1
            else ""
        )
        say(f"{reports[0].name} plays {reports[0].plays}{both}\n")
    tables = [report.table() for report in reports]
    whole = Table(tables[0].columns, [row for table in tables for row in table.rows])
    print_table(Table(header, rows), whole, form)
    if form is not None:
        return
    for report in reports:
        say(f"\n{report.policy}: exploitability {report.exploitability:.4f}; {_beating_game_text(report)}")


def _note_on_chance(grade: grades.Grade) -> None:
    from menace.learners.opponents.functions import note_on_chance

    if grade.varies is not None:
        click.echo(note_on_chance(grade.name, grade.varies), err=True)


def _beating_game_text(report: grades.StrengthReport) -> str:
    from menace.learners.opponents.fixed import is_fixed

    if report.line is None:
        return "no opponent can beat it"
    itself = "the player" if report.asked is not None or is_fixed(report.name) else "the machine"
    lines = [f"it can be beaten; the most probable lost game (probability {report.line.probability:.6g}):"]
    for ply, (move, board) in enumerate(zip(report.moves, report.boards[1:], strict=True)):
        side = Side.after(ply)
        player = itself if side == report.plays else "its opponent"
        lines.append(f"  {side} plays {move}: {board}  {player}")
    if report.line.resigns:
        lines.append(f"  {report.plays} resigns: its box is empty")
    return "\n".join(lines)


@options.command(
    "menace compare",
    "menace compare menace-x perfect --greedy",
    "menace compare 'men*' --json",
    short_help="Print the exact results of all X machines against all O machines.",
)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.players)
@options.greedy_option()
@options.form_options()
@options.with_database
def compare(store: Store, names: tuple[str, ...], policy: PolicyName, form: Form | None) -> None:
    """Print a table of the exact results of all X machines against all O machines, or only of the named players.

    NAME can be a pattern in quotes: 'men*' selects all machines whose names start with men. NAME can also be a fixed
    opponent, or a function in your own Python file, such as ./my_player.py:novice. Fixed opponents and functions play
    both sides.
    """
    from menace.analysis import matchups
    from menace.ledger.learners import player_or_function

    with _garbage_collection_off():
        both: list[matchups.Named] = []
        for name in names:
            for_sides = dict.fromkeys(player_or_function(store, name, side) for side in Side)
            both += [player for player in for_sides if player != name] or [name]
        pairs = matchups.comparison(store, both, policy)
        options.print_notes_on_chance(each for pair in pairs for each in pair)
        print_report(pairs, form)


@contextmanager
def _garbage_collection_off() -> Iterator[None]:
    """Turn off garbage collection, which would repeatedly search 250,000 tuples for cycles."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@options.command(
    "menace players",
    "menace players --game hexapawn",
    "menace players --json",
    short_help="List the fixed opponents, with the description and strength of each.",
)
@options.game_options(
    "The game; with this option, the database is not read.  [default: the database's game, or tictactoe]", None
)
@options.form_options()
@options.database_option
def players(game: str | None, variant: str | None, form: Form | None, db: str) -> None:
    """List the fixed opponents of a game, which never learn, with the description and exact strength of each.

    The best response is the opponent that exploits a player most. Some opponents can play only one particular game. The
    list includes your own functions that are stored in the database, under the names of their tables.
    """
    from menace.analysis.listings import player_records
    from menace.ledger.create_and_open import is_missing_or_empty, positions_within
    from menace.ledger.positions import positions_of
    from menace.ledger.training import strengths_of_opponents

    kept: list[str] = []
    if game is None and variant is None and not is_missing_or_empty(db):
        with options.open_existing(db) as store:
            positions = positions_of(store)
            kept = [row.name for row in store.policies()]
    else:
        positions = positions_within(get_game(game or DEFAULT_GAME, variant))
    strengths = strengths_of_opponents(positions, kept)
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


@options.command(
    "menace mistakes menace-x",
    "menace mistakes ./my_player.py:novice --plays O",
    "menace mistakes random --plays X --most 5",
    "menace mistakes menace-x --greedy --csv",
    short_help="List a player's mistakes: moves that give away a win or a draw.",
)
@click.argument("name", shell_complete=completion.learners_and_functions)
@options.plays_option
@options.greedy_option("Make the machine always play its best move.")
@click.option(
    "--most", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="Maximum number of mistakes."
)
@options.form_options()
@options.with_database
def mistakes(store: Store, name: str, plays: str | None, policy: PolicyName, most: int, form: Form | None) -> None:
    """List the mistakes of NAME: moves that give away a win or a draw on boards that NAME can reach.

    NAME is a machine or, with --plays, a fixed opponent or a function in your own Python file, such as
    ./my_player.py:novice. The mistakes that cost most against random play come first. JSON and CSV contain all
    mistakes.
    """
    from menace.analysis import grades

    player, side = options.resolve_player(store, name, plays)
    report = grades.strength_of(store, player, policy, side)
    _note_on_chance(report)
    listed = grades.Mistakes(report.player, report.symmetric)
    if form is not None:
        print_records(listed.table(), form)
    else:
        say(_mistakes_text(listed, most))


def _mistakes_text(listed: grades.Mistakes, most: int) -> str:
    from menace.analysis.grades import HEADER

    if not len(listed):
        return listed.title
    rows = [mistake.row for mistake in listed.mistakes[:most]]
    more = f"\nand {counted(len(listed) - most, 'more mistake')} (--most {len(listed)})" if len(listed) > most else ""
    return f"{listed.title}\n\n{table(HEADER, rows)}{more}"


@options.command(
    "menace expect menace-x --against random",
    "menace expect menace --plays X --against perfect --games 2000 --machines 1000",
    "menace expect menace-o --against perfect --board X........ --csv",
    "menace expect her --against optimal --games 20 --exact",
    short_help="Compute a machine's expected beads after training.",
)
@click.argument("name", shell_complete=completion.learners)
@options.against_option("The opponent, which does not learn.")
@click.option("--plays", metavar="X|O", help="Use a new machine that plays this side; NAME is then a preset.")
@click.option("--games", type=int, default=220, show_default=True, metavar="N", help="Maximum number of games.")
@options.marks_option
@click.option("--board", help="The board whose box is printed.  [default: the boxes for the machine's first move]")
@click.option(
    "--machines", type=int, default=0, metavar="N", help="Also train N copies, with seeds 1 to N, for comparison."
)
@click.option(
    "--exact", is_flag=True, help="Also print the exact distribution if the boxes have few possible contents."
)
@options.form_options()
@options.database_option
def expect(name: str, against: str, plays: str | None, form: TableForm | None, db: str, **settings: Any) -> None:
    """Compute the expected beads of the machine NAME after games against PLAYER, without playing the games.

    The expected change over one game is exact. Over many games, the computation follows the mean machine; individual
    machines may differ from the mean. --machines trains copies of the machine, and prints the mean and standard
    deviation of the copies' shares of beads. --exact adds the probability of each possible state of the boxes. The
    database is not changed.
    """
    from menace.analysis.expected_beads import expect as expected

    machine, opponent = _players(db, name, against, plays)
    beads = expected(machine, opponent, **settings)
    print_report(beads, form)


def _players(db: str, name: str, against: str, plays: str | None) -> tuple[Machine, Player]:
    """Return the machine and its opponent. If there is no database, a preset plays tic-tac-toe."""
    from menace.learners.machine import Machine
    from menace.ledger.create_and_open import is_missing_or_empty
    from menace.ledger.learners import loaded_player, named_machine, player_name
    from menace.ledger.positions import positions_of

    if is_missing_or_empty(db):
        _check_preset_or_machine(name, plays, is_machine=False)
        if plays is not None:
            return Machine(name, options.parse_side(plays)), against
    with options.open_existing(db) as store:
        _check_preset_or_machine(name, plays, store.has_learner(name))
        positions = positions_of(store)
        machine = named_machine(store, name) if plays is None else Machine(name, options.parse_side(plays), positions)
        return machine, loaded_player(store, positions, player_name(store, against, machine.plays.other))


def _check_preset_or_machine(name: str, plays: str | None, is_machine: bool) -> None:
    """Raise InvalidPlayer if a preset has no given side, or if a side is given for a machine, whose side is fixed."""
    from menace.learners.registry import PRESETS

    if plays is None and name in PRESETS and not is_machine:
        raise InvalidPlayer(f"{name} is a preset; add the side that it plays, such as --plays X")
    if plays is not None and is_machine and name not in PRESETS:
        raise InvalidPlayer(f"{name} is a machine, which already has a side; leave out --plays, which is for presets")
