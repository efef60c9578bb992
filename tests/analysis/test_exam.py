"""Tests that an exam's bounds contain the true results, that every question matters, and that exams can be resumed."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playing import novice

from menace.analysis.exam import Bounds, Exam
from menace.analysis.grades import Grade, grade
from menace.errors import IllegalMove, InvalidPlayer, InvalidSetting, StoreError, UnreachableBoard
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame, SymmetryUse
from menace.learners.player_to_policy import policy_of
from menace.learners.policy import Policy

SMALL = [
    ("tictactoe", "3x2x2"),
    ("tictactoe", "3x3x3"),
    ("tictactoe", "2x2x2-misere"),
    ("hexapawn", "3x3"),
    ("nim", "2-3-4"),
    ("connect", "3x3x3"),
]


def random_policy(positions: Positions, side: int, rng: random.Random, most: int) -> Policy:
    """Return a policy that chooses randomly among up to `most` moves at each position."""
    weights = np.zeros(positions.move_count)
    for position in np.flatnonzero(positions.moved_by(side)).tolist():
        moves = positions.moves_of(position)
        for move in rng.sample(moves, rng.randint(1, min(most, len(moves)))):
            weights[move] = rng.randint(1, 3)
    return Policy.of_weights(positions, side, weights)


def answer_of(policy: Policy, board: str) -> dict[str, float]:
    positions = policy.positions
    return {
        positions.game.name_of(board, int(positions.action[move])): float(policy.probability[move])
        for move in positions.moves_of(positions.boards.index(board))
    }


def truth(graded: Grade) -> dict[tuple[str, str], float]:
    shares = {
        (name, outcome): getattr(graded.against[name], outcome)
        for name in ("random", "optimal")
        for outcome in ("win", "draw", "loss")
    }
    return shares | {("best_response", "value"): graded.against_best_response.value}


def take(exam: Exam, policy: Policy) -> Iterator[tuple[str, dict[tuple[str, str], Bounds]]]:
    """Answer every question using a policy, and yield each board with the bounds that follow from the answer."""
    while (board := exam.question()) is not None:
        exam.answer(board, answer_of(policy, board))
        yield board, exam.bounds()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant"), SMALL)
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("most", [1, 3])
def test_bounds_contain_the_truth_and_close_on_the_grade(game: str, variant: str, symmetric: bool, most: int) -> None:
    rng = random.Random(f"{game} {variant} {symmetric} {most}")
    for side in ("X", "O") * (1 if variant == "3x3x3" else 2):
        exam = Exam(side, game, variant, symmetric=symmetric)
        policy = random_policy(exam.positions, exam.plays.number, rng, most)
        graded, before = grade(policy), exam.bounds()
        for _, bounds in take(exam, policy):
            for name, true in truth(graded).items():
                assert bounds[name].least - 1e-12 <= true <= bounds[name].most + 1e-12
                assert before[name].least - 1e-12 <= bounds[name].least
                assert before[name].most + 1e-12 >= bounds[name].most
            before = bounds
        assert exam.decided
        assert all(bounds.closed for bounds in before.values())
        assert truth(exam.grade()) == pytest.approx(truth(graded), abs=1e-12)
        assert mistakes_by_position(exam.grade()) == pytest.approx(mistakes_by_position(graded), abs=1e-12)


def mistakes_by_position(graded: Grade) -> dict[tuple[object, ...], float]:
    """Return the probability of reaching each mistake against random play, treating all images of a board as one."""
    game, sums = SymmetricGame(graded.player.positions.game), Counter[tuple[object, ...]]()
    for mistake in graded.mistakes:
        board = game.canonical(mistake.board)
        sums[board, len(mistake.moves), mistake.before, mistake.after, round(mistake.probability, 9)] += (
            mistake.reach_random  # type: ignore[assignment]
        )
    return dict(sums)


class Oracle:
    """The minimum and maximum results of a deterministic player, if only some of the answers are known.

    The results are found by recursion over boards.
    """

    def __init__(self, exam: Exam, given: dict[str, str]) -> None:
        self.game, self.plays, self.given = exam.positions.game, exam.plays, given

    def moves(self, board: str) -> list[str]:
        """Return the boards that can come next, given the player's known answers."""
        actions = self.game.actions(board)
        if self.game.to_move(board) == self.plays and board in self.given:
            actions = (self.game.parse_action(board, self.given[board]),)
        return [self.game.play(board, action) for action in actions]

    def reached(self) -> set[str]:
        """Return the boards, with the player to move, that games can reach if the player gives its own answers."""
        found, boards = set[str](), [self.game.initial]
        while boards:
            board = boards.pop()
            if board in found or self.game.outcome(board) is not None:
                continue
            found.add(board)
            if self.game.to_move(board) != self.plays or board in self.given:
                boards += self.moves(board)
        return {board for board in found if self.game.to_move(board) == self.plays}

    def ranges(self, board: str) -> list[tuple[float, float]]:
        """Return the minimum and maximum probabilities of a win, a draw and a loss against random play."""
        outcome = self.game.outcome(board)
        if outcome is not None:
            return [(float(outcome == end),) * 2 for end in (self.plays, "draw", self.plays.other)]
        after = [self.ranges(each) for each in self.moves(board)]
        if self.game.to_move(board) == self.plays:
            return [(min(low for low, _ in part), max(high for _, high in part)) for part in zip(*after, strict=True)]
        return [
            (sum(low for low, _ in part) / len(part), sum(high for _, high in part) / len(part))
            for part in zip(*after, strict=True)
        ]

    def is_open(self, board: str, outcomes: slice = slice(3)) -> bool:
        return any(high - low > 1e-12 for low, high in self.ranges(board)[outcomes])


@pytest.mark.parametrize(("game", "variant"), [("tictactoe", "3x2x2"), ("hexapawn", "3x3"), ("nim", "1-2-3")])
@pytest.mark.parametrize("losses_only", [True, False])
def test_exam_asks_about_exactly_the_boards_that_can_change_its_result(
    game: str, variant: str, losses_only: bool
) -> None:
    rng = random.Random(1)
    for side in ("X", "O") * 4:
        exam, given = Exam(side, game, variant, losses_only=losses_only), dict[str, str]()
        while (board := exam.question()) is not None:
            oracle = Oracle(exam, given)
            assert board in oracle.reached()
            assert oracle.is_open(board) if losses_only else Oracle(exam, {}).is_open(board)
            given[board] = rng.choice(exam.moves(board))
            exam.answer(board, given[board])
        oracle, free = Oracle(exam, given), Oracle(exam, {})
        for board in oracle.reached() - given.keys():
            assert not (oracle.is_open(board, slice(2, 3)) if losses_only else free.is_open(board))
        ranges = [exam.bounds()["random", outcome] for outcome in ("win", "draw", "loss")]
        assert ranges == [pytest.approx(pair) for pair in oracle.ranges(exam.positions.game.initial)]


@pytest.mark.parametrize(("plays", "losses", "all_of_it"), [("X", 19, 23), ("O", 68, 79)])
def test_the_novice_needs_few_questions(plays: str, losses: int, all_of_it: int) -> None:
    for losses_only, questions in ((True, losses), (False, all_of_it)):
        exam = Exam(plays, symmetric=True, losses_only=losses_only)
        while (board := exam.question()) is not None:
            exam.answer(board, novice(board, exam.moves(board)))
        assert exam.asked == questions
        assert exam.bounds()["random", "loss"].closed
        assert exam.bounds()["best_response", "value"] == (-1.0, -1.0)
    assert exam.decided_by is not None
    assert (exam.decided_by.board, exam.decided_by.move) == {"X": ("OX..X..O.", "2"), "O": ("XO..OX.X.", "2")}[plays]
    by_symmetry = grade(novice, plays=plays, symmetric=True)
    assert truth(exam.grade()) == pytest.approx(truth(by_symmetry), abs=1e-12)


def test_hexapawn_needs_three_to_six_questions_for_every_player_of_x() -> None:
    counts, waiting = Counter[int](), [list[tuple[str, str]]()]
    while waiting:
        exam, given = Exam("X", "hexapawn", symmetric=True), waiting.pop()
        for board, move in given:
            exam.answer(board, move)
        board = exam.question()
        if board is None:
            counts[exam.asked] += 1
        else:
            waiting += [[*given, (board, move)] for move in exam.moves(board)]
    assert counts == {3: 1, 4: 23, 5: 64, 6: 24}


def test_grade_without_symmetry_is_that_of_every_board() -> None:
    exam = Exam("O")
    while (board := exam.question()) is not None:
        exam.answer(board, novice(board, exam.moves(board)))
    graded, all_boards = exam.grade(), grade(novice, plays="O")
    assert truth(graded) == pytest.approx(truth(all_boards), abs=1e-12)
    assert graded.mistakes == all_boards.mistakes
    assert graded.contradictions
    assert exam.asked < (all_boards.boards_asked or 0)


def test_copies_of_boards_reveal_a_player_that_is_not_symmetric() -> None:
    machine = Exam("O").positions
    alike = policy_of("perfect", "O", enumerate_positions(get_game()))
    exact = {board: alike.odds(board) for board in machine.boards if machine.to_move[machine.boards.index(board)] == 1}
    counts = []
    for player in (novice, lambda board, _: exact[board]):
        exam = Exam("O", symmetric=True, copies=12)
        without = Exam("O", symmetric=True)
        for one in (exam, without):
            while (board := one.question()) is not None:
                one.answer(board, player(board, one.moves(board)))
        assert (exam.copies_asked, exam.asked) == (12, without.asked)
        assert exam.bounds() == without.bounds()
        counts.append(len(exam.contradictions))
        for first, second in exam.contradictions:
            assert first.board != second.board
            assert exam.positions.canonical(first.board) == exam.positions.canonical(second.board)
    assert counts == [3, 0]  # the novice completes a line if it can; otherwise, it takes the first free cell


def test_no_answer_decides_a_value_that_was_certain_before_the_first_question() -> None:
    exam = Exam("O", "nim", "2-3-4")
    assert exam.bounds()["best_response", "value"].closed
    while (board := exam.question()) is not None:
        exam.answer(board, exam.moves(board)[0])
    assert exam.answers
    assert exam.decided_by is None


def test_answer_that_is_not_a_move_counts_as_a_loss() -> None:
    exam = Exam("X")
    exam.resign(".........", "illegal: z9")
    assert exam.decided
    assert exam.grade().against["random"] == (0.0, 0.0, 1.0)
    assert exam.bounds()["best_response", "value"] == (-1.0, -1.0)
    assert exam.answers[0].reason == "illegal: z9"
    assert "resigned 1 time: illegal" in exam.notes


@pytest.mark.parametrize(
    ("board", "move", "error"),
    [
        (".........", "9", IllegalMove),
        (".........", {"4": -1.0, "0": 2.0}, InvalidPlayer),
        (".........", {}, InvalidPlayer),
        (".........", {"4": float("nan")}, InvalidPlayer),
        (".........", {"4": "much"}, InvalidPlayer),
        ("X........", "4", InvalidPlayer),
        ("XXX......", "4", UnreachableBoard),
    ],
)
def test_invalid_answers_are_refused(tmp_path: Path, board: str, move: Any, error: type) -> None:
    exam = Exam("X", path=tmp_path / "a.jsonl")
    before = (tmp_path / "a.jsonl").read_bytes()
    with pytest.raises(error):
        exam.answer(board, move)
    assert (tmp_path / "a.jsonl").read_bytes() == before
    assert not exam.answers
    exam.answer(".........", "4")
    with pytest.raises(InvalidPlayer, match="has already been answered"):
        exam.answer(".........", "4")
    with pytest.raises(InvalidSetting, match="continue the exam"):
        exam.grade()


@pytest.mark.parametrize("settings", [{}, {"symmetric": True, "copies": 5}, {"repeats": 3}])
def test_an_exam_continues_from_its_file_after_every_crash(tmp_path: Path, settings: dict[str, int]) -> None:
    path, rng = tmp_path / "answers.jsonl", random.Random(3)
    whole = Exam("O", "tictactoe", "3x2x2", path=path, **settings)  # type: ignore[arg-type]
    while (board := whole.question()) is not None:
        whole.answer(board, rng.choice(whole.moves(board)))
    content, lengths = path.read_bytes(), range(0, len(path.read_bytes()) + 1, 41)
    for length in lengths:
        path.write_bytes(content[:length])
        exam = Exam("O", "tictactoe", "3x2x2", path=path, **settings)  # type: ignore[arg-type]
        assert exam.answers == whole.answers[: len(exam.answers)]
        for answer in whole.answers[len(exam.answers) :]:
            assert exam.question() == answer.board
            assert answer.move is not None
            exam.answer(answer.board, answer.move)
        assert exam.bounds() == whole.bounds()
        assert path.read_bytes() == content


def test_files_of_other_exams_and_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    Exam("X", path=path).answer(".........", "4")
    content = path.read_bytes()
    for arguments in (("O",), ("X", "nim"), ("X", "tictactoe", "4x3x3")):
        with pytest.raises(InvalidSetting, match="another exam"):
            Exam(*arguments, path=path)  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="another exam"):
        Exam("X", symmetric=True, path=path)
    for line in (
        b"nonsense\n",
        b'{"board": 1}\n',
        b'{"board": ".........", "move": "0"}\n',
        b"[]\n",
        b"\xff\n",
        b'{"board": "XXX......", "move": "4"}\n',
    ):
        path.write_bytes(content + line)
        with pytest.raises(StoreError, match="line 3"):
            Exam("X", path=path)
    for foreign in (b"SQLite format 3\n", b"no line ends here", content[:5] + b"?"):
        path.write_bytes(foreign)
        with pytest.raises(InvalidSetting, match="another exam"):
            Exam("X", path=path)
        assert path.read_bytes() == foreign
    for settings in ({"copies": 1}, {"copies": 1, "symmetric": True, "repeats": 2}, {"repeats": 0}):
        with pytest.raises(InvalidSetting, match="cannot be used"):
            Exam("X", **settings)  # type: ignore[arg-type]


def test_answers_are_lines_that_people_can_read(tmp_path: Path) -> None:
    exam = Exam("X", "hexapawn", path=tmp_path / "a.jsonl")
    board = exam.question() or ""
    exam.answer(board, {"a1-a2": 1, "b1-b2": 3})
    head, line = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert head == {"game": "hexapawn", "variant": "3x3", "plays": "X", "symmetric": False, "repeats": 1}
    assert line == {"board": board, "move": {"a1-a2": 1, "b1-b2": 3}, "reason": ""}


@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_intervals_of_repeated_questions_contain_the_truth(symmetry: SymmetryUse) -> None:
    rng, missed, widths = random.Random(4), 0, []
    for trial in range(40):
        side = "XO"[trial % 2]
        exam = Exam(side, "hexapawn", symmetric=symmetry == "full", repeats=25)
        policy = random_policy(exam.positions, exam.plays.number, rng, 3)
        true, before = truth(grade(policy)), exam.bounds()
        while (board := exam.question()) is not None:
            odds = answer_of(policy, board)
            exam.answer(board, rng.choices(list(odds), list(odds.values()))[0])
        bounds = exam.bounds()
        missed += sum(
            not bounds[name].least - 1e-12 <= value <= bounds[name].most + 1e-12 for name, value in true.items()
        )
        assert all(bounds[name].least >= before[name].least - 1e-12 for name in bounds)
        widths.append(bounds["random", "loss"].most - bounds["random", "loss"].least)
        assert len(exam.answers) == 25 * exam.asked
    assert missed <= 0.05 * 40 * len(true)
    assert 0 < max(widths) < 0.6


def test_the_interval_of_the_value_contains_the_truth_although_frequencies_underestimate_it() -> None:
    rng, missed, below = random.Random(5), 0, 0
    positions = enumerate_positions(get_game("nim", "1-2-4"))
    policy = Policy.of_weights(positions, 0, np.where(positions.optimal, 9.0, 1.0) * positions.multiplicity)
    true = grade(policy).against_best_response.value
    for _ in range(40):
        exam = Exam("X", "nim", "1-2-4", symmetric=True, repeats=25)
        while (board := exam.question()) is not None:
            odds = answer_of(policy, board)
            exam.answer(board, rng.choices(list(odds), list(odds.values()))[0])
        bounds = exam.bounds()["best_response", "value"]
        missed += not bounds.least <= true <= bounds.most
        below += exam.grade().against_best_response.value < true
    assert missed <= 2
    assert below > 20


def test_repeated_answers_become_frequencies() -> None:
    exam = Exam("X", "tictactoe", "2x2x2", repeats=4)
    assert exam.question() is None  # two in a row: X always wins
    exam = Exam("X", repeats=4)
    for move in ("4", "4", "0", "4"):
        assert exam.question() == "........."
        exam.answer(".........", move)
    assert exam.policy().odds(".........")["4"] == 0.75
    assert exam.question() != "........."
