"""What Jehiel and Samet claim of valuations, and what we read into it; and the verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from experiments.claims import Claim, Finding
from experiments.common import middle
from experiments.jehiel_samet.trials import (
    BELOW,
    DRAWN,
    FIRST,
    GAMES,
    MOST,
    NO_DRAWS,
    PAIR_GAMES,
    SAVED,
    SOME,
    TEACHERS,
    THREE,
    Trial,
)
from menace.games.base import Side

Titled: TypeAlias = tuple[str, str]  # game and variant
ABSTRACT, OURS = "its abstract", "our reading"
CLOSE = 0.1
WINS = Claim(
    "“a player who has a winning strategy in a win-lose game can almost surely guarantee a win in a repeated game”",
    ABSTRACT,
    f"in {len(GAMES)} games, taught by each of {', '.join(TEACHERS)}, after {MOST:,} games nobody can win against it",
    "law",
    noun="machines",
)
HOLDS = Claim(
    "the same",
    ABSTRACT,
    f"taught by `perfect`, which holds out longest, after {MOST:,} games it is sure to win against that player",
    "law",
    noun="machines",
)
NEEDED = Claim(
    "it must not think less of a move that it never tried than of a loss, and must take any of equal moves",
    OURS,
    f"of hexapawn's machines whose first values are below a loss, or which take the first of equal moves, none is sure "
    f"to win after {SOME:,} games",
    "law",
    noun="machines",
)
REQUIRED = Claim(
    "“When a player has more than two payoffs, a more elaborate learning procedure is required.”",
    ABSTRACT,
    f"in wild tic-tac-toe, which X can win, with a draw between win and loss X is not sure to win after {SOME:,} games",
    noun="machines",
)
TWO = Claim(
    "two payoffs are enough: let a draw pay as little as a loss",
    OURS,
    f"then in wild tic-tac-toe nobody can keep X from winning after {SOME:,} games",
    "law",
    noun="machines",
)
AS_A_WIN = Claim(
    "tic-tac-toe is a win-lose game for who is paid as much for a draw as for a win",
    OURS,
    f"then nobody can beat X, or O, after {SOME:,} games with random play",
    "law",
    noun="machines",
)
SECOND_WORST = Claim(
    "what is promised of two payoffs holds for the second worst of three: not to lose",
    OURS,
    f"with a draw between win and loss nobody can beat X, or O, after {SOME:,} games with random play",
    "law",
    noun="machines",
)
MEANS_CLAIM = Claim(
    "“When all players adopt” means of all payoffs, “with some perturbations, then, with probability 1, strategies "
    "that are close to subgame perfect equilibrium are played after some time”",
    ABSTRACT,
    f"in tic-tac-toe, with epsilon 0.1, after {PAIR_GAMES:,} games both of each pair are exploitable by less than "
    f"{CLOSE:g} at their best",
    "law",
    noun="pairs",
)


@dataclass(frozen=True)
class Results:
    """All that was played: trials by game and teacher, by game with `perfect`, and of the other cases; pairs."""

    won: Mapping[tuple[Titled, str], Sequence[Trial]]
    held_out: Mapping[Titled, Sequence[Trial]]
    others: Mapping[str, Sequence[Trial]]
    pairs: Sequence[tuple[float, float]]


OTHERS = {
    "below": BELOW,
    "first": FIRST,
    "three": THREE,
    "no draws": NO_DRAWS,
    **{f"drawn {side}": DRAWN[side] for side in Side},
    **{f"saved {side}": SAVED[side] for side in Side},
}


def sure(trials: Sequence[Trial]) -> list[bool]:
    """Return which machines came to be sure of their goal."""
    return [math.isfinite(trial.sure) for trial in trials]


def games(trials: Sequence[Trial]) -> str:
    """Return the median of games until a goal was sure, and the range, of those that reached it."""
    reached = [trial.sure for trial in trials if math.isfinite(trial.sure)]
    return middle(reached) if reached else "-"


def findings(results: Results) -> list[Finding]:
    """Judge each claim."""
    others = results.others
    won = [flag for trials in results.won.values() for flag in sure(trials)]
    held_out = [flag for trials in results.held_out.values() for flag in sure(trials)]
    latest = max(trial.sure for trials in results.won.values() for trial in trials)
    longest = max(trial.sure for trials in results.held_out.values() for trial in trials)
    stuck = [not flag for name in ("below", "first") for flag in sure(others[name])]
    three = sure(others["three"])
    made = [
        WINS.counted(f"sure of a win, the last after {latest:,.0f} games", won),
        HOLDS.counted(f"sure of a win against `perfect`, the last after {longest:,.0f} games", held_out),
        NEEDED.counted(f"without, {sum(stuck)} of {len(stuck)} of hexapawn are not sure of a win", stuck),
        REQUIRED.counted(
            f"in wild tic-tac-toe, {three.count(False)} of {len(three)} X are not sure of a win",
            [not flag for flag in three],
        ),
        TWO.counted(f"X is sure of a win after {games(others['no draws'])} games", sure(others["no draws"])),
    ]
    for claim, name in ((AS_A_WIN, "saved"), (SECOND_WORST, "drawn")):
        by_side = [others[f"{name} {side}"] for side in Side]
        flags = [flag for trials in by_side for flag in sure(trials)]
        words = ", ".join(f"{sum(sure(trials))} {side}" for side, trials in zip(Side, by_side, strict=True))
        made.append(claim.counted(f"nobody can beat {words} of {len(by_side[0])} each", flags))
    x, o = (middle(values, 4) for values in zip(*results.pairs, strict=True))
    return [
        *made,
        MEANS_CLAIM.counted(f"exploitability of X {x}, O {o}", [max(pair) < CLOSE for pair in results.pairs]),
    ]
