"""The risk of ruin: how likely a machine that resigns at an empty box runs out of beads for its first move.

Beads for the first move are only lost by playing it. Once none is left, the machine is ruined (as in gambler's ruin):
it resigns before it has moved, so it cannot learn any more. On M. Scroggs' page it then "refuses to play". The
probability depends on all its boxes and on its opponent, so it is simulated: copies of the machine play the games.

Source: M. Scroggs, MENACE, github.com/mscroggs/MENACE (menace.js, play_menace).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from menace import kernel
from menace.arena import randomness
from menace.arena.play_loop import Arena, alike_until
from menace.games.base import Side
from menace.kernel import RawNumbers
from menace.learners.machine import Machine
from menace.wording import OPPONENTS, counted

GAMES_AHEAD = 200  # games in which a new machine is tried, against optimal play; Michie's played 219
TRIALS = 500  # the share of ruined copies is then within 0.045 of the probability, 19 times out of 20
# Python runs the kernel a hundred times slower.
GAMES_IN_ALL = 500_000 if kernel.COMPILED else 5_000
MOVES_IN_ALL = 2_000_000  # to copy the machines of a large game takes too long, so that fewer are tried
TRIALS_FEWEST = 50
GAMES_TRIED = (
    1_000  # of longer runs only the beginning is tried: a machine that survives so long has boxes of hundreds of beads
)
SAFE_LOSSES = 200  # lost games: a copy with beads for so many more than at first counts as safe
STEP = 100  # games after which a trial is checked
SEED = 1961  # the same trials each time


@dataclass(frozen=True)
class RuinRisk:
    """How many trials ruined a machine.

    Attributes:
        trials: how many there were.
        ruined: how many of them ended in ruin.
        games: of each trial, at most.

    >>> RuinRisk(trials=500, ruined=125, games=200).share
    0.25
    """

    trials: int
    ruined: int
    games: int

    @property
    def share(self) -> float:
        """The share of trials that ended in ruin, 0 to 1."""
        return self.ruined / self.trials


def first_boxes(machine: Machine) -> list[int]:
    """Return where a machine's first move is a choice: at the start, or after each opening.

    >>> first_boxes(Machine("menace", "X")), first_boxes(Machine("menace", "O"))
    ([0], [1, 2, 3])
    """
    positions = machine.positions
    openings = positions.next_position[: positions.first_move[1]]  # position 0 has the first moves
    first = [0] if machine.plays is Side.X else sorted(openings.tolist())
    return [position for position in first if len(positions.moves_of(position)) > 1]


def beads_left(machine: Machine) -> int:
    """Return all beads for a machine's first move: of X in one box, of O in a box an opening.

    >>> beads_left(Machine("menace", "X")), beads_left(Machine("menace", "O"))
    (12, 48)
    """
    boxes = (machine.positions.moves_of(position) for position in first_boxes(machine))
    return sum(int(machine.learned.amount[moves.start : moves.stop].sum()) for moves in boxes)


def can_be_ruined(machine: Machine) -> bool:
    """Say whether a machine can be ruined: it resigns at an empty box, and loses beads that nothing restores.

    >>> can_be_ruined(Machine("michie-1961", "X")), can_be_ruined(Machine("menace", "X"))
    (True, False)
    """
    if machine.algorithm.pile_rule is None:
        return False
    rule = machine.algorithm.pile_rule(machine.settings, machine.positions)
    return rule.resigns and rule.floor == 0 and rule.rewards[-1] < 0 and bool(first_boxes(machine))


def is_ruined(machine: Machine) -> bool:
    """Say whether a machine is ruined: it would resign at its first move, whatever its opponent plays.

    >>> machine = Machine("michie-1961", "X")
    >>> machine.learned.amount[:3] = 0
    >>> is_ruined(machine), is_ruined(Machine("michie-1961", "X"))
    (True, False)
    """
    return can_be_ruined(machine) and beads_left(machine) == 0


def ruin_text(
    machine: Machine, opponent: Machine | str, games: int, before: int = 0, called: str | None = None
) -> str | None:
    """Return in a sentence how likely a machine is to run out of beads for its first move; None if it cannot.

    Args:
        machine: that learns.
        opponent: a fixed one, or a machine, which learns as well.
        games: to play, 1 or more.
        before: games of the run that are played already, for a fixed opponent that changes during a run.
        called: the opponent's name, if it is a machine.

    Raises:
        InvalidPlayer: if there is no such opponent.

    >>> ruin_text(Machine("michie-1961", "X"), "random", games=10)
    'of 500 copies of it that play 10 games against random play, none runs out of beads for its first move'
    """
    if is_ruined(machine):
        return "no bead is left for its first move, so it resigns before it has moved"
    risk = ruin_risk(machine, opponent, games, before)
    if risk is None:
        return None
    name = opponent if isinstance(opponent, str) else called or "the other machine"
    first = "the first " if risk.games < games else ""
    how_many = {0: "none", risk.trials: "all"}.get(risk.ruined, f"{risk.ruined}")
    run_out = "runs out of beads for its" if risk.ruined <= 1 else "run out of beads for their"
    return (
        f"of {risk.trials} copies of it that play {first}{counted(risk.games, 'game')}"
        f" {OPPONENTS.get(name, f'against {name}')}, {how_many} {run_out} first move"
    )


def ruin_risk(machine: Machine, opponent: Machine | str, games: int, before: int = 0) -> RuinRisk | None:
    """Return how many of up to TRIALS copies of a machine are ruined.

    The machine and its opponent stay as they are. Each copy plays `games` games, at most GAMES_TRIED; all
    of it takes a quarter of a second. None stands for a machine that cannot be ruined, or a game too large to simulate.

    Args:
        machine: that learns.
        opponent: a fixed one, or a machine, which learns as well.
        games: to play, 1 or more.
        before: as for `ruin_text`.

    Raises:
        InvalidPlayer: if there is no such opponent.

    >>> ruin_risk(Machine("michie-1961", "X"), "random", games=10)
    RuinRisk(trials=500, ruined=0, games=10)
    """
    if not can_be_ruined(machine):
        return None
    arena, raw_numbers = Arena(machine.positions), randomness.raw_numbers(SEED, 0)
    games = min(games, GAMES_TRIED)
    span = range(before, before + games)
    most = min(TRIALS, MOVES_IN_ALL // machine.positions.move_count)
    if most < TRIALS_FEWEST:
        return None
    opponents = _Opponents(arena, opponent)
    trials = ruined = played = 0
    while trials < most and played < GAMES_IN_ALL:
        survived, games_played = _run_trial(arena, machine, opponents, span, raw_numbers)
        trials, ruined, played = trials + 1, ruined + (not survived), played + games_played
    return RuinRisk(trials, ruined, games)


class _Opponents:
    """Makes the opponents of the copies: a fixed opponent, once for each of its parts, or copies of a machine."""

    def __init__(self, arena: Arena, opponent: Machine | str) -> None:
        self.arena, self.opponent = arena, opponent
        self._players: dict[int, kernel.FixedPlayer] = {}

    def at(self, games: int) -> kernel.FixedPlayer:
        """Return the opponent's player after so many games: of a machine a fresh copy."""
        if isinstance(self.opponent, Machine):
            return self.opponent.copy().kernel_player(self.arena.graph)
        if games not in self._players:
            self._players[games] = self.arena.fixed_player(self.opponent, games + 1)
        return self._players[games]


def _run_trial(
    arena: Arena, machine: Machine, opponents: _Opponents, span: range, raw_numbers: RawNumbers
) -> tuple[bool, int]:
    """Return whether a copy of a machine survives the games with beads for its first move, and how many were played.

    `span` is the range of the run's games, from those already played to all of them.
    """
    trained, played = machine.copy(), span.start
    player, opponent_player = trained.kernel_player(arena.graph), opponents.at(played)
    change = alike_until((opponents.opponent,), played, span.stop)
    safe = beads_left(machine) - SAFE_LOSSES * machine.settings.loss
    while played < span.stop:
        if played == change:  # only of a fixed opponent
            opponent_player, change = opponents.at(played), alike_until((opponents.opponent,), played, span.stop)
        batch = arena.play_until_ruin(
            *machine.plays.x_and_o(player, opponent_player), raw_numbers, min(STEP, change - played), math.inf
        )
        played += batch.games
        left = beads_left(trained)
        if batch.ruined or left == 0:
            return left > 0, played - span.start
        if left >= safe or left > -machine.settings.loss * (span.stop - played):
            break
    return True, played - span.start
