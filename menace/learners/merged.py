"""Machines that learned on from the same one, added up.

Of models this is merging by task arithmetic: to the first weights is added what each of several copies has learned
beyond them (Ilharco et al., "Editing models with task arithmetic", ICLR 2023, https://arxiv.org/abs/2212.04089).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from menace.learners.machine import Machine
from menace.learners.settings import MOST_BEADS


def merged(base: Machine, machines: Iterable[Machine]) -> Machine:
    """Return a machine with all that several have learned beyond the one that they began as: beads, picks and games.

    A pile stays between the machine's floor and MOST_BEADS. It explores as the one that explores least.

    Args:
        base: of beads, as it was when they began; it stays as it is.
        machines: that learned on from it, with its settings. None has picked a move over 2^61 times.

    >>> base = Machine("menace", "X")
    >>> pupils = [base.copy(), base.copy()]
    >>> for pupil in pupils:
    ...     _ = pupil.learn(["4", "1", "0", "8", "6", "2", "3"])
    >>> base.box(".........").moves[2].amount, merged(base, pupils).box(".........").moves[2].amount
    (4, 10)
    """
    total = base.copy()
    before = base.learned.amount.astype(np.int64)
    beads = before.copy()
    for machine in machines:
        beads += machine.learned.amount.astype(np.int64) - before
        picked = total.learned.count + (machine.learned.count - base.learned.count)
        total.learned.count = np.minimum(picked, 2**62)  # so that the sum of any number of them fits
        total.learned.games += machine.learned.games - base.learned.games
        total.learned.state = np.fmin(total.learned.state, machine.learned.state)  # their epsilon alone
    least = np.minimum(before, base.settings.floor)  # a recount may have left fewer than the floor
    total.learned.amount[:] = np.clip(beads, least, MOST_BEADS)
    return total
