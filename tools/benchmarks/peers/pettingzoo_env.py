"""PettingZoo's own tic-tac-toe, played at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do


def playouts(which: str) -> Do:
    """Return random playouts in its `env` (with the wrappers that check moves) or its `raw_env` (without)."""
    from pettingzoo.classic.tictactoe import tictactoe

    from benchmarks.adapters import aec_steps  # which makes it load without pygame, and without its warning

    env = getattr(tictactoe, which)()

    def do(count: int) -> int:
        aec_steps(env, count)
        return count

    return do
