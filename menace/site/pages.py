"""The pages of a site."""

from __future__ import annotations

SCRIPTS = {"learner": ("chance.js", "players.js", "arena.js")}
