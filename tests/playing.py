"""Helpers for tests that finish games with a person, and the example player of the documentation."""

from __future__ import annotations

import random

from menace.people.game import GameUnderWay
from menace.people.session import Finished, Session


def play_to_the_end(game: GameUnderWay, chance: random.Random | None = None) -> None:
    """Play all remaining moves for both sides.

    If `chance` is not given, the person always makes the first legal move.
    """
    while game.outcome is None:
        if game.persons_turn:
            actions = game.rules.actions(game.board)
            game.make_person_move(chance.choice(actions) if chance else actions[0])
        elif game.make_machine_move() is None:
            break


def play_out(session: Session, chance: random.Random | None = None) -> Finished:
    """Finish a game by calling `play_to_the_end`, and record it."""
    play_to_the_end(session.game, chance)
    return session.finish()


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def novice(board: str, moves: list[str]) -> str:
    """Play like the example player in docs/your-own-player.md."""
    for piece in "OX" if board.count("X") > board.count("O") else "XO":
        for line in LINES:
            row = "".join(board[cell] for cell in line)
            if row.count(piece) == 2 and "." in row:
                return str(line[row.index(".")])
    return "4" if "4" in moves else moves[0]
