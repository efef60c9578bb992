"""A machine's boxes as one web page that needs no network: to look through, to search, to play through.

The boxes are in the page itself, as tables that read without JavaScript; the same numbers stand beside them as JSON,
with which the page's script finds the box of any board, turned or mirrored as it may be. `page.html` is the template.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from itertools import groupby
from typing import Any

from menace import wording
from menace.exporting.board import Mark, board_html
from menace.exporting.shelf import Shelf
from menace.games.base import DEAD, GAP, Where
from menace.learners.favourite import FavouriteSettings
from menace.shelf.box import Box, Move
from menace.wording import OPPONENTS, RESULTS, VERDICTS, counted, ends_of, ordinal

COLUMNS = ("action", "multiplicity", "amount", "share", "count", "verdict", "optimal")  # of a move, in the data
BEADS_LONG = 100_000
VALUE_LONG, VALUE_SMALL = 10, 0.0005  # between them a value shows with three decimals
WHEN_EMPTY = {
    "resign": "the machine resigns",
    "restock": "before it plays, its first beads are put back",
    "restock-colour": "before it plays, its first beads are put back",  # only by hand is one emptied
    "random": "it plays any cell",
}

HOW_IT_PLAYS = {
    "menace": "Each box stands for one position{alike}. To move, the machine opens the "
    "box of the position and draws a bead; its colour says where to play. After the game, beads are added to the "
    "boxes that were opened, or taken out.",
    "favourite": "Each box stands for one position{alike}. To move, the machine opens "
    "the box of the position and takes the colour with the most beads. After the game, beads are added to the boxes "
    "that were opened, or taken out.",
    "td": "For each position it keeps a value: what it has come to expect from there. It mostly plays the move that "
    "leads to the position of the highest value, and sometimes tries another.",
    "odds": "For each of its moves it keeps a weight, and it plays by chance, each move as often as its weight says.",
}
VALUES_OF_MOVES = (
    "For each of its moves it keeps a value: what it has come to expect from it. It mostly plays the move of the "
    "highest value, and sometimes tries another."
)


def page(shelf: Shelf) -> bytes:
    """Return the page. The same shelf gives the same bytes."""
    template = resources.files("menace.exporting").joinpath("page.html").read_text("utf-8")
    parts: dict[str, Callable[[Shelf], str]] = {
        "title": lambda shelf: html.escape(title(shelf)),
        "introduction": _introduction,
        "facts": _facts,
        "settings": _settings,
        "results": lambda shelf: "".join(f'<th scope="col">{result}' for result in ends_of(RESULTS, shelf.has_draws)),
        "strength": _strength,
        "colours": _colour_rules,
        "unit": lambda shelf: "beads" if shelf.has_beads else "value",
        "box": lambda shelf: "box" if shelf.has_beads else "position",
        "boxes": lambda shelf: "boxes" if shelf.has_beads else "positions",
        "draw": lambda shelf: "Draw a bead" if shelf.machine.draws_beads else "Let it move",
        "stages": lambda shelf: "\n".join(_stages(shelf)),
        "links": lambda shelf: " ".join(_links(shelf)),
        "legend": _legend,
        "any_move": lambda shelf: _any_move(shelf, "any cell"),
        "read": lambda shelf: ", ".join(ends_of(("W wins", "D draws", "L loses"), shelf.has_draws)),
        "apart": lambda _: script_json([GAP, DEAD]),
        "verdicts": lambda _: script_json({str(value): verdict for value, verdict in VERDICTS.items()}),
        "data": lambda shelf: script_json(data_of(shelf)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]](shelf), template).encode("utf-8", "replace")


def title(shelf: Shelf) -> str:
    """Return the page's title."""
    return (
        f"The matchboxes of {shelf.machine.row.name}" if shelf.has_beads else f"What {shelf.machine.row.name} learned"
    )


def data_of(shelf: Shelf) -> dict[str, Any]:
    """Return what the page's script knows. `moves` are in the order of `columns`.

    >>> from menace.exporting.shelf import shelf_of
    >>> data = data_of(shelf_of(store, "menace-x"))
    >>> data["columns"], [move[2] for move in data["boxes"][0]["moves"]]
    (('action', 'multiplicity', 'amount', 'share', 'count', 'verdict', 'optimal'), [16, 1, 153])
    """
    return {
        "name": shelf.machine.row.name,
        "plays": shelf.machine.row.plays,
        "shape": shelf.game.shape,
        "symmetries": shelf.sources,
        "beads": shelf.has_beads,
        "when_empty": (
            _any_move(shelf, WHEN_EMPTY[shelf.machine.settings.when_empty]) if shelf.machine.draws_beads else ""
        ),
        "colours": [[one.name, one.hex] for one in shelf.colours],
        "numbers": shelf.names.numbers_of_cells if shelf.of_cells else [],
        "boards": shelf.boards,
        **_table(shelf),
        "columns": COLUMNS,
        "boxes": [
            {
                "number": box.number,
                "position_id": box.position_id,
                "board": box.board,
                "stage": box.stage,
                "moves": [_values(shelf, move) for move in box.moves],
                **({} if shelf.of_cells else {"places": shelf.places.get(box.number or 0, {})}),
            }
            for box in shelf.boxes
        ],
    }


def _table(shelf: Shelf) -> dict[str, Any]:
    """Return what the script plays by where it does not know the rules."""
    return {} if shelf.table is None else {"start": shelf.game.initial, "table": shelf.table}


def _any_move(shelf: Shelf, text: str) -> str:
    return text if shelf.of_cells else text.replace("any cell", "any move")


def _legend(shelf: Shelf) -> str:
    """Return how the boxes are to be read."""
    unit = "beads" if shelf.has_beads else "value"
    if shelf.of_cells:
        return (
            f"Each cell shows the {unit} of the move there, shaded by how likely it is to be played. An empty cell"
            " without\na number is equivalent by symmetry to another, which stands for both."
        )
    first = next((shelf.game.where(box.board, box.moves[0].action) for box in shelf.boxes), Where())
    shown = f"A cell shows the {unit} of the move there"
    if first.arrow:
        shown = f"Each arrow is a move, and below the board stand their {unit}"
    elif first.puts:
        shown = f"A cell shows the pieces that can be put there, each with the {unit} of that move"
    merged = any(move.multiplicity > 1 for box in shelf.boxes for move in box.moves)
    like = " A move that is not shown is equivalent by symmetry to one that is." if merged else ""
    return f"{shown}, shaded by how likely it is to be played.{like}"


def _values(shelf: Shelf, move: Move) -> list[object]:
    """Return what the script knows of a move, in the order of COLUMNS; values of positions count no moves."""
    count = None if shelf.machine.algorithm.of_positions else move.count
    which, worth = (move.action, move.multiplicity), (move.verdict, move.optimal)
    return [*which, move.amount, move.share or 0.0, count, *worth]


def script_json(content: object) -> str:
    r"""Return JSON that can stand in a script element: nothing in it can end the element, or begin a comment.

    >>> script_json("</script>")
    '"\\u003c/script>"'
    """
    return json.dumps(content, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _introduction(shelf: Shelf) -> str:
    row = shelf.machine.row
    how = html.escape(HOW_IT_PLAYS.get(row.algorithm, VALUES_OF_MOVES).replace("{alike}", _alike(shelf)))
    if not shelf.has_beads:
        return f"<p>This machine learned to play from nothing but the results of its games. {how}</p>"
    taught = _reinforcement(shelf.machine.settings, shelf.machine.positions.has_draws)
    return (
        "<p>MENACE is the machine of matchboxes with which Donald Michie showed in 1961 that a heap of boxes "
        f"can learn noughts and crosses. {how} {taught}</p>"
    )


def _alike(shelf: Shelf) -> str:
    """Say which boards share a box, after the word position."""
    if len(shelf.machine.positions.symmetries) == 1:
        return ""
    return ", turned and mirrored boards together" if shelf.of_cells else ", boards that are alike by symmetry together"


def _reinforcement(settings: Any, draws: bool) -> str:
    if isinstance(settings, FavouriteSettings) and settings.rewards != "outcome":
        return ""
    signs = {name: f"{getattr(settings, name):+d}".replace("-", "\N{MINUS SIGN}") for name in ("win", "draw", "loss")}
    which = "the last bead drawn" if getattr(settings, "credit", "all") == "last" else "each bead drawn"
    worth = "a win is {win}, a draw {draw}, a loss {loss}" if draws else "a win is {win}, a loss {loss}"
    return f"Here {worth} for {which}.".format(**signs)


def _facts(shelf: Shelf) -> str:
    row = shelf.machine.row
    facts = {
        "game": shelf.machine.positions.title,
        "plays": f"{row.plays}, {'first' if row.plays == 'X' else 'second'}",
        "games learned from": f"{shelf.machine.learned.games:,}",
        "boxes" if shelf.has_beads else "positions with a choice": f"{len(shelf.boxes):,}",
    }
    if shelf.has_beads:
        facts["beads"] = f"{sum(box.beads for box in shelf.boxes):,}"
    facts["preset"] = row.preset
    return "".join(f"<div><dt>{html.escape(name)}<dd>{html.escape(fact)}</div>" for name, fact in facts.items())


def _settings(shelf: Shelf) -> str:
    settings: Mapping[str, object] = {
        "algorithm": shelf.machine.row.algorithm,
        **json.loads(shelf.machine.row.settings),
    }
    return "".join(
        f"<tr><th scope=row>{html.escape(name)}<td>{html.escape(_setting(value))}" for name, value in settings.items()
    )


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _strength(shelf: Shelf) -> str:
    return "".join(
        f"<tr><th scope=row>{text}" + "".join(f"<td>{percent(share)}" for share in ends_of(found, shelf.has_draws))
        for text, found in ((text, shelf.strength[opponent]) for opponent, text in OPPONENTS.items())
    )


def percent(share: float) -> str:
    """Return a share, 0 to 1, as HTML; what is neither 0 nor 1 never looks like it.

    >>> percent(0.25), percent(1e-05)
    ('25.0%', '&lt;0.1%')
    """
    return html.escape(wording.percent(share).strip())


def _colour_rules(shelf: Shelf) -> str:
    """Return the style of each cell's beads, none if they have no colours or moves are no cells."""
    columns = shelf.game.shape[1]
    return "\n".join(
        f".box tr:nth-child({cell // columns + 1}) td:nth-child({cell % columns + 1}) {{ --bead: {colour.hex}; }}"
        for cell, colour in enumerate(shelf.colours if shelf.of_cells else ())
    )


def _by_stage(shelf: Shelf) -> Iterator[tuple[int, list[Box]]]:
    return ((stage, list(boxes)) for stage, boxes in groupby(shelf.boxes, key=lambda box: box.stage))


def _count(shelf: Shelf, number: int) -> str:
    return counted(number, "box" if shelf.has_beads else "position")


def _links(shelf: Shelf) -> Iterator[str]:
    for stage, boxes in _by_stage(shelf):
        amount = _count(shelf, len(boxes))
        yield f'<span><a href="#stage-{stage}">{ordinal(stage)} move</a> <small>{amount}</small></span>'


def _stages(shelf: Shelf) -> Iterator[str]:
    game = shelf.game
    for stage, boxes in _by_stage(shelf):
        heading = f"<h3>Its {ordinal(stage)} move <small>{_count(shelf, len(boxes))}</small></h3>"
        yield f'<section id="stage-{stage}">{heading}'
        yield '<div class="boxes">'
        for box in boxes:
            total = f" <small>{counted(box.beads, 'bead')}</small>" if shelf.has_beads else ""
            caption = f'<caption><a href="#board={box.board}">{box.number}</a>{total}</caption>'
            rows = board_html(game.pieces(box.board), game.shape, _marks(shelf, box))
            yield f'<table class="box" id="box-{box.number}">{caption}{rows}</table>'
        yield "</div></section>"


def _marks(shelf: Shelf, box: Box) -> list[Mark]:
    """Return the moves of a box as its board shows them; the colours of cells are in the page's style."""
    game, places = shelf.game, {} if shelf.of_cells else shelf.places.get(box.number or 0, {})
    return [
        Mark(
            where=game.where(box.board, move.action),
            name=game.name_of(box.board, move.action),
            verdict=move.verdict,
            share=move.share or 0.0,
            amount=amount_text(move.amount),
            colour=shelf.colours[places[move.action]].hex if places else None,
        )
        for move in box.moves
    ]


def amount_text(amount: float) -> str:
    """Return beads or a value in few characters.

    >>> amount_text(35437), amount_text(1234567), amount_text(0.51234), amount_text(1e-9)
    ('35,437', '1,235k', '0.512', '1.0e\N{MINUS SIGN}09')
    """
    if isinstance(amount, int):
        return f"{amount:,}" if amount < BEADS_LONG else f"{amount / 1000:,.0f}k"
    plain = amount == 0 or VALUE_SMALL <= abs(amount) < VALUE_LONG
    text = f"{amount:.3f}" if plain else f"{amount:.1e}"
    return text.replace("-", "\N{MINUS SIGN}")
