"""Count the questions that `menace.Exam` needs to grade ten typical players, and print the table in docs/grading.md.

    python tools/docs/count_exam_questions.py

Each cell of the table contains two numbers of questions. After the first number of questions, the exam knows the losses
and the value against the best response; after the second, it knows everything.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import menace
from menace.games.base import SideText
from menace.learners.policy import Choice

PAGE = Path(__file__).parents[2] / "docs" / "your-own-player.md"
ORDER = "402681357"  # centre, corners, edges
ERRS = 0.1  # the share of boards on which a player makes an arbitrary move
Answer = Callable[[str, list[str]], Choice]


def of_page() -> Answer:
    """Return the `novice` function from docs/your-own-player.md."""
    code = re.search(r"```python\n# my_player.py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    names: dict[str, Answer] = {}
    exec(code[1], names)  # noqa: S102 - code of our own page
    return names["novice"]


def sometimes_wrong(player: Answer) -> Answer:
    """Return a player that makes an arbitrary move on one board in ten; each board always gets the same move."""

    def wrong(board: str, moves: list[str]) -> Choice:
        rng = random.Random(board)  # noqa: S311 - for a game
        return rng.choice(moves) if rng.random() < ERRS else player(board, moves)

    return wrong


def of_policy(policy: menace.Policy) -> Answer:
    """Return a player that makes a policy's most likely move, or the first of several equally likely moves."""

    def likely(board: str, moves: list[str]) -> str:
        odds = policy.odds(board)
        return max(moves, key=lambda move: round(odds[move], 9))

    return likely


def trained(preset: str, plays: SideText) -> menace.Policy:
    """Return the greedy policy of a machine after 10,000 games against random play."""
    machine = menace.Machine(preset, plays)
    menace.play_games(*machine.plays.x_and_o(machine, "random"), games=10_000, seed=1)
    return machine.policy("greedy")


def players(plays: SideText) -> dict[str, Answer]:
    """Return ten players for a side, indexed by name."""
    novice = of_page()
    return {
        "first free cell": lambda _, moves: moves[0],
        "last free cell": lambda _, moves: moves[-1],
        "centre, corners, edges": lambda _, moves: min(moves, key=ORDER.index),
        "any cell, always the same on a board": lambda board, moves: random.Random(board).choice(moves),  # noqa: S311
        "[novice](your-own-player.md)": novice,
        "novice, any cell on one board in ten": sometimes_wrong(novice),
        "optimal": of_policy(menace.policy_of("optimal", plays)),
        "perfect, any cell on one board in ten": sometimes_wrong(of_policy(menace.policy_of("perfect", plays))),
        "MENACE after 10,000 games": of_policy(trained("menace", plays)),
        "Q-learning after 10,000 games": of_policy(trained("q-table", plays)),
    }


def questions(player: Answer, plays: SideText, symmetric: bool) -> str:
    """Return how many questions it takes until the losses are known, and how many until everything is known."""
    exam, losses = menace.Exam(plays, symmetric=symmetric), 0
    while (board := exam.question()) is not None:
        exam.answer(board, player(board, exam.moves(board)))
        bounds = exam.bounds()
        if not losses and bounds["random", "loss"].closed and bounds["best_response", "value"].closed:
            losses = exam.asked
    return f"{losses} / {exam.asked}"


def main() -> None:
    """Print the table."""
    print("| player | X, symmetric | O, symmetric | X, every board | O, every board |\n|---|---|---|---|---|")
    by_side = {plays: players(plays) for plays in ("X", "O")}
    for name in by_side["X"]:
        cells = [questions(by_side[plays][name], plays, symmetric) for symmetric in (True, False) for plays in by_side]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
