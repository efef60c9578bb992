"""Determine a player's exact grade with as few questions as possible, and compute exact bounds after each answer.

The state of an exam is a partial policy, which consists of the answers so far. A backward pass over the game computes
the minimum and maximum of seven quantities for each position, over all answers that the player could still give. The
quantities are the probabilities of a win, a draw and a loss against `random` and against `optimal`, and the value
against the best response. A forward pass finds the positions that games can reach if the player plays according to its
answers. The exam asks about a reachable position if the position has no answer yet and the minimum and maximum of a
quantity differ there. The bounds allow for any answer on unanswered positions, so they never widen. Once the minimum
and maximum of every quantity are equal, the exam continues with the boards that affect the list of mistakes.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from menace.analysis.grades import Grade
from menace.arena.exact_strength import TIE, against, best_response, moves_by_ply, reach
from menace.errors import IllegalMove, InvalidPlayer, InvalidSetting, StoreError
from menace.files.atomic import sync_folder
from menace.files.tables import Table, Tabular
from menace.games import DEFAULT_GAME, get_game
from menace.games.base import Board, Game, Side, SideText
from menace.games.enumeration import enumerate_positions
from menace.learners.opponents.fixed import STANDARD, fixed_policy
from menace.learners.policy import Choice, Policy, are_weights
from menace.text.wording import OPPONENTS, RESULTS, counted, ends_of, percent

OUTCOMES = ("win", "draw", "loss")
MEASURES = (*((opponent, outcome) for opponent in STANDARD for outcome in OUTCOMES), ("best_response", "value"))
ERROR = 0.05  # probability that an interval misses the true value if each question is repeated
Shares = dict[int, float]  # an answer: the probability of each move, by index; empty if the player resigns


class Bounds(NamedTuple):
    """The minimum and the maximum of a quantity over all answers that the player could still give.

    >>> Bounds(0.0, 0.25).closed
    False
    """

    least: float
    most: float

    @property
    def closed(self) -> bool:
        """Whether the minimum and the maximum are equal, apart from rounding errors."""
        return self.most - self.least <= TIE

    @property
    def in_percent(self) -> str:
        """The bounds of a probability as two percentages, or as a single percentage if both bounds are equal."""
        texts = [percent(min(max(share, 0.0), 1.0)).strip() for share in self]
        return texts[0] if self.closed else " to ".join(texts)

    @property
    def in_numbers(self) -> str:
        """The bounds as two numbers, or as a single number if both bounds are equal."""
        return " to ".join(f"{number + 0.0:.4g}" for number in self[: 1 if self.closed else 2])


class Answer(NamedTuple):
    """An answer, exactly as the player gave it.

    Attributes:
        board: the board of the question.
        move: the name of the move, or weights by name. None if the player did not give a legal move and therefore
            resigns.
        reason: why there is no legal move, such as `illegal: z9`, `time limit` or `ended`; otherwise an empty string.
    """

    board: Board
    move: str | Mapping[str, float] | None
    reason: str = ""


class Exam(Tabular):
    """An exam of a player, with its questions, the answers, and the bounds that follow from the answers.

    Args:
        plays: the side that the player plays, `X` or `O`.
        game: the name of a game, or its rules.
        variant: the variant, or None for the game's default.
        symmetric: whether to assume that the player treats rotated and mirrored boards alike, and to ask about only one
            of them.
        copies: the maximum number of boards whose rotated or mirrored copies are asked about after all other questions,
            to test that assumption.
        repeats: the number of times to ask each question, for a player that makes random choices. The frequencies of
            the answers become the player's policy.
        losses_only: whether to stop once the losses against `random` and the value against the best response are known.
        path: a file in which answers are saved. If the file exists, the exam resumes after the last saved answer.

    Attributes:
        answers: the answers in the order in which they were given.
        decided_by: the answer that decided the value against the best response, or None.
        copies_asked: the number of copies that were asked about.
        contradictions: pairs of a board and a copy of it on which the player made different moves.

    Raises:
        InvalidSetting: if `copies` is used without `symmetric` or together with `repeats`, or if the file contains the
            answers of another exam.
        StoreError: if the file cannot be read.

    >>> exam = Exam("O", "hexapawn")
    >>> while (board := exam.question()) is not None:
    ...     exam.answer(board, exam.moves(board)[0])
    >>> len(exam.answers), exam.bounds()["best_response", "value"]
    (7, Bounds(least=-1.0, most=-1.0))
    """

    def __init__(
        self,
        plays: SideText,
        game: str | Game = DEFAULT_GAME,
        variant: str | None = None,
        *,
        symmetric: bool = False,
        copies: int = 0,
        repeats: int = 1,
        losses_only: bool = False,
        path: str | os.PathLike[str] | None = None,
    ) -> None:
        if repeats < 1 or copies < 0 or (copies and (repeats > 1 or not symmetric)):
            raise InvalidSetting(
                f"repeats={repeats} and copies={copies} cannot be used here; repeats must be 1 or more, and copies"
                " require `symmetric` and a single repeat"
            )
        self.plays, self.symmetric, self.copies, self.repeats = Side(plays), symmetric, copies, repeats
        self.losses_only = losses_only
        self.positions = enumerate_positions(get_game(game, variant), "full" if symmetric else "none")
        self.answers: list[Answer] = []
        self.decided_by: Answer | None = None
        self.copies_asked = 0
        self.contradictions: list[tuple[Answer, Answer]] = []
        size, moves, self._plies = len(self.positions), self.positions.move_count, moves_by_ply(self.positions)
        self._given: dict[int, list[Shares]] = {}  # the answers for each position
        self._probability, self._resigns = np.zeros(moves), np.zeros(size)
        self._answered = np.zeros(size, bool)
        self._others = [fixed_policy(name, self.positions, self.plays.other.number) for name in STANDARD]
        ended = [self.positions.outcome == sign * self.plays.sign for sign in (1, 0, -1)]
        won, drawn, lost = np.stack(ended).astype(float)
        self._low = np.stack([won, drawn, lost, won, drawn, lost, won - lost])  # [measures, positions]
        self._high = self._low.copy()
        self._sweep(self.positions.longest)
        self._before = self._low[:, 0].copy(), self._high[:, 0].copy()
        self._differs = (self._high - self._low > TIE)[:3].any(axis=0)
        self._next = self._most_useful()
        self._file: Path | None = None
        if path is not None:
            self._open(Path(path))

    def moves(self, board: Board) -> list[str]:
        """Return the names of the legal moves on a board."""
        game = self.positions.game
        return [game.name_of(board, action) for action in game.actions(board)]

    def question(self) -> Board | None:
        """Return the board of the next question, or None if the exam is over.

        The first questions are about boards whose answers can still change the losses against `random` or the value
        against the best response. The board with the highest score comes first. A board's score is the probability that
        a game against `random` reaches the board, times the gap between the board's minimum and maximum losses. Next
        come the other boards whose answers can still change a result. The score of each of these boards is the
        probability of reaching the board times the gaps for wins, draws and losses, summed over `random` and `optimal`
        play. Scores within 1e-12 of each other are tied, and the first position wins a tie. Copies of boards come last,
        in the order in which the boards were asked about.
        """
        if self._next is not None:
            return self.positions.boards[self._next]
        if self.copies_asked == self.copies:
            return None
        asked = (self.positions.boards[position] for position in self._given)
        images = ((board, min(symmetry.board(board) for symmetry in self.positions.symmetries)) for board in asked)
        copies = (copy for board, copy in images if copy != board)
        return next(islice(copies, self.copies_asked, None), None)

    def answer(self, board: Board, move: Choice) -> None:
        """Record the player's answer: a move's name or, for a random choice, a mapping from moves' names to weights.

        Raises:
            IllegalMove: if the move is not legal. In this case, nothing is recorded.
            InvalidPlayer: if no answer is needed for the board, or a weight is invalid.
            InvalidBoard: if no game reaches the board.
        """
        board = self.positions.find(board)[0]
        self._record(Answer(board, dict(move) if isinstance(move, Mapping) else str(move)))

    def resign(self, board: Board, reason: str) -> None:
        """Record that the player made no legal move on a board; this counts as a loss.

        Args:
            board: the board.
            reason: the reason, such as `illegal: z9`, `time limit` or `ended`.
        """
        self._record(Answer(self.positions.find(board)[0], None, reason))

    @property
    def decided(self) -> bool:
        """Whether no further answer can change the grade. The exam may still ask questions about copies of boards."""
        return self._next is None

    @property
    def asked(self) -> int:
        """The number of boards that were asked about, not counting copies."""
        return len(self._given)

    def bounds(self) -> dict[tuple[str, str], Bounds]:
        """Return the bounds by opponent and quantity: win, draw and loss, or the value against the best response.

        If each question is asked once, the bounds are exact. If questions are repeated, the bounds are 95% confidence
        intervals, except for results that are the same whatever the player answers. The intervals use Hoeffding's
        inequality (Probability Inequalities for Sums of Bounded Random Variables, 1963). A game reaches each board at
        most once, so the results for the frequencies are averages over players that use one of the K answers on each
        board. Hoeffding's bound for the mean of K independent players also holds for such averages (section 5 of that
        paper). The same inequality, applied to games against the true best response, gives the lower bound of the value
        against the best response. For the upper bound of this value, the best response is computed from one half of the
        answers and the value is measured with the other half.
        """
        low, high = self._low[:, 0], self._high[:, 0]
        if self.repeats > 1:
            first_low, first_high = self._before
            error = (first_high - first_low) * math.sqrt(math.log(2 / ERROR) / 2 / self.repeats)
            low, high = np.maximum(low - error, first_low), high + error
            high[-1] = self.positions.minimax[0] * self.plays.sign
            if self.decided:
                even, odd = (self.policy(slice(start, None, 2)) for start in (0, 1))
                value = against(even, best_response(odd)).value
                high[-1] = min(high[-1], value + error[-1] * math.sqrt(self.repeats / ((self.repeats + 1) // 2)))
            high = np.minimum(high, first_high)
        return {
            name: Bounds(least, most) for name, least, most in zip(MEASURES, low.tolist(), high.tolist(), strict=True)
        }

    def policy(self, part: slice = slice(None)) -> Policy:
        """Return the policy that plays according to the answers, or to a part of them.

        On boards without answers, the policy plays the first move.
        """
        positions, probability, resigns = self.positions, np.zeros(self.positions.move_count), self._resigns * 0
        probability[positions.first_move[:-1][positions.to_move >= 0]] = 1.0
        for position, given in self._given.items():
            here = positions.moves_of(position)
            probability[here.start : here.stop], resigns[position] = self._mean_answer(position, given[part])
        return Policy(positions, self.plays.number, ((1.0, probability),), resigns, "the player")

    def table(self) -> Table:
        """Return the bounds as a table with a row for each opponent and quantity."""
        return Table(
            ("opponent", "quantity", "least", "most"), [(*name, *pair) for name, pair in self.bounds().items()]
        )

    def in_words(self) -> Table:
        """Return a table with a row for each opponent.

        For the value, a win counts as 1, a draw as 0 and a loss as -1.
        """
        draws, bounds = self.positions.has_draws, self.bounds()
        shares = [
            [OPPONENTS[name], *ends_of([bounds[name, outcome].in_percent for outcome in OUTCOMES], draws), ""]
            for name in STANDARD
        ]
        value = bounds["best_response", "value"]
        kind = "exact" if self.repeats == 1 else "95 % confidence intervals"
        title = f"{counted(self.asked, 'board')} asked{' up to symmetry' * self.symmetric}; bounds are {kind}"
        last = [OPPONENTS["best_response"], *ends_of([""] * 3, draws), value.in_numbers]
        return Table(("", *ends_of(RESULTS, draws), "value"), [*shares, last], title)

    @property
    def notes(self) -> list[str]:
        """Notes about the deciding answer, illegal answers, copies of boards, and confidence intervals."""
        game, notes = self.positions.game, list[str]()
        value = self.bounds()["best_response", "value"]
        if self.decided_by is not None and value.closed:
            board, move, reason = self.decided_by
            notes.append(f"the value was decided by {move or reason} on board {board}:\n\n{game.draw(board)}")
        missing = Counter(answer.reason.partition(":")[0] for answer in self.answers if answer.move is None)
        notes += [f"resigned {counted(number, 'time')}: {reason}" for reason, number in missing.items()]
        if self.copies_asked:
            copies = f"{self.copies_asked:,} {'copy' if self.copies_asked == 1 else 'copies'}"
            notes.append(
                f"on {len(self.contradictions):,} of {copies} of boards, the player contradicted its own answer"
            )
        if self.repeats > 1:
            notes.append(
                f"each board was asked {counted(self.repeats, 'time')}; a result with two numbers is an interval,"
                " and a result with one number is the same for all players; the grade is that of the frequencies"
            )
        return notes

    def grade(self) -> Grade:
        """Return the grade that follows from the answers or, if questions are repeated, from their frequencies.

        Raises:
            InvalidSetting: if an answer can still change the grade.
        """
        if self._undecided:
            raise InvalidSetting("an answer can still change the grade; continue the exam, or read `bounds()`")
        asked = tuple(self._given)
        return Grade(self.policy(), self.symmetric, asked if self.repeats == 1 else None)

    def _mean_answer(self, position: int, given: list[Shares]) -> tuple[list[float], float]:
        """Return the probabilities of a position's moves and of resigning, averaged over the given answers."""
        shares = [
            sum(answer.get(move, 0.0) for answer in given) / len(given) for move in self.positions.moves_of(position)
        ]
        return shares, given.count({}) / len(given)

    def _record(self, answer: Answer) -> None:
        """Check an answer, write it to the file, and update the bounds."""
        shares = self._shares(answer)
        if self._file is not None:
            _append(self._file, _line(answer._asdict()))
        self._learn(answer, shares)

    def _shares(self, answer: Answer) -> Shares:
        """Return the probability of each move in an answer.

        Raises IllegalMove or InvalidPlayer if the answer is invalid.
        """
        positions, board = self.positions, answer.board
        position = positions.number_of(board)
        if positions.to_move[position] != self.plays.number:
            raise InvalidPlayer(
                f"it is not {self.plays}'s turn on board {board}; answer for the board that `question()` returns"
            )
        if len(self._given.get(position, ())) == self.repeats and (not self.decided or board != self.question()):
            raise InvalidPlayer(
                f"board {board} has already been answered; answer for the board that `question()` returns"
            )
        if answer.move is None:
            return {}
        weights = answer.move if isinstance(answer.move, Mapping) else {answer.move: 1.0}
        if not are_weights(weights) or not 0 < sum(weights.values()) < math.inf:
            raise InvalidPlayer(f"{answer.move!r} are not valid weights; use numbers of 0 or more with a positive sum")
        total, shares, moves = sum(weights.values()), Shares(), positions.moves_by_action(board)
        for name, weight in weights.items():
            action = positions.game.parse_action(board, str(name))
            if action not in moves:
                raise IllegalMove(f"{name} is not legal on board {board}; the moves are {', '.join(self.moves(board))}")
            shares[moves[action]] = shares.get(moves[action], 0.0) + weight / total
        return {move: share for move, share in shares.items() if share}

    def _learn(self, answer: Answer, shares: Shares) -> None:
        position = self.positions.number_of(answer.board)
        given = self._given.setdefault(position, [])
        self.answers.append(answer)
        if len(given) == self.repeats:  # the board is a copy of a board that has already been answered
            self.copies_asked += 1
            if shares != given[0]:
                first = next(one for one in self.answers if self.positions.number_of(one.board) == position)
                self.contradictions.append((first, answer))
            return
        given.append(shares)
        if len(given) == self.repeats:
            here = self.positions.moves_of(position)
            mean = self._mean_answer(position, given)
            self._probability[here.start : here.stop], self._resigns[position] = mean
            self._answered[position] = True
            was_open = self._high[-1, 0] - self._low[-1, 0] > TIE
            self._sweep(int(self.positions.ply[position]))
            self._next = self._most_useful()
            if was_open and self._high[-1, 0] - self._low[-1, 0] <= TIE:
                self.decided_by = answer

    def _sweep(self, ply: int) -> None:
        """Update the bounds from the given ply back to the start of the game."""
        low, high, side = self._low, self._high, self.plays.number
        others = np.repeat([other.probability for other in self._others], len(OUTCOMES), axis=0)
        lost = np.array([[0.0], [0.0], [1.0], [0.0], [0.0], [1.0], [-1.0]])
        for step in reversed(self._plies[: ply + 1]):
            for bound, extreme in ((low, np.minimum), (high, np.maximum)):
                after = bound[:, step.child]
                if step.mover == side:
                    mean = np.add.reduceat(after * self._probability[step.moves], step.starts, axis=1)
                    mean += lost * self._resigns[step.ongoing]
                    free = extreme.reduceat(after, step.starts, axis=1)
                    bound[:, step.ongoing] = np.where(self._answered[step.ongoing], mean, free)
                else:
                    bound[:-1, step.ongoing] = np.add.reduceat(after[:-1] * others[:, step.moves], step.starts, axis=1)
                    bound[-1, step.ongoing] = np.minimum.reduceat(after[-1], step.starts)

    def _most_useful(self) -> int | None:
        """Return the position of the next question.

        Positions that can still change the losses against `random` or the value against the best response come first.
        """
        given = Policy(self.positions, self.plays.number, ((1.0, self._probability),), self._resigns)
        gap, reached = self._high - self._low, [reach(*self.plays.x_and_o(given, other)) for other in self._others]
        here = self.positions.moved_by(self.plays.number) & ~self._answered & (reached[0] > 0)
        value_open = gap[-1, 0] > TIE or self.repeats > 1
        matters, score = here & ((gap[2] > TIE) | (value_open & (gap[-1] > TIE))), reached[0] * gap[2]
        self._undecided = bool((here & self._differs).any())
        if not matters.any():
            if self.losses_only or not self._undecided:
                return None
            matters, score = here & self._differs, reached[0] * gap[:3].sum(axis=0) + reached[1] * gap[3:6].sum(axis=0)
        score = np.where(matters, score, -1.0)
        return int(np.argmax(score >= score.max() - TIE))

    def _open(self, path: Path) -> None:
        """Read the answers from the file, or create the file."""
        rules = self.positions.game
        settings = {"symmetric": self.symmetric, "repeats": self.repeats}
        head = _line({"game": rules.name, "variant": rules.variant, "plays": self.plays} | settings)
        content = path.read_bytes() if path.exists() else b""
        if not content.startswith(head) and not head.startswith(content):
            first = content[:200].partition(b"\n")[0].decode(errors="replace")
            raise InvalidSetting(f"{path} belongs to another exam: {first}, not {head.decode()}; choose another file")
        whole = content[: content.rfind(b"\n") + 1]  # drops an incomplete last line, which a crash can leave behind
        for number, line in enumerate(whole.splitlines()[1:], 2):
            try:
                answer = Answer(**json.loads(line))
                self._learn(answer, self._shares(answer))
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                raise StoreError(f"line {number} of {path} is not an answer: {error}; delete the line") from None
        if len(whole) < len(content):
            os.truncate(path, len(whole))
        self._file = path
        if not whole:
            _append(path, head)
            sync_folder(path.absolute().parent)


def _line(entry: object) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _append(path: Path, line: bytes) -> None:
    """Append a line to a file, and wait until the line is stored on the disk."""
    with path.open("ab") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
