"""Exact strength of one player, and of two against each other; in memory, and of a database.

How a learner plays is its policy: `behaviour`, as it trains (beads are drawn, values are explored), or `greedy`, at its
best (the fullest pile, the highest value). The default is the behaviour.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from menace import kernel
from menace.analysis.lines_through_board import on_boards
from menace.arena.best_response import RefutingLine, exploited, game_value, most_likely_refutation
from menace.arena.exact_strength import ExactOutcomes, Outcomes, Strength, exact_outcomes, outcomes
from menace.arena.play_loop import Arena
from menace.arena.randomness import check_games, check_seed, new_seed, raw_numbers
from menace.errors import InvalidPlayer
from menace.games.base import Board, Side, SideText
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_opponent, is_fixed
from menace.learners.player import Player, policy_of
from menace.learners.policy import Policy, PolicyName
from menace.ledger.learners import load_machine
from menace.ledger.marks import measure
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.tables import Table, Tabular
from menace.wording import OPPONENTS, OUTCOMES, RESULTS, ends_of, percent

SAMPLE_MOST = 10**9  # games


RESULT = ("win", "draw", "loss")
STRENGTHS = (
    *("name", "plays", "policy", "opponent", *RESULT, "exploitability"),
    *("line", "line_probability", "line_ended_by"),
)
PAIRS = ("x", "o", "policy", "x_wins", "draw", "o_wins")


@dataclass(frozen=True, repr=False)
class StrengthReport(Tabular):
    """The exact strength of a machine.

    Attributes:
        name: of the learner; of a machine outside a database, that of its algorithm.
        plays: its side.
        policy: the policy that was measured.
        against: by opponent: `random`, `optimal`, and `best`, the best reply to it.
        value: of the game for its side under perfect play.
        exploitability: that value less its worst case.
        line: its most likely refutation, or None if it cannot be beaten.
        boards: the line's boards, from the first one.
        moves: the names of the line's moves.
        draws: whether the game can end in a draw.

    >>> strength(Machine("menace", "X"))
    menace plays X (behaviour)
      against random play: wins 60.7%, draws 12.6%, losses 26.7%
      against optimal play: wins 0.0%, draws 23.6%, losses 76.4%
      in the worst case: wins 2.0%, draws 8.2%, losses 89.8%
      exploitability 0.8780
    """

    name: str
    plays: Side
    policy: PolicyName
    against: dict[str, Strength]
    value: int
    exploitability: float
    line: RefutingLine | None
    boards: tuple[Board, ...]
    actions: tuple[int, ...]
    moves: tuple[str, ...]
    draws: bool

    @property
    def worst_case(self) -> Strength:
        """What it achieves against the best reply to it."""
        return self.against["best"]

    def rows(self) -> list[tuple[str, ...]]:
        """Return a row for each opponent: its name in words, and wins, draws if there are any, losses, in percent."""
        return [
            (OPPONENTS[opponent], *(percent(share).strip() for share in ends_of(outcomes, self.draws)))
            for opponent, outcomes in self.against.items()
        ]

    def __repr__(self) -> str:
        lines = [f"{self.name} plays {self.plays} ({self.policy})"]
        for opponent, *shares in self.rows():
            lines.append(
                f"  {opponent}: "
                + ", ".join(
                    f"{result} {share}" for result, share in zip(ends_of(RESULTS, self.draws), shares, strict=True)
                )
            )
        return "\n".join([*lines, f"  exploitability {self.exploitability:.4f}"])

    def table(self) -> Table:
        """Return a row for each opponent, with the shares of the results, as `--json` has them.

        The exploitability is that of the policy, and so is the `line`, its most likely refutation, as actions like
        those of a recorded game; it is None where the policy cannot be beaten.
        """
        line: tuple[object, ...] = (None, None, None)
        if self.line is not None:
            ended_by = "resignation" if self.line.resigns else "board"
            line = (",".join(map(str, self.actions)), self.line.probability, ended_by)
        who = (self.name, self.plays, self.policy)
        rows = [(*who, opponent, *shares, self.exploitability, *line) for opponent, shares in self.against.items()]
        return Table(STRENGTHS, rows)

    def in_words(self) -> Table:
        """Return a row for each opponent, as `rows`."""
        title = f"{self.name} plays {self.plays} ({self.policy}); exploitability {self.exploitability:.4f}"
        return Table(("", *ends_of(RESULTS, self.draws)), self.rows(), title)


@dataclass(frozen=True, repr=False)
class Matchup(Tabular):
    """Two players and the exact probabilities of the outcomes of their game.

    Attributes:
        x, o: their names.
        policy: the policy by which learners play.
        outcomes: that X wins, that it is a draw, that O wins.

    >>> evaluate("random", "optimal")
    random against optimal (behaviour): X wins 0.0%, draws 22.3%, O wins 77.7%
    """

    x: str
    o: str
    policy: PolicyName
    outcomes: Outcomes
    policies: tuple[Policy, Policy] = field(repr=False, compare=False)

    @property
    def fractions(self) -> ExactOutcomes:
        """The same without rounding; they can have thousands of digits."""
        return exact_outcomes(*self.policies)

    def table(self) -> Table:
        """Return one row: both players, and the probabilities of the outcomes, as `--json` has them."""
        return Table(PAIRS, [(self.x, self.o, self.policy, *self.outcomes)])

    def in_words(self) -> Table:
        """Return a row for each outcome, with its probability, below the names of both."""
        shares = [(outcome, f"{share:.6f}") for outcome, share in zip(OUTCOMES, self.outcomes, strict=True)]
        return Table(("", "exact"), ends_of(shares, self.policies[0].positions.has_draws), self._title)

    @property
    def _title(self) -> str:
        names = f"{self.x} against {self.o}" if self.x != self.o else f"{self.x} (X) against {self.o} (O)"
        return f"{names} ({self.policy})"

    def __repr__(self) -> str:
        shares = ends_of(
            list(zip(OUTCOMES, map(percent, self.outcomes), strict=True)), self.policies[0].positions.has_draws
        )
        return f"{self._title}: " + ", ".join(f"{outcome} {share.strip()}" for outcome, share in shares)


@dataclass(frozen=True)
class Sample:
    """Games that were played, as a check of the exact probabilities.

    Attributes:
        games: their number.
        shares: of them, that X won, that were drawn, that O won.
        errors: standard errors of these shares, from the exact probabilities: sqrt(p * (1 - p) / games).
        seed: of the games.
    """

    games: int
    shares: tuple[float, float, float]
    errors: tuple[float, float, float]
    seed: int


# In memory.


def strength(
    player: Player, policy: PolicyName = "behaviour", plays: SideText | None = None, positions: Positions | None = None
) -> StrengthReport:
    """Return how strong a player is, whether it can be beaten, and how.

    Args:
        player: a machine, or any other player, see `policy_of`.
        policy: a machine as it trains (`behaviour`) or at its best (`greedy`).
        plays: the side, `X` or `O`; None stands for that of a machine or a policy, and for X of a table or an array.
        positions: the game; None stands for the machine's or policy's own, else tic-tac-toe.

    Raises:
        InvalidPlayer: if it cannot play that side, or the side is unknown.

    >>> report = strength(Machine("menace", "X"))
    >>> report.worst_case.loss > 0.5, report.line is None
    (True, False)
    >>> strength("perfect", plays="O").exploitability
    0.0
    """
    played = policy_to_measure(player, policy, plays, positions)
    positions = played.positions
    against, exploitability = measured_strength(played)
    line = most_likely_refutation(played)
    boards, actions = on_boards(positions, positions.game.initial, line.moves if line else ())
    return StrengthReport(
        name=played.name,
        plays=played.plays,
        policy=played.kind,
        against=against,
        value=game_value(positions, played.side),
        exploitability=exploitability,
        line=line,
        boards=boards,
        actions=actions,
        moves=tuple(map(positions.game.name_of, boards, actions)),
        draws=positions.has_draws,
    )


def measured_strength(policy: Policy) -> tuple[dict[str, Strength], float]:
    """Return the exact strength of a policy by opponent, and its exploitability: what takes no line of play.

    >>> against, exploitability = measured_strength(Machine("menace", "X").policy())
    >>> round(against["best"].loss, 3), round(exploitability, 3)
    (0.898, 0.878)
    """
    against = measure(policy)
    return against, exploited(policy.positions, against["best"], policy.side)


def policy_to_measure(
    player: Player, policy: PolicyName, plays: SideText | None, positions: Positions | None
) -> Policy:
    """Return how a player plays, for `strength` and the like. Arguments and errors are those of `strength`.

    >>> policy_to_measure("perfect", "behaviour", "O", None).plays.value
    'O'
    """
    own: SideText | None = fixed_opponent(player).plays if isinstance(player, str) else getattr(player, "plays", Side.X)
    if plays is None and own is None:
        raise InvalidPlayer(f"{player!r} can play either side; say which, as in `strength({player!r}, plays='X')`")
    return policy_of(player, plays or own or Side.X, positions, policy)


def evaluate(x: Player, o: Player, policy: PolicyName = "behaviour", positions: Positions | None = None) -> Matchup:
    """Return the exact probabilities of X winning, a draw and O winning.

    Args:
        x: a machine that plays X, or any other player, see `policy_of`.
        o: the same for O.
        policy: machines as they train (`behaviour`) or at their best (`greedy`).
        positions: the game; None stands for that of a machine or a policy, else tic-tac-toe.

    Raises:
        InvalidPlayer: if a machine plays the other side, or there is no such player.
        InvalidGame: if the players are of two games.

    >>> evaluate("random", "random").fractions.draw
    Fraction(8, 63)
    >>> evaluate({".........": "4"}, "random")
    policy against random (behaviour): X wins 69.3%, draws 11.4%, O wins 19.3%
    """
    own = [player.positions for player in (x, o) if isinstance(player, Machine | Policy)]
    game = positions or next(iter(own), None)
    policies = policy_of(x, Side.X, game, policy), policy_of(o, Side.O, game, policy)
    return Matchup(policies[0].name, policies[1].name, policy, outcomes(*policies), policies)


# Of a database.


def strength_of(
    store: Store, name: str, policy: PolicyName = "behaviour", plays: SideText | None = None
) -> StrengthReport:
    """Return what `strength` does, for a learner of a database as it stands, or a fixed opponent that plays `plays`.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or it plays the other side.

    >>> before, after = strength(Machine("menace", "X")), strength_of(store, "menace-x")
    >>> [round(report.against["random"].win, 3) for report in (before, after)]
    [0.607, 0.709]
    """
    with store.snapshot():
        positions = positions_of(store)
        player = loaded_player(store, positions, name)
    return strength(player, policy, plays, positions)


def matchup_of(store: Store, x: Player, o: Player, policy: PolicyName = "behaviour") -> Matchup:
    """Return what `evaluate` does in the game of a database, whose learners are given by name.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or it plays the other side.

    >>> matchup_of(store, "menace-x", "menace-o")
    menace-x against menace-o (behaviour): X wins 44.2%, draws 22.6%, O wins 33.1%
    """
    with store.snapshot():
        positions = positions_of(store)
        x, o = (loaded_player(store, positions, player) if isinstance(player, str) else player for player in (x, o))
    return evaluate(x, o, policy, positions)


def sample(
    store: Store, x: str, o: str, games: int, policy: PolicyName = "behaviour", seed: int | None = None
) -> Sample:
    """Play games in which nobody learns, and return their shares of outcomes. Raises as `matchup_of`.

    >>> played = sample(store, "random", "random", games=1_000, seed=1)
    >>> played.shares[0], round(played.errors[0], 3)
    (0.571, 0.016)
    """
    games = check_games(games, SAMPLE_MOST)
    seed = new_seed() if seed is None else check_seed(seed)
    matchup = matchup_of(store, x, o, policy)
    arena = Arena(matchup.policies[0].positions)
    seats = [_seat(store, arena, name, matchup.policies[side]) for side, name in enumerate((x, o))]
    played = arena.play(seats[0], seats[1], raw_numbers(seed, 0), games, math.inf)
    shares = [count / games for count in played.outcomes]
    errors = [math.sqrt(max(p * (1 - p), 0.0) / games) for p in matchup.outcomes]
    return Sample(games, (shares[0], shares[1], shares[2]), (errors[0], errors[1], errors[2]), seed)


def loaded_player(store: Store, positions: Positions, name: str) -> str | Machine:
    """Return a fixed opponent by its name, and a learner as the machine that it is now.

    >>> loaded_player(store, positions_of(store), "random")
    'random'
    """
    return name if is_fixed(name) else load_machine(store, positions, store.learner(name))


def _seat(store: Store, arena: Arena, name: str, policy: Policy) -> kernel.FixedPlayer:
    """Return a kernel player that does not learn: a learner as it trains, or one that plays by its policy's weights."""
    if policy.kind == "behaviour" and not is_fixed(name):
        return load_machine(store, arena.positions, store.learner(name)).kernel_player(arena.graph, learns=False)
    ((_, weight),) = policy.parts
    total = np.where(policy.resigns > 0, 0, arena.positions.sum_over_moves(weight))
    return kernel.FixedPlayer(arena.graph, weight.astype(np.int32), total.astype(np.int32))
