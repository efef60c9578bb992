"""The matchbox-rl library, which provides engines with matchboxes and beads.

The library does not include any games, so this module implements tic-tac-toe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
WIN, DRAW, PUNISHMENT, FIRST_BEADS = 3, 1, 1, 4


def training() -> Do:
    """Return a function that trains two engines against each other with the MENACE settings in the library's README.

    As in the README, a state is the board as text. A box is filled with beads for the free cells when its board first
    occurs, and again whenever it is empty.
    """
    from matchbox import Bead, Engine, LearningConfig, Matchbox

    beads = [Bead(name=f"Cell{cell}", action=cell, color="red") for cell in range(9)]
    config = LearningConfig(initial_beads=FIRST_BEADS, win_reward=WIN, draw_reward=DRAW, lose_punishment=PUNISHMENT)
    engines = (Engine(beads, config), Engine(beads, config))

    def choose_cell(engine: Engine, board: str) -> int:
        if board not in engine.boxes or not engine.boxes[board].total_beads():
            free = {bead: FIRST_BEADS for bead in beads if board[bead.action] == " "}
            engine.boxes[board] = Matchbox(board, free)
        cell: int = engine.get_move(board)
        return cell

    def play_game() -> None:
        board, results = " " * 9, ("draw", "draw")
        for ply in range(9):
            cell, mark = choose_cell(engines[ply % 2], board), "XO"[ply % 2]
            board = board[:cell] + mark + board[cell + 1 :]
            if any(board[a] == board[b] == board[c] == mark for a, b, c in LINES):
                results = ("lose", "win") if ply % 2 else ("win", "lose")
                break
        for engine, result in zip(engines, results, strict=True):
            engine.train(result)

    def do(count: int) -> int:
        for _ in range(count):
            play_game()
        return count

    return do
