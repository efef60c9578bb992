"""R. Kaushik's program by its own rules, where preset `article-code` differs: a colour for each cell of a box.

Equivalent cells have a colour each (but the first box has three), in a box that all images of a board share, and of
equal piles the lowest cell is taken. All else is as in menace/learners/favourite_colour.py. 0.1 s for 10,000 games.

Source: github.com/riturajkaushik/self-learning-tic-tac-toe, tic_tac_toe.py (`learn`, `start_self_play`,
`start_human_play`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from menace.arena.exploration_phases import Phase
from menace.games.base import DRAW, ONGOING
from menace.games.positions import Positions
from menace.learners.favourite_colour import length_changes
from menace.learners.policy import Policy

FIRST_BEADS, FLOOR, CELLS = 2, 1, 9
FIRST_BOX = (0, 1, 4)  # a corner, an edge and the centre
Box: TypeAlias = dict[int, int]  # beads by cell, in ascending order


@dataclass(frozen=True)
class Boards:
    """The boards of the game, and where each stands in its box.

    Attributes:
        outcome: [boards], as in `Positions`.
        box: [boards], which box a board has: the number of its position with symmetry.
        next_board: [boards], the next board by the cell *of the box* that is taken.
    """

    outcome: list[int]
    box: list[int]
    next_board: list[dict[int, int]]


class Rules(NamedTuple):
    """How games are played and rewarded.

    Attributes:
        phases: who explores when, where the fullest cell is taken.
        bonus: whether short games change more beads, or each game one.
        draws: whether beads are drawn, as in the program's first version, which the post tells of.
    """

    phases: tuple[Phase, ...]
    bonus: bool = False
    draws: bool = False


def boards_of(every: Positions, shared: Positions) -> Boards:
    """Return the boards of a game: `every` without symmetry, `shared` with it."""
    number_of = {board: number for number, board in enumerate(shared.boards)}
    carried = [[symmetry.action(cell) for cell in range(CELLS)] for symmetry in shared.symmetries]
    box, next_board = [], []
    for number, board in enumerate(every.boards):
        canonical, carry = max(("".join(board[to.index(cell)] for cell in range(CELLS)), to) for to in carried)
        box.append(number_of[canonical])
        moves = every.moves_of(number)
        next_board.append({carry[int(every.action[m])]: int(every.next_position[m]) for m in moves})
    return Boards(every.outcome.tolist(), box, next_board)


def train(boards: Boards, shared: Positions, rules: Rules, seed: int) -> list[Box]:
    """Play the phases, and return the boxes: one for each board of `shared`."""
    chance = random.Random(seed)  # noqa: S311 - games, not secrets
    boxes = [{c: FIRST_BEADS for c in range(CELLS) if board[c] == "."} for board in shared.boards]
    if len(shared.symmetries) > 1:
        boxes[0] = dict.fromkeys(FIRST_BOX, FIRST_BEADS)
    by_length = length_changes(CELLS)
    for phase in rules.phases:
        for _ in range(phase.games):
            played, outcome = play(boards, boxes, None if rules.draws else (phase.x, phase.o), chance)
            if outcome == DRAW:
                continue
            for ply, (box, cell) in enumerate(played):
                change = int(by_length[len(played), ply]) if rules.bonus else 1
                won = outcome == (1 if ply % 2 == 0 else -1)
                box[cell] = box[cell] + change if won else max(FLOOR, box[cell] - change)
    return boxes


def play(
    boards: Boards, boxes: list[Box], epsilon: tuple[float, float] | None, chance: random.Random
) -> tuple[list[tuple[Box, int]], int]:
    """Play a game, drawing beads if there is no epsilon; return each box opened, the cell taken, and the outcome."""
    board, played = 0, []
    while boards.outcome[board] == ONGOING:
        box = boxes[boards.box[board]]
        if epsilon is None:
            cell = chance.choices(list(box), list(box.values()))[0]
        else:
            explores = chance.random() < epsilon[len(played) % 2]
            cell = chance.choice(list(box)) if explores else fullest_of(box)
        played.append((box, cell))
        board = boards.next_board[board][cell]
    return played, boards.outcome[board]


def fullest_of(box: Box) -> int:
    """Return the cell that has most beads, the lowest of equal ones."""
    return max(box, key=box.__getitem__)


def policies(boxes: list[Box], shared: Positions) -> tuple[Policy, Policy]:
    """Return X's policies: the fullest cell, as against people, and a bead drawn, as the post has it."""
    chosen, drawn = np.zeros(shared.move_count), np.zeros(shared.move_count)
    for position in np.flatnonzero(shared.moved_by(0)).tolist():
        board, box = shared.boards[position], boxes[position]
        moves = {cell: shared.move_of(position, shared.equivalent_actions(board, cell)[0]) for cell in box}
        chosen[moves[fullest_of(box)]] = 1
        for cell, beads in box.items():
            drawn[moves[cell]] += beads
    return Policy.deterministic(shared, 0, chosen), Policy.of_weights(shared, 0, drawn)
