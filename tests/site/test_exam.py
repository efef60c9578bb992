"""Tests that the exam on a page asks about the same boards as `menace exam` and computes the same bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scripts_in_node import load_scripts, run_in_node

from menace.analysis.exam import Exam
from menace.games import get_game
from menace.games.positions import Positions
from menace.learners.opponents.fixed import fixed_weights
from menace.site.play_tables import board_tables, game_tables, graph_tables

GAMES = [(name, True) for name in ("tictactoe", "tictactoe 3x3x3-misere", "hexapawn", "hexapawn 3x4", "nim")]
GAMES += [("hexapawn", False), ("tictactoe 2x3x2", False)]
DRIVER = """
  const { graph, players, people } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const made = new menace.Graph({ graph });
  console.log(JSON.stringify(people.map(({ side, chosen, losses_only }) => {
    const exam = new menace.Exam(made, players, side), answers = [], steps = [];
    for (;;) {
      const { least, most, next, later } = exam.after(answers);
      const asked = next ?? (losses_only ? undefined : later);
      steps.push({ asked: asked ?? null, least, most });
      if (asked === undefined) break;
      answers.push(chosen[asked]);
    }
    const isClosed = steps.at(-1).most[6] - steps.at(-1).least[6] <= 1e-12;
    return { steps, decided: isClosed ? exam.decidedAfter(answers) : null, accepts: exam.accepts(answers) };
  })));
"""


def choose(positions: Positions, person: str) -> NDArray[np.int64]:
    """Return the move that a simulated person makes at each position."""
    first = positions.first_move
    sizes = np.maximum(np.diff(first), 1)
    if person == "first":
        return first[:-1]
    if person == "last":
        return first[:-1] + sizes - 1
    if person == "optimal":
        values = positions.minimax[positions.next_position] * np.repeat(1 - 2 * positions.to_move, np.diff(first))
        starts = zip(first[:-1], sizes, strict=True)
        return np.array([start + int(np.argmax([*values[start : start + size], -2][:size])) for start, size in starts])
    return first[:-1] + np.random.default_rng(int(person)).integers(0, sizes)


def ask_in_python(exam: Exam, chosen: NDArray[np.int64]) -> tuple[list[int | None], list[list[float]], int]:
    """Return the boards that an exam asks about, the bounds before each board, and the number of deciding answers.

    The deciding answers are those that were needed before the value was known.
    """
    positions, asked, bounds, decided = exam.positions, list[int | None](), list[list[float]](), 0
    while True:
        pairs = exam.bounds().values()
        bounds.append([*(pair.least for pair in pairs), *(pair.most for pair in pairs)])
        board = exam.question()
        if board is None:
            return [*asked, None], bounds, decided
        position = positions.number_of(board)
        asked.append(position)
        action = int(positions.action[chosen[position]])
        exam.answer(board, positions.game.name_of(positions.boards[position], action))
        decided += bounds[-1][-1] - bounds[-1][6] > 1e-12


@pytest.mark.parametrize(("name", "symmetric"), GAMES)
def test_page_asks_the_same_boards_with_the_same_bounds_as_python(name: str, symmetric: bool) -> None:
    game = get_game(*name.split())
    people = ["last", "1"] if "misere" in name else ["first", "last", "optimal", "1", "2"]  # as large as the first
    cases: list[dict[str, Any]] = []
    wanted = []
    for side in (0, 1):
        for number, person in enumerate(people):
            exam = Exam("XO"[side], game, symmetric=symmetric, losses_only=number % 2 == 1)
            chosen = choose(exam.positions, person)
            cases.append({"side": side, "chosen": chosen.tolist(), "losses_only": exam.losses_only})
            wanted.append(ask_in_python(exam, chosen))
    positions = exam.positions
    players = {who: fixed_weights(who, positions).tolist() for who in ("random", "optimal")}
    data = {"graph": graph_tables(positions), "players": players, "people": cases}
    for answer, (asked, bounds, decided) in zip(
        run_in_node(load_scripts("exam.js") + DRIVER, data), wanted, strict=True
    ):
        steps = answer["steps"]
        assert [step["asked"] for step in steps] == asked
        assert np.abs(np.array([step["least"] + step["most"] for step in steps]) - bounds).max() <= 1e-12
        assert (answer["decided"], answer["accepts"]) == (decided, True)


def test_answers_that_are_not_those_of_an_exam_are_refused() -> None:
    positions = Exam("X", "hexapawn", symmetric=True).positions
    first = positions.first_move.tolist()
    theirs = first[int(np.argmax(positions.to_move == 1))]
    wrong = [[0, 0], [0, 1], [-1], [theirs], [positions.move_count], ["0"], [None], [0.5], ["length"]]
    script = """
      const { graph, players, lists } = JSON.parse(require("fs").readFileSync(0, "utf8"));
      const exam = new menace.Exam(new menace.Graph({ graph }), players, 0);
      console.log(JSON.stringify(lists.map(answers => exam.accepts(answers))));
    """
    players = {who: fixed_weights(who, positions).tolist() for who in ("random", "optimal")}
    data = {"graph": graph_tables(positions), "players": players, "lists": [[], [0], *wrong]}
    accepted = run_in_node(load_scripts("exam.js") + script, data)
    assert accepted == [True, True] + [False] * len(wrong)


@pytest.mark.parametrize("name", ["hexapawn", "nim"])
def test_tables_of_an_exam_contain_canonical_boards_as_on_a_site(name: str) -> None:
    positions = Exam("X", name, symmetric=True).positions
    exam, site = game_tables(positions, every=False), game_tables(positions)
    assert exam["graph"] == site["graph"]
    assert exam["players"].keys() == {"random", "optimal"}

    def moves(tables: dict[str, Any], number: int) -> list[tuple[Any, int, str]]:
        texts, flat = tables["boards"].split(" "), tables["moves"][number]
        entries = zip(flat[::3], flat[1::3], flat[2::3], strict=True)
        return [(tables["looks"][look], which, texts[number + further]) for look, which, further in entries]

    for one, other in zip(exam["canonical"], site["canonical"], strict=True):
        assert moves(exam, one) == moves(site, other)
    assert len(exam["boards"].split(" ")) <= len(board_tables(positions)["boards"].split(" "))
