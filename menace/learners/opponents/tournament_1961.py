"""How Michie answered the corner in the maiden tournament of his matchbox machine, game by game.

Printed on the figure, above the curve: which reply he gave to the machine's opening in a corner (variants 0 to 4), and
from which game on. All else is assumed, because it is not printed: that he was a perfect player otherwise, against
other openings and after his reply; that he chose at random among moves that are equally good, which must do for the
"subvariants" of game 203; and that he went on with variant 0, the best strategy, after game 219. Where games have no
number, as in an exact comparison, he plays as in the first one: then, as in the last, he is perfect.

Source: D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), figure 4, reproduced
there from Trial and error, Penguin Science Survey 2 (1961), p. 139.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from menace.games.positions import Positions

CORNER = "X........"
# The board after each variant: the centre, the opposite corner, the edge beside, the next corner, an edge away. Only
# the centre holds the draw.
VARIANTS = {0: "X...O....", 1: "X.......O", 2: "XO.......", 3: "X.O......", 4: "X....O..."}
# (game, variant from that game on); at 203 back to 0 "but with subvariants", from 218 the "best strategy".
SCHEDULE = ((1, 0), (22, 1), (58, 0), (77, 2), (105, 3), (131, 4), (187, 1), (203, 0), (218, 0))
PRINTED_GAMES = 219


def replying(variant: int, otherwise: NDArray[np.int32], positions: Positions) -> NDArray[np.int32]:
    """Return the weights [moves] of a player who answers the corner by a variant, and picks by other weights elsewhere.

    Boards that symmetry carries into each other are answered alike, also where the positions know none.

    >>> from menace.games.enumeration import tictactoe
    >>> move = tictactoe().moves_of(tictactoe().number_of(CORNER))
    >>> replying(2, tictactoe().multiplicity, tictactoe())[move.start : move.stop].tolist()  # one of two edges
    [2, 0, 0, 0, 0]
    """
    symmetries = positions.game.symmetries
    corners, replies = ({symmetry.board(board) for symmetry in symmetries} for board in (CORNER, VARIANTS[variant]))
    weights = otherwise.copy()
    for position in np.flatnonzero(positions.ply == 1).tolist():
        if positions.boards[position] in corners:
            for move in positions.moves_of(position):
                # Any of the boards of its class will do: all or none of them are such a reply.
                answer = positions.boards[positions.next_position[move]]
                weights[move] = positions.multiplicity[move] if answer in replies else 0
    return weights
