"""Find lines of play on actual boards, and report the moves, boxes, outcomes and recorded games of a board.

Facts stored in the database can be read quickly for a game of any size. Exact facts are computed from all positions,
which takes a long time for a large game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.analysis.listings import box_record, move_record
from menace.analysis.position import MoveView, PositionView, draws_beads, show, show_machine
from menace.arena.exact_strength import most_likely_refutation, outcomes
from menace.errors import IllegalMove, InvalidBoard, InvalidPlayer, RevisionMismatch
from menace.games.base import Board, Side
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import STANDARD, fixed_policy
from menace.learners.policy import Policy
from menace.ledger.learners import named_machine
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import GameRow, LearnerRow, Store
from menace.text.wording import counted

MAX_IMAGES = 100  # maximum number of boards on a page; heaps in Nim can be ordered in up to 40,320 ways


class LineOfPlay(NamedTuple):
    """Consecutive boards and the moves between them.

    Attributes:
        boards: the boards. There is one more board than there are actions.
        actions: the actions that lead from each board to the next.

    >>> LineOfPlay(("X..", "XO."), (1,)).actions
    (1,)
    """

    boards: tuple[Board, ...]
    actions: tuple[int, ...]


class Refutation(NamedTuple):
    """A line of play that beats a machine.

    Attributes:
        way: the boards and actions of the line.
        probability: the probability that the machine plays its own moves in the line.
        resigns: whether the machine resigns at the end of the line.
    """

    way: LineOfPlay
    probability: float
    resigns: bool


def play_on_boards(positions: Positions, board: Board, moves: Iterable[int]) -> LineOfPlay:
    """Play consecutive moves from a board, and return the line of play. Moves are given by their indices.

    If several actions are equivalent, the lowest-numbered action is played. The caller must ensure that the first move
    belongs to the board's position.

    >>> from menace.games.enumeration import tictactoe
    >>> play_on_boards(tictactoe(), "........X", [tictactoe().moves_of(1)[0]])  # beside X
    LineOfPlay(boards=('........X', '.....O..X'), actions=(5,))
    """
    game, boards, actions = positions.game, [board], list[int]()
    for move in moves:
        after = int(positions.next_position[move])
        children = ((action, game.play(boards[-1], action)) for action in game.actions(boards[-1]))
        action, child = next(found for found in children if positions.number_of(found[1]) == after)
        actions.append(action)
        boards.append(child)
    return LineOfPlay(tuple(boards), tuple(actions))


def line_to(positions: Positions, board: Board) -> LineOfPlay:
    """Return a line from the first board to `board` itself, through the lowest-numbered preceding positions.

    Raises:
        LookupError: if the board cannot be reached.

    >>> from menace.games.enumeration import tictactoe
    >>> line_to(tictactoe(), ".X..O....").boards
    ('.........', '.X.......', '.X..O....')
    """
    position, moves = positions.number_of(board), []
    while position:
        move = int(np.flatnonzero(positions.next_position == position)[0])
        moves.append(move)
        position = int(positions.position_of_move[move])
    line = play_on_boards(positions, positions.game.initial, reversed(moves))
    there = positions.symmetry_to_canonical(line.boards[-1])
    back = positions.symmetry_to_canonical(board).inverse()
    boards = tuple(back.board(there.board(step)) for step in line.boards)
    return LineOfPlay(boards, tuple(back.action(there.action(action)) for action in line.actions))


def principal_variation(positions: Positions, board: Board) -> LineOfPlay:
    """Return the line of perfect play from a board.

    If several moves are equally good, the lowest-numbered move is played.

    The winner wins as soon as possible, and the loser delays the end. If the game is a draw, both players delay the
    end. Therefore, the line has `plies_to_end` moves.

    >>> from menace.games.enumeration import tictactoe
    >>> principal_variation(tictactoe(), "XX.OO....").boards
    ('XX.OO....', 'XXXOO....')
    """
    position, moves = positions.number_of(board), []
    while len(here := positions.moves_of(position)):
        left = positions.plies_to_end[position] - 1
        moves.append(
            next(m for m in here if positions.optimal[m] and positions.plies_to_end[positions.next_position[m]] == left)
        )
        position = int(positions.next_position[moves[-1]])
    return play_on_boards(positions, board, moves)


def refutation(machine: Machine, board: Board) -> Refutation | None:
    """Return the line of play that is most likely to beat a machine's training policy, or None if no line can beat it.

    >>> from menace.learners.machine import Machine
    >>> line = refutation(Machine("menace", "O"), "XX.OO....")
    >>> line.way.boards, line.probability
    (('XX.OO....', 'XXXOO....'), 1.0)
    """
    positions = machine.positions
    line = most_likely_refutation(machine.policy(), positions.number_of(board))
    return (
        None
        if line is None
        else Refutation(play_on_boards(positions, board, line.moves), line.probability, line.resigns)
    )


def line_through(rules: SymmetricGame, boards: Sequence[Board]) -> LineOfPlay:
    """Return the line of play through consecutive boards, after finding the action between each pair of boards.

    Raises:
        IllegalMove: if no move leads from a board to the next one.

    >>> from menace.games.enumeration import tictactoe
    >>> line_through(tictactoe(), ("X........", "X...O....")).actions
    (4,)
    """
    game, actions = rules.game, []
    for board, after in pairwise(boards):
        move = next((action for action in game.actions(board) if game.play(board, action) == after), None)
        if move is None:
            raise IllegalMove(f"no legal move leads from {board} to {after}")
        actions.append(move)
    return LineOfPlay(tuple(boards), tuple(actions))


def images(rules: SymmetricGame, board: Board, most: int = MAX_IMAGES) -> tuple[Board, ...]:
    """Return up to `most` boards that belong to the same position as `board`, in descending order.

    >>> from menace.games.enumeration import tictactoe
    >>> images(tictactoe(), "........X")
    ('X........', '..X......', '......X..', '........X')
    """
    boards: set[Board] = set()
    for symmetry in rules.symmetries:
        boards.add(symmetry.board(board))
        if len(boards) == most:
            break
    return tuple(sorted(boards, reverse=True))


def boards_before(positions: Positions, board: Board) -> tuple[Board, ...]:
    """Return the boards from which a move leads to `board` itself. The result is empty for the first board.

    >>> from menace.games.enumeration import tictactoe
    >>> boards_before(tictactoe(), "XX..O....")
    ('X...O....', '.X..O....')
    """
    game, position = positions.game, positions.number_of(board)
    before = np.unique(positions.position_of_move[np.flatnonzero(positions.next_position == position)])
    boards = [image for number in before.tolist() for image in images(positions, positions.boards[number])]
    return tuple(
        earlier for earlier in boards if any(game.play(earlier, action) == board for action in game.actions(earlier))
    )


def ways_to_continue(positions: Positions) -> NDArray[np.float64]:
    """Return the number of ways to continue the game from each position. Counts below 2^53 are exact.

    >>> from menace.games.enumeration import tictactoe
    >>> f"{ways_to_continue(tictactoe())[0]:,.0f}"  # Henry Bottomley, https://www.se16.info/hgb/tictactoe.htm
    '255,168'
    """
    ways = np.where(positions.to_move < 0, 1.0, 0.0)
    for here, moves in reversed(positions.plies):
        weights = positions.multiplicity[moves] * ways[positions.next_position[moves]]
        sums = np.bincount(positions.position_of_move[moves] - here.start, weights, minlength=here.stop - here.start)
        ways[here] += sums
    return ways


def games_through(rules: SymmetricGame, games: Sequence[GameRow], board: Board) -> list[GameRow]:
    """Return the recorded games that reached a board or one of its images.

    >>> from menace.games.enumeration import tictactoe
    >>> games_through(tictactoe(), store.games(), "X........")
    []
    """
    game, wanted = rules.game, rules.canonical(board)
    boards = set(images(rules, wanted))
    many = len(boards) == MAX_IMAGES

    def passed_through(row: GameRow) -> bool:
        here = game.initial
        for action in [None, *map(int, filter(None, row.actions.split(",")))]:
            here = here if action is None else game.play(here, action)
            if here in boards or (many and rules.canonical(here) == wanted):
                return True
        return False

    return [row for row in games if passed_through(row)]


MAX_LEARNERS = 8  # maximum number of learners that are shown side by side
MAX_RECORDED = 2000  # maximum number of recorded games that a report searches, starting with the latest
FACTS = ("board", "canonical", "position_id", "ply", "to_move", "outcome", "images", "minimax", "plies_to_end")

Loader: TypeAlias = Callable[[Store, str], Machine]


@dataclass(frozen=True)
class ExactReport:
    """Facts computed from all positions of the game.

    Attributes:
        machines: the requested learners.
        best: the line of play from the board when both sides play perfectly.
        beaten: for each learner, the line from the board that is most likely to beat it, or None if no line can.
        before: the boards from which a single move leads to this board.
        ways: the number of ways to continue the game from the board.
        shares: for each pair of players, the X player, the O player, and the probabilities of an X win, a draw and an O
            win from this board.
    """

    machines: tuple[Machine, ...]
    best: LineOfPlay
    beaten: dict[str, Refutation | None]
    before: tuple[Board, ...]
    ways: float
    shares: tuple[tuple[str, str, tuple[float, ...]], ...]


@dataclass(frozen=True)
class BoardReport:
    """The report on a board.

    Attributes:
        view: the board and its moves, without a learner.
        distances: for each action, the number of moves to the end of the game if the winner hurries and the loser
            delays.
        rules: the game.
        has_draws: whether the game can end in a draw.
        everybody: all learners in the database.
        views: for each learner, the board with that learner's box.
        line: a line of play through the board.
        at: the index of the board in this line.
        equal: the boards that are equivalent to the board by symmetry.
        games: the ids of the games that reached the board, among the latest `recorded` games in the database.
        exact: facts computed from all positions, or None if these facts were not requested.
    """

    view: PositionView
    distances: dict[int, int]
    rules: SymmetricGame
    has_draws: bool
    everybody: tuple[LearnerRow, ...]
    views: dict[str, PositionView]
    line: LineOfPlay
    at: int
    equal: tuple[Board, ...]
    games: tuple[int, ...]
    recorded: int
    exact: ExactReport | None = None

    @property
    def board(self) -> Board:
        """The board."""
        return self.view.board

    @property
    def holders(self) -> list[PositionView]:
        """The views of the learners that have a box for this board."""
        return [view for view in self.views.values() if view.box is not None]

    def record(self) -> dict[str, Any]:
        """Return the report as a record for JSON. The report must include exact facts."""
        exact = self.exact
        assert exact is not None
        return {
            **{name: getattr(self.view, name) for name in FACTS},
            "moves": [self._move_record(number, move) for number, move in enumerate(self.view.moves)],
            "learners": [self._learner_record(exact, machine) for machine in exact.machines],
            "ways_on": exact.ways,
            "exact": [
                {"x": x, "o": o, "x_wins": shares[0], "draw": shares[1], "o_wins": shares[2]}
                for x, o, shares in exact.shares
            ],
            "recorded": {"games": self.games, "of": self.recorded},
            "before": exact.before,
            "equivalent": self.equal,
            "line": {"boards": self.line.boards, "actions": self.line.actions, "at": self.at},
            "best": exact.best._asdict(),
        }

    def _move_record(self, number: int, move: MoveView) -> dict[str, Any]:
        held = {view.learner or "": view.moves[number] for view in self.holders}
        return {
            "actions": move.cells,
            "names": move.names,
            "board": move.next_board,
            "canonical": self.rules.canonical(move.next_board),
            "verdict": move.verdict,
            "optimal": move.optimal,
            "plies_to_end": self.distances[move.action],
            "learners": {name: move_record(held_move) for name, held_move in held.items()},
        }

    def _learner_record(self, exact: ExactReport, machine: Machine) -> dict[str, Any]:
        box, beaten = self.views[machine.name].box, exact.beaten[machine.name]
        return {
            "name": machine.name,
            "plays": machine.plays,
            "preset": machine.preset,
            "games": machine.learned.games,
            "box": None if box is None else {**box_record(box), "title": box.title},
            "beaten_by": None
            if beaten is None
            else {"boards": beaten.way.boards, "probability": beaten.probability, "resigns": beaten.resigns},
        }


def board_report(
    store: Store, text: str, names: Sequence[str] = (), line: Sequence[Board] = (), load: Loader = named_machine
) -> BoardReport:
    """Return the report on a board, including facts computed from all positions.

    Args:
        store: the database.
        text: the board in any notation that people use.
        names: the learners to show; if empty, the first MAX_LEARNERS learners of the database.
        line: consecutive boards that include this board. If empty, the report uses a line to the board followed by
            perfect play.
        load: a function that returns a learner, given the database and the learner's name.

    Raises:
        InvalidBoard, UnreachableBoard, UnknownLearner: if there is no such board or learner.
        InvalidPlayer: if there are too many learners.
        IllegalMove: if the line breaks the rules of the game.

    >>> report = board_report(store, "X...O....", ["menace-x"])
    >>> report.view.canonical, report.record()["learners"][0]["box"]["number"]
    ('X...O....', 4)
    """
    known, positions = known_report(store, text, names, line), positions_of(store)
    machines = _machines(store, names, load)
    board, position_id = known.board, known.view.position_id
    best = principal_variation(positions, board)
    way, at = known.line, known.at
    if not line:
        to = line_to(positions, board)
        way, at = LineOfPlay(to.boards + best.boards[1:], to.actions + best.actions), len(to.actions)
    exact = ExactReport(
        machines=machines,
        best=best,
        beaten={machine.name: refutation(machine, board) for machine in machines},
        before=boards_before(positions, board),
        ways=float(ways_to_continue(positions)[position_id]),
        shares=exact_from(positions, position_id, machines),
    )
    views = {machine.name: show_machine(store, board, machine) for machine in machines}
    return replace(known, views=views, line=way, at=at, exact=exact)


def known_report(store: Store, text: str, names: Sequence[str] = (), line: Sequence[Board] = ()) -> BoardReport:
    """Return the part of a board's report that comes from the database, omitting learners that do not draw beads.

    If no line is given, the line in the report contains only the board. Raises the same errors as `board_report`.
    """
    view, rules = show(store, text), rules_of(store)
    everybody = tuple(store.learners())
    rows = [store.learner(name) for name in _distinct(names)] or everybody[:MAX_LEARNERS]
    way, at = _line_through(rules, view.board, line) if line else (LineOfPlay((view.board,), ()), 0)
    games = store.games()[-MAX_RECORDED:]
    return BoardReport(
        view=view,
        distances={
            move.action: 1 + store.position(rules.canonical(move.next_board))["plies_to_end"] for move in view.moves
        },
        rules=rules,
        has_draws=store.has_draws(),
        everybody=everybody,
        views={row.name: show(store, view.board, row.name) for row in rows if draws_beads(store, row)},
        line=way,
        at=at,
        equal=images(rules, view.board),
        games=tuple(row.game_id for row in games_through(rules, games, view.board)),
        recorded=len(games),
    )


def _distinct(names: Sequence[str]) -> list[str]:
    chosen = list(dict.fromkeys(names))
    if len(chosen) > MAX_LEARNERS:
        raise InvalidPlayer(
            f"{counted(len(chosen), 'machine')} are too many to show side by side; name at most {MAX_LEARNERS}"
        )
    return chosen


def _machines(store: Store, names: Sequence[str], load: Loader) -> tuple[Machine, ...]:
    if names:
        return tuple(load(store, name) for name in _distinct(names))
    machines = []
    for row in store.learners():
        try:
            machines.append(load(store, row.name))
        except RevisionMismatch:  # skip this learner, because it was not requested by name
            continue
        if len(machines) == MAX_LEARNERS:
            break
    return tuple(machines)


def _line_through(rules: SymmetricGame, board: Board, given: Sequence[Board]) -> tuple[LineOfPlay, int]:
    try:
        way = line_through(rules, [rules.game.parse(text) for text in given])
    except (IllegalMove, InvalidBoard) as error:
        raise IllegalMove(f"the line of play breaks the rules: {error}; remove `line` from the address") from None
    if board not in way.boards:
        raise IllegalMove(f"the line of play does not contain the board {board}; remove `line` from the address")
    return way, way.boards.index(board)


def exact_from(
    positions: Positions, position_id: int, machines: Sequence[Machine]
) -> tuple[tuple[str, str, tuple[float, ...]], ...]:
    """Return the exact probabilities of an X win, a draw and an O win from a position, for pairs of players.

    Learners play each other and the players in STANDARD, and always use their training policy. If there are no
    learners, the players in STANDARD play each other.
    """
    sides: list[dict[str, Policy]] = []
    for side in Side:
        own = {machine.name: machine.policy() for machine in machines if machine.plays is side}
        sides.append(own | {name: fixed_policy(name, positions, side.number) for name in STANDARD})
    rows = []
    for x, x_policy in sides[0].items():
        for o, o_policy in sides[1].items():
            if machines and x in STANDARD and o in STANDARD:
                continue
            rows.append((x, o, tuple(outcomes(x_policy, o_policy, position_id))))
    return tuple(rows)
