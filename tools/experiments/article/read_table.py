"""Compute the exact strength of the table supplied with Kaushik's program when it plays against people.

    git clone https://github.com/riturajkaushik/self-learning-tic-tac-toe
    python tools/experiments/article/read_table.py self-learning-tic-tac-toe/experience.dat

The table is a text file that contains two lines for each box. The first line contains the nine cells of a board (0
empty, 1 X, 2 O), and the second contains its beads, each as the number of a cell. When it plays against people, the
program plays X. The program uses the first box in the file whose board is an image of the current board. The program
plays the cell with the most beads, or the lowest such cell in a tie (`start_human_play` in tic_tac_toe.py). O's
strength is computed in the same way, although the program plays O only against itself.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from menace.arena.exact_strength import against, strength_against_best_response
from menace.errors import InvalidBoard, MenaceError
from menace.games.base import ONGOING, Side
from menace.games.enumeration import tictactoe
from menace.games.positions import Positions
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import Policy

CELLS = 9
MARKS = {"0": ".", "1": "X", "2": "O"}


class InvalidTable(MenaceError, ValueError):
    """Raised if a file is not a table written by the program."""


def read_table(path: Path) -> dict[str, Counter[int]]:
    """Return the beads in the first box of each board, in the order of the file.

    Raises:
        InvalidTable: if the file cannot be read or is not a table of the program.
    """
    try:
        lines = path.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidTable(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not a text'}") from None
    if not lines or len(lines) % 2:
        raise InvalidTable(f"{path} has {len(lines)} lines; a table has two for each box")
    boxes: dict[str, Counter[int]] = {}
    for number in range(0, len(lines), 2):
        board = "".join(MARKS.get(mark, "?") for mark in lines[number].split(","))
        beads = lines[number + 1].split(",")
        if len(board) != CELLS or "?" in board:
            raise InvalidTable(f"{path}, line {number + 1}: {lines[number][:30]!r} is not nine of 0, 1 and 2")
        for bead in set(beads):
            if not (bead.isdigit() and len(bead) == 1 and int(bead) < CELLS and board[int(bead)] == "."):
                raise InvalidTable(f"{path}, line {number + 2}: {bead[:30]!r} is not an empty cell of {board}")
        boxes.setdefault(board, Counter(map(int, beads)))
    return boxes


def fullest(boxes: dict[str, Counter[int]], positions: Positions, side: int) -> tuple[Policy, int]:
    """Return the policy that plays the cell with the most beads, and how many of the side's positions have a box.

    Raises:
        InvalidTable: if a position in which the side has a choice has no box.
    """
    chosen, boxed = np.zeros(positions.move_count), set()
    for board, beads in boxes.items():
        try:
            position = positions.number_of(board)
        except (LookupError, InvalidBoard):  # the table also contains boards on which the game is already over
            continue
        if position in boxed or not positions.moved_by(side)[position]:
            continue
        boxed.add(position)
        cell = min(beads, key=lambda cell: (-beads[cell], cell))
        action = positions.to_canonical(board, cell)
        moves = positions.moves_of(position)
        chosen[next(m for m in moves if positions.action[m] == action)] = 1
    for position in np.flatnonzero(positions.moved_by(side) & (positions.outcome == ONGOING)):
        moves = positions.moves_of(int(position))
        if int(position) not in boxed and len(moves) > 1:
            raise InvalidTable(f"the table has no box for {positions.boards[position]}")
        if int(position) not in boxed:
            chosen[moves.start] = 1
    return Policy.deterministic(positions, side, chosen), len(boxed)


def report(boxes: dict[str, Counter[int]]) -> list[str]:
    """Return a report on a table as lines of text."""
    positions, lines = tictactoe(), [f"{len(boxes):,} boards with boxes"]
    for side in Side:
        policy, boxed = fullest(boxes, positions, side.number)
        lines.append(f"{side}: {boxed} of its positions have a box; the fullest cell is taken; exactly:")
        opponents = [(name, fixed_policy(name, positions, side.other.number)) for name in ("random", "optimal")]
        results = [(f"against {name}", against(policy, opponent)) for name, opponent in opponents]
        results.append(("its best response", strength_against_best_response(policy)))
        lines += [f"  {name:17} wins {r.win:8.4%}  draws {r.draw:8.4%}  losses {r.loss:8.4%}" for name, r in results]
    return lines


def main() -> int:
    """Print a report on the given table, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, metavar="PATH", help="the program's experience.dat")
    try:
        print("\n".join(report(read_table(parser.parse_args().path))))
    except InvalidTable as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
