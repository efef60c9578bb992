"""How strong players are, exactly: of one, of two, and of many against each other; in memory, and of a database.

How a learner plays is its policy: `behaviour`, as it trains (beads are drawn, values are explored), or `greedy`, at its
best (the fullest pile, the highest value). Where nothing else is said, it is its behaviour.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from menace import kernel
from menace.arena.chance import Numbers, check_games, check_seed, new_seed
from menace.arena.crosstable import crosstable
from menace.arena.evaluation import ExactOutcomes, Outcomes, Strength, exact_outcomes, outcomes
from menace.arena.loop import Arena
from menace.arena.responses import Line, exploitability, game_value, surest_line
from menace.errors import InvalidPlayer
from menace.games.base import Board, Side
from menace.games.enumeration import tictactoe
from menace.games.positions import Positions
from menace.learners.base import Policy, PolicyKind, check_kind
from menace.learners.fixed import fixed_policy, is_fixed
from menace.learners.machine import Machine
from menace.ledger.machines import load_machine, named_machine
from menace.ledger.marks import measure
from menace.ledger.patterns import names_like
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.shelf.lines import on_boards
from menace.tables import html_table
from menace.wording import OPPONENTS, OUTCOMES, RESULTS, ends_of, percent

SAMPLE_MOST = 10**9  # games


@dataclass(frozen=True, repr=False)
class Report:
    """The exact strength of a machine.

    Attributes:
        name: of the learner, or of the algorithm of a machine that no database keeps.
        plays: its side.
        kind: the policy that was measured.
        against: by opponent: `random`, `optimal`, and `best`, the one that exploits it most.
        value: of the game for its side under perfect play.
        exploitability: that value less its worst case.
        line: the play that beats it most surely, or None if nobody can beat it.
        boards: the line's boards, from the first one.
        moves: what its moves are called.
        draws: whether the game has any.

    >>> strength(Machine("menace", "X"))
    menace plays X (behaviour)
      against random play: wins 60.7%, draws 12.6%, losses 26.7%
      against optimal play: wins 0.0%, draws 23.6%, losses 76.4%
      in the worst case: wins 2.0%, draws 8.2%, losses 89.8%
      exploitability 0.8780
    """

    name: str
    plays: Side
    kind: PolicyKind
    against: dict[str, Strength]
    value: int
    exploitability: float
    line: Line | None
    boards: tuple[Board, ...]
    actions: tuple[int, ...]
    moves: tuple[str, ...]
    draws: bool

    @property
    def worst_case(self) -> Strength:
        """What it achieves against the opponent that exploits it most."""
        return self.against["best"]

    def rows(self) -> list[tuple[str, ...]]:
        """Return a row for each opponent: who it is in words, and wins, draws (if any can be) and losses in percent."""
        return [
            (OPPONENTS[opponent], *(percent(share).strip() for share in ends_of(found, self.draws)))
            for opponent, found in self.against.items()
        ]

    def __repr__(self) -> str:
        lines = [f"{self.name} plays {self.plays} ({self.kind})"]
        for who, *shares in self.rows():
            lines.append(
                f"  {who}: "
                + ", ".join(f"{what} {share}" for what, share in zip(ends_of(RESULTS, self.draws), shares, strict=True))
            )
        return "\n".join([*lines, f"  exploitability {self.exploitability:.4f}"])

    def _repr_html_(self) -> str:
        caption = f"{self.name} plays {self.plays} ({self.kind}); exploitability {self.exploitability:.4f}"
        return html_table(["", *ends_of(RESULTS, self.draws)], self.rows(), caption)


@dataclass(frozen=True, repr=False)
class Meeting:
    """Two players and the exact probabilities of the outcomes of their game.

    Attributes:
        x, o: their names.
        kind: the policy by which learners play.
        outcomes: that X wins, that it is a draw, that O wins.

    >>> evaluate("random", "optimal")
    random against optimal (behaviour): X wins 0.0%, draws 22.3%, O wins 77.7%
    """

    x: str
    o: str
    kind: PolicyKind
    outcomes: Outcomes
    policies: tuple[Policy, Policy] = field(repr=False, compare=False)

    @property
    def fractions(self) -> ExactOutcomes:
        """The same without rounding; they can have thousands of digits."""
        return exact_outcomes(self.policies[0].positions, *self.policies)

    def __repr__(self) -> str:
        positions = self.policies[0].positions
        shares = ends_of(list(zip(OUTCOMES, map(percent, self.outcomes), strict=True)), positions.has_draws)
        found = ", ".join(f"{what} {share.strip()}" for what, share in shares)
        names = f"{self.x} against {self.o}" if self.x != self.o else f"{self.x} (X) against {self.o} (O)"
        return f"{names} ({self.kind}): {found}"


@dataclass(frozen=True)
class Sample:
    """Games that were played, beside what they should be.

    Attributes:
        games: how many.
        shares: of them, that X won, that were drawn, that O won.
        errors: standard errors of these shares, from the exact probabilities: sqrt(p * (1 - p) / games).
        seed: of the games.
    """

    games: int
    shares: tuple[float, float, float]
    errors: tuple[float, float, float]
    seed: int


# In memory.


def strength(machine: Machine, kind: PolicyKind = "behaviour") -> Report:
    """Return how strong a machine is, whether anyone can beat it, and how.

    >>> report = strength(Machine("menace", "X"))
    >>> report.worst_case.loss > 0.5, report.line is None
    (True, False)
    """
    if not isinstance(machine, Machine):
        raise InvalidPlayer(f"{machine!r} is not a machine; make one with `menace.Machine`")
    positions, policy, side = machine.positions, machine.policy(kind), machine.side
    line = surest_line(positions, policy, side)
    boards, actions = on_boards(positions, positions.game.initial, line.moves if line else ())
    return Report(
        name=machine.name,
        plays=machine.plays,
        kind=kind,
        against=measure(machine, kind),
        value=game_value(positions, side),
        exploitability=exploitability(positions, policy, side),
        line=line,
        boards=boards,
        actions=actions,
        moves=tuple(map(positions.game.name_of, boards, actions)),
        draws=positions.has_draws,
    )


def evaluate(x: Machine | str, o: Machine | str, kind: PolicyKind = "behaviour") -> Meeting:
    """Return the exact probabilities of X winning, a draw and O winning.

    Args:
        x: a machine that plays X, or the name of a fixed opponent, such as `random` (`learners.fixed.FIXED`).
        o: the same for O.
        kind: machines as they train (`behaviour`) or at their best (`greedy`).

    Raises:
        InvalidPlayer: if a machine plays the other side, or there is no such fixed opponent.
        InvalidGame: if the machines are of two games.

    >>> evaluate("random", "random").fractions.draw
    Fraction(8, 63)
    """
    machines = [player for player in (x, o) if isinstance(player, Machine)]
    positions = machines[0].positions if machines else tictactoe()
    return _meeting(positions, (x, o), kind)


def _meeting(positions: Positions, players: tuple[Machine | str, Machine | str], kind: PolicyKind) -> Meeting:
    check_kind(kind)
    names, policies = [], []
    for side, player in zip(Side, players, strict=True):
        if isinstance(player, str):
            names.append(player)
            policies.append(fixed_policy(player, positions, side.number))
            continue
        if not isinstance(player, Machine):
            raise InvalidPlayer(f"{player!r} cannot play here; take a `menace.Machine`, or name a fixed opponent")
        if player.plays is not side:
            raise InvalidPlayer(f"{player.name} plays {player.plays}, not {side}; name another {side}")
        names.append(player.name)
        policies.append(player.policy(kind))
    pair = (policies[0], policies[1])
    return Meeting(names[0], names[1], kind, outcomes(positions, *pair), pair)


# Of a database.


def strength_of(store: Store, name: str, kind: PolicyKind = "behaviour") -> Report:
    """Return what `strength` does of a learner as it stands.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> before, after = strength(Machine("menace", "X")), strength_of(store, "menace-x")
    >>> [round(report.against["random"].win, 3) for report in (before, after)]
    [0.607, 0.709]
    """
    return strength(named_machine(store, name), kind)


def meeting_of(store: Store, x: str, o: str, kind: PolicyKind = "behaviour") -> Meeting:
    """Return what `evaluate` does of two learners, or fixed opponents, by name.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or it plays the other side.

    >>> meeting_of(store, "menace-x", "menace-o")
    menace-x against menace-o (behaviour): X wins 44.2%, draws 22.6%, O wins 33.1%
    """
    with store.snapshot():
        positions = positions_of(store)
        x_player, o_player = (name if is_fixed(name) else _learner(store, positions, name) for name in (x, o))
    return _meeting(positions, (x_player, o_player), kind)


def sample(store: Store, x: str, o: str, games: int, kind: PolicyKind = "behaviour", seed: int | None = None) -> Sample:
    """Play games in which nobody learns, and return their shares of outcomes. Raises as `meeting_of`.

    Raises:
        InvalidRun: if `games` is not from 1 to 10^9.

    >>> found = sample(store, "random", "random", games=1_000, seed=1)
    >>> found.shares[0], round(found.errors[0], 3)
    (0.571, 0.016)
    """
    games = check_games(games, SAMPLE_MOST)
    seed = new_seed() if seed is None else check_seed(seed)
    meeting = meeting_of(store, x, o, kind)
    arena = Arena(meeting.policies[0].positions)
    seats = [_seat(store, arena, name, meeting.policies[side], kind) for side, name in enumerate((x, o))]
    played = arena.play(seats[0], seats[1], Numbers(seed, 0), games, math.inf)
    shares = [count / games for count in played.outcomes]
    errors = [math.sqrt(max(p * (1 - p), 0.0) / games) for p in meeting.outcomes]
    return Sample(games, (shares[0], shares[1], shares[2]), (errors[0], errors[1], errors[2]), seed)


def compare(store: Store, names: Sequence[str] = (), kind: PolicyKind = "behaviour") -> dict[tuple[str, str], Outcomes]:
    """Return the exact outcomes of every X against every O among some players.

    Args:
        store: the database.
        names: learners, or patterns of their names, each of which plays its side, and fixed opponents, which play
            both; none stands for every learner.
        kind: as for `evaluate`.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or nobody plays X, or O.

    >>> for (x, o), found in compare(store, ["menace-x", "menace-o", "optimal"]).items():
    ...     print(f"{x} wins {found.x_wins:.3f} against {o}")
    menace-x wins 0.442 against menace-o
    menace-x wins 0.000 against optimal
    optimal wins 0.943 against menace-o
    optimal wins 0.000 against optimal
    """
    check_kind(kind)
    with store.copied() as copy:
        positions = positions_of(copy)
        names = names_like(copy, names)
        rows = [copy.learner(name) for name in names if not is_fixed(name)] if names else copy.learners()
        machines = [load_machine(copy, positions, row) for row in rows]
    policies: list[dict[str, Policy]] = []
    for side in Side:
        found = {m.name: m.policy(kind) for m in machines if m.plays is side}
        found |= {name: fixed_policy(name, positions, side.number) for name in names if is_fixed(name)}
        if not found:
            named = f" (named: {', '.join(names)})" if names else ""
            raise InvalidPlayer(f"nobody plays {side}{named}; name a player that does, such as random")
        policies.append(found)
    xs, os = policies
    table = crosstable(positions, list(xs.values()), list(os.values()))
    return dict(zip(itertools.product(xs, os), itertools.chain.from_iterable(table), strict=True))


def _learner(store: Store, positions: Positions, name: str) -> Machine:
    return load_machine(store, positions, store.learner(name))


def _seat(store: Store, arena: Arena, name: str, policy: Policy, kind: PolicyKind) -> kernel.FixedPlayer:
    """Return a player that does not learn: a learner as it trains, or one who picks by the weights of its policy."""
    if kind == "behaviour" and not is_fixed(name):
        return _learner(store, arena.positions, name).sit(arena.graph, learns=False)
    ((_, weight),) = policy.parts
    total = np.where(policy.resigns > 0, 0, arena.positions.sum_over_moves(weight))
    return kernel.FixedPlayer(arena.graph, weight.astype(np.int32), total.astype(np.int32))
