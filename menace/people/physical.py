"""Games against a machine of real matchboxes: which box to open, and which beads to move afterwards.

The beads that are drawn determine the machine's moves, so few random numbers are used; game.py does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from menace.errors import InvalidPlayer
from menace.learners.box import Box
from menace.ledger.recorded_game import box_is_empty, changes, learn_from
from menace.ledger.store import Store
from menace.people.game import GameUnderWay
from menace.people.session import Session


@dataclass(frozen=True)
class BoxToOpen:
    """A real box to open.

    Attributes:
        box: as in the database, or restocked with its first beads.
        restocked: whether the box was empty, so that it must be restocked first.
        turning: the symmetry that maps the actual board to that on the box; None if they are the same.

    >>> opening = box_to_open(physical_session(store, "menace-x", seed=1).game)
    >>> opening.box.title, opening.restocked, opening.turning
    ('box 1 for ......... (170 beads)', False, None)
    """

    box: Box
    restocked: bool
    turning: str | None


@dataclass(frozen=True)
class BeadChange:
    """Beads to put into a real box, or to take out of it where `beads` is below 0; `action` is on the box's board."""

    box: Box
    action: int
    beads: int


def physical_session(store: Store, name: str, seed: int | None = None, person: str | None = None) -> Session:
    """Begin a session with a machine of real matchboxes, whose moves are beads that are drawn from them (`bead_drawn`).

    Args:
        store: the database.
        name: of the learner.
        seed: of the moves for which it has no box.
        person: the name of the person.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, it draws no beads, or the person's name is not
            allowed.
    """
    row = store.learner(name)
    session = Session(store, name, seed=seed, name=person, physical=True)
    if not session.game.at_board.draws_beads:
        raise InvalidPlayer(f"machine {row.name} does not draw beads from boxes; name one that does")
    return session


def box_to_open(game: GameUnderWay) -> BoxToOpen | None:
    """Return the box for the machine's move; None if it has no box, or one that is empty and is not restocked.

    If the box is restocked, it is restocked in the game, too.

    >>> game = physical_session(store, "menace-o", seed=1).game
    >>> ply = game.person_moves(8)
    >>> opening = box_to_open(game)
    >>> opening.box.board, opening.turning
    ('X........', 'half turn')
    """
    box = game.at_board.box_at(game.position)
    if box is None:
        return None
    restocked = not box.beads
    if restocked:
        game.restock()
        box = game.at_board.box_at(game.position)
        if box is None or not box.beads:
            return None
    symmetry = game.positions.symmetry_to_canonical(game.board)
    return BoxToOpen(box, restocked, None if box.board == game.board else symmetry.name)


def restocked_boxes(game: GameUnderWay) -> list[Box]:
    """Return the boxes that were empty when the game began and have been restocked since, as they are now."""
    if isinstance(game.machine, str):
        return []
    began, now = game.machine, game.at_board
    visited = [*(position for position, _ in game.path), game.position]  # a box is restocked when it is to be opened
    boxes = [now.box_at(position) for position in visited if box_is_empty(began, position)]
    return [box for box in boxes if box is not None and box.beads]


def bead_changes(game: GameUnderWay) -> list[BeadChange]:
    """Return the changes to make to the real boxes after a finished game, by box, then by cell.

    By then drawn beads are back in their boxes, and empty boxes are restocked. What the machine in the database has
    learned elsewhere meanwhile is left out: it is not in the real boxes.

    >>> game = physical_session(store, "menace-x", seed=1).game
    >>> while game.outcome is None:  # the person takes the first empty cell
    ...     ply = game.person_moves(game.board.index(".")) if game.persons_turn else game.machine_moves()
    >>> game.outcome, [(change.box.number, change.action, change.beads) for change in bead_changes(game)]
    ('O', [(1, 4, -1), (8, 8, -1), (85, 1, -1)])
    """
    after = game.at_board.copy()
    recorded = game.recorded()
    learn_from(after, game.path, recorded)
    learned = changes(game.arena, game.at_board, after, recorded)
    moved = [(game.at_board.box_at(change.position_id), change) for change in learned]
    return [
        BeadChange(box, change.action, int(change.after - change.before))
        for box, change in moved
        if box is not None and change.action is not None
    ]
