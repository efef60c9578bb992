"""Check the claims of Jehiel and Samet, and our readings of their claims."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

import numpy as np

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN
from experiments.jehiel_samet.trials import (
    BELOW,
    DRAWN,
    FIRST,
    GAMES,
    MOST,
    NO_DRAWS,
    PAIR_GAMES,
    RIVALS,
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
    f"after {MOST:,} games, it is sure to win, in each of {len(GAMES)} games and with each of {len(TEACHERS)} teachers",
    "law",
    noun="machines",
)
HOLDS = Claim(
    "the same, with `perfect` as the teacher and opponent",
    ABSTRACT,
    f"after {MOST:,} games, it is sure to win against that player",
    "law",
    noun="machines",
)
NEEDED = Claim(
    "this needs two conditions: no initial value is below that of a loss, and the choice among equal moves is random",
    OURS,
    "in hexapawn, at least one machine without the first condition and at least one without the second are not sure to"
    f" win after {SOME:,} games",
    "number",
)
REQUIRED = Claim(
    "“When a player has more than two payoffs, a more elaborate learning procedure is required.”",
    ABSTRACT,
    f"in wild tic-tac-toe with draws, at least one machine as X is not sure to win after {SOME:,} games",
    "number",
)
TWO = Claim(
    "two payoffs suffice in the same game if a draw pays as little as a loss",
    OURS,
    f"in wild tic-tac-toe it is sure to win after {SOME:,} games",
    "law",
    noun="machines",
)
AS_A_WIN = Claim(
    "tic-tac-toe is a win-lose game if a draw pays as much as a win",
    OURS,
    f"it is unbeatable after {SOME:,} games against random play",
    "law",
    noun="machines",
)
SECOND_WORST = Claim(
    "with three payoffs, a machine still learns to avoid the worst one",
    OURS,
    f"with a draw between a win and a loss, it is unbeatable after {SOME:,} games against random play",
    "law",
    noun="machines",
)
AVERAGING = Claim(
    "“When all players adopt this learning procedure, with some perturbations, then, with probability 1, strategies "
    "that are close to subgame perfect equilibrium are played after some time.” (A move is worth “the average "
    "payoff in the rounds in which this move was made”.)",
    ABSTRACT,
    f"in tic-tac-toe, with epsilon 0.1, the exploitability of both greedy machines is less than {CLOSE:g} "
    f"after {PAIR_GAMES:,} games",
    "law",
    noun="pairs",
)
ALONE = Claim(
    "“A single player who adopts this procedure can guarantee only her individually rational payoff.”",
    ABSTRACT,
    f"after training with any of {len(RIVALS)} fixed opponents, its expected payoff against that opponent is not"
    " below the payoff of a draw",
    "law",
    noun="machines",
)


@dataclass(frozen=True)
class Results:
    """The results of all trials.

    Attributes:
        won: by game and teacher.
        held_out: by game, with `perfect` as the teacher.
        others: by name, in OTHERS.
        pairs: the exploitability of X and O that taught each other.
        alone: by fixed opponent and side, the payoffs of the machines.
    """

    won: Mapping[tuple[Titled, str], Sequence[Trial]]
    held_out: Mapping[Titled, Sequence[Trial]]
    others: Mapping[str, Sequence[Trial]]
    pairs: Sequence[tuple[float, float]]
    alone: Mapping[tuple[str, Side], Sequence[float]]


OTHERS = {
    "below": BELOW,
    "first": FIRST,
    "three": THREE,
    "no draws": NO_DRAWS,
    **{f"drawn {side}": DRAWN[side] for side in Side},
    **{f"saved {side}": SAVED[side] for side in Side},
}


def sure(trials: Sequence[Trial]) -> list[bool]:
    """Return a mask of the machines that became sure of reaching their goal."""
    return [math.isfinite(trial.sure) for trial in trials]


def reached(trials: Sequence[Trial]) -> list[float]:
    """Return the numbers of games after which machines became sure of reaching their goal."""
    return [trial.sure for trial in trials if math.isfinite(trial.sure)]


def findings(results: Results) -> list[Finding]:
    """Check each claim."""
    others = results.others
    won = [flag for trials in results.won.values() for flag in sure(trials)]
    held_out = [flag for trials in results.held_out.values() for flag in sure(trials)]
    latest = max(trial.sure for trials in results.won.values() for trial in trials)
    longest = max(trial.sure for trials in results.held_out.values() for trial in trials)
    below, first, three = (sure(others[name]).count(False) for name in ("below", "first", "three"))
    machines = len(others["three"])
    made = [
        WINS.counted(f"the last machine is sure after {latest:,.0f} games", won),
        HOLDS.counted(f"the last machine is sure after {longest:,.0f} games", held_out),
        shown(
            NEEDED,
            below > 0 and first > 0,
            f"{below} of {machines} machines without the first condition, and {first} of {machines} without the second,"
            " are not sure to win",
        ),
        shown(REQUIRED, three > 0, f"{three} of {machines} machines are not sure to win"),
        TWO.counted(
            f"the median machine is sure to win after {median(reached(others['no draws'])):,.0f} games",
            sure(others["no draws"]),
        ),
    ]
    for claim, name in ((AS_A_WIN, "saved"), (SECOND_WORST, "drawn")):
        by_side = [others[f"{name} {side}"] for side in Side]
        flags = [flag for trials in by_side for flag in sure(trials)]
        words = ", ".join(f"{sum(sure(one))} of {len(one)} {side}" for side, one in zip(Side, by_side, strict=True))
        made.append(claim.counted(f"unbeatable: {words}", flags))
    x, o = (max(values) for values in zip(*results.pairs, strict=True))
    payoffs = np.concatenate(list(results.alone.values()))
    return [
        *made,
        AVERAGING.counted(f"it is at most {max(x, o):.4f}", [max(pair) < CLOSE for pair in results.pairs]),
        ALONE.counted(f"the smallest expected payoff is {payoffs.min():.4f}; a draw pays 0", payoffs > -UNBEATEN),
    ]


def shown(claim: Claim, holds: bool, measured: str) -> Finding:
    """Check a claim that a single example is enough to prove."""
    return claim.judged(measured, holds, "no machine shows it")
