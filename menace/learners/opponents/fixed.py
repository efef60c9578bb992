"""Fixed opponents: players that never learn, as tables of whole weights over moves.

`FIXED` has all of them by name; lists and explanations are made from it, and `menace players` measures each.
A weight is a move's share of its position, so equivalent cells count each (`multiplicity`). `imperfect:P` stands there
with one P; any from 0 to 1 will do, to the nearest 1/65536. A curriculum is a fixed opponent, too: one after the other,
`random:1000,imperfect:0.5:1000,perfect` plays 1,000 games as `random`, 1,000 as `imperfect:0.5`, and then as `perfect`.
`mcts:N` is a search of N playouts (tree_search.py), with any N that takes no more than seconds in its game.
Johnson's nine rules and Michie's play in the tournament of 1961 are published.
A Python function that became a table (functions.py) is one by the table's name; it plays one side only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidPlayer
from menace.games.base import Board, Side
from menace.games.positions import Positions
from menace.games.rules.mnk import EMPTY, MNK
from menace.games.symmetry import TIC_TAC_TOE
from menace.learners.opponents.functions import game_of, is_tabulated, line_of, names_within, tabulated
from menace.learners.opponents.tree_search import frequencies
from menace.learners.policy import Policy
from menace.text.wording import OPPONENTS, counted, did_you_mean

CENTRE, CORNERS, EDGES = 4, frozenset({0, 2, 6, 8}), frozenset({1, 3, 5, 7})
OPPOSITE = ((0, 8), (2, 6), (6, 2), (8, 0))
SPECIAL = 3  # marks on the board where the fourth rule holds


def cells_of(game: MNK, board: Board) -> frozenset[int]:
    """Return the cells among which it chooses.

    >>> from menace.games import get_game
    >>> sorted(cells_of(get_game(), "X........")), sorted(cells_of(get_game(), "X...O...X"))
    ([4], [1, 3, 5, 7])
    """
    return next(filter(None, _rules(game, board)))


def _rules(game: MNK, board: Board) -> Iterator[frozenset[int]]:
    """Generate the cells that each rule gives."""
    side = game.to_move(board)
    other = side.other
    free = frozenset(_free(board))
    theirs = {cell for cell in range(9) if board[cell] == other.value}
    yield _wins(game, board, side)
    yield _wins(game, board, other)
    yield _forks(game, board, side)
    special = 9 - len(free) == SPECIAL and board[CENTRE] == side.value and any({a, b} <= theirs for a, b in OPPOSITE)
    yield EDGES & free if special else frozenset()
    yield _forks(game, board, other)
    yield frozenset({CENTRE}) & free
    yield CORNERS & free if any(a in theirs and b in free for a, b in OPPOSITE) else frozenset()
    yield CORNERS & free
    yield EDGES & free


def _free(board: Board) -> list[int]:
    return [cell for cell, content in enumerate(board) if content == EMPTY]


def _with(board: Board, cell: int, side: Side) -> Board:
    return board[:cell] + side.value + board[cell + 1 :]


def _wins(game: MNK, board: Board, side: Side) -> frozenset[int]:
    """Return the cells on which a side would have a row."""
    return frozenset(cell for cell in _free(board) if game.has_row(_with(board, cell, side), side))


def _forks(game: MNK, board: Board, side: Side) -> frozenset[int]:
    """Return the cells after which a side would have two such cells."""
    return frozenset(cell for cell in _free(board) if len(_wins(game, _with(board, cell, side), side)) > 1)


def nine_rules(positions: Positions) -> NDArray[np.int32]:
    """Return its weights [moves] for both sides of tic-tac-toe."""
    return np.where(_chosen(positions), positions.multiplicity, 0).astype(np.int32)


@lru_cache(maxsize=4)
def _chosen(positions: Positions) -> NDArray[np.bool_]:
    """Return [moves], whether it may make each."""
    game = positions.game
    if not isinstance(game, MNK):
        raise InvalidPlayer(f"nine rules are those of tic-tac-toe, not of {positions.title}")
    cells = [
        cells_of(game, board) if to_move >= 0 else frozenset()
        for board, to_move in zip(positions.boards, positions.to_move.tolist(), strict=True)
    ]
    moves = zip(positions.position_of_move.tolist(), positions.action.tolist(), strict=True)
    return np.array([action in cells[position] for position, action in moves])


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


Weights: TypeAlias = Callable[[Positions], NDArray[np.int32]]

IMPERFECT = "imperfect:"
SEARCH = "mcts:"
MOST_PLAYOUTS = 1000  # of a search
MOST_SEARCHED = 250_000  # playouts of a search times positions: three seconds
LONGEST_NAME = 30  # characters of imperfect:P
LONGEST_CURRICULUM = 500  # characters
MOST_GAMES = 10**12  # of a part of a curriculum, as of a run


@dataclass(frozen=True)
class FixedOpponent:
    """A player that never learns.

    Attributes:
        name: as people type it.
        line: how it plays, in a line, with its source if it is not our own.
        weights: from the positions of a game, the weights [moves] that it picks by, for both sides.
        fits: the games that it is for, as `SymmetricGame.title` has them; empty stands for any game.
        later: (game, weights): what it picks by instead from that game of a run on, counted from 1; ascending, and
            empty if it does not change.
        plays: the only side that it plays; None stands for both.
        largest: the most positions that a game may have; None stands for any number.

    >>> FIXED["perfect"].line, FIXED["perfect"].is_for("hexapawn 3x3", 71)
    ('optimal, and wins as soon and loses as late as it can', True)
    """

    name: str
    line: str
    weights: Weights
    fits: tuple[str, ...] = ()
    later: tuple[tuple[int, Weights], ...] = ()
    plays: Side | None = None
    largest: int | None = None

    def is_for(self, title: str, positions: int) -> bool:
        """Say whether it is for a game, called by its title, of so many positions."""
        return (not self.fits or title in self.fits) and (self.largest is None or positions <= self.largest)

    def weights_in(self, game: int) -> Weights:
        """Return what makes the weights that it picks by in a game of a run, counted from 1.

        >>> FIXED["random"].weights_in(7) is FIXED["random"].weights
        True
        """
        return [self.weights, *(weights for first, weights in self.later if first <= game)][-1]

    def next_change(self, games: int) -> int | None:
        """Return after how many games of a run it changes next, when `games` are played; None if it never does again.

        >>> FIXED["michie-1961"].next_change(0), FIXED["michie-1961"].next_change(21), FIXED["random"].next_change(0)
        (21, 57, None)
        """
        return next((first - 1 for first, _ in self.later if first - 1 > games), None)


def is_fixed(text: str) -> bool:
    """Say whether `text` names a fixed opponent (whether or not its P is one).

    >>> is_fixed("random"), is_fixed("imperfect:0.2"), is_fixed("menace-x")
    (True, True, False)
    """
    return text in FIXED or text.startswith((IMPERFECT, SEARCH)) or "," in text or is_tabulated(text)


def check_fixed(text: str) -> None:
    """Raise InvalidPlayer if `text` is an `imperfect:P`, `mcts:N` or a curriculum that there is not. Other texts pass.

    Those with the name of a table pass, too: only a database knows whether it is there.

    >>> check_fixed("imperfect:0.1")
    >>> check_fixed("imperfect:2")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidPlayer: player 'imperfect:2' needs a probability from 0 to 1, such as imperfect:0.1
    """
    if is_fixed(text) and not any(names_within(text)):
        fixed_opponent(text)


def is_reserved(name: str) -> bool:
    """Say whether a learner may not have this name.

    >>> is_reserved("Human"), is_reserved("imperfect:0.1"), is_reserved("menace-x")
    (True, True, False)
    """
    return name.lower() in {*FIXED, "imperfect", "mcts", "best_response", "human"} or ":" in name


def fixed_opponent(text: str) -> FixedOpponent:
    """Return the fixed opponent that `text` names.

    Raises:
        InvalidPlayer: if it names none, P or N is not in its range, or a part of a curriculum has no games.

    >>> fixed_opponent("imperfect:0.25").line
    'random with probability 0.25, else perfect; any P will do'
    >>> fixed_opponent("random:1000,imperfect:0.5:1000,perfect").next_change(1000)
    2000
    """
    if "," in text:
        return _curriculum(text)
    if text.startswith(IMPERFECT):
        return _imperfect(text)
    if text.startswith(SEARCH):
        return _searching(text)
    if is_tabulated(text):
        return _of_table(text)
    if text not in FIXED:
        similar = did_you_mean(text, FIXED)
        raise InvalidPlayer(f"no fixed opponent is called {text!r}; {similar}choose one of {', '.join(FIXED)}")
    return FIXED[text]


def check_side(text: str, side: Side) -> None:
    """Raise InvalidPlayer if a fixed opponent does not play a side: a function was asked for the moves of one only.

    >>> check_side("random", Side.X)
    """
    plays = fixed_opponent(text).plays
    if plays not in {None, side}:
        raise InvalidPlayer(f"{text} plays {plays} only, not {side}; name the function's file again, for {side}")


def opponents_for(title: str, positions: int) -> dict[str, FixedOpponent]:
    """Return the fixed opponents that there are in a game, called by its title, of so many positions.

    >>> list(opponents_for("hexapawn 3x3", 71))[:3]
    ['random', 'optimal', 'perfect']
    """
    return {name: opponent for name, opponent in FIXED.items() if opponent.is_for(title, positions)}


def fixed_weights(text: str, positions: Positions, game: int = 1) -> NDArray[np.int32]:
    """Return the weights [moves] of a fixed opponent, for both sides; a position's sum stays below 2^31.

    Args:
        text: its name.
        positions: the game.
        game: which game of a run it plays, from 1; only for an opponent that changes.

    Raises:
        InvalidPlayer: if `text` names none, P or N is not in its range, or the opponent is not for this game.

    >>> from menace.games.enumeration import tictactoe
    >>> fixed_weights("random", tictactoe())[:3].tolist()  # the first moves: a corner, an edge, the centre
    [4, 4, 1]
    >>> move = tictactoe().moves_of(tictactoe().number_of("X........"))
    >>> fixed_weights("optimal", tictactoe())[move.start : move.stop].tolist()  # only the centre holds
    [0, 0, 1, 0, 0]
    """
    opponent = fixed_opponent(text)
    if not opponent.is_for(positions.title, len(positions)):
        raise InvalidPlayer(_misfit(opponent, positions))
    return opponent.weights_in(game)(positions)


def _misfit(opponent: FixedOpponent, positions: Positions) -> str:
    """Return why an opponent is not for a game, and which is."""
    size = len(positions)
    if opponent.largest is not None and size > opponent.largest:
        playouts = min(MOST_SEARCHED // size, MOST_PLAYOUTS)
        possible = f"take {SEARCH}{playouts} at most" if playouts else "it is too large for any search"
        return (
            f"player {opponent.name!r} is for games of at most {counted(opponent.largest, 'position')}, and"
            f" {positions.title} has {size:,}; {possible}"
        )
    names = ", ".join(opponents_for(positions.title, size))
    return (
        f"player {opponent.name!r} is for {' and '.join(opponent.fits)}, not {positions.title}; choose one of {names}"
    )


@lru_cache(maxsize=8)
def fixed_policy(text: str, positions: Positions, side: int) -> Policy:
    """Return a fixed opponent's probabilities for one side, in its first game. Raises as `fixed_weights`.

    >>> from menace.games.enumeration import tictactoe
    >>> fixed_policy("random", tictactoe(), side=0).probability[:3].round(3).tolist()
    [0.444, 0.444, 0.111]
    """
    check_side(text, Side.of_number(side))
    return Policy.of_weights(positions, side, fixed_weights(text, positions), text)


def _of_table(name: str) -> FixedOpponent:
    table = tabulated(name)

    def weights(positions: Positions) -> NDArray[np.int32]:
        if game_of(positions) != table.game:
            raise InvalidPlayer(f"{name} is for {table.game}, not {game_of(positions)}; name the function's file again")
        return table.weights

    return FixedOpponent(name, line_of(table.plays), weights, plays=table.plays)


def _random_distinct(positions: Positions) -> NDArray[np.int32]:
    """Return 1 for each move: equivalent cells are one move, but in a table without symmetry, where they are several.

    D. Michie, Computer Journal 6 (1963), figure 5: his 200 openings are centre, corner, edge 69, 64, 67 times.
    """
    return np.ones(positions.move_count, np.int32)


def _optimal(positions: Positions) -> NDArray[np.int32]:
    return np.where(positions.optimal, positions.multiplicity, 0).astype(np.int32)


def _perfect(positions: Positions) -> NDArray[np.int32]:
    """Among the optimal moves, those whose rest is as long as the position's own rest, less this move.

    In a drawn position every optimal move counts: how soon the game ends does not matter.
    """
    position = positions.position_of_move
    on_time = positions.plies_to_end[positions.next_position] + 1 == positions.plies_to_end[position]
    kept = positions.optimal & (on_time | (positions.minimax[position] == 0))
    return np.where(kept, positions.multiplicity, 0).astype(np.int32)


def _threatened(positions: Positions) -> NDArray[np.int32]:
    """Return the multiplicities of the moves that take a cell on which the other side would complete a row."""
    game = positions.game
    if not isinstance(game, MNK):
        raise InvalidPlayer(f"cells with a threat are those of tic-tac-toe, not of {positions.title}")
    taken = [
        {
            cell
            for cell, content in enumerate(board)
            if content == EMPTY and game.has_row(board[:cell] + opponent + board[cell + 1 :], opponent)
        }
        for board in positions.boards
        for opponent in (game.to_move(board).other,)
    ]
    here = [
        action in taken[position]
        for position, action in zip(positions.position_of_move.tolist(), positions.action.tolist(), strict=True)
    ]
    return np.where(here, positions.multiplicity, 0).astype(np.int32)


def _first_of(positions: Positions, *wanted: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return in each position the first of some weights that has any there."""
    weight = wanted[-1]
    for other in reversed(wanted[:-1]):
        weight = np.where(positions.sum_over_moves(other)[positions.position_of_move] > 0, other, weight)
    return weight


# K. Woś, master's thesis (2025), chapter 8: "Prioritises blocking wins, then centre, then random". His program
# (src/pipeline/comparison.rs) knows no centre, and neither wins on purpose. It blocks the first of two threats by
# number of cell; here the two are alike, so that equivalent boards are played alike.
def _blocking(positions: Positions) -> NDArray[np.int32]:
    return _first_of(positions, _threatened(positions), positions.multiplicity)


def _defensive(positions: Positions) -> NDArray[np.int32]:
    centre = (positions.action == CENTRE).astype(np.int32)
    return _first_of(positions, _threatened(positions), centre, positions.multiplicity)


def _replying(variant: int, positions: Positions) -> NDArray[np.int32]:
    return replying(variant, _perfect(positions), positions)


def _imperfect(text: str) -> FixedOpponent:
    """Return `imperfect:P`."""
    try:
        probability = float(text.removeprefix(IMPERFECT))
    except ValueError:
        probability = -1.0
    if not 0.0 <= probability <= 1.0 or len(text) > LONGEST_NAME:
        raise InvalidPlayer(f"player {text[:LONGEST_NAME]!r} needs a probability from 0 to 1, such as imperfect:0.1")
    line = f"random with probability {probability:g}, else perfect; any P will do"
    return FixedOpponent(text, line, partial(_mixed, round(65536 * probability)))


def _searching(text: str) -> FixedOpponent:
    """Return `mcts:N`."""
    number = text.removeprefix(SEARCH)
    is_number = number.isascii() and number.isdecimal() and len(text) <= LONGEST_NAME
    if not (is_number and 1 <= int(number) <= MOST_PLAYOUTS):
        raise InvalidPlayer(
            f"player {text[:LONGEST_NAME]!r} needs a number of playouts from 1 to {MOST_PLAYOUTS:,}, such as mcts:100"
        )
    playouts = int(number)
    line = f"tree search (UCT) of {counted(playouts, 'playout')}, one seed; any N will do"
    return FixedOpponent(text, line, partial(frequencies, playouts=playouts), largest=MOST_SEARCHED // playouts)


def _curriculum(text: str) -> FixedOpponent:
    """Return the opponent that plays as one after the other: NAME:GAMES,...,NAME."""
    if len(text) > LONGEST_CURRICULUM:
        raise InvalidPlayer(
            f"a curriculum of {counted(len(text), 'character')} is too long; take {LONGEST_CURRICULUM} at most"
        )
    opponents, firsts = [], [1]
    *parts, last = text.split(",")
    for part in parts:
        name, _, games = part.rpartition(":")
        if not (games.isdecimal() and 1 <= int(games) <= MOST_GAMES):
            raise InvalidPlayer(
                f"part {part[:LONGEST_NAME]!r} of a curriculum is not NAME:GAMES; write it as random:1000,perfect"
            )
        opponents.append(fixed_opponent(name))
        firsts.append(firsts[-1] + int(games))
    opponents.append(fixed_opponent(last))
    changing = [opponent.name for opponent in opponents if opponent.later]
    if changing:
        raise InvalidPlayer(f"{changing[0]} changes from game to game by itself; leave it out of a curriculum")
    line = ", then ".join(opponent.name for opponent in opponents)
    later = tuple(zip(firsts[1:], (opponent.weights for opponent in opponents[1:]), strict=True))
    fits = next((opponent.fits for opponent in opponents if opponent.fits), ())
    largest = min((opponent.largest for opponent in opponents if opponent.largest is not None), default=None)
    sides = {opponent.plays for opponent in opponents} - {None}
    if len(sides) > 1:
        raise InvalidPlayer("a curriculum has functions of both sides; take those of one")
    return FixedOpponent(text, line, opponents[0].weights, fits, later, next(iter(sides), None), largest)


def _mixed(p: int, positions: Positions) -> NDArray[np.int32]:
    """P * m * sum(f) + (65536 - p) * f * sum(m): `random` m with probability p / 65536, else `perfect` f."""
    random, perfect = positions.multiplicity.astype(np.int64), _perfect(positions).astype(np.int64)
    position = positions.position_of_move
    random_sum = positions.sum_over_moves(random).astype(np.int64)[position]
    perfect_sum = positions.sum_over_moves(perfect).astype(np.int64)[position]
    return (p * random * perfect_sum + (65536 - p) * perfect * random_sum).astype(np.int32)


FIXED: dict[str, FixedOpponent] = {
    opponent.name: opponent
    for opponent in (
        FixedOpponent("random", "every move alike", lambda positions: positions.multiplicity),
        FixedOpponent("optimal", "alike among moves that keep the best result it can be sure of", _optimal),
        FixedOpponent("perfect", "optimal, and wins as soon and loses as late as it can", _perfect),
        _imperfect("imperfect:0.1"),
        _searching("mcts:100"),
        FixedOpponent("random-distinct", "essentially distinct moves alike (Michie 1963)", _random_distinct),
        FixedOpponent("defensive", "blocks a row, else takes the centre, else any (Woś)", _defensive, (TIC_TAC_TOE,)),
        FixedOpponent("blocking", "blocks a row, else any move (Woś, as his program plays)", _blocking, (TIC_TAC_TOE,)),
        FixedOpponent("johnson-2013", "win, block, fork, and six rules more (P. Johnson)", nine_rules, (TIC_TAC_TOE,)),
        FixedOpponent(
            "michie-1961",
            "perfect, but answers a corner, game by game, as Michie in 1961",
            partial(_replying, SCHEDULE[0][1]),
            (TIC_TAC_TOE,),
            tuple((game, partial(_replying, variant)) for game, variant in SCHEDULE[1:]),
        ),
    )
}
STANDARD = tuple(filter(is_fixed, OPPONENTS))  # whom machines are measured against: random and optimal play
