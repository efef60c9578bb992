"""Compute the expected contents of boxes from the mean machine, sampled copies, or the exact distribution."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.arena import bead_distributions
from menace.arena.play import check_games, whole_number
from menace.arena.run_schedule import Marks
from menace.errors import InvalidPlayer, InvalidRun
from menace.files.tables import Table, Tabular
from menace.games.base import abbreviate_names
from menace.learners.machine import Machine
from menace.learners.player_to_policy import Player
from menace.text.wording import counted, percent

MAX_GAMES = 10_000_000
MAX_PILES = 10**8  # maximum number of piles over all machines and marks; this many piles take about half a gigabyte
MAX_NAMES_LENGTH = 32  # maximum length, in characters, of a list of equivalent moves
EXACT = "exact"
OF_LAW = ("beads", "share", "deviation", "ruined")

# These columns describe the mean machine; the columns OF_LAW follow for each distribution.
Row: TypeAlias = tuple[int, str, str, float, float, list[float]]


@dataclass(frozen=True, repr=False)
class ExpectedBeads(Tabular):
    """The expected contents of a machine's first-move boxes, or of its box for one board, after a number of games.

    Attributes:
        machine: the machine as it was before these games.
        against: the opponent of the machine.
        games: the numbers of games, ascending from 0.
        boxes: the positions of the boxes.
        path: the piles of the mean machine, as an array float64 [games, moves].
        laws: the distributions after each number of games, keyed by `exact` or by the number of copies.
    """

    machine: Machine
    against: Player
    games: tuple[int, ...]
    boxes: tuple[int, ...]
    path: NDArray[np.float64]
    laws: Mapping[str, Sequence[bead_distributions.BeadDistribution]]

    def table(self) -> Table:
        """Return a table with a row for each move after each number of games, with columns for each distribution.

        Each share is the mean over the machines whose box is not empty. A machine that has no beads left for its first
        move counts as ruined.
        """
        more = [f"{name.split()[-1]}_{column}" for name in self.laws for column in OF_LAW]
        return Table(("games", "board", "move", "beads", "share", *more), [(*row[:5], *row[5]) for row in self._rows()])

    def in_words(self) -> Table:
        """Return a human-readable table of the shares and their standard deviations, in percent."""
        ruined = any(law.ruin_probability(self.machine) for laws in self.laws.values() for law in laws)
        last = [f"ruined ({', '.join(self.laws)})"] if ruined else []
        boards = ["board"] if len(self.boxes) > 1 else []
        rows = []
        for games, board, move, beads, share, numbers in self._rows():
            of_laws = [numbers[at : at + len(OF_LAW)] for at in range(0, len(numbers), len(OF_LAW))]
            cells = [f"{_percent(mean)} ± {_percent(deviation).strip()}" for _, mean, deviation, _ in of_laws]
            ends = [", ".join(_percent(ruin).strip() for *_, ruin in of_laws)] if ruined else []
            rows.append(
                (f"{games:,}", *([board] if boards else []), move, f"{beads:8,.1f}", _percent(share), *cells, *ends)
            )
        return Table(("games", *boards, "move", "beads", "share", *self.laws, *last), rows, self.title)

    @property
    def title(self) -> str:
        """The title of the table."""
        return f"{self.machine.name} plays {self.machine.plays} against {self.opponent}: expected beads"

    @property
    def opponent(self) -> str:
        """The name of the opponent."""
        name = self.against if isinstance(self.against, str) else getattr(self.against, "name", None)
        return str(name or getattr(self.against, "__name__", "a table"))

    def names_of(self, box: int) -> list[str]:
        """Return the names of a box's moves. Equivalent actions share one name, such as `0 2 6 8`."""
        positions = self.machine.positions
        names = (positions.board_and_names(move)[1] for move in positions.moves_of(box))
        return [abbreviate_names(alike, MAX_NAMES_LENGTH) for alike in names]

    def shares_of(self, piles: bead_distributions.Beads, box: int) -> NDArray[np.float64]:
        """Return each pile's share of its box's beads, in an array of the same shape, with NaN for an empty box."""
        of_box = piles[:, list(self.machine.positions.moves_of(box))].astype(np.float64)
        sums = of_box.sum(axis=1, keepdims=True)
        shares: NDArray[np.float64] = np.divide(of_box, sums, out=np.full_like(of_box, np.nan), where=sums > 0)
        return shares

    def motion(self, piles: bead_distributions.Beads, box: int, at: int) -> NDArray[np.float64]:
        """Return the expected change in a box's shares over the next game, multiplied by the box's number of beads.

        Args:
            piles: the piles before that game, as an array [machines, moves]. The result has the same shape.
            box: the position of the box.
            at: the index in `games` of the number of games played; the opponent's play may depend on it.
        """
        field = bead_distributions.MeanField(
            self.machine, bead_distributions.opponent_policy_after(self.against, self.machine, self.games[at])
        )
        changes = np.array([field.expected_change(beads) for beads in piles])[
            :, list(self.machine.positions.moves_of(box))
        ]
        motion: NDArray[np.float64] = changes - self.shares_of(piles, box) * changes.sum(axis=1, keepdims=True)
        return motion

    def _rows(self) -> Iterator[Row]:
        positions = self.machine.positions
        for at, games in enumerate(self.games):
            for box in self.boxes:
                moves = positions.moves_of(box)
                span = slice(moves.start, moves.stop)
                columns = []
                for law in (laws[at] for laws in self.laws.values()):
                    columns += [
                        law.mean[span],
                        *law.mean_shares_and_deviations(moves),
                        np.full(len(moves), law.ruin_probability(self.machine)),
                    ]
                piles, shares = self.path[at, span], self.shares_of(self.path, box)[at]
                for move, name in enumerate(self.names_of(box)):
                    numbers = [float(column[move]) for column in columns]
                    yield games, positions.boards[box], name, float(piles[move]), float(shares[move]), numbers


def _percent(share: float) -> str:
    return "no beads" if math.isnan(share) else percent(share)


def expect(
    machine: Machine,
    against: Player,
    games: int = 220,
    marks: str = "1-2-5",
    board: str | None = None,
    machines: int = 0,
    exact: bool = False,
) -> ExpectedBeads:
    """Compute the expected contents of a machine's boxes after a number of games. The machine is not changed.

    Args:
        machine: a machine that draws beads, in its current state.
        against: an opponent that does not learn: a fixed opponent's name, or any other player that `policy_of` accepts.
        games: the number of games, 1 to MAX_GAMES.
        marks: the numbers of games after which to report, in the form that `menace train --marks` accepts.
        board: the board of the box; None selects the boxes of the first move.
        machines: the number of copies that also play the games, with the seeds 1, 2, 3 and so on.
        exact: whether to compute the exact distribution as well, which is only possible if there are few boxes.

    Raises:
        InvalidPlayer: if expected beads cannot be computed for the machine, it has no such box, or there is no such
            opponent.
        InvalidBoard, UnreachableBoard: if the text is not a board, or the board cannot be reached.
        InvalidRun: if games, marks or machines are out of range, or the boxes have too many possible contents.

    >>> expect(Machine("menace", "X"), "random", games=1)
    games, move, beads, share (6 rows)
      0, 0 2 6 8,      4.0,  33.3%
      0, 1 3 5 7,      4.0,  33.3%
      0, 4,      4.0,  33.3%
      1, 0 2 6 8,      4.6,  33.4%
      1, 1 3 5 7,      4.5,  32.7%
      1, 4,      4.6,  34.0%
    """
    numbers, count = tuple(Marks.parse(marks).list_up_to(check_games(games, MAX_GAMES))), whole_number(machines)
    if count is None or count < 0:
        raise InvalidRun(f"machines={machines!r} is not a valid number of machines; give 0 or more")
    if len(numbers) * max(count, 1) * machine.positions.move_count > MAX_PILES:
        raise InvalidRun(
            f"{counted(max(count, 1), 'machine')} at {counted(len(numbers), 'mark')} have too many piles to store;"
            " use fewer machines or fewer marks, such as 0,100"
        )
    boxes = bead_distributions.first_choice_positions(machine) if board is None else [machine.positions.find(board)[1]]
    path = np.array(list(bead_distributions.mean_path(machine, against, numbers)))
    if not boxes or not machine.boxed[boxes].all():
        raise InvalidPlayer(f"machine {machine.name} has no box {f'for {board}' if board else 'at its first move'}")
    laws: dict[str, Sequence[bead_distributions.BeadDistribution]] = {}
    if exact:
        laws[EXACT] = list(bead_distributions.exact_distributions(machine, against, numbers))
    if count:
        laws[counted(count, "machine")] = list(
            bead_distributions.sampled_distributions(machine, against, numbers, count)
        )
    return ExpectedBeads(machine, against, numbers, tuple(boxes), path, laws)
