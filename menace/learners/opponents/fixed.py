"""Define fixed opponents.

A fixed opponent is a player that never learns, stored as a table of integer weights for moves.

`FIXED` maps names to opponents. Lists and explanations of opponents are generated from `FIXED`, and `menace players`
measures each opponent. The weight of a move counts all of the move's equivalent cells (`multiplicity`).

- `imperfect:P` accepts any P from 0 to 1, rounded to a multiple of 1/65536.
- `mcts:N` is a search with N playouts (monte_carlo_search.py). N is limited so that computing the table takes only a
  few seconds.
- A curriculum plays as several opponents in turn. `random:1000,imperfect:0.5:1000,perfect` plays 1,000 games as
  `random`, then 1,000 as `imperfect:0.5`, and all later games as `perfect`.
- `johnson-2013` follows Johnson's nine published rules, and `michie-1961` follows Michie's published play of 1961.
- A Python function converted to a table (functions.py) is a fixed opponent for one side, with the table's name.
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
from menace.learners.opponents import functions
from menace.learners.opponents.monte_carlo_search import choice_frequencies
from menace.learners.policy import Policy
from menace.text.wording import OPPONENTS, counted, did_you_mean

CENTRE, CORNERS, EDGES = 4, frozenset({0, 2, 6, 8}), frozenset({1, 3, 5, 7})
OPPOSITE = ((0, 8), (2, 6), (6, 2), (8, 0))
SPECIAL = 3  # number of pieces on the boards to which the fourth rule applies


def johnson_cells(game: MNK, board: Board) -> frozenset[int]:
    """Return the cells from which `johnson-2013` chooses its move.

    >>> from menace.games import get_game
    >>> sorted(johnson_cells(get_game(), "X........")), sorted(johnson_cells(get_game(), "X...O...X"))
    ([4], [1, 3, 5, 7])
    """
    return next(filter(None, _cells_by_rule(game, board)))


def _cells_by_rule(game: MNK, board: Board) -> Iterator[frozenset[int]]:
    """Yield the cells that each rule suggests, starting with the rule that has the highest priority."""
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
    """Return the cells with which a side would complete a row."""
    return frozenset(cell for cell in _free(board) if game.has_row(_with(board, cell, side), side))


def _forks(game: MNK, board: Board, side: Side) -> frozenset[int]:
    """Return the cells with which a side would create two threats."""
    return frozenset(cell for cell in _free(board) if len(_wins(game, _with(board, cell, side), side)) > 1)


def johnson_weights(positions: Positions) -> NDArray[np.int32]:
    """Return the weights of `johnson-2013` for both sides of tic-tac-toe, indexed by move."""
    return np.where(_chosen(positions), positions.multiplicity, 0).astype(np.int32)


@lru_cache(maxsize=4)
def _chosen(positions: Positions) -> NDArray[np.bool_]:
    """Return a boolean array [moves] that is true for the moves that `johnson-2013` may make."""
    game = positions.game
    if not isinstance(game, MNK):
        raise InvalidPlayer(f"the nine rules apply to tic-tac-toe, not {positions.title}")
    cells = [
        johnson_cells(game, board) if to_move >= 0 else frozenset()
        for board, to_move in zip(positions.boards, positions.to_move.tolist(), strict=True)
    ]
    moves = zip(positions.position_of_move.tolist(), positions.action.tolist(), strict=True)
    return np.array([action in cells[position] for position, action in moves])


CORNER = "X........"
# These boards show each reply to a corner opening: the centre, the opposite corner, an adjacent edge, an adjacent
# corner and a distant edge. Only the reply in the centre keeps the draw.
VARIANTS = {0: "X...O....", 1: "X.......O", 2: "XO.......", 3: "X.O......", 4: "X....O..."}
# Each entry is (first game, variant). According to the source, variant 0 was played "but with subvariants" from game
# 203, and the "best strategy" from game 218.
SCHEDULE = ((1, 0), (22, 1), (58, 0), (77, 2), (105, 3), (131, 4), (187, 1), (203, 0), (218, 0))
PRINTED_GAMES = 219


def corner_reply_weights(variant: int, otherwise: NDArray[np.int32], positions: Positions) -> NDArray[np.int32]:
    """Return the weights [moves] of a player that replies to corner openings with the given variant.

    In all other positions, the player uses the weights `otherwise`. The replies on equivalent boards are equivalent,
    even if the positions do not use symmetry.

    >>> from menace.games.enumeration import tictactoe
    >>> move = tictactoe().moves_of(tictactoe().number_of(CORNER))
    >>> corner_reply_weights(2, tictactoe().multiplicity, tictactoe())[move.start : move.stop].tolist()
    [2, 0, 0, 0, 0]
    """
    symmetries = positions.game.symmetries
    corners, replies = ({symmetry.board(board) for symmetry in symmetries} for board in (CORNER, VARIANTS[variant]))
    weights = otherwise.copy()
    for position in np.flatnonzero(positions.ply == 1).tolist():
        if positions.boards[position] in corners:
            for move in positions.moves_of(position):
                # Either all boards of a position show the reply or none do, so testing one board is enough.
                answer = positions.boards[positions.next_position[move]]
                weights[move] = positions.multiplicity[move] if answer in replies else 0
    return weights


Weights: TypeAlias = Callable[[Positions], NDArray[np.int32]]

IMPERFECT = "imperfect:"
SEARCH = "mcts:"
MAX_PLAYOUTS = 1000  # maximum number of playouts per search
MAX_SEARCH_SIZE = 250_000  # maximum product of playouts and positions; a search of this size takes about three seconds
LONGEST_NAME = 30  # maximum length of `imperfect:P`, in characters
LONGEST_CURRICULUM = 500  # maximum number of characters in a curriculum
MAX_GAMES = 10**12  # maximum number of games in each part of a curriculum, the same limit as for a run


@dataclass(frozen=True)
class FixedOpponent:
    """A player that never learns.

    Attributes:
        name: the name that people type.
        line: a one-line description of its play, with its source if it is published.
        weights: a function that returns the weights [moves] of both sides for the positions of a game.
        fits: the titles (`SymmetricGame.title`) of the supported games. Empty if any game is supported.
        later: for an opponent that changes during a run, (game, weights) pairs in ascending order. The weights apply
            from that game onwards, counting from 1.
        plays: the only side that the opponent can play, or None for both sides.
        largest: the maximum number of positions in a supported game, or None for no limit.

    >>> FIXED["perfect"].line, FIXED["perfect"].is_for("hexapawn 3x3", 71)
    ('optimal, but wins as soon and loses as late as possible', True)
    """

    name: str
    line: str
    weights: Weights
    fits: tuple[str, ...] = ()
    later: tuple[tuple[int, Weights], ...] = ()
    plays: Side | None = None
    largest: int | None = None

    def is_for(self, title: str, positions: int) -> bool:
        """Return whether the opponent can play a game with the given title and number of positions."""
        return (not self.fits or title in self.fits) and (self.largest is None or positions <= self.largest)

    def weights_in(self, game: int) -> Weights:
        """Return the function that computes the weights for a game of a run. Games are counted from 1.

        >>> FIXED["random"].weights_in(7) is FIXED["random"].weights
        True
        """
        return [self.weights, *(weights for first, weights in self.later if first <= game)][-1]

    def games_until_change(self, games: int) -> int | None:
        """Return the number of games in a run after which the opponent next changes, or None if it never changes again.

        Args:
            games: the number of games already played.

        >>> (
        ...     FIXED["michie-1961"].games_until_change(0),
        ...     FIXED["michie-1961"].games_until_change(21),
        ...     FIXED["random"].games_until_change(0),
        ... )
        (21, 57, None)
        """
        return next((first - 1 for first, _ in self.later if first - 1 > games), None)


def is_fixed(text: str) -> bool:
    """Return whether `text` has the form of a fixed opponent's name, without checking the values of P and N.

    >>> is_fixed("random"), is_fixed("imperfect:0.2"), is_fixed("menace-x")
    (True, True, False)
    """
    return text in FIXED or text.startswith((IMPERFECT, SEARCH)) or "," in text or functions.is_tabulated(text)


def check_fixed(text: str) -> None:
    """Raise InvalidPlayer if `text` has the form of a fixed opponent's name but is invalid.

    Any other text is accepted, including the name of a table, because only the database knows whether a table exists.

    >>> check_fixed("imperfect:0.1")
    >>> check_fixed("imperfect:2")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidPlayer: player 'imperfect:2' needs a probability from 0 to 1, such as imperfect:0.1
    """
    if is_fixed(text) and not any(functions.tabulated_names(text)):
        fixed_opponent(text)


def is_reserved(name: str) -> bool:
    """Return whether a name is reserved, so that no learner can have this name.

    >>> is_reserved("Human"), is_reserved("imperfect:0.1"), is_reserved("menace-x")
    (True, True, False)
    """
    return name.lower() in {*FIXED, "imperfect", "mcts", "best_response", "human"} or ":" in name


def fixed_opponent(text: str) -> FixedOpponent:
    """Return the fixed opponent with the given name.

    Raises:
        InvalidPlayer: if there is no such opponent, P or N is out of range, or a part of a curriculum lacks its number
            of games.

    >>> fixed_opponent("imperfect:0.25").line
    'random with probability 0.25, else perfect; P is any probability'
    >>> fixed_opponent("random:1000,imperfect:0.5:1000,perfect").games_until_change(1000)
    2000
    """
    if "," in text:
        return _curriculum(text)
    if text.startswith(IMPERFECT):
        return _imperfect(text)
    if text.startswith(SEARCH):
        return _mcts(text)
    if functions.is_tabulated(text):
        return _of_table(text)
    if text not in FIXED:
        similar = did_you_mean(text, FIXED)
        raise InvalidPlayer(f"there is no fixed opponent {text!r}; {similar}choose one of {', '.join(FIXED)}")
    return FIXED[text]


def check_side(text: str, side: Side) -> None:
    """Raise InvalidPlayer if a fixed opponent cannot play the given side because its table is for the other side.

    >>> check_side("random", Side.X)
    """
    plays = fixed_opponent(text).plays
    if plays not in {None, side}:
        raise InvalidPlayer(
            f"{text} plays only {plays}, not {side}; to use the function for {side}, give the path of its file again"
        )


def opponents_for(title: str, positions: int) -> dict[str, FixedOpponent]:
    """Return the names of the fixed opponents that can play a game with the given title and number of positions.

    >>> list(opponents_for("hexapawn 3x3", 71))[:3]
    ['random', 'optimal', 'perfect']
    """
    return {name: opponent for name, opponent in FIXED.items() if opponent.is_for(title, positions)}


def fixed_weights(text: str, positions: Positions, game: int = 1) -> NDArray[np.int32]:
    """Return the weights [moves] of a fixed opponent for both sides.

    In each position, the sum of the weights is below 2^31.

    Args:
        text: the name of the opponent.
        positions: the game.
        game: the number of the game in a run, counting from 1, for opponents that change.

    Raises:
        InvalidPlayer: if there is no such opponent, P or N is out of range, or the opponent does not support this game.

    >>> from menace.games.enumeration import tictactoe
    >>> fixed_weights("random", tictactoe())[:3].tolist()  # for a corner, an edge and the centre
    [4, 4, 1]
    >>> move = tictactoe().moves_of(tictactoe().number_of("X........"))
    >>> fixed_weights("optimal", tictactoe())[move.start : move.stop].tolist()  # only the centre keeps the draw
    [0, 0, 1, 0, 0]
    """
    opponent = fixed_opponent(text)
    if not opponent.is_for(positions.title, len(positions)):
        raise InvalidPlayer(_misfit(opponent, positions))
    return opponent.weights_in(game)(positions)


def _misfit(opponent: FixedOpponent, positions: Positions) -> str:
    """Return a message that explains why an opponent cannot play this game and names one that can."""
    size = len(positions)
    if opponent.largest is not None and size > opponent.largest:
        playouts = min(MAX_SEARCH_SIZE // size, MAX_PLAYOUTS)
        possible = f"use at most {SEARCH}{playouts}" if playouts else "the game is too large for a search"
        return (
            f"player {opponent.name!r} supports games with at most {counted(opponent.largest, 'position')}, but"
            f" {positions.title} has {size:,}; {possible}"
        )
    names = ", ".join(opponents_for(positions.title, size))
    return (
        f"player {opponent.name!r} supports {' and '.join(opponent.fits)}, not {positions.title}; choose one of {names}"
    )


@lru_cache(maxsize=8)
def fixed_policy(text: str, positions: Positions, side: int) -> Policy:
    """Return a fixed opponent's policy for one side in the first game of a run.

    Raises the same errors as `fixed_weights`.

    >>> from menace.games.enumeration import tictactoe
    >>> fixed_policy("random", tictactoe(), side=0).probability[:3].round(3).tolist()
    [0.444, 0.444, 0.111]
    """
    check_side(text, Side.of_number(side))
    return Policy.of_weights(positions, side, fixed_weights(text, positions), text)


def _of_table(name: str) -> FixedOpponent:
    table = functions.tabulated(name)

    def weights(positions: Positions) -> NDArray[np.int32]:
        game = functions.game_and_symmetry(positions)
        if game != table.game:
            raise InvalidPlayer(f"{name} is for {table.game}, not {game}; give the path of the function's file instead")
        return table.weights

    return FixedOpponent(name, functions.description_of_table(table.plays), weights, plays=table.plays)


def _random_distinct(positions: Positions) -> NDArray[np.int32]:
    """Return the weight 1 for each move, so that equivalent cells count as one move if positions use symmetry.

    In figure 5 of Michie, Computer Journal 6 (1963), 69 of 200 openings are in the centre, 64 in a corner, and 67 on an
    edge.
    """
    return np.ones(positions.move_count, np.int32)


def _optimal(positions: Positions) -> NDArray[np.int32]:
    return np.where(positions.optimal, positions.multiplicity, 0).astype(np.int32)


def _perfect_weights(positions: Positions) -> NDArray[np.int32]:
    """Return the multiplicities of the optimal moves that keep the game as long as under perfect play.

    In a drawn position, all optimal moves are included because the length of the game does not matter.
    """
    position = positions.position_of_move
    on_time = positions.plies_to_end[positions.next_position] + 1 == positions.plies_to_end[position]
    kept = positions.optimal & (on_time | (positions.minimax[position] == 0))
    return np.where(kept, positions.multiplicity, 0).astype(np.int32)


def _threatened(positions: Positions) -> NDArray[np.int32]:
    """Return the multiplicities of moves that block a row, and 0 for all other moves."""
    game = positions.game
    if not isinstance(game, MNK):
        raise InvalidPlayer(f"threatened cells are defined only for tic-tac-toe, not for {positions.title}")
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


def _first_weights_with_a_move(positions: Positions, *wanted: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each position, return the weights from the first array that gives a positive weight to any of its moves."""
    weight = wanted[-1]
    for other in reversed(wanted[:-1]):
        weight = np.where(positions.sum_over_moves(other)[positions.position_of_move] > 0, other, weight)
    return weight


# Woś, master's thesis (2025), chapter 8: "Prioritises blocking wins, then centre, then random". The program
# (src/pipeline/comparison.rs) does not prefer the centre. Neither the player in the thesis nor the one in the program
# tries to win. If there are two threats, the program blocks the one with the lower cell number. Here, both blocking
# moves are equally likely, so that equivalent boards have equivalent moves.
def _blocking(positions: Positions) -> NDArray[np.int32]:
    return _first_weights_with_a_move(positions, _threatened(positions), positions.multiplicity)


def _defensive(positions: Positions) -> NDArray[np.int32]:
    centre = (positions.action == CENTRE).astype(np.int32)
    return _first_weights_with_a_move(positions, _threatened(positions), centre, positions.multiplicity)


def _replying(variant: int, positions: Positions) -> NDArray[np.int32]:
    return corner_reply_weights(variant, _perfect_weights(positions), positions)


def _imperfect(text: str) -> FixedOpponent:
    """Return the opponent `imperfect:P`."""
    try:
        probability = float(text.removeprefix(IMPERFECT))
    except ValueError:
        probability = -1.0
    if not 0.0 <= probability <= 1.0 or len(text) > LONGEST_NAME:
        raise InvalidPlayer(f"player {text[:LONGEST_NAME]!r} needs a probability from 0 to 1, such as imperfect:0.1")
    line = f"random with probability {probability:g}, else perfect; P is any probability"
    return FixedOpponent(text, line, partial(_mixed, round(65536 * probability)))


def _mcts(text: str) -> FixedOpponent:
    """Return the opponent `mcts:N`."""
    number = text.removeprefix(SEARCH)
    is_number = number.isascii() and number.isdecimal() and len(text) <= LONGEST_NAME
    if not (is_number and 1 <= int(number) <= MAX_PLAYOUTS):
        raise InvalidPlayer(
            f"player {text[:LONGEST_NAME]!r} needs a number of playouts from 1 to {MAX_PLAYOUTS:,}, such as mcts:100"
        )
    playouts = int(number)
    line = f"Monte Carlo tree search of {counted(playouts, 'playout')} (UCT); N is 1 to {MAX_PLAYOUTS}"
    return FixedOpponent(
        text, line, partial(choice_frequencies, playouts=playouts), largest=MAX_SEARCH_SIZE // playouts
    )


def _curriculum(text: str) -> FixedOpponent:
    """Return an opponent that plays as several opponents in turn.

    The text lists the opponents and their numbers of games in the form NAME:GAMES,...,NAME.
    """
    if len(text) > LONGEST_CURRICULUM:
        raise InvalidPlayer(
            f"a curriculum with {counted(len(text), 'character')} is too long; the maximum is {LONGEST_CURRICULUM}"
        )
    opponents, firsts = [], [1]
    *parts, last = text.split(",")
    for part in parts:
        name, _, games = part.rpartition(":")
        if not (games.isdecimal() and 1 <= int(games) <= MAX_GAMES):
            raise InvalidPlayer(
                f"part {part[:LONGEST_NAME]!r} of a curriculum does not have the form NAME:GAMES, as in "
                "random:1000,perfect"
            )
        opponents.append(fixed_opponent(name))
        firsts.append(firsts[-1] + int(games))
    opponents.append(fixed_opponent(last))
    changing = [opponent.name for opponent in opponents if opponent.later]
    if changing:
        raise InvalidPlayer(f"{changing[0]} changes during a run, so it cannot be part of a curriculum")
    line = ", then ".join(opponent.name for opponent in opponents)
    later = tuple(zip(firsts[1:], (opponent.weights for opponent in opponents[1:]), strict=True))
    fits = next((opponent.fits for opponent in opponents if opponent.fits), ())
    largest = min((opponent.largest for opponent in opponents if opponent.largest is not None), default=None)
    sides = {opponent.plays for opponent in opponents} - {None}
    if len(sides) > 1:
        raise InvalidPlayer("a curriculum contains functions for both sides; use functions for only one side")
    return FixedOpponent(text, line, opponents[0].weights, fits, later, next(iter(sides), None), largest)


def _mixed(p: int, positions: Positions) -> NDArray[np.int32]:
    """Return the weights of a mixture that plays `random` with probability p / 65536 and `perfect` otherwise.

    If `random` has the weights m and `perfect` has the weights f, the result is p * m * sum(f) + (65536 - p) * f *
    sum(m).
    """
    random, perfect = positions.multiplicity.astype(np.int64), _perfect_weights(positions).astype(np.int64)
    position = positions.position_of_move
    random_sum = positions.sum_over_moves(random).astype(np.int64)[position]
    perfect_sum = positions.sum_over_moves(perfect).astype(np.int64)[position]
    return (p * random * perfect_sum + (65536 - p) * perfect * random_sum).astype(np.int32)


FIXED: dict[str, FixedOpponent] = {
    opponent.name: opponent
    for opponent in (
        FixedOpponent("random", "every legal move with equal probability", lambda positions: positions.multiplicity),
        FixedOpponent("optimal", "random among moves that keep the best possible result", _optimal),
        FixedOpponent("perfect", "optimal, but wins as soon and loses as late as possible", _perfect_weights),
        _imperfect("imperfect:0.1"),
        _mcts("mcts:100"),
        FixedOpponent("random-distinct", "every distinct move with equal probability (Michie 1963)", _random_distinct),
        FixedOpponent("defensive", "blocks a row, else plays centre, else random (Woś)", _defensive, (TIC_TAC_TOE,)),
        FixedOpponent("blocking", "blocks a row, else plays at random (Woś's code)", _blocking, (TIC_TAC_TOE,)),
        FixedOpponent(
            "johnson-2013",
            "win, block, fork, and six more rules (P. Johnson)",
            johnson_weights,
            (TIC_TAC_TOE,),
        ),
        FixedOpponent(
            "michie-1961",
            "perfect, but answers a corner opening as Michie did in 1961",
            partial(_replying, SCHEDULE[0][1]),
            (TIC_TAC_TOE,),
            tuple((game, partial(_replying, variant)) for game, variant in SCHEDULE[1:]),
        ),
    )
}
# the opponents against which machines are measured
STANDARD = tuple(filter(is_fixed, OPPONENTS))
