"""Compare players by the exact outcome probabilities of their games, and find positions where two machines differ."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from menace.arena.exact_strength import ExactOutcomes, Outcomes, exact_outcomes, outcomes, outcomes_of_pairs
from menace.arena.play import Arena, check_games, check_seed, new_seed, raw_numbers
from menace.errors import InvalidPlayer
from menace.files.tables import Table, Tabular
from menace.games.base import Board, Side
from menace.games.enumeration import tictactoe, without_symmetry
from menace.games.positions import Positions, check_same_game
from menace.kernel import loop as kernel
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_opponent
from menace.learners.opponents.functions import varying
from menace.learners.player_to_policy import Player, policy_of
from menace.learners.policy import Policy, PolicyFunction, PolicyName, ask, changed_answer, check_policy_name
from menace.ledger.learners import loaded_player
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.text.wording import OUTCOMES, counted, ends_of, percent

MAX_SAMPLE = 10**9  # games


PAIRS = ("x", "o", "policy", *Outcomes._fields)
SIX_DECIMALS = "{:.6f}".format


@dataclass(frozen=True, repr=False)
class Matchup(Tabular):
    """Two players and the exact probabilities of the outcomes of a game between them.

    Attributes:
        x, o: the names of the two players.
        policy: the policy by which learners play.
        outcomes: the probabilities of an X win, a draw and an O win.
        policies: the policies of the two players.
        sampled: games that were played to check the probabilities, or None.
        with_fractions: whether the tables also contain the probabilities as exact fractions.

    >>> evaluate("random", "optimal")
    random against optimal (behaviour): X wins 0.0%, draws 22.3%, O wins 77.7%
    """

    x: str
    o: str
    policy: PolicyName
    outcomes: Outcomes
    policies: tuple[Policy, Policy] = field(repr=False, compare=False)
    sampled: Sample | None = None
    with_fractions: bool = False

    @property
    def fractions(self) -> ExactOutcomes:
        """The probabilities as exact fractions, which can have thousands of digits."""
        return exact_outcomes(*self.policies)

    def table(self) -> Table:
        """Return a table of one row with both players and the outcome probabilities, as in `--json`.

        If games were sampled, the table also contains the number of games, the seed, and each outcome's share with its
        standard error.

        >>> from dataclasses import replace
        >>> replace(evaluate("random", "optimal"), with_fractions=True).table().columns[3:]
        ('x_wins', 'draw', 'o_wins', 'x_wins_fraction', 'draw_fraction', 'o_wins_fraction')
        """
        row: dict[str, Any] = dict(zip(PAIRS, (self.x, self.o, self.policy, *self.outcomes), strict=True))
        if self.sampled is not None:
            row |= {"games": self.sampled.games, "seed": self.sampled.seed}
            for outcome, share, error in zip(Outcomes._fields, self.sampled.shares, self.sampled.errors, strict=True):
                row |= {f"{outcome}_sampled": share, f"{outcome}_error": error}
        if self.with_fractions:
            row |= {f"{name}_fraction": fraction_text(share) for name, share in self.fractions._asdict().items()}
        return Table(tuple(row), [tuple(row.values())])

    def in_words(self) -> Table:
        """Return a table with a row for each outcome and its probability, under a title with both players' names."""
        columns: dict[str, Iterable[str]] = {"": OUTCOMES, "exact": map(SIX_DECIMALS, self.outcomes)}
        if self.sampled is not None:
            games, shares, errors, _ = astuple(self.sampled)
            columns |= {f"of {counted(games, 'game')}": map(SIX_DECIMALS, shares)}
            columns |= {
                "standard error": map(SIX_DECIMALS, errors),
                "off by": map(_off_by, self.outcomes, shares, errors),
            }
        if self.with_fractions:  # fractions come last, because they can have thousands of digits
            columns["as a fraction"] = map(fraction_text, self.fractions)
        rows = ends_of(zip(*columns.values(), strict=True), self.policies[0].positions.has_draws)
        return Table(tuple(columns), rows, self._table_title)

    @property
    def _table_title(self) -> str:
        names = f"{self.x} against {self.o}" if self.x != self.o else f"{self.x} (X) against {self.o} (O)"
        return f"{names} ({self.policy})"

    def __repr__(self) -> str:
        shares = ends_of(
            list(zip(OUTCOMES, map(percent, self.outcomes), strict=True)), self.policies[0].positions.has_draws
        )
        return f"{self._table_title}: " + ", ".join(f"{outcome} {share.strip()}" for outcome, share in shares)


def fraction_text(value: Fraction) -> str:
    """Return a fraction as text, without Python's limit of 4,300 digits, which fractions for two learners can exceed.

    >>> fraction_text(Fraction(8, 63))
    '8/63'
    """
    sys.set_int_max_str_digits(0)
    return f"{value.numerator}/{value.denominator}"


def _off_by(exact: float, share: float, error: float) -> str:
    return f"{(share - exact) / error:+.1f} errors" if error > 0 else "exact"


@dataclass(frozen=True)
class Sample:
    """Games that were played to check the exact probabilities.

    Attributes:
        games: the number of games.
        shares: the shares of X wins, draws and O wins.
        errors: the standard errors of these shares, sqrt(p * (1 - p) / games), where p is the exact probability.
        seed: the random seed of the games.
    """

    games: int
    shares: tuple[float, float, float]
    errors: tuple[float, float, float]
    seed: int


# The following functions compare players in memory.


def evaluate(x: Player, o: Player, policy: PolicyName = "behaviour", positions: Positions | None = None) -> Matchup:
    """Return the exact probabilities of an X win, a draw and an O win.

    Args:
        x: a machine that plays X, or any other player (see `policy_of`).
        o: the same for O.
        policy: how machines play: `behaviour`, as they train, or `greedy`.
        positions: the game's positions. None selects the game of the given machine or policy, or tic-tac-toe if there
            is none.

    Raises:
        InvalidPlayer: if a machine plays the other side, or there is no such player.
        InvalidGame: if the players belong to different games.

    >>> evaluate("random", "random").fractions.draw
    Fraction(8, 63)
    >>> evaluate({".........": "4"}, "random")
    policy against random (behaviour): X wins 69.3%, draws 11.4%, O wins 19.3%
    """
    first, second = _policies([(x, Side.X), (o, Side.O)], positions, policy)
    return Matchup(first.name, second.name, policy, outcomes(first, second), (first, second))


def _policies(seats: Sequence[tuple[Player, Side]], positions: Positions | None, policy: PolicyName) -> list[Policy]:
    """Return the players' policies.

    If a player is a function, the policies cover every board separately, because the function may treat mirrored boards
    differently. The function is called for every board that its own moves can reach.
    """
    own = [player.positions for player, _ in seats if isinstance(player, Machine | Policy)]
    game = positions or next(iter(own), tictactoe())
    if not any(callable(player) for player, _ in seats):
        return [policy_of(player, side, game, policy) for player, side in seats]
    check_policy_name(policy)
    return [
        _asked(player, side, without_symmetry(game))
        if callable(player)
        else policy_of(player, side, game, policy).on_every_board()
        for player, side in seats
    ]


def _asked(function: PolicyFunction, side: Side, game: Positions) -> Policy:
    asked = ask(function, side, game, reachable=True)
    if (board := changed_answer(function, asked)) is not None:
        varying[asked.policy.name] = board
    return asked.policy


# The following functions compare players in a database.


def matchup_of(store: Store, x: Player, o: Player, policy: PolicyName = "behaviour") -> Matchup:
    """Return the result of `evaluate` for two players of a database's game. Learners are given by name.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or it plays the other side.

    >>> matchup_of(store, "menace-x", "menace-o")
    menace-x against menace-o (behaviour): X wins 44.2%, draws 22.6%, O wins 33.1%
    """
    with store.snapshot():
        positions = positions_of(store)
        x, o = (loaded_player(store, positions, player) for player in (x, o))
    return evaluate(x, o, policy, positions)


def sample(
    store: Store, x: Player, o: Player, games: int, policy: PolicyName = "behaviour", seed: int | None = None
) -> Sample:
    """Play games without learning, and return the share of each outcome. Raises the same errors as `matchup_of`.

    >>> played = sample(store, "random", "random", games=1_000, seed=1)
    >>> played.shares[0], round(played.errors[0], 3)
    (0.571, 0.016)
    """
    games = check_games(games, MAX_SAMPLE)
    seed = new_seed() if seed is None else check_seed(seed)
    matchup = matchup_of(store, x, o, policy)
    arena = Arena(matchup.policies[0].positions)
    seats = [_seat(store, arena, player, matchup.policies[side]) for side, player in enumerate((x, o))]
    played = arena.play(seats[0], seats[1], raw_numbers(seed, 0), games, math.inf)
    shares = [count / games for count in played.outcomes]
    errors = [math.sqrt(max(p * (1 - p), 0.0) / games) for p in matchup.outcomes]
    return Sample(games, (shares[0], shares[1], shares[2]), (errors[0], errors[1], errors[2]), seed)


def _seat(store: Store, arena: Arena, player: Player, policy: Policy) -> kernel.FixedPlayer:
    """Return a kernel player that does not learn: a learner's machine, or a fixed player with the policy's weights."""
    if policy.kind == "behaviour" and arena.positions is positions_of(store):
        machine = loaded_player(store, arena.positions, player)
        if isinstance(machine, Machine):
            return machine.kernel_player(arena.graph, learns=False)
    weight = policy.parts[0][1] if policy.ever_resigns else policy.integer_weights
    total = np.where(policy.resigns > 0, 0, arena.positions.sum_over_moves(weight))
    return kernel.FixedPlayer(arena.graph, weight.astype(np.int32), total.astype(np.int32))


P = TypeVar("P")
Named: TypeAlias = str | Machine | Policy | PolicyFunction  # a player that has a name


class Comparison(dict[tuple[str, str], Outcomes], Tabular):
    """The exact outcome probabilities of every X player against every O player, keyed by the two players' names.

    Attributes:
        policy: how machines play.
        draws: whether the game can end in a draw.

    >>> compare(["random", "optimal"]).in_words().rows[0]
    ('random', '58.5/12.7/28.8', '0.0/22.3/77.7')
    """

    def __init__(self, pairs: Mapping[tuple[str, str], Outcomes], policy: PolicyName, draws: bool) -> None:
        super().__init__(pairs)
        self.policy, self.draws = policy, draws

    __repr__ = Tabular.__repr__

    def table(self) -> Table:
        """Return a table with a row for each pair of X and O players and its outcome probabilities, as in `--json`."""
        return Table(PAIRS, [(x, o, self.policy, *outcomes) for (x, o), outcomes in self.items()])

    def in_words(self) -> Table:
        """Return a table with a row for each X player and a column for each O player."""
        x_names, o_names = (list(dict.fromkeys(pair[side] for pair in self)) for side in (0, 1))
        # This loop must be fast, because a thousand learners form a quarter of a million pairs.
        shape = "/".join(ends_of(["%.1f"] * 3, self.draws))
        rows = [
            (x, *(shape % tuple([100 * share for share in ends_of(self[x, o], self.draws)]) for o in o_names))
            for x in x_names
        ]
        return Table(("X \\ O", *o_names), rows, f"{' / '.join(ends_of(OUTCOMES, self.draws))}, in percent")


def compare(
    *players: Named | Iterable[Named], policy: PolicyName = "behaviour", positions: Positions | None = None
) -> Comparison:
    """Return the exact outcome probabilities of every X player against every O player.

    Args:
        players: machines and policies, which play only their own side, and functions and names of fixed opponents,
            which play both sides. Lists of players are also accepted.
        policy: as for `evaluate`.
        positions: as for `evaluate`.

    Raises:
        InvalidPlayer: if there is no such player, or no player for X or for O.
        InvalidGame: if the players belong to different games.

    >>> pairs = compare([Machine("menace", "X"), "perfect"])
    >>> {pair: round(outcomes.draw, 3) for pair, outcomes in pairs.items()}
    {('menace', 'perfect'): 0.236, ('perfect', 'perfect'): 1.0}
    """
    listed: list[Named] = list(each_of(players))
    for player in listed:
        if not (isinstance(player, str | Machine | Policy) or callable(player)):
            raise InvalidPlayer(
                f"{player!r} has no name to show in the table; pass a learner's `machine()`, or convert a dict or"
                " an array with `menace.policy_of`"
            )
    # Machines and functions come first, followed by fixed opponents. Both groups keep the order in which the players
    # were named.
    ordered = sorted(dict.fromkeys(listed), key=lambda player: isinstance(player, str))
    seats = [(player, side) for side in Side for player in ordered if _plays(player) in {None, side}]
    measured = _policies(seats, positions, policy)
    policies: list[dict[str, Policy]] = []
    for side in Side:
        named = [played for played in measured if played.plays is side]
        if not named:
            raise InvalidPlayer(f"no player plays {side}; add a player for {side}, such as random")
        policies.append({played.name: played for played in named})
        if len(policies[-1]) < len(named):
            raise InvalidPlayer(f"two players for {side} have the same name; change one name with `machine.name = ...`")
    xs, os = policies
    table = outcomes_of_pairs(list(xs.values()), list(os.values()))
    pairs = dict(zip(itertools.product(xs, os), itertools.chain.from_iterable(table), strict=True))
    return Comparison(pairs, policy, policies[0][next(iter(xs))].positions.has_draws)


def each_of(players: Iterable[P | Iterable[P]]) -> Iterator[P]:
    """Yield each player, whether it was given on its own or in a list.

    >>> list(each_of(["random", ["perfect", "optimal"]]))
    ['random', 'perfect', 'optimal']
    """
    for player in players:
        if isinstance(player, list | tuple | set | frozenset | Iterator):
            yield from player
        else:
            yield cast(P, player)


def _plays(player: Named) -> Side | None:
    """Return the only side that the player can play, or None if it can play both sides."""
    return fixed_opponent(player).plays if isinstance(player, str) else getattr(player, "plays", None)


def comparison(store: Store, players: Sequence[Named] = (), policy: PolicyName = "behaviour") -> Comparison:
    """Return the result of `compare` for players of a database's game.

    Args:
        store: the database.
        players: names of learners, name patterns, and other players. If empty, every learner is compared.
        policy: as for `evaluate`.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or no player for X or for O.

    >>> for (x, o), outcomes in comparison(store, ["menace-x", "menace-o", "optimal"]).items():
    ...     print(f"{x} wins {outcomes.x_wins:.3f} against {o}")
    menace-x wins 0.442 against menace-o
    menace-x wins 0.000 against optimal
    optimal wins 0.943 against menace-o
    optimal wins 0.000 against optimal
    """
    with store.copied() as copy:
        positions = positions_of(copy)
        names = copy.expand_names([player for player in players if isinstance(player, str)])
        if not players:
            names = [row.name for row in copy.learners()]
        loaded: list[Named] = [loaded_player(copy, positions, name) for name in names]
    in_memory = [player for player in players if not isinstance(player, str)]
    return compare(loaded, in_memory, policy=policy, positions=positions)


LEAST = 1e-12  # smaller differences are rounding errors


class BoxDifference(NamedTuple):
    """A position in which two machines that play the same side have different move probabilities.

    Attributes:
        position_id: the id of the position.
        board: the canonical board.
        apart: the total variation distance between the two machines' choices, greater than 0 and at most 1. Resigning
            counts as a choice.
        shares: the probability that each machine makes each move, by action.
        resigns: the probability that each machine resigns.
    """

    position_id: int
    board: Board
    apart: float
    shares: dict[int, tuple[float, float]]
    resigns: tuple[float, float]


def differences(first: Machine, second: Machine, policy: PolicyName = "behaviour") -> list[BoxDifference]:
    """Return the positions in which two machines choose differently, starting with the largest difference.

    Args:
        first: a machine.
        second: a machine for the same side and game, which may use another algorithm.
        policy: how the machines play: `behaviour`, as they train, or `greedy`.

    Raises:
        InvalidPlayer: if they play different sides.
        InvalidGame: if they play different games.

    >>> boxes = differences(Machine("menace", "X"), Machine("michie-1961", "X"))
    >>> len(boxes), boxes[0].board, round(boxes[0].apart, 3)  # Michie's machine has no box there and picks any cell
    (5, 'XXOX..O.O', 0.167)
    >>> differences(Machine("menace", "X"), Machine("scroggs", "X"))  # more beads, but the same choices
    []
    """
    check_policy_name(policy)
    positions = first.positions
    if first.plays is not second.plays:
        raise InvalidPlayer(
            f"one machine plays {first.plays} and the other plays {second.plays}; compare machines for the same side"
        )
    check_same_game(positions, second.positions)
    policies = (first.policy(policy), second.policy(policy))
    shares = np.stack([played.probability for played in policies])
    resigns = np.stack([played.resigns for played in policies])
    between = positions.sum_over_moves(np.abs(shares[0] - shares[1])) + np.abs(resigns[0] - resigns[1])
    apart = np.where(positions.moved_by(first.side), between / 2, 0.0)
    order = np.argsort(-apart, kind="stable")
    return [_at(first, shares, resigns, int(here), float(apart[here])) for here in order[: int((apart > LEAST).sum())]]


def _at(machine: Machine, shares: NDArray[Any], resigns: NDArray[Any], here: int, apart: float) -> BoxDifference:
    positions = machine.positions
    moves = positions.moves_of(here)
    own = {int(positions.action[move]): (float(shares[0, move]), float(shares[1, move])) for move in moves}
    return BoxDifference(here, positions.boards[here], apart, own, (float(resigns[0, here]), float(resigns[1, here])))
