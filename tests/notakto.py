"""Notakto, the example in docs/your-own-game/notakto.py, registered as a game."""

from __future__ import annotations

from checkout import ROOT

from menace.games.plugins import game_in_file, register

EXAMPLE = f"{ROOT / 'docs' / 'your-own-game' / 'notakto.py'}:Notakto"
ONE, TWO, THREE = (("notakto", variant) for variant in "123")

for _, variant in (ONE, TWO, THREE):
    register(game_in_file(EXAMPLE, variant))
