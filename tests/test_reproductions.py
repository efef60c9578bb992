"""The pages of published experiments: what stands on them comes from the code.

All of a page takes minutes (`tools/reproduce.py`). A second of it is run here, and its lines are looked for.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle import TICTACTOE

from menace.arena.exact_strength import Strength

TOOLS = Path(__file__).parents[1] / "tools"
PAGES = Path(__file__).parents[1] / "docs" / "reproductions"
sys.path.insert(0, str(TOOLS))
pytest.importorskip("matplotlib")

from reproduce import REPRODUCTIONS  # noqa: E402


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_a_small_run_gives_the_lines_of_the_page(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    lines = importlib.import_module(f"reproductions.{REPRODUCTIONS[name]}").sample()
    assert lines
    for line in lines:
        assert f"\n- {line}\n" in page


def test_there_is_no_page_besides() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(REPRODUCTIONS)


READ = ("gutmann", "q-table", "article", "sekeres", "sala")  # pages whose source is in the repository


@pytest.mark.parametrize("name", READ)
def test_every_claim_of_a_source_that_was_read_has_its_place(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    table = page.partition("## Claimed and measured\n\n")[2].partition("\n\n")[0].splitlines()
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert rows
    assert all(row[header.index("where")] for row in rows)
    for excuse in ("could not be had", "could not be read", "second hand"):
        assert excuse not in page


def gutmann_runs(chance: np.random.Generator) -> list[Any]:
    """Make runs of any outcomes and values, as many as there are seeds; some of them come to rest, and some values."""
    made = importlib.import_module("reproductions.gutmann_run")
    looks, late, won = made.GAMES // made.STEP, made.LATE // made.STEP, Strength(1.0, 0.0, 0.0)
    ends, resting = chance.dirichlet((1, 1, 1)), chance.random()
    runs = []
    for _ in range(20):
        outcomes = chance.multinomial(made.STEP, chance.dirichlet(20 * ends), looks)
        states = {what: chance.normal(size=(looks, 9)) for what in ("openings", "centre", "corner")}
        for values in states.values():
            values[-late:, chance.random(9) < resting] = 0.0
        if chance.random() < resting:
            outcomes[-late:] = [0, made.STEP, 0]
        runs.append(made.Run(outcomes, states, (won, won)))
    return runs


def test_what_gutmann_says_of_play_without_exploration_is_measured_without_it_and_else_with_it() -> None:
    claims = importlib.import_module("reproductions.gutmann_claims")
    numbers = importlib.import_module("reproductions.gutmann_run").NUMBERS
    chance = np.random.default_rng(1)

    def measured() -> dict[str, list[str]]:
        made = claims.claims(runs, long)
        return {place: [claim.measured for claim in made if claim.place == place] for place in places}

    def run_again(epsilon: float) -> None:
        for run in runs.values():
            run.update({(alpha, epsilon): gutmann_runs(chance) for alpha in (0.2, 0.8)})

    runs: dict[str, dict[tuple[float, float], list[Any]]] = {name: {} for name in numbers}
    places, long = (claims.GREEDY, claims.EXPLORING), gutmann_runs(chance)
    run_again(0.0)
    run_again(0.02)
    first = measured()
    run_again(0.02)
    explored = measured()
    run_again(0.0)
    greedy = measured()
    assert min(len(measured) for measured in first.values()) > 5
    assert explored[claims.GREEDY] == first[claims.GREEDY]
    assert not set(greedy[claims.GREEDY]) & set(first[claims.GREEDY])
    changed = [new != old for new, old in zip(greedy[claims.EXPLORING], explored[claims.EXPLORING], strict=True)]
    assert sum(changed) == 1  # the sentence that holds the two against each other


def test_states_of_gutmann_are_still_if_they_end_as_they_stood_all_the_while() -> None:
    made = importlib.import_module("reproductions.gutmann_run")
    late, looks = made.LATE // made.STEP, made.GAMES // made.STEP
    values = {what: np.random.default_rng(2).normal(size=(looks, 9)) for what in ("openings", "corner")}
    outcomes = np.random.default_rng(3).multinomial(made.STEP, (0.5, 0.3, 0.2), looks)
    run = made.Run(outcomes, values, (Strength(1.0, 0.0, 0.0),) * 2)
    run.states["openings"][-late:, :6] = 0.5
    run.states["openings"][-late // 2, 0] = 0.4  # it moves once, and back
    assert run.still("openings") == 5 / 9
    run.states["corner"][:, 0] = np.nan  # X stands there
    run.states["corner"][-late:, 1:] = 0.0
    assert run.still("corner") == 1
    assert run.still("openings", "corner") == 13 / 17
    assert run.last_shares().tolist() == (run.outcomes[-late:].sum(axis=0) / made.LATE).tolist()
    run.outcomes[:] = [0, made.STEP, 0]
    assert run.draws_swing() == 0
    run.outcomes[: len(run.outcomes) // 2] = [made.STEP, 0, 0]
    assert run.draws_swing() == pytest.approx(1 / (made.GAMES / made.BLOCK - 1))


def test_the_notes_speak_of_a_board_on_which_their_x_is_not_to_move_and_are_asked_of_boards_like_it() -> None:
    q_table = importlib.import_module("reproductions.q_table")
    bench = q_table.Bench("none")
    positions = bench.positions
    assert TICTACTOE.to_move(q_table.NOTED) == "O"
    wins, misses = q_table.wins_and_misses(bench)
    for board in [board for number, board in enumerate(positions.boards) if positions.to_move[number] == 0]:
        after = {cell: board[:cell] + "X" + board[cell + 1 :] for cell in TICTACTOE.empties(board)}
        won = {cell for cell in after if TICTACTOE.has_line(after[cell], "X")}
        for move in positions.moves_of(positions.number_of(board)):
            cell = int(positions.action[move])
            replies = (after[cell][:c] + "O" + after[cell][c + 1 :] for c in TICTACTOE.empties(after[cell]))
            assert wins[move] == (cell in won)
            assert misses[move] == (
                bool(won - {cell}) and not wins[move] and any(TICTACTOE.has_line(r, "O") for r in replies)
            )
    assert not (wins | misses)[positions.to_move[positions.position_of_move] != 0].any()


@pytest.mark.parametrize("lost", [0, 6.6])
def test_no_verdict_is_given_on_a_machine_that_plays_by_other_rules(lost: float) -> None:
    tournaments = importlib.import_module("reproductions.tournaments")
    steps = tournaments.GAMES // tournaments.STEP
    every = np.full((5, steps), lost), np.full(5, 1.0)
    verdicts = [claim.holds for claim in tournaments.claims({beans.name: every for beans in tournaments.SUPPOSED})]
    assert len(verdicts) == 3
    assert all(verdict.startswith("open") for verdict in verdicts)
    assert ("yes" in verdicts[2]) == (lost == 0)


def test_the_program_of_the_thesis_has_the_boxes_and_the_opponents_that_it_tells_of() -> None:
    program = importlib.import_module("reproductions.wos_program")
    tables = program.tables()
    assert [int(tables.has_box[name].sum()) for name in ("michie", "choices")] == [287, 304]
    boards = importlib.import_module("reproductions.killer").boards().boards
    for board, best, block in list(zip(boards, tables.first_best.tolist(), tables.block.tolist(), strict=True))[::9]:
        if "." not in board or any(TICTACTOE.has_line(board, side) for side in "XO"):
            continue
        assert best == min(TICTACTOE.best_cells(board))
        rival = "XO"[TICTACTOE.to_move(board) == "X"]
        lost = [c for c in TICTACTOE.empties(board) if TICTACTOE.has_line(board[:c] + rival + board[c + 1 :], rival)]
        assert block == min(lost, default=-1)


@pytest.mark.parametrize("restock", ["box", "move"])
def test_a_machine_of_the_thesis_always_has_beads_where_its_boxes_are_restocked(restock: str) -> None:
    program = importlib.import_module("reproductions.wos_program")
    machines = program.Matchboxes(20, 1, restock)
    machines.play("optimal", 40)
    boxes = machines.beads[:, machines.boxed]
    fresh = machines.t.fresh[machines.boxed] > 0
    assert machines.alive.all()
    assert (boxes.sum(axis=2) > 0).all()
    assert ((boxes > 0) == fresh).all() == (restock == "move")  # only then each colour has some, too
    assert not boxes[:, ~fresh].any()
