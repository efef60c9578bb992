"""What the first page shows, of a site and of the explorer: a box of a machine, the boxes around it, and its games."""

from __future__ import annotations

import re
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
from menace.site.words import ENGLISH, Words
from menace.wording import VERDICTS

CLOSED_MOST = 12  # on a first page
SHARE_SEEN = 0.03  # of a box's beads: fewer of a colour are hardly seen
BEADS_SEEN, COLOURS_SEEN = 30, 3  # of a box that is worth a look, at least
LEARNED_MOST = 0.85  # of its beads of one colour, at most: else there is nothing left to see


def heap_of(machine: Machine, bead_names: BeadNames | None = None, words: Words = ENGLISH) -> dict[str, Any] | None:
    """Return the boxes of a machine to draw: one to open, and `closed` ones; None if it has no beads.

    Beads are called as the machine has them, if there are no other `bead_names`.

    The open one shows what was learned: of those with several colours that in which one has won most; the bead that
    comes to rest is of these.

    >>> heap = heap_of(Machine("menace", "X"))
    >>> heap["title"], heap["moves"][0]["colour"], len(heap["closed"])
    ('box 1 for .........', '#d52b2b', 12)
    """
    names = bead_names or BeadNames(machine.positions, machine.naming)
    boxes = [box for box in machine.boxes if box.has_beads] if machine.has_beads else []
    if not boxes:
        return None
    box = max(boxes, key=_worth_a_look)
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
        "title": words.told("box_for", number=box.number, board=box.board),
        "you": machine.plays.other,
        "drawn": box.moves.index(best),
        "most": best.beads,
        "beads": box.beads,
        "moves": moves,
        "closed": [_look(box) for box in closed],
        "clauses": {
            name: text
            for name, text in for_scripts(words.clauses).items()
            if name in _drawing() or name.startswith("colour_")
        },
    }


@cache
def _drawing() -> set[str]:
    """Return all texts of the scripts that draw the first page, among them the names of the clauses that they fill."""
    static = resources.files("menace").joinpath("explorer", "static")
    scripts = [static.joinpath(name).read_text("utf-8") for name in ("matchbox.js", "home.js")]
    return {"language", "bead_one", "bead_other", *re.findall(r'"(\w+)"', " ".join(scripts))}


def _worth_a_look(box: Box) -> tuple[bool, float, int]:
    """Return how much a box shows of learning: the more the larger; of boxes that show none, the first."""
    shares = sorted((move.share or 0 for move in box.moves), reverse=True)
    seen = box.beads >= BEADS_SEEN and sum(share >= SHARE_SEEN for share in shares) >= COLOURS_SEEN
    learned = seen and shares[0] <= LEARNED_MOST
    return learned, round(shares[0], 2) if learned else 0, -box.position_id


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
