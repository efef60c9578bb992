"""What the first page shows, of a site and of the explorer: a box of a machine, the boxes around it, and its games."""

from __future__ import annotations

from functools import cache
from importlib import resources
from operator import attrgetter
from typing import Any

from menace.analysis.bead_names import BeadNames
from menace.arena.exact_strength import Strength
from menace.exporting.move_marks_html import colours_of, move_look
from menace.game_narration import for_scripts
from menace.learners.box import Box
from menace.learners.machine import Machine
from menace.wording import VERDICTS

CLOSED_MOST = 14  # boxes that are drawn around the open one
SHARE_SEEN = 0.03  # of a box's beads: fewer of a colour are hardly seen


def heap_of(machine: Machine, names: BeadNames) -> dict[str, Any] | None:
    """Return the boxes of a machine to draw: one to open, and `closed` ones; None if it has no beads.

    The open one has many beads, of as many colours as any; the bead that comes to rest is of those it has most of.

    >>> from menace.games.enumeration import tictactoe
    >>> heap = heap_of(Machine("menace", "X"), BeadNames(tictactoe(), Machine("menace", "X").naming))
    >>> heap["title"], heap["moves"][0]["colour"], len(heap["closed"])
    ('box 2 for XO....... (21 beads)', '#fae11e', 14)
    """
    boxes = [box for box in machine.boxes if box.has_beads] if machine.has_beads else []
    if not boxes:
        return None
    box = max(boxes, key=lambda box: (_colours(box), box.beads, -box.position_id))
    best = max(reversed(box.moves), key=attrgetter("amount"))
    colours = colours_of(box, names)
    moves = [
        {
            **move_look(box.game, box.board, move.action),
            "amount": move.amount,
            "names": [names.game.name_of(box.board, same) for same in names.rules.actions_for(box.board, move.action)],
            "bead": colours[move.action].name if colours else None,
            "colour": colours[move.action].hex if colours else None,
        }
        for move in box.moves
    ]
    closed = boxes[:: max(1, len(boxes) // CLOSED_MOST)][:CLOSED_MOST]
    return {
        **_look(box),
        "shape": box.game.shape,
        "kind": "cell" if names.of_cells else "move",
        "unit": box.unit,
        "title": box.title,
        "you": machine.plays.other,
        "drawn": box.moves.index(best),
        "moves": moves,
        "closed": [_look(box) for box in closed],
        "clauses": {name: text for name, text in for_scripts().items() if f'"{name}"' in _drawing()},
    }


@cache
def _drawing() -> str:
    """Return the script that draws boxes, which names the clauses that it fills."""
    return resources.files("menace").joinpath("explorer", "static", "matchbox.js").read_text("utf-8")


def _colours(box: Box) -> int:
    """Return how many colours are seen in a box."""
    return sum((move.share or 0) >= SHARE_SEEN for move in box.moves)


def _look(box: Box) -> dict[str, Any]:
    """Return what stands on a box."""
    return {"board": box.board, "pieces": box.game.pieces(box.board), "number": box.number}


def of_hundred(strength: Strength) -> dict[str, int]:
    """Return the wins, draws and losses of a hundred games, as whole numbers whose sum is 100.

    >>> of_hundred(Strength(win=0.856, draw=0.087, loss=0.057))
    {'wins': 85, 'draws': 9, 'loses': 6}
    """
    shares = dict(zip(VERDICTS.values(), (100 * strength.win, 100 * strength.draw, 100 * strength.loss), strict=True))
    games = {word: int(share) for word, share in shares.items()}
    for word in sorted(shares, key=lambda word: games[word] - shares[word])[: 100 - sum(games.values())]:
        games[word] += 1
    return games
