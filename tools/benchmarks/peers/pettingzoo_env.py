"""Random games in PettingZoo's own tic-tac-toe."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do


def playouts(which: str) -> Do:
    """Return a function that plays random games in `env`, whose wrappers check moves, or in the unwrapped `raw_env`."""
    from pettingzoo.classic.tictactoe import tictactoe

    from benchmarks.adapters import play_both_sides  # avoids importing pygame and triggering a warning

    env = getattr(tictactoe, which)()

    def do(count: int) -> int:
        play_both_sides(env, count)
        return count

    return do
