"""A box as the rows of a database have it, without numpy: what is shown of one box loads no table of positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from menace.games.base import Game, Side
from menace.learners.box import Box, Move, shares_of
from menace.ledger.store import MatchboxRow, damaged
from menace.wording import VERDICTS


def moves_in_rows(position: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> tuple[Move, ...]:
    """Return the moves of a position as nobody's, from its row and theirs as `Store.position` and `.moves` have them.

    `rows` are by action. Needs no numpy.

    >>> corner = store.position("X........")
    >>> [move.action for move in moves_in_rows(corner, store.moves(corner["position_id"])) if move.verdict == "draws"]
    [4]
    """
    sign = Side(position["to_move"] or Side.X).sign  # of a game that is over there are no moves
    return tuple(
        Move(
            action=row["action"],
            multiplicity=row["multiplicity"],
            next_position=row["next_position_id"],
            verdict=VERDICTS[sign * row["minimax"]],
            optimal=bool(row["optimal"]),
        )
        for row in rows
    )


def box_in_rows(
    game: Game, position: Mapping[str, Any], moves: Sequence[Move], piles: Sequence[MatchboxRow], number: int | None
) -> Box | None:
    """Return the matchbox that beads are drawn from, as the rows of a database have it; None if there are none.

    It equals the box of the machine in memory. Needs no numpy.

    Args:
        game: the rules.
        position: the row of its position.
        moves: those of the position, by action.
        piles: the rows of the box, likewise.
        number: of the box.

    Raises:
        StoreError: if the rows are of other moves than the position has.
    """
    if not piles:
        return None
    if [pile.action for pile in piles] != [move.action for move in moves]:
        raise damaged(f"the box for {position['board']}", "it does not have a row for each of its moves")
    shares = shares_of([pile.beads for pile in piles])
    return Box(
        position_id=position["position_id"],
        board=position["board"],
        ply=position["ply"],
        number=number,
        unit="beads",
        moves=tuple(
            replace(move, amount=pile.beads, share=share, count=pile.picked)
            for move, pile, share in zip(moves, piles, shares, strict=True)
        ),
        game=game,
    )
