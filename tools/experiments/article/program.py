"""Train many machines in parallel according to the rules of Kaushik's program.

The preset `article-code` differs from this program in two ways. First, equivalent cells have separate colours in the
program, except in the first box, which has only three colours. Second, the program breaks ties between equal piles in
favour of the lowest-numbered cell.

The source is tic_tac_toe.py (`learn`, `start_self_play`, `start_human_play`) at
github.com/riturajkaushik/self-learning-tic-tac-toe.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from experiments.wos.program import Array, pick
from menace.arena.run_schedule import parse_phases
from menace.games.base import ONGOING
from menace.games.positions import Positions
from menace.learners.algorithms.beads import length_changes
from menace.learners.policy import Policy

FIRST_BEADS, FLOOR, CELLS = 2, 1, 9
FIRST_BOX = (0, 1, 4)  # a corner, an edge and the centre
SEED = 1


@dataclass(frozen=True, eq=False)
class Boards:
    """The boards of the game, with the box for each board.

    Attributes:
        shared: the positions, with one box each.
        outcome: [boards], as in `Positions`.
        box: [boards], the box of each board.
        after: [boards, cells], the next board for each cell of the box, or the same board if the game is over.
        fresh: [boxes, cells], the initial beads.
        move: [boxes, cells], the move in `shared` for each cell; -1 for none.
    """

    shared: Positions
    outcome: Array
    box: Array
    after: Array
    fresh: Array
    move: Array


def boards_of(every: Positions, shared: Positions) -> Boards:
    """Return the boards of the game.

    `every` contains the positions without symmetry, and `shared` contains one position per box.
    """
    number_of = {board: number for number, board in enumerate(shared.boards)}
    carried = [[symmetry.action(cell) for cell in range(CELLS)] for symmetry in shared.symmetries]
    box, after = [], np.repeat(np.arange(len(every))[:, None], CELLS, axis=1)
    for number, board in enumerate(every.boards):
        canonical, carry = max(("".join(board[to.index(cell)] for cell in range(CELLS)), to) for to in carried)
        box.append(number_of[canonical])
        for move in every.moves_of(number):
            after[number, carry[int(every.action[move])]] = every.next_position[move]
    fresh = np.array([[FIRST_BEADS * (mark == ".") for mark in board] for board in shared.boards])
    move = np.full(fresh.shape, -1)
    for position in np.flatnonzero(shared.outcome == ONGOING).tolist():
        for cell in np.flatnonzero(fresh[position]).tolist():
            action = shared.equivalent_actions(shared.boards[position], cell)[0]
            move[position, cell] = shared.move_of(position, action)
    if len(shared.symmetries) > 1:
        fresh[0, [cell for cell in range(CELLS) if cell not in FIRST_BOX]] = 0
    return Boards(shared, every.outcome, np.array(box), after, fresh, move)


class Rules(NamedTuple):
    """The rules for choosing moves and changing beads.

    Attributes:
        shares: whether the images of a board share a box.
        bonus: whether short games change more beads; otherwise each game changes one.
        draws: whether beads are drawn, as in the first version of the program.
        random: whether both sides always play at random; otherwise they explore in the program's four phases.
    """

    shares: bool
    bonus: bool = False
    draws: bool = False
    random: bool = False


def train(boards: Boards, rules: Rules, machines: int, games: int) -> Array:
    """Train each machine by self-play, and return the beads as an array [machines, boxes, cells]."""
    chance, every = np.random.Generator(np.random.PCG64(SEED)), np.arange(machines)
    beads = np.repeat(boards.fresh[None].astype(np.int32), machines, axis=0)
    by_length = length_changes(CELLS) if rules.bonus else np.ones((CELLS + 1, CELLS), np.int32)
    for phase in parse_phases(f"{games}:1:1" if rules.random else "article", games):
        for _ in range(phase.games):
            board, turns, share = np.zeros(machines, np.int64), [], chance.random((CELLS, 2, machines))
            for ply in range(CELLS):
                box = boards.box[board]
                piles = beads[every, box]
                if rules.draws:
                    cell = pick(piles, share[ply, 0])
                else:
                    explores = share[ply, 1] < (phase.x, phase.o)[ply % 2]
                    cell = np.where(explores, pick(piles > 0, share[ply, 0]), piles.argmax(axis=1))
                turns.append((box, cell, boards.outcome[board] == ONGOING))
                board = boards.after[board, cell]
            _learn(beads, turns, boards.outcome[board], by_length)
    return beads


def _learn(beads: Array, turns: list[tuple[Array, Array, Array]], outcome: Array, by_length: Array) -> None:
    """Add beads for the winner's moves, and remove beads for the loser's moves. A drawn game changes nothing."""
    every, length = np.arange(len(outcome)), np.sum([on for _, _, on in turns], axis=0)
    for ply, (box, cell, on) in enumerate(turns):
        change = by_length[length, ply] * outcome * (1 if ply % 2 == 0 else -1) * on
        beads[every, box, cell] = np.maximum(beads[every, box, cell] + change, np.where(on, FLOOR, 0))


def policies(boards: Boards, beads: Array) -> tuple[Policy, Policy]:
    """Return two policies for X: one plays the cell with the most beads, and the other draws a bead at random."""
    shared = boards.shared
    chosen, drawn = np.zeros((2, shared.move_count))
    own = np.flatnonzero(shared.moved_by(0))
    chosen[boards.move[own, beads[own].argmax(axis=1)]] = 1
    box, cell = np.nonzero(beads * shared.moved_by(0)[:, None])
    np.add.at(drawn, boards.move[box, cell], beads[box, cell])
    return Policy.deterministic(shared, 0, chosen), Policy.of_weights(shared, 0, drawn)
