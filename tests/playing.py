"""Helpers that play as people do: a game to its end."""

from __future__ import annotations

import random

from menace.people.game import GameUnderWay
from menace.people.session import Finished, Session


def play_to_the_end(game: GameUnderWay, chance: random.Random | None = None) -> None:
    """Make all moves of both sides, the person's at random, or each the first that there is."""
    while game.outcome is None:
        if game.persons_turn:
            actions = game.rules.actions(game.board)
            game.make_person_move(chance.choice(actions) if chance else actions[0])
        elif game.make_machine_move() is None:
            break


def play_out(session: Session, chance: random.Random | None = None) -> Finished:
    """Play a game to its end, as `play_to_the_end`, and record it."""
    play_to_the_end(session.game, chance)
    return session.finish()
