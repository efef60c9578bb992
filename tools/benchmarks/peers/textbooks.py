"""The textbook programs, which we wrote from published descriptions."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do


def training(name: str) -> Do:
    """Return a function that trains the program `zhang`, `gutmann`, `q_table`, `sala` or `article`."""
    program = import_module(f"benchmarks.peers.{name}").Textbook()

    def do(count: int) -> int:
        for _ in range(count):
            program.play()
        return count

    return do
