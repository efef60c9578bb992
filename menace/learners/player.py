"""Players and their policies: a player is a machine, a fixed opponent, a policy, or a table of moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidPlayer
from menace.games.base import Board, Side, SideText
from menace.games.enumeration import tictactoe
from menace.games.positions import Positions, check_same_game
from menace.learners.fixed_opponents import fixed_policy
from menace.learners.machine import Machine
from menace.learners.policy import Policy, PolicyName, check_policy_name
from menace.wording import counted

Table: TypeAlias = Mapping[Board, str | Mapping[str, float]]  # by board: a move's name, or weights by name
Player: TypeAlias = str | Machine | Policy | Table | NDArray[Any]


def policy_of(
    player: Player, plays: SideText, positions: Positions | None = None, policy: PolicyName = "behaviour"
) -> Policy:
    """Return how a player plays a side.

    Args:
        player: a machine; a policy; the name of a fixed opponent, such as `random`; a table by board, as people write
            it, with the name of the move to make there, or weights by name, and equally likely moves on boards that it
            leaves out; or an array [moves] of weights in the order of `positions`.
        plays: the side, `X` or `O`.
        positions: the game; None stands for the machine's or policy's own, else tic-tac-toe.
        policy: how a machine plays: as it trains (`behaviour`), or at its best (`greedy`).

    Raises:
        InvalidPlayer: if it is none of these, plays the other side, or has a weight below 0, or none above
            0 for a board.
        InvalidBoard, IllegalMove: if a table has a board or a move that does not exist.
        InvalidGame: if it is of another game than `positions`.
        InvalidSetting: if there is no such policy.

    >>> policy_of({".........": "4"}, "X").probability[:3].tolist()  # the first moves: a corner, an edge, the centre
    [0.0, 0.0, 1.0]
    >>> policy_of("perfect", "O").plays.value
    'O'
    """
    check_policy_name(policy)
    side = Side(plays)
    if isinstance(player, Machine | Policy):
        if player.plays is not side:
            raise InvalidPlayer(f"{player.name} plays {player.plays}, not {side}; name another {side}")
        own = player.policy(policy) if isinstance(player, Machine) else player
        check_same_game(positions or own.positions, own.positions)
        return own
    game = positions or tictactoe()
    if isinstance(player, str):
        return fixed_policy(player, game, side.number)
    if isinstance(player, Mapping):
        return _of_weights(game, side, _tabulated(player, game, side))
    if isinstance(player, np.ndarray):
        return _of_weights(game, side, player)
    raise InvalidPlayer(
        f"{player!r} cannot play here; take a `menace.Machine`, a policy, a table by board, an array of weights, or"
        " name a fixed opponent"
    )


def _of_weights(positions: Positions, side: Side, weights: NDArray[Any]) -> Policy:
    """Check weights [moves], and return their policy."""
    if weights.shape != (positions.move_count,) or weights.dtype.kind not in "bif":
        raise InvalidPlayer(
            f"weights of shape {weights.shape} and type {weights.dtype} are no policy; {positions.title} has"
            f" {counted(positions.move_count, 'move')}, each with a weight of 0 or more"
        )
    here = positions.moved_by(side.number)
    of_side = here[positions.position_of_move]
    if not (np.isfinite(weights) & (weights >= 0))[of_side].all():
        raise InvalidPlayer("a weight is negative or not a number; take weights of 0 or more")
    weights = np.where(of_side, weights, 0)
    empty = here & (positions.sum_over_moves(weights) <= 0)
    if empty.any():
        board = positions.boards[int(empty.argmax())]
        raise InvalidPlayer(f"board {board} has no move with a weight above 0; give one to the moves to be made there")
    return Policy.of_weights(positions, side.number, weights)


def _tabulated(table: Table, positions: Positions, side: Side) -> NDArray[np.float64]:
    """Return the weights [moves] of a table by board."""
    game, weights, given = positions.game, positions.multiplicity.astype(np.float64), dict[int, Board]()
    for text, moves in table.items():
        board, position = positions.find(text)
        if positions.to_move[position] != side.number:
            raise InvalidPlayer(f"{side} is not to move at board {board}; leave it out")
        if position in given:
            raise InvalidPlayer(f"boards {given[position]} and {board} are one position; give one of them")
        given[position] = board
        here = positions.moves_of(position)
        weights[here.start : here.stop] = 0.0
        for name, weight in ({moves: 1.0} if isinstance(moves, str) else moves).items():
            action = positions.to_canonical(board, game.parse_action(board, name))
            weights[positions.move_of(position, action)] += weight
    return weights
