"""Woś's program, rewritten so that many machines play in parallel.

The program follows Woś's source where menace differs from it. Woś's optimal player takes the first of the best cells,
and his machines keep separate beads for equivalent cells. The program therefore needs boards instead of positions and
does not use menace's kernel. File names in comments refer to github.com/krzysztofwos/masters-thesis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.games import get_game
from menace.games.enumeration import enumerate_positions

Rival: TypeAlias = Literal["random", "blocking", "optimal"]
Array: TypeAlias = NDArray[Any]
BEADS = (4, 3, 2, 1)  # InitialBeadSchedule::menace in src/workspace.rs
CHANGE = {1: 3, 0: 1, -1: -1}  # ReinforcementValues in src/menace/classic.rs
REWARD = np.array([0.5, 1.0, -1.0])  # rewards for a draw, a win and a loss, from src/q_learning/agent.rs
ALPHA, GAMMA = 0.5, 0.99  # from configs/thesis_experiments.yaml, as is epsilon
EPSILON, DECAY, LEAST = 0.5, 0.995, 0.01
FOURTH = 6  # the number of plies before X's fourth move
ONGOING = 2


def turned() -> list[list[int]]:
    """Return each cell's new place under each of the eight symmetries, in the order used by Woś's program."""

    def place(cell: int, quarters: int, mirrored: bool) -> int:
        row, column = divmod(cell, 3)
        column = 2 - column if mirrored else column
        for _ in range(quarters):
            row, column = column, 2 - row
        return 3 * row + column

    return [[place(cell, n, mirrored) for cell in range(9)] for n in range(4) for mirrored in (False, True)]


@dataclass(frozen=True, eq=False)
class Tables:
    """The 5,478 boards as arrays.

    Attributes:
        after: [boards, cells], the board after a move, or the same board if there is no such move.
        outcome: [boards], 1, 0, -1, or ONGOING.
        legal: bool [boards, cells].
        box: [boards], the number of the canonical board, which is the first in alphabetical order.
        there: [boards, cells], the place of each cell on the canonical board.
        back: [boards, cells], the place on this board of each cell of the canonical board.
        first_best: [boards], the first of the best cells (OptimalLearner, src/pipeline/comparison.rs).
        block: [boards], the first cell on which the other side would win, or -1 (DefensiveLearner, in the same file).
        fresh: [boxes, cells], the initial beads.
        has_box: for each filter (`michie` or `choices`) bool [boxes].
    """

    after: Array
    outcome: Array
    legal: Array
    box: Array
    there: Array
    back: Array
    first_best: Array
    block: Array
    fresh: Array
    has_box: dict[str, Array]


@cache
def tables() -> Tables:
    """Return the tables."""
    game = get_game()
    positions = enumerate_positions(game, "none")
    boards, number = list(positions.boards), {board: i for i, board in enumerate(positions.boards)}
    count = len(boards)
    after = np.repeat(np.arange(count)[:, None], 9, axis=1)
    after[positions.position_of_move, positions.action] = positions.next_position
    legal = np.zeros((count, 9), bool)
    legal[positions.position_of_move, positions.action] = True
    canonical, there = zip(*(_canonical(board) for board in boards), strict=True)
    boxes = {board: i for i, board in enumerate(dict.fromkeys(canonical))}
    sign = np.where(positions.to_move == 0, 1, -1)[:, None]
    worth = np.where(legal, sign * positions.minimax[after], -2)
    own = positions.to_move == 0
    choices = {board for board, wide in zip(canonical, own & (legal.sum(axis=1) > 1), strict=True) if wide}
    lost = own & (positions.ply == FOURTH) & (positions.minimax == -1)
    lost_boards = {board for board, gone in zip(canonical, lost, strict=True) if gone}
    fresh = [[BEADS[min((9 - board.count(".")) // 2, 3)] * (content == ".") for content in board] for board in boxes]
    return Tables(
        after=after,
        outcome=positions.outcome.astype(np.int64),
        legal=legal,
        box=np.array([boxes[board] for board in canonical]),
        there=np.array(there),
        back=np.argsort(np.array(there), axis=1),
        first_best=worth.argmax(axis=1),
        block=np.array([_block(game, board) for board in number]),
        fresh=np.array(fresh, np.int32),
        has_box={
            "choices": np.array([board in choices for board in boxes]),
            "michie": np.array([board in choices - lost_boards for board in boxes]),
        },
    )


def _canonical(board: str) -> tuple[str, list[int]]:
    """Return the image of a board that sorts first as text, and the symmetry that maps the board to this image."""
    images = []
    for cells in turned():
        image = [""] * 9
        for cell, to in enumerate(cells):
            image[to] = board[cell]
        images.append(("".join(image), cells))
    return min(images, key=lambda pair: pair[0])  # the first symmetry, if several lead to the same image


def _block(game: Any, board: str) -> int:
    opponent = game.to_move(board).other
    cells = (c for c in range(9) if board[c] == "." and game.has_row(board[:c] + opponent + board[c + 1 :], opponent))
    return next(cells, -1)


def pick(weight: Array, share: Array) -> Array:
    """Draw a cell for each machine, with probabilities proportional to the cells' weights.

    `share` contains the random numbers.
    """
    running = weight.cumsum(axis=1)
    return np.minimum((running <= (share * running[:, -1])[:, None]).sum(axis=1), 8)


class Program:
    """Machines that play X, each against its own opponent; the base class of the learners."""

    def __init__(self, machines: int, seed: int) -> None:
        self.t, self.every = tables(), np.arange(machines)
        self.chance = np.random.Generator(np.random.PCG64(seed))
        self.alive = np.ones(machines, bool)

    def choose(self, board: Array) -> Array:
        """Return the cells that the machines play as X."""
        raise NotImplementedError

    def learn(self, boards: list[Array], cells: list[Array], playing: list[Array], result: Array) -> None:
        """Learn from X's turns."""
        raise NotImplementedError

    def reply(self, board: Array, rival: Rival) -> Array:
        """Return the cells that the opponents play as O."""
        if rival == "optimal":
            return self.t.first_best[board]
        any_cell = pick(self.t.legal[board], self.chance.random(len(board)))
        block = self.t.block[board]
        return any_cell if rival == "random" else np.where(block >= 0, block, any_cell)

    def play(self, rival: Rival, games: int, learning: bool = True) -> Array:
        """Play games, and return the numbers of X's wins, draws and losses, as an array [machines, 3]."""
        outcomes = np.zeros((len(self.every), 3), np.int64)
        for _ in range(games):
            board, boards, cells, playing = np.zeros(len(self.every), np.int64), [], [], []
            for ply in range(9):
                on = (self.t.outcome[board] == ONGOING) & self.alive
                if not on.any():
                    break
                cell = self.choose(board) if ply % 2 == 0 else self.reply(board, rival)
                if ply % 2 == 0:
                    boards, cells, playing = [*boards, board], [*cells, cell], [*playing, on & self.alive]
                board = np.where(on & self.alive, self.t.after[board, cell], board)
            result = self.t.outcome[board]
            finished = self.alive & (result != ONGOING)
            outcomes[self.every[finished], 1 - result[finished]] += 1
            if learning:
                self.learn(boards, cells, [on & finished for on in playing], np.where(finished, result, 0))
        return outcomes


class Matchboxes(Program):
    """Woś's MENACE, with beads for every cell of a box; it restocks a `box`, a `move` or nothing (`none`)."""

    def __init__(self, machines: int, seed: int, restock: str = "box", boxes: str = "michie") -> None:
        super().__init__(machines, seed)
        self.restock, self.boxed = restock, self.t.has_box[boxes]
        self.beads = np.repeat(self.t.fresh[None], machines, axis=0)

    def choose(self, board: Array) -> Array:
        """Draw a bead for each machine; if a machine's box is empty, its run ends."""
        box = self.t.box[board]
        free = self.t.fresh[box] > 0
        weight = np.where(self.boxed[box][:, None], self.beads[self.every, box], free)
        ongoing = self.t.outcome[board] == ONGOING
        self.alive &= (weight.sum(axis=1) > 0) | ~ongoing  # as in DepletedMatchbox in the source
        return self.t.back[board, pick(weight, self.chance.random(len(board)))]

    def learn(self, boards: list[Array], cells: list[Array], playing: list[Array], result: Array) -> None:
        """Add and remove beads, and then restock boxes."""
        change = np.array([CHANGE[0], CHANGE[1], CHANGE[-1]])[result]
        for board, cell, on in zip(boards, cells, playing, strict=True):
            box = self.t.box[board]
            m, box, place, gain = (
                a[on & self.boxed[box]] for a in (self.every, box, self.t.there[board, cell], change)
            )
            pile = np.maximum(self.beads[m, box, place] + gain, 0)
            if self.restock == "move":
                pile = np.where(pile == 0, self.t.fresh[box, place], pile)
            self.beads[m, box, place] = pile
            if self.restock == "box":
                empty = self.beads[m, box].sum(axis=1) == 0
                self.beads[m[empty], box[empty]] = self.t.fresh[box[empty]]


class Values(Program):
    """Woś's Q-learning and SARSA, with a value for every cell of a canonical board; ties go to the last cell."""

    def __init__(self, machines: int, seed: int, off_policy: bool) -> None:
        super().__init__(machines, seed)
        self.off_policy, self.epsilon = off_policy, EPSILON
        self.q = np.zeros((machines, *self.t.fresh.shape))

    def here(self, board: Array) -> Array:
        """Return the values of all cells on the given boards, as an array [machines, cells]."""
        values = self.q[self.every[:, None], self.t.box[board][:, None], self.t.there[board]]
        return np.where(self.t.legal[board], values, -np.inf)

    def choose(self, board: Array) -> Array:
        """Take the best cell or, with probability epsilon, a random cell; exploration continues even after training."""
        greedy = 8 - self.here(board)[:, ::-1].argmax(axis=1)
        share = self.chance.random((2, len(board)))
        return np.where(share[0] < self.epsilon, pick(self.t.legal[board], share[1]), greedy)

    def learn(self, boards: list[Array], cells: list[Array], playing: list[Array], result: Array) -> None:
        """Learn from a game.

        As in Woś's program, if the last move ended the game, SARSA also gives the full reward to the move before it.
        """
        reward, nothing = REWARD[result], np.zeros(len(self.every), bool)
        for turn, (board, cell, on) in enumerate(zip(boards, cells, playing, strict=True)):
            later = playing[turn + 1] if turn + 1 < len(playing) else nothing
            target = reward
            if later.any():
                after, move = boards[turn + 1], cells[turn + 1]
                values = np.where(later[:, None], self.here(after), 0.0)
                worth = values.max(axis=1) if self.off_policy else values[self.every, move]
                if not self.off_policy:
                    later = later & (self.t.outcome[self.t.after[after, move]] == ONGOING)
                target = np.where(later, GAMMA * worth, reward)
            m, box, place = self.every[on], self.t.box[board][on], self.t.there[board, cell][on]
            old = self.q[m, box, place]
            self.q[m, box, place] = old + ALPHA * (target[on] - old)
        self.epsilon = max(self.epsilon * DECAY, LEAST)
