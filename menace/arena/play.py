"""Seeds, random numbers, and the loop in which two players play games in memory."""

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
from menace.learners.player import Player, policy_of
from menace.learners.policy import Policy

SEED_BITS = 63  # what fits in an INTEGER of SQLite


def new_seed() -> int:
    """Return a seed from the system's randomness, 0 to 2^63 - 1. The only function that makes seeds."""
    return secrets.randbits(SEED_BITS)


def check_seed(seed: int) -> int:
    """Return the seed, as Python's own int.

    >>> check_seed(1)
    1
    >>> check_seed(-1)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: seed -1 is not from 0 to 2^63 - 1
    """
    number = whole_number(seed)
    if number is None or not 0 <= number < 2**SEED_BITS:
        raise InvalidRun(f"seed {seed} is not from 0 to 2^63 - 1" + ("" if number is not None else ", a whole number"))
    return number


def check_games(games: int, most: int) -> int:
    """Return the number of games, as Python's own int.

    >>> check_games(10, most=100)
    10
    """
    count = whole_number(games)
    if count is None:
        raise InvalidRun(f"games={games!r} is not a whole number; give one from 1 to {most:,}")
    if not 1 <= count <= most:
        raise InvalidRun(f"games={games}: a run has from 1 to {most:,} games")
    return count


def whole_number(value: object) -> int | None:
    """Return a whole number of any library as Python's own; None of anything else, True and False too.

    >>> whole_number(np.int64(3)), whole_number(1.0), whole_number(True)
    (3, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def pick_alike(seed: int, index: int, count: int) -> int:
    """Return 0 to count - 1, equally likely: which of equivalent cells a machine's move takes on a person's board.

    It changes nothing in what is learned, so its numbers are apart from the run's: those of `PCG64(seed).jumped()`,
    picked by their lower half as any pick is.

    >>> [pick_alike(seed=1, index=index, count=4) for index in range(8)]
    [1, 3, 1, 0, 3, 2, 2, 3]
    """
    low = int(np.random.PCG64(seed).jumped().advance(index).random_raw()) & 0xFFFFFFFF
    return (low * count) >> 32


def raw_numbers(seed: int, before: int) -> kernel.RawNumbers:
    """Return the raw 64-bit numbers of a run, from number `before` on, as the kernel takes them one by one."""
    return kernel.RawNumbers(np.random.PCG64(seed).advance(before))


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
    changes = [fixed_opponent(player).games_until_change(games) for player in fixed]
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
    games = check_games(games, GAMES_MOST)
    seed = new_seed() if seed is None else check_seed(seed)
    machines = [player for player in (x, o) if isinstance(player, Machine)]
    games_of = [player.positions for player in (x, o) if isinstance(player, Machine | Policy)]
    arena = Arena(games_of[0] if games_of else tictactoe())
    players = [_checked(player, side, arena.positions) for side, player in zip(Side, (x, o), strict=True)]
    played, stream = Played(0, 0, (0, 0, 0)), raw_numbers(seed, 0)
    seconds = math.inf if progress is None else PROGRESS_SECONDS
    while played.games < games:
        seats = [arena.kernel_player(player, played.games + 1) for player in players]
        end = alike_until(players, played.games, games)
        part = arena.play(seats[0], seats[1], stream, end - played.games, seconds)
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
    >>> arena.play(x, o, raw_numbers(seed=2, before=0), games=100, seconds=1.0).outcomes
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
        weight = fixed_weights(player, self.positions, game) if isinstance(player, str) else player.integer_weights
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
            wanted = min(games - played, GAMES_A_CALL)
            finished, taken = kernel.play_games(self.graph, x, o, self.record, raw_numbers, wanted, counts, stops)
            played += finished
            used += taken
            ruined = finished < wanted  # a machine has nothing left for its first move
            if ruined or time.perf_counter() > end:
                break
        x_wins, draws, o_wins = outcomes.tolist()
        return Played(played, used, (x_wins, draws, o_wins), ruined)
