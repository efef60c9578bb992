"""Helpers for tests that finish games with a person."""

from __future__ import annotations

import random

from menace.people.game import GameUnderWay
from menace.people.session import Finished, Session


def play_to_the_end(game: GameUnderWay, chance: random.Random | None = None) -> None:
    """Play all remaining moves of both sides. Without `chance`, the person always makes the first legal move."""
    while game.outcome is None:
        if game.persons_turn:
            actions = game.rules.actions(game.board)
            game.make_person_move(chance.choice(actions) if chance else actions[0])
        elif game.make_machine_move() is None:
            break


def play_out(session: Session, chance: random.Random | None = None) -> Finished:
    """Finish a game with `play_to_the_end`, and record it."""
    play_to_the_end(session.game, chance)
    return session.finish()
