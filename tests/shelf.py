"""The boxes of a learner that a database keeps, as tests look at them."""

from __future__ import annotations

from menace.ledger.machines import named_machine
from menace.ledger.store import Store
from menace.shelf.box import Box, boxes_of_machine


def boxes_of(store: Store, name: str) -> tuple[Box, ...]:
    """Return every box of a learner as it stands, by position."""
    return boxes_of_machine(named_machine(store, name))
