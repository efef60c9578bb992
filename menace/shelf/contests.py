"""How strong the players of a database are, exactly: of one, of two, and of many against each other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from menace import kernel
from menace.arena.chance import Numbers, check_seed, new_seed
from menace.arena.evaluation import (
    ExactOutcomes,
    Line,
    Outcomes,
    Strength,
    exact_outcomes,
    exploitability,
    game_value,
    outcomes,
    surest_line,
)
from menace.arena.loop import Arena
from menace.errors import InvalidPlayer, InvalidRun
from menace.games.base import SIDES, Board
from menace.games.positions import Positions
from menace.learners.base import Policy, PolicyKind
from menace.learners.fixed import fixed_policy, is_fixed
from menace.ledger.machines import Learner, load_machine, named_machine
from menace.ledger.marks import measure
from menace.ledger.positions import positions_of
from menace.ledger.store import Store


@dataclass(frozen=True)
class Report:
    """The exact strength of a learner.

    Attributes:
        against: by opponent: `random`, `optimal`, and `best`, the one that exploits it most (its worst case).
        value: of the game for its side under perfect play.
        exploitability: that value less its worst case.
        line: the play that beats it most surely, or None if nobody can beat it.
        boards: the line's boards, from the empty one.
    """

    name: str
    plays: str
    kind: PolicyKind
    against: dict[str, Strength]
    value: int
    exploitability: float
    line: Line | None
    boards: tuple[Board, ...]
    actions: tuple[int, ...]


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


def evaluate(store: Store, x: str, o: str, kind: PolicyKind = "behaviour") -> Outcomes:
    """Return the exact probabilities of X winning, a draw and O winning.

    Args:
        store: the database.
        x: a learner that plays X, or a fixed opponent.
        o: a learner that plays O, or a fixed opponent.
        kind: learners as they train (`behaviour`) or at their best (`greedy`).

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or it plays the other side.
    """
    positions, policies = _policies(store, (x, o), kind)
    return outcomes(positions, *policies)


def evaluate_exactly(store: Store, x: str, o: str, kind: PolicyKind = "behaviour") -> ExactOutcomes:
    """Return what `evaluate` returns, as fractions."""
    positions, policies = _policies(store, (x, o), kind)
    return exact_outcomes(positions, *policies)


def sample(store: Store, x: str, o: str, games: int, kind: PolicyKind = "behaviour", seed: int | None = None) -> Sample:
    """Play games in which nobody learns, and return their shares of outcomes. Raises as `evaluate`.

    Raises:
        InvalidRun: if `games` is not from 1 to 10^9.
    """
    if not 1 <= games <= 10**9:
        raise InvalidRun(f"games={games}: a sample has from 1 to 1,000,000,000 games")
    seed = new_seed() if seed is None else check_seed(seed)
    positions, policies = _policies(store, (x, o), kind)
    arena = Arena(positions)
    x_player, o_player = (
        _kernel_player(store, arena, text, side, policies[side], kind) for side, text in enumerate((x, o))
    )
    played = arena.play(x_player, o_player, Numbers(seed, 0), games, math.inf)
    exact = outcomes(positions, *policies)
    shares = [count / games for count in played.outcomes]
    errors = [math.sqrt(max(p * (1 - p), 0.0) / games) for p in exact]
    return Sample(games, (shares[0], shares[1], shares[2]), (errors[0], errors[1], errors[2]), seed)


def strength(store: Store, name: str, kind: PolicyKind = "greedy") -> Report:
    """Return how strong a learner is, whether anyone can beat it, and how.

    Raises:
        UnknownLearner: if there is no such learner.
    """
    machine = named_machine(store, name)
    positions, policy, side = machine.positions, machine.policy(kind), machine.side
    line = surest_line(positions, policy, side)
    boards, actions = _on_boards(positions, line)
    return Report(
        name=name,
        plays=machine.row.plays,
        kind=kind,
        against=measure(machine, kind),
        value=game_value(positions, side),
        exploitability=exploitability(positions, policy, side),
        line=line,
        boards=boards,
        actions=actions,
    )


def compare(store: Store, names: list[str], kind: PolicyKind = "behaviour") -> dict[tuple[str, str], Outcomes]:
    """Return the exact outcomes of every X against every O among some players.

    Args:
        store: the database.
        names: learners, each of which plays its side, and fixed opponents, which play both; none stands for every
            learner.
        kind: as for `evaluate`.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or nobody plays X, or O.
    """
    with store.copied() as copy:
        positions = positions_of(copy)
        rows = [copy.learner(name) for name in names if not is_fixed(name)] if names else copy.learners()
        machines = [load_machine(copy, positions, row) for row in rows]
    policies: list[dict[str, Policy]] = []
    for side in (0, 1):
        found = {m.row.name: m.policy(kind) for m in machines if m.side == side}
        found |= {name: fixed_policy(name, positions, side) for name in names if is_fixed(name)}
        if not found:
            raise InvalidPlayer(
                f"nobody among {', '.join(names) or 'the learners'} plays {SIDES[side]}; name one that does"
            )
        policies.append(found)
    return {
        (x, o): outcomes(positions, x_policy, o_policy)
        for x, x_policy in policies[0].items()
        for o, o_policy in policies[1].items()
    }


def _policies(store: Store, players: tuple[str, str], kind: PolicyKind) -> tuple[Positions, tuple[Policy, Policy]]:
    with store.snapshot():
        positions = positions_of(store)
        machines = [
            None if is_fixed(text) else _seated(store, positions, text, side) for side, text in enumerate(players)
        ]
    x, o = (
        fixed_policy(text, positions, side) if machine is None else machine.policy(kind)
        for side, (text, machine) in enumerate(zip(players, machines, strict=True))
    )
    return positions, (x, o)


def _seated(store: Store, positions: Positions, name: str, side: int) -> Learner:
    row = store.learner(name)
    if row.plays != SIDES[side]:
        raise InvalidPlayer(f"learner {name} plays {row.plays}, not {SIDES[side]}; name one that plays {SIDES[side]}")
    return load_machine(store, positions, row)


def _kernel_player(
    store: Store, arena: Arena, text: str, side: int, policy: Policy, kind: PolicyKind
) -> kernel.FixedPlayer:
    """Return a player that does not learn: a learner as it trains, or one who picks by the weights of its policy."""
    if kind == "behaviour" and not is_fixed(text):
        return _seated(store, arena.positions, text, side).sit(arena.graph, learns=False)
    ((_, weight),) = policy.parts
    total = np.where(policy.resigns > 0, 0, arena.positions.sum_over_moves(weight))
    return kernel.FixedPlayer(arena.graph, weight.astype(np.int32), total.astype(np.int32))


def _on_boards(positions: Positions, line: Line | None) -> tuple[tuple[Board, ...], tuple[int, ...]]:
    """Return the boards of a line, the empty one first, and the actions between them."""
    game = positions.game
    boards, actions = [game.initial], []
    for move in line.moves if line else ():
        action = positions.actions_for(boards[-1], int(positions.action[move]))[0]
        actions.append(action)
        boards.append(game.play(boards[-1], action))
    return tuple(boards), tuple(actions)
