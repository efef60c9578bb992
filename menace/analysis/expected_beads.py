"""What a machine's boxes are expected to have after some games: the mean machine, beside copies and the exact law."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.arena.first_box import (
    BeadLaw,
    Beads,
    MeanField,
    bead_laws,
    first_boxes,
    mean_path,
    opponent_after,
    sampled_laws,
)
from menace.arena.marks_and_phases import Marks
from menace.arena.play import check_games, whole_number
from menace.errors import InvalidPlayer, InvalidRun
from menace.files.tables import Table, Tabular
from menace.games.base import abbreviate_names
from menace.learners.machine import Machine
from menace.learners.player import Player
from menace.text.wording import counted, percent

GAMES_MOST = 10_000_000
PILES_MOST = 10**8  # of all machines at all marks: half a gigabyte
NAMES_ROOM = 32  # characters for the names of equivalent moves
EXACT = "exact"
OF_LAW = ("beads", "share", "deviation", "ruined")

# Games, board, move, beads and share of the mean machine, and OF_LAW of each law.
Row: TypeAlias = tuple[int, str, str, float, float, list[float]]


@dataclass(frozen=True, repr=False)
class ExpectedBeads(Tabular):
    """The boxes of a machine's first move after some games, or the box of a board.

    Attributes:
        machine: as it stands before these games.
        against: its opponent.
        games: ascending, from 0.
        boxes: the positions whose boxes these are.
        path: float64 [games, moves], the piles of the mean machine.
        laws: by `exact`, or how many machines have played: after each number of games, what they have.
    """

    machine: Machine
    against: Player
    games: tuple[int, ...]
    boxes: tuple[int, ...]
    path: NDArray[np.float64]
    laws: Mapping[str, Sequence[BeadLaw]]

    def table(self) -> Table:
        """Return a row for each number of games and move: beads and share, and what each law says of them.

        A share is the mean of machines whose box has beads; ruined are those without a bead for their first move.
        """
        more = [f"{name.split()[-1]}_{column}" for name in self.laws for column in OF_LAW]
        return Table(("games", "board", "move", "beads", "share", *more), [(*row[:5], *row[5]) for row in self._rows()])

    def in_words(self) -> Table:
        """Return the same with shares in percent, and their standard deviations behind them."""
        ruined = any(law.ruined(self.machine) for laws in self.laws.values() for law in laws)
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
        """What it is, in words."""
        return f"{self.machine.name} plays {self.machine.plays} against {self.opponent}: expected beads"

    @property
    def opponent(self) -> str:
        """The name of its opponent."""
        name = self.against if isinstance(self.against, str) else getattr(self.against, "name", None)
        return str(name or getattr(self.against, "__name__", "a table"))

    def names_of(self, box: int) -> list[str]:
        """Return the names of a box's moves: those of equivalent actions together, `0 2 6 8`."""
        positions, board = self.machine.positions, self.machine.positions.boards[box]
        actions = [positions.equivalent_actions(board, int(positions.action[move])) for move in positions.moves_of(box)]
        return [
            abbreviate_names([positions.game.name_of(board, action) for action in alike], NAMES_ROOM)
            for alike in actions
        ]

    def shares_of(self, piles: Beads, box: int) -> NDArray[np.float64]:
        """Return [contents, moves], a box's shares in some `piles` [contents, moves]; NaN where it is empty."""
        of_box = piles[:, list(self.machine.positions.moves_of(box))].astype(np.float64)
        sums = of_box.sum(axis=1, keepdims=True)
        shares: NDArray[np.float64] = np.divide(of_box, sums, out=np.full_like(of_box, np.nan), where=sums > 0)
        return shares

    def motion(self, piles: Beads, box: int, at: int) -> NDArray[np.float64]:
        """Return [contents, moves], how a game is expected to move a box's shares, times the beads in it.

        Args:
            piles: [contents, moves], of machines whose next game it is.
            box: a position.
            at: the place in `games`: as many are played, which an opponent may go by.
        """
        field = MeanField(self.machine, opponent_after(self.against, self.machine, self.games[at]))
        changes = np.array([field.change(beads) for beads in piles])[:, list(self.machine.positions.moves_of(box))]
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
                    columns += [law.mean[span], *law.shares(moves), np.full(len(moves), law.ruined(self.machine))]
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
    """Return what the boxes of a machine that draws beads are expected to have after some games; it stays as it is.

    Args:
        machine: from where it stands now.
        against: who does not learn from these games: a fixed opponent by name, or what else `policy_of` takes.
        games: 1 to GAMES_MOST.
        marks: after how many of them, as `menace train --marks` takes them.
        board: whose box; None stands for the boxes of its first move.
        machines: copies that play the games as well, with the seeds 1, 2, 3, ...
        exact: whether to compute the law of its boxes, too, which takes a game with few boxes.

    Raises:
        InvalidPlayer: if the machine has no expected beads, has no such box, or there is no such opponent.
        InvalidBoard, UnreachableBoard: if the text is not a board, or one that no game reaches.
        InvalidRun: if games, marks or machines are not as above, or the boxes have too many contents.

    >>> expect(Machine("menace", "X"), "random", games=1)
    games, move, beads, share (6 rows)
      0, 0 2 6 8,      4.0,  33.3%
      0, 1 3 5 7,      4.0,  33.3%
      0, 4,      4.0,  33.3%
      1, 0 2 6 8,      4.6,  33.4%
      1, 1 3 5 7,      4.5,  32.7%
      1, 4,      4.6,  34.0%
    """
    numbers, count = tuple(Marks.parse(marks).upto(check_games(games, GAMES_MOST))), whole_number(machines)
    if count is None or count < 0:
        raise InvalidRun(f"machines={machines!r} is not a number from 0 on")
    if len(numbers) * max(count, 1) * machine.positions.move_count > PILES_MOST:
        raise InvalidRun(
            f"{counted(max(count, 1), 'machine')} at {counted(len(numbers), 'mark')} have too many piles to be kept;"
            " ask for fewer machines, or for fewer marks, as in 0,100"
        )
    boxes = first_boxes(machine) if board is None else [machine.positions.find(board)[1]]
    path = np.array(list(mean_path(machine, against, numbers)))
    if not boxes or not machine.boxed[boxes].all():
        raise InvalidPlayer(f"machine {machine.name} has no box {f'for {board}' if board else 'at its first move'}")
    laws: dict[str, Sequence[BeadLaw]] = {}
    if exact:
        laws[EXACT] = list(bead_laws(machine, against, numbers))
    if count:
        laws[counted(count, "machine")] = list(sampled_laws(machine, against, numbers, count))
    return ExpectedBeads(machine, against, numbers, tuple(boxes), path, laws)
