"""Plays games between two players in memory: prepares a game for the kernel, and calls the kernel in a loop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from menace import kernel
from menace.arena import randomness
from menace.errors import InvalidPlayer
from menace.games.base import Side
from menace.games.enumeration import tictactoe
from menace.games.positions import Positions, check_same_game
from menace.kernel import RawNumbers
from menace.learners.algorithm import OWN
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_opponent, fixed_weights, is_fixed
from menace.learners.player import Player, policy_of
from menace.learners.policy import Policy

GAMES_A_CALL = 2048  # after which the clock is checked
GAMES_MOST = 10**12  # of a run
PROGRESS_SECONDS = 0.25  # between two calls of it

Progress: TypeAlias = Callable[[int, int], object]  # called with the games played so far, and how many there are to be


@dataclass(frozen=True)
class Played:
    """The result of playing: games, random numbers used, and outcomes (games that X won, drawn, that O won).

    `ruined` says that play ended because a machine had nothing left for its first move.

    >>> played = play_games("perfect", "random", games=100, seed=1)
    >>> played.games, played.outcomes
    (100, (99, 1, 0))
    """

    games: int
    numbers: int
    outcomes: tuple[int, int, int]
    ruined: bool = False

    def __add__(self, later: Played) -> Played:
        """Return the sum of both results."""
        x_wins, draws, o_wins = (
            count + later_count for count, later_count in zip(self.outcomes, later.outcomes, strict=True)
        )
        games, numbers = self.games + later.games, self.numbers + later.numbers
        return Played(games, numbers, (x_wins, draws, o_wins), later.ruined)


def alike_until(players: Iterable[object], games: int, end: int) -> int:
    """Return after how many games of a run a fixed opponent in it changes next, or the run ends, whichever is first.

    Args:
        players: machines, and names of players.
        games: of the run, played so far.
        end: how many there are to be.

    >>> alike_until(("menace-x", "michie-1961"), 0, 219), alike_until(("menace-x", "random"), 0, 219)
    (21, 219)
    """
    fixed = [player for player in players if isinstance(player, str) and is_fixed(player)]
    changes = [fixed_opponent(player).next_change(games) for player in fixed]
    return min([end, *(change for change in changes if change is not None)])


def play_games(
    x: Player, o: Player, games: int = 10_000, seed: int | None = None, progress: Progress | None = None
) -> Played:
    """Let two players play each other, and learn what they can, in memory.

    What machines have learned afterwards is, to the bit, what a run of that seed in a database would have taught them.
    Pass the `copy` of a machine that shall not change.

    Args:
        x: a machine that plays X, or any other player: a fixed opponent's name, a policy, a function (`policy_of`).
        o: the same for O.
        games: how many, 1 to 10^12.
        seed: 0 to 2^63 - 1; None takes one from the system.
        progress: called some times a second, and at the end, with the games played so far and `games`. What it raises
            ends the play there, and the machines keep what they have learned.

    Raises:
        InvalidPlayer: if a machine plays the other side, or there is no such fixed opponent.
        InvalidGame: if the machines play different games.
        InvalidRun: if `games` or `seed` is out of its range.

    >>> x, o = Machine("menace", "X"), Machine("zhang", "O")
    >>> play_games(x, o, games=1000, seed=1).games, x.learned.games
    (1000, 1000)
    """
    games = randomness.check_games(games, GAMES_MOST)
    seed = randomness.new_seed() if seed is None else randomness.check_seed(seed)
    machines = [player for player in (x, o) if isinstance(player, Machine)]
    games_of = [player.positions for player in (x, o) if isinstance(player, Machine | Policy)]
    arena = Arena(games_of[0] if games_of else tictactoe())
    players = [_checked(player, side, arena.positions) for side, player in zip(Side, (x, o), strict=True)]
    played, raw_numbers = Played(0, 0, (0, 0, 0)), randomness.raw_numbers(seed, 0)
    seconds = math.inf if progress is None else PROGRESS_SECONDS
    while played.games < games:
        seats = [arena.kernel_player(player, played.games + 1) for player in players]
        end = alike_until(players, played.games, games)
        part = arena.play(seats[0], seats[1], raw_numbers, end - played.games, seconds)
        played += part
        for machine in machines:
            machine.learned.games += part.games
        if progress is not None:
            progress(played.games, games)
    return played


def _checked(player: Player, side: Side, positions: Positions) -> Machine | Policy | str:
    """Return a player that can play a side of a game: what is not a machine or a name becomes a policy."""
    if isinstance(player, Machine):
        if player.plays is not side:
            raise InvalidPlayer(f"a machine that plays {player.plays} cannot play {side}; make one that does")
        check_same_game(positions, player.positions)
        return player
    return player if isinstance(player, str) else policy_of(player, side, positions)


class Arena:
    """The positions of a game, ready for the kernel.

    >>> arena = Arena(tictactoe())
    >>> x, o = arena.fixed_player("optimal"), arena.fixed_player("random")
    >>> arena.play(x, o, randomness.raw_numbers(seed=2, before=0), games=100, seconds=1.0).outcomes
    (94, 6, 0)
    """

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self.graph = positions.graph
        # Position, move, explored, learned of each ply: the kernel writes them, and reads what is written here.
        self.plies = tuple(np.zeros(positions.longest, kind) for kind in (np.int32, np.int32, np.int8, np.int8))
        self.record = kernel.Record(*self.plies)

    def kernel_player(self, player: Machine | Policy | str, game: int = 1, epsilon: float = OWN) -> kernel.FixedPlayer:
        """Return a player as the kernel plays it in a game of a run, counted from 1; a machine learns.

        A machine that explores does so with `epsilon`, or below 0 with its own.
        """
        if isinstance(player, Machine):
            return player.kernel_player(self.graph, epsilon=epsilon)
        return self.fixed_player(player, game)

    def fixed_player(self, player: Policy | str, game: int = 1) -> kernel.FixedPlayer:
        """Return what never learns: a policy, or a fixed opponent by name, as it plays in a run's game (from 1).

        Raises:
            InvalidPlayer: if there is no such opponent, or the policy may resign.
        """
        weight = fixed_weights(player, self.positions, game) if isinstance(player, str) else player.whole_weights
        return kernel.FixedPlayer(self.graph, weight, self.positions.sum_over_moves(weight).astype(np.int32))

    def play(
        self, x: kernel.FixedPlayer, o: kernel.FixedPlayer, raw_numbers: RawNumbers, games: int, seconds: float
    ) -> Played:
        """Play `games` games, or fewer if `seconds` have passed."""
        return self._play(x, o, raw_numbers, games, seconds, False)

    def play_until_ruin(
        self, x: kernel.FixedPlayer, o: kernel.FixedPlayer, raw_numbers: RawNumbers, games: int, seconds: float
    ) -> Played:
        """As `play`, but end before a game in which a machine resigns at its first move, with nothing left there.

        Nothing can be learned from such games any more (arena/first_box.py).

        >>> arena = Arena(tictactoe())
        >>> machine = Machine("michie-1961", "X", beads=(1,))
        >>> seats = machine.kernel_player(arena.graph), arena.fixed_player("perfect")
        >>> played = arena.play_until_ruin(*seats, randomness.raw_numbers(seed=1, before=0), games=200, seconds=1.0)
        >>> played.games, played.ruined
        (3, True)
        """
        return self._play(x, o, raw_numbers, games, seconds, True)

    def _play(
        self,
        x: kernel.FixedPlayer,
        o: kernel.FixedPlayer,
        raw_numbers: RawNumbers,
        games: int,
        seconds: float,
        stops: bool,
    ) -> Played:
        outcomes = np.zeros(3, np.int64)
        counts = kernel.view(outcomes)
        played = used = 0
        ruined = False
        end = time.perf_counter() + seconds
        while played < games:
            wanted = min(games - played, GAMES_A_CALL)
            finished, taken = kernel.play_games(self.graph, x, o, self.record, raw_numbers, wanted, counts, stops)
            played += finished
            used += taken
            ruined = finished < wanted  # a machine has nothing left for its first move
            if ruined or time.perf_counter() > end:
                break
        x_wins, draws, o_wins = outcomes.tolist()
        return Played(played, used, (x_wins, draws, o_wins), ruined)
