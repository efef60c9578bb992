"""Convert players to policies.

A player can be a machine, a fixed opponent, a policy, a function, or a table of moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidPlayer
from menace.games.base import Side, SideText
from menace.games.enumeration import tictactoe
from menace.games.plugins import is_file
from menace.games.positions import Positions, check_same_game
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import Policy, PolicyFunction, PolicyName, Table, check_policy_name

Player: TypeAlias = str | Machine | Policy | PolicyFunction | Table | NDArray[Any]


def policy_of(
    player: Player, plays: SideText, positions: Positions | None = None, policy: PolicyName = "behaviour"
) -> Policy:
    """Return a player's policy for the given side.

    Args:
        player: a machine; a policy; the name of a fixed opponent, such as `random`; a dictionary that maps boards to a
            move's name or to weights by name (on other boards, all moves are equally likely); an array [moves] of
            weights in the order of `positions`; or a function, as for `Policy.from_function`.
        plays: the side, `X` or `O`.
        positions: the game; None selects the game of the machine or policy, or tic-tac-toe for other players.
        policy: the kind of a machine's policy, `behaviour` (as in training) or `greedy` (always the best move).

    Raises:
        InvalidPlayer: if the object is not a player, the player plays the other side, a weight is negative, or a board
            has no positive weight.
        InvalidBoard: if a table contains an invalid board.
        IllegalMove: if a table contains an illegal move.
        InvalidGame: if the player is for a different game than `positions`.
        InvalidSetting: if there is no such kind of policy.

    >>> policy_of({".........": "4"}, "X").probability[:3].tolist()  # the first moves: a corner, an edge, the centre
    [0.0, 0.0, 1.0]
    >>> policy_of("perfect", "O").plays.value
    'O'
    """
    check_policy_name(policy)
    side = Side(plays)
    if isinstance(player, Machine | Policy):
        if player.plays is not side:
            raise InvalidPlayer(f"{player.name} plays {player.plays}, not {side}; use another player for {side}")
        own = player.policy(policy) if isinstance(player, Machine) else player
        check_same_game(positions or own.positions, own.positions)
        return own
    game = positions or tictactoe()
    if isinstance(player, str) and is_file(player):
        raise InvalidPlayer(
            f"{player!r} refers to a function in a file; import the function and pass the function itself"
        )
    if isinstance(player, str):
        return fixed_policy(player, game, side.number)
    if isinstance(player, Mapping):
        return Policy.from_table(player, side, game)
    if isinstance(player, np.ndarray):
        return Policy.from_weights(player, side, game)
    if callable(player):
        return Policy.from_function(player, side, game)
    raise InvalidPlayer(
        f"{player!r} is not a player; pass a `menace.Machine` (a learner has `machine()`), a policy, a function of the "
        "board, a dictionary keyed by board, an array of weights, or the name of a fixed opponent"
    )
