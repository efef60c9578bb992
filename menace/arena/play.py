"""Play games between two players in memory, and create the seeds and random numbers for these games."""

from __future__ import annotations

import math
import operator
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from menace.errors import InvalidPlayer, InvalidRun
from menace.games.base import Side
from menace.games.enumeration import tictactoe
from menace.games.positions import Positions, check_same_game
from menace.kernel import loop as kernel
from menace.kernel.loop import RawNumbers
from menace.learners.algorithm import OWN
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_opponent, fixed_weights, is_fixed
from menace.learners.player_to_policy import Player, policy_of
from menace.learners.policy import Policy

SEED_BITS = 63  # a seed fits into a signed 64-bit INTEGER column


def new_seed() -> int:
    """Return a random seed from the operating system, from 0 to 2^63 - 1. No other function creates seeds."""
    return secrets.randbits(SEED_BITS)


def check_seed(seed: int) -> int:
    """Check a seed, and return it as a Python int.

    Raises:
        InvalidRun: if the seed is not an integer from 0 to 2^63 - 1.

    >>> check_seed(1)
    1
    >>> check_seed(-1)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: seed -1 is not an integer from 0 to 2^63 - 1
    """
    number = whole_number(seed)
    if number is None or not 0 <= number < 2**SEED_BITS:
        raise InvalidRun(f"seed {seed} is not an integer from 0 to 2^63 - 1")
    return number


def check_games(games: int, most: int) -> int:
    """Check a number of games, and return it as a Python int.

    Raises:
        InvalidRun: if `games` is not an integer from 1 to `most`.

    >>> check_games(10, most=100)
    10
    """
    count = whole_number(games)
    if count is None:
        raise InvalidRun(f"games={games!r} is not an integer; choose an integer from 1 to {most:,}")
    if not 1 <= count <= most:
        raise InvalidRun(f"games={games} is out of range; choose from 1 to {most:,} games")
    return count


def whole_number(value: object) -> int | None:
    """Convert an integer from any library to a Python int. Return None for all other values, including bools.

    >>> whole_number(np.int64(3)), whole_number(1.0), whole_number(True)
    (3, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def pick_uniformly(seed: int, index: int, count: int) -> int:
    """Return a random number from 0 to count - 1, to select one of several equivalent cells on a person's board.

    This choice does not affect learning, so the function must not use the run's own random numbers. Therefore
    `pick_uniformly` uses the lower halves of the numbers from `PCG64(seed).jumped()`.

    Args:
        seed: the seed of the run.
        index: the number of moves that the machine has already made in the session.
        count: the number of equivalent cells.

    >>> [pick_uniformly(seed=1, index=index, count=4) for index in range(8)]
    [1, 3, 1, 0, 3, 2, 2, 3]
    """
    low = int(np.random.PCG64(seed).jumped().advance(index).random_raw()) & 0xFFFFFFFF
    return (low * count) >> 32


def raw_numbers(seed: int, before: int) -> kernel.RawNumbers:
    """Return a source of the run's raw 64-bit random numbers for the kernel, skipping the first `before` numbers."""
    return kernel.RawNumbers(np.random.PCG64(seed).advance(before))


GAMES_PER_CALL = 2048  # number of games between two checks of the clock
MAX_GAMES = 10**12  # maximum number of games in a run
PROGRESS_SECONDS = 0.25  # seconds between two calls to `progress`

Progress: TypeAlias = Callable[[int, int], object]  # called with the number of games played and the number requested


@dataclass(frozen=True)
class Played:
    """A summary of the games that were played.

    Attributes:
        games: the number of games.
        numbers: the number of random numbers used.
        outcomes: the number of X wins, draws and O wins.
        ruined: whether play stopped because a machine had no beads left for its first move.

    >>> played = play_games("perfect", "random", games=100, seed=1)
    >>> played.games, played.outcomes
    (100, (99, 1, 0))
    """

    games: int
    numbers: int
    outcomes: tuple[int, int, int]
    ruined: bool = False

    def __add__(self, later: Played) -> Played:
        """Return the sum of two summaries."""
        x_wins, draws, o_wins = (
            count + later_count for count, later_count in zip(self.outcomes, later.outcomes, strict=True)
        )
        games, numbers = self.games + later.games, self.numbers + later.numbers
        return Played(games, numbers, (x_wins, draws, o_wins), later.ruined)


def next_opponent_change(players: Iterable[object], games: int, end: int) -> int:
    """Return the number of games after which an opponent next changes its policy, or `end` if that is earlier.

    Args:
        players: machines and players' names.
        games: the number of games played so far in the run.
        end: the number of games in the run.

    >>> next_opponent_change(("menace-x", "michie-1961"), 0, 219), next_opponent_change(("menace-x", "random"), 0, 219)
    (21, 219)
    """
    fixed = [player for player in players if isinstance(player, str) and is_fixed(player)]
    changes = [fixed_opponent(player).games_until_change(games) for player in fixed]
    return min([end, *(change for change in changes if change is not None)])


def play_games(
    x: Player, o: Player, games: int = 10_000, seed: int | None = None, progress: Progress | None = None
) -> Played:
    """Let two players play each other in memory, and let machines learn from the games.

    Machines learn exactly as they would in a database run with the same seed. To leave a machine unchanged, pass a
    copy, as in `machine.copy()`.

    Args:
        x: the X player, which is a machine, a fixed opponent's name, a policy, or a function (see `policy_of`).
        o: the O player, in the same form as `x`.
        games: the number of games, 1 to 10^12.
        seed: the seed, 0 to 2^63 - 1, or None to take a seed from the operating system.
        progress: a function that is called a few times per second and at the end, with the number of games played so
            far and `games`. If it raises an exception, play stops, but the machines keep what they have learned.

    Raises:
        InvalidPlayer: if a machine plays the wrong side, or there is no such fixed opponent.
        InvalidGame: if the machines play different games.
        InvalidRun: if `games` or `seed` is out of range.

    >>> x, o = Machine("menace", "X"), Machine("zhang", "O")
    >>> play_games(x, o, games=1000, seed=1).games, x.learned.games
    (1000, 1000)
    """
    games = check_games(games, MAX_GAMES)
    seed = new_seed() if seed is None else check_seed(seed)
    machines = [player for player in (x, o) if isinstance(player, Machine)]
    games_of = [player.positions for player in (x, o) if isinstance(player, Machine | Policy)]
    arena = Arena(games_of[0] if games_of else tictactoe())
    players = [_checked(player, side, arena.positions) for side, player in zip(Side, (x, o), strict=True)]
    played, stream = Played(0, 0, (0, 0, 0)), raw_numbers(seed, 0)
    seconds = math.inf if progress is None else PROGRESS_SECONDS
    while played.games < games:
        seats = [arena.kernel_player(player, played.games + 1) for player in players]
        end = next_opponent_change(players, played.games, games)
        part = arena.play(seats[0], seats[1], stream, end - played.games, seconds)
        played += part
        for machine in machines:
            machine.learned.games += part.games
        if progress is not None:
            progress(played.games, games)
    return played


def _checked(player: Player, side: Side, positions: Positions) -> Machine | Policy | str:
    """Check that a player can play the given side, and return the player.

    Any player that is neither a machine nor a name is converted to a policy.
    """
    if isinstance(player, Machine):
        if player.plays is not side:
            raise InvalidPlayer(
                f"a machine that plays {player.plays} cannot play {side}; create a machine that plays {side}"
            )
        check_same_game(positions, player.positions)
        return player
    return player if isinstance(player, str) else policy_of(player, side, positions)


class Arena:
    """The positions of a game in the form that the kernel uses.

    >>> arena = Arena(tictactoe())
    >>> x, o = arena.fixed_player("optimal"), arena.fixed_player("random")
    >>> arena.play(x, o, raw_numbers(seed=2, before=0), games=100, seconds=1.0).outcomes
    (94, 6, 0)
    """

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self.graph = positions.graph
        # These arrays contain each ply's position, move, `explored` flag and `learned` flag. The kernel reads and
        # writes these arrays.
        self.plies = tuple(np.zeros(positions.longest, kind) for kind in (np.int32, np.int32, np.int8, np.int8))
        self.record = kernel.Record(*self.plies)

    def kernel_player(self, player: Machine | Policy | str, game: int = 1, epsilon: float = OWN) -> kernel.FixedPlayer:
        """Return a kernel player for the given game of a run. The kernel player of a machine learns.

        Args:
            player: the player.
            game: the number of the game in the run, counting from 1.
            epsilon: the exploration rate for a machine that explores. If it is negative, the machine uses its own rate.
        """
        if isinstance(player, Machine):
            return player.kernel_player(self.graph, epsilon=epsilon)
        return self.fixed_player(player, game)

    def fixed_player(self, player: Policy | str, game: int = 1) -> kernel.FixedPlayer:
        """Return a kernel player that never learns, for a policy or for a fixed opponent in the given game of a run.

        Raises:
            InvalidPlayer: if there is no such opponent, or the policy may resign.
        """
        weight = fixed_weights(player, self.positions, game) if isinstance(player, str) else player.integer_weights
        return kernel.FixedPlayer(self.graph, weight, self.positions.sum_over_moves(weight).astype(np.int32))

    def play(
        self, x: kernel.FixedPlayer, o: kernel.FixedPlayer, raw_numbers: RawNumbers, games: int, seconds: float
    ) -> Played:
        """Play `games` games, or fewer if they take longer than `seconds` seconds."""
        return self._play(x, o, raw_numbers, games, seconds, False)

    def play_until_ruin(
        self, x: kernel.FixedPlayer, o: kernel.FixedPlayer, raw_numbers: RawNumbers, games: int, seconds: float
    ) -> Played:
        """Play games as `play` does, but stop before a game in which a machine would resign at its first move.

        A machine cannot learn from a game in which it resigns at its first move. The module
        `arena.bead_distributions` explains why.

        >>> arena = Arena(tictactoe())
        >>> machine = Machine("michie-1961", "X", beads=(1,))
        >>> seats = machine.kernel_player(arena.graph), arena.fixed_player("perfect")
        >>> played = arena.play_until_ruin(*seats, raw_numbers(seed=1, before=0), games=200, seconds=1.0)
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
            wanted = min(games - played, GAMES_PER_CALL)
            finished, taken = kernel.play_games(self.graph, x, o, self.record, raw_numbers, wanted, counts, stops)
            played += finished
            used += taken
            ruined = finished < wanted  # a machine has no beads left for its first move
            if ruined or time.perf_counter() > end:
                break
        x_wins, draws, o_wins = outcomes.tolist()
        return Played(played, used, (x_wins, draws, o_wins), ruined)
