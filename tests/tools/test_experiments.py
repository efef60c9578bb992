"""Tests that the experiments reproduce the lines on their pages and follow their sources.

Reproducing a whole page takes minutes (`tools/experiments/reproduce.py`), whereas these tests take only seconds.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import random
import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkout import ROOT
from experiments.article.read_table import fullest, read_table, report
from oracle import TICTACTOE

from menace.arena.exact_strength import Strength, against, strength_against_best_response
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import Policy
from menace.learners.registry import get_preset

TOOLS = ROOT / "tools"
PAGES = ROOT / "docs" / "reproductions"
pytest.importorskip("matplotlib")

from experiments.common import Bench  # noqa: E402
from experiments.michie_1963.plays import EMERGED, certain, digits_of, mistakes, path_of  # noqa: E402
from experiments.reproduce import READ, REPRODUCTIONS, TESTED, module_of  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", TESTED)
def test_small_run_gives_the_listed_lines(name: str) -> None:
    listed = (PAGES / f"{name}-sample.txt").read_text(encoding="utf-8").splitlines()
    lines = importlib.import_module(module_of(name)).sample()
    assert lines
    assert lines == listed
    assert f"({name}-sample.txt)" in (PAGES / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_page_has_summary_terms_and_only_the_five_verdicts(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    opening = page.split("\n\n")[2:5]
    first = (
        "*Question.*" if name in {"teachers", "fate", "twelve-learners", "rebuilt"} else "*Claim.*"
    )  # pages about our own questions contain no claims
    assert [part.partition(" ")[0] for part in opening] == [first, "*Method.*", "*Result.*"]
    assert page.partition("## Terms\n\n")[2].startswith("- ")
    if name in {"teachers", "twelve-learners", "symmetry"}:
        assert "verdict" not in page
        return
    explained, table = page.partition("## Claimed and measured\n\n")[2].split("\n\n")[:2]
    header, _, *rows = [line.strip("| ").split(" | ") for line in table.splitlines()]
    columns = [number - len(header) for number, name in enumerate(header) if name == "verdict"]
    assert columns[-1] == -1
    verdicts = {row[column].partition(":")[0] for row in rows for column in columns}
    assert verdicts <= {"yes", "no", "reproduced", "open", "consistent"}
    assert verdicts == set(re.findall(r"^- \*(\w+)\* \(", explained, re.MULTILINE))


def test_every_page_has_a_program() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(REPRODUCTIONS)


@pytest.mark.parametrize("name", READ)
def test_claims_of_sources_that_were_read_have_places(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    claims = page.partition("## Claimed and measured\n\n")[2].split("\n\n")[1].splitlines()[2:]
    table = page.partition("## Where each claim is made\n\n")[2].partition("\n\n")[0].splitlines()
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert header == ["claim", "place"]
    assert rows[0][0].partition(" ")[0] == "1"
    assert rows[-1][0].rpartition(" ")[2] == str(len(claims))
    assert all(place for _, place in rows)
    for excuse in ("could not be had", "could not be read", "second hand"):
        assert excuse not in page


def gutmann_runs(chance: np.random.Generator) -> list[Any]:
    """Return twenty runs with random outcomes, values and strengths.

    Some of the values become constant during the run.
    """
    made = importlib.import_module("experiments.gutmann.runs")
    looks, late = made.GAMES // made.STEP, made.LATE // made.STEP
    possible_outcomes, resting = chance.dirichlet((1, 1, 1)), chance.random()
    runs = []
    for _ in range(20):
        outcomes = chance.multinomial(made.STEP, chance.dirichlet(20 * possible_outcomes), looks)
        states = {what: chance.normal(size=(looks, 9)) for what in ("openings", *made.AFTER)}
        for values in states.values():
            values[-late:, chance.random(9) < resting] = 0.0
        if chance.random() < resting:
            outcomes[-late:] = [0, made.STEP, 0]
        strengths = [Strength(*shares) for shares in chance.dirichlet((1, 1, 1), 5).tolist()]
        runs.append(made.Run(outcomes, states, tuple(strengths[:2]), strengths[2], tuple(strengths[3:])))
    return runs


def test_gutmann_claims_are_measured_with_or_without_exploration() -> None:
    claims, made = (importlib.import_module(f"experiments.gutmann.{name}") for name in ("claims", "runs"))
    chance = np.random.default_rng(1)
    runs: dict[tuple[float, float], list[Any]] = {}
    long = {variant: gutmann_runs(chance) for variant in (made.SLOW, made.FAST)}

    def measured() -> dict[str, str]:
        judged = claims.findings(claims.Trials(runs, long, np.zeros((2, 20, 2))))
        return {finding.claim.text: finding.measured for finding in judged}

    def run_again(*levels: float) -> None:
        runs.update({(alpha, epsilon): gutmann_runs(chance) for alpha in (0.2, 0.8) for epsilon in levels})

    def changed(*levels: float) -> set[str]:
        before = measured()
        run_again(*levels)
        after = measured()
        return {text for text in after if after[text] != before[text]}

    run_again(*made.LEVELS)
    by_place = {
        place: {finding.claim.text for finding in claims.findings(claims.Trials(runs, long, np.zeros((2, 20, 2))))
                if finding.claim.place == place}
        for place in (claims.GREEDY, claims.EXPLORING)
    }  # fmt: skip
    assert min(len(texts) for texts in by_place.values()) > 5
    assert not by_place[claims.GREEDY] & changed(0.02)
    of_both = {claim.text for claim in (claims.ALIKE, claims.ROBOT, *claims.USEFUL.values())}
    greedy = changed(0.0)
    assert by_place[claims.GREEDY] <= greedy
    assert of_both <= greedy & by_place[claims.EXPLORING] <= of_both | {claims.REASONABLE_LEVEL.text}


def test_draws_settle_after_the_last_thousand_games_far_from_the_final_level() -> None:
    made = importlib.import_module("experiments.gutmann.runs")
    won = Strength(1.0, 0.0, 0.0)

    def settled_after(*shares: float) -> int:
        drawn = np.repeat([round(share * made.STEP) for share in shares], made.LATE // made.STEP)
        outcomes = np.column_stack((made.STEP - drawn, drawn, 0 * drawn))
        run = made.Run(outcomes, {}, (won, won), won, (won, won))
        return int(run.settled_after())

    calm = [0.5] * 27
    assert settled_after(0.5, 0.5, 0.5, *calm) == 0
    assert settled_after(0.0, 0.5, 0.5, *calm) == 1000
    assert settled_after(0.0, 0.5, 0.4, *calm) == 3000
    assert settled_after(*calm, 0.5, 0.5, 0.0) == 30_000


def test_random_q_learning_is_worse_than_the_best_response_until_it_has_learned() -> None:
    made = importlib.import_module("experiments.gutmann.runs")
    bench = Bench("none")
    machine = bench.learner("q-learning", "O")
    assert bench.ideal("random", 1).value - bench.against(machine, "random").value > 0.1
    first, last = made.falls_short(bench, "O", 1, 0.0)
    assert 0.01 > first >= last


def test_gutmann_states_count_as_still_only_if_they_never_change() -> None:
    made = importlib.import_module("experiments.gutmann.runs")
    late, looks = made.LATE // made.STEP, made.GAMES // made.STEP
    values = {what: np.random.default_rng(2).normal(size=(looks, 9)) for what in ("openings", *made.AFTER)}
    outcomes = np.random.default_rng(3).multinomial(made.STEP, (0.5, 0.3, 0.2), looks)
    won = Strength(1.0, 0.0, 0.0)
    run = made.Run(outcomes, values, (won, won), won, (won, won))
    run.states["openings"][-late:, :6] = 0.5
    run.states["openings"][-late // 2, 0] = 0.4  # the value changes in a single observation and then returns
    assert run.still("X") == 5 / 9
    run.states["corner"][-late:] = 0.0
    assert run.still("O") == 4 / 9
    assert run.last_shares().tolist() == (run.outcomes[-late:].sum(axis=0) / made.LATE).tolist()
    assert run.leads()
    run.outcomes[:] = [0, made.STEP, 0]
    assert run.draws_swing() == run.unrest() == 0
    assert not run.leads()
    run.outcomes[: len(run.outcomes) // 2] = [made.STEP, 0, 0]
    assert run.draws_swing() == pytest.approx(1 / (made.GAMES / made.BLOCK - 1))
    run.outcomes[-late // 2 :] = [0, 0, made.STEP]  # five blocks of games with each outcome, twice as many as expected
    assert run.unrest() == pytest.approx(10 * 2 * (made.BLOCK / 2) ** 2 / (made.BLOCK / 2))


def test_report_has_nine_states_of_each_player() -> None:
    made = importlib.import_module("experiments.gutmann.runs")
    codes = {"X": (1, 3, 9, 27, 81, 243, 729, 2187, 6561), "O": (7, 19, 163, 13123, 5, 165, 13125, 13203, 567)}
    marks = {".": 0, "X": 1, "O": 2}
    boards = {
        "X": made.OPENED,
        "O": [made.replied(made.AFTER[name], cell) for name, cells in made.TRACKED["O"].items() for cell in cells],
    }
    for side, numbers in codes.items():
        assert sorted(numbers) == sorted(sum(marks[m] * 3**k for k, m in enumerate(b)) for b in boards[side])


def test_program_counts_boards_like_the_impossible_board_of_the_notes() -> None:
    q_table = importlib.import_module("experiments.q_table.page")
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


def test_missing_the_win_on_the_board_of_the_notes_has_the_right_value() -> None:
    q_table = importlib.import_module("experiments.q_table.page")
    assert {cell: str(q_table.worth(q_table.NOTED, cell)) for cell in (1, 3, 7, 8)} == {
        1: "1/3",
        3: "1",
        7: "1/3",
        8: "1",
    }
    assert {cell: str(q_table.worth(q_table.NOTED, cell, 1)) for cell in (1, 3, 7, 8)} == {
        1: "-1",
        3: "1",
        7: "-1",
        8: "1",
    }
    assert float(q_table.best("." * 9)) == pytest.approx(q_table.Bench().ideal("random").value)
    assert all(TICTACTOE.to_move(board) == "X" and not TICTACTOE.outcome(board) for board in q_table.PRINTED)


def test_pair_is_stuck_if_one_player_can_be_beaten_at_every_look() -> None:
    sala = importlib.import_module("experiments.sala.page")
    free = np.zeros((60, 10, 2), np.bool_)
    # each player can be beaten at some observations, but none of them at all observations
    free[:, ::2, 0] = free[:, 1::2, 1] = True
    stuck = free.copy()
    stuck[:30, :, 1] = True

    def words(*beaten: Any) -> list[str]:
        findings = sala.findings_of_exploration(dict(zip(sala.LEAST_EPSILONS, beaten, strict=True)))
        return [str(finding.verdict) for finding in findings]

    assert words(free, stuck, stuck)[1] == "yes"
    assert words(stuck, stuck, free)[0] == "no: 30 of 60 pairs"
    assert words(free, free, stuck) == [
        "yes: all 60 pairs (exceptions below 4.9 %)",
        "no: with 0.1 no more pairs are stuck",
    ]


def test_single_observation_is_refuted_only_by_many_runs() -> None:
    claims = importlib.import_module("experiments.claims")
    once, law = claims.Claim("so", "there", "if"), claims.Claim("always so", "there", "if", "law", "machines")

    def word(claim: Any, shown: int, runs: int) -> str:
        return str(claim.counted("", [True] * shown + [False] * (runs - shown)).verdict).partition(":")[0]

    assert [word(once, *counts) for counts in ((1, 20), (3, 60), (60, 60))] == ["reproduced"] * 3
    assert [word(once, *counts) for counts in ((0, 59), (2, 60), (81, 4556))] == ["no"] * 3
    assert [word(once, *counts) for counts in ((0, 10), (0, 58))] == ["open"] * 2
    assert [word(law, *counts) for counts in ((10, 10), (9, 10), (0, 10))] == ["yes", "no", "no"]
    assert [round(claims.bound(runs), 2) for runs in (10, 59)] == [0.26, 0.05]
    assert "0 of 10 runs (below 26 %)" in once.counted("", [False] * 10).word()
    assert "all 10 machines (exceptions below 26 %)" in law.counted("", [True] * 10).word()
    assert law.counted("", [True] * 10).word(short=True) == "yes: all 10"
    assert claims.Claim("so", "there", "if", "number", hardly_fails=True).judged("", True).word() == (
        "yes: it can hardly fail"
    )


def test_claim_compared_with_its_own_curve_is_consistent() -> None:
    claims = importlib.import_module("experiments.claims")
    printed, number = claims.Claim("so", "there", "if", "printed"), claims.Claim("so", "there", "if", "number")
    findings = [number.judged("1", True), printed.judged("2", True), printed.judged("3", False, "it falls")]
    assert [finding.word() for finding in findings] == ["yes", "consistent", "no: it falls"]
    assert printed.judged("2", True).holds_if() == "printed curve: if"
    assert claims.by_verdict(findings) == {"yes": [1], "consistent": [2], "no": [3]}
    assert set(claims.MEANINGS) == {"yes", "reproduced", "consistent", "no", "open"}
    text = (PAGES.parent / "experiments.md").read_text(encoding="utf-8").partition("## Verdicts")[2]
    assert all(f"| *{word}* |" in text for word in ("yes", "reproduced", "consistent", "no", "open"))


def test_page_has_summary_claims_and_figures_and_writes_ranges_to_csv(tmp_path: Path) -> None:
    claims, pages, common = (importlib.import_module(f"experiments.{name}") for name in ("claims", "page", "common"))
    page = pages.Page(tmp_path, "trial", "A trial")
    page.text("Details.")
    page.table(("machine", "won"), [("one", common.percent([0.25, 0.35, 0.3]))])
    page.table(("machine", "lost"), [("one", f"3{pages.ranged('1', '4', '0.5')}")])
    page.figure(common.new_figure()[0], "one", "A figure. It has no lines.")
    page.claims([claims.Claim("so", "there", "if").counted(common.percent([0.1, 0.2]), [False] * 60)])
    page.term("*Box*: a word of this page.")
    page.summary("this", "that", f"it wins {common.percent([0.25, 0.35])}")
    page.write()
    _, machine, *parts = (tmp_path / "trial.md").read_text(encoding="utf-8").split("\n\n")
    assert machine == pages.BEADS
    assert [part.partition(" ")[0] for part in parts[:3]] == ["*Claim.*", "*Method.*", "*Result.*"]
    assert parts[2] == "*Result.* it wins 30.0 ± 7.1 %"
    assert [part for part in parts if part.startswith("## ")] == [
        "## Claimed and measured",
        "## Figures",
        "## Terms",
        "## The source and the method",
        "## Where each claim is made",
        "## Files",
    ]
    assert parts[parts.index("## Terms") + 1] == f"- {pages.TERMS['±']}\n- *Box*: a word of this page."
    assert parts[4].startswith(
        "- *no* (claim 1): the claim does not hold, or fewer than 5 % of our runs reproduce it.\n"
    )
    assert "bound that holds for all possible runs with 95 % confidence" in parts[4]
    assert "| 1 | so | if | 15.0 ± 7.1 % | no: 0 of 60 runs (below 4.9 %) |" in parts[5]
    assert "[trial-ranges.csv](trial-ranges.csv)" in parts[-1]
    assert "![A figure.](trial-one.svg)" in parts
    assert "*A figure. It has no lines.*" in parts
    assert "| one | 30.0 ± 5.0 % |" in parts[parts.index("Details.") + 1]
    assert "| 1 | there |" in parts[parts.index("## Where each claim is made") + 1]
    assert (tmp_path / "trial-ranges.csv").read_text(encoding="utf-8").splitlines() == [
        "table,row,column,value,from,to,deviation,range",
        ",one,won,30.0 ± 5.0 %,25.0,35.0,,lowest to highest",
        ",one,lost,3,1,4,0.5,lowest to highest",
        "Claimed and measured,1,measured,15.0 ± 7.1 %,10.0,20.0,,lowest to highest",
    ]


def test_page_with_two_judgements_has_two_columns_of_verdicts(tmp_path: Path) -> None:
    claims, pages = (importlib.import_module(f"experiments.{name}") for name in ("claims", "page"))
    page = pages.Page(tmp_path, "trial", "A trial")
    page.text("Details.")
    for column, shown in (("one", 0), ("two", 6)):
        flags = [True] * shown + [False] * (60 - shown)
        page.claims([claims.Claim("so", "there", "if").counted(f"{shown} runs", flags)], column)
    page.summary("this", "that", "so it is.")
    page.write()
    text = (tmp_path / "trial.md").read_text(encoding="utf-8")
    assert "*Result.* so it is.\n" in text
    assert "- *reproduced* (1 claim with two): " in text
    assert "- *no* (1 claim with one): " in text
    assert "|  | claim | holds if | one | verdict | two | verdict |" in text
    assert "| 1 | so | if | 0 runs | no: 0 of 60 | 6 runs | reproduced: 6 of 60 |" in text


def test_figure_bytes_do_not_depend_on_rounding_or_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib as mpl
    from matplotlib import font_manager

    page, common = (importlib.import_module(f"experiments.{name}") for name in ("page", "common"))

    def drawn(width: float) -> str:
        figure, axes = common.new_figure(1, 2, size=(width, 3))
        axes[0, 0].plot([0, 1], [-1, 2], "o-", label="a line")
        common.cells(axes[0, 1], np.arange(6).reshape(2, 3))
        figure.legend()
        return str(page.svg(figure))

    first = drawn(5)
    fonts = font_manager.fontManager
    regular, bold = (
        fonts.findfont(font_manager.FontProperties(family="DejaVu Sans", weight=w)) for w in ("normal", "bold")
    )
    (tmp_path / "other.ttf").write_bytes(Path(bold).read_bytes())
    entry = next(font for font in fonts.ttflist if font.fname == regular)
    other = dataclasses.replace(entry, fname=str(tmp_path / "other.ttf"))
    monkeypatch.setattr(fonts, "ttflist", [other, *fonts.ttflist])
    fonts._findfont_cached.cache_clear()
    monkeypatch.setitem(mpl.rcParams, "svg.hashsalt", None)  # with the default salt, ids are random
    assert drawn(5 + 2e-8) == first
    assert "data:image" not in first


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.svg")), ids=lambda path: path.stem)
def test_figures_contain_nothing_that_differs_between_computers(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    ids = re.findall(r'id="([^"]+)"', text)
    assert sorted(ids) == sorted(f"i{number}" for number in range(len(ids)))
    # as vector shapes, the counts in this figure take 9 MB
    assert ("data:image" in text) == (path.stem == "sekeres-values")
    assert not re.search(r"\.\d{3}", re.sub(r"scale\([^)]*\)", "", text))


def test_johnsons_machine_learns_from_both_sides_and_keeps_one_bead() -> None:
    johnson = importlib.import_module("experiments.tournaments.johnson")
    program = johnson.Johnson(20, 1, johnson.BEST)
    before, results = program.beans.copy(), program.play(1)[0]
    changed = program.beans - before
    x_to_move = np.zeros(changed.shape[1], bool)
    x_to_move[program.t.box] = importlib.import_module("experiments.tournaments.killer").boards().to_move == 0
    for machine, result in enumerate(results.tolist()):
        gained = {1: 2, 0: 1, -1: -1}[result]
        assert set(changed[machine][changed[machine] != 0].tolist()) == {gained}
        x, o = (int((changed[machine, which] != 0).sum()) for which in (x_to_move, ~x_to_move))
        assert x - o in {0, 1}
        assert x + o >= 5
    program = johnson.Johnson(5, 1, johnson.Rewards(-1, -1, -1))
    program.play(johnson.GAMES)
    assert program.beans[:, program.t.fresh > 0].min() == johnson.LEAST
    assert not program.beans[:, program.t.fresh == 0].any()


def test_verdict_on_limit_is_open_while_machines_improve_or_the_median_is_near() -> None:
    claims = importlib.import_module("experiments.laslier_walliser.claims")

    def curves(early: Any, late: Any, end: Any) -> Any:
        """Return the curves of 60 pairs with the given exploitability at the last three powers of ten."""
        made = np.zeros((2, len(claims.AT), 60))
        for games, values in ((claims.EARLY, early), (claims.LATE, late), (claims.GAMES, end)):
            made[:, claims.AT.index(games)] = values
        return made

    rising = np.where(np.arange(60) < 30, 0.3, 0.1)  # half of the pairs become worse
    words = [claims.converges(curves(0.9, 0.2, end)).verdict for end in (0.1, 0.001, rising)]
    assert [verdict.word for verdict in words] == ["open", "yes", "no"]
    assert words[0].detail == "falls in 60 of 60 pairs; not near 0 yet"
    assert claims.interval(np.arange(1.0, 61.0)) == (22, 39)
    spread = np.linspace(0, 1, 60)
    stands = [claims.stands(claims.STANDS[0], curves(1, 1, kept)).verdict.word for kept in (0.9, 0.5, spread + 0.2)]
    assert stands == ["yes", "no", "open"]


def test_program_of_the_thesis_has_its_boxes_and_opponents() -> None:
    program = importlib.import_module("experiments.wos.program")
    tables = program.tables()
    assert [int(tables.has_box[name].sum()) for name in ("michie", "choices")] == [287, 304]
    boards = importlib.import_module("experiments.tournaments.killer").boards().boards
    for board, best, block in list(zip(boards, tables.first_best.tolist(), tables.block.tolist(), strict=True))[::9]:
        if "." not in board or any(TICTACTOE.has_line(board, side) for side in "XO"):
            continue
        assert best == min(TICTACTOE.best_cells(board))
        rival = "XO"[TICTACTOE.to_move(board) == "X"]
        lost = [c for c in TICTACTOE.empties(board) if TICTACTOE.has_line(board[:c] + rival + board[c + 1 :], rival)]
        assert block == min(lost, default=-1)


@pytest.mark.parametrize("restock", ["box", "move"])
def test_restocked_boxes_of_the_thesis_are_never_empty(restock: str) -> None:
    program = importlib.import_module("experiments.wos.program")
    machines = program.Matchboxes(20, 1, restock)
    machines.play("optimal", 40)
    boxes = machines.beads[:, machines.boxed]
    fresh = machines.t.fresh[machines.boxed] > 0
    assert machines.alive.all()
    assert (boxes.sum(axis=2) > 0).all()
    # only a machine that restocks its boxes never runs out of a colour
    assert ((boxes > 0) == fresh).all() == (restock == "move")
    assert not boxes[:, ~fresh].any()


def test_program_breaks_ties_by_lowest_number_of_the_magic_square() -> None:
    magic, common = (importlib.import_module(f"experiments.{name}") for name in ("sutton_barto.magic_square", "common"))
    game = magic.MagicSquare()
    assert sorted(game.lines) == [line for line in combinations(range(9), 3) if sum(line) + 3 == 15]
    assert len(common.Bench("full", game=game).positions) == 765
    bench = common.Bench("none", game=game)
    machine = bench.learner("sutton-barto", "O")
    reply = bench.position("X........")  # X has taken the cell that has the lowest number
    moves = bench.positions.moves_of(reply)
    greedy = machine.policy("greedy").probability[moves.start : moves.stop]
    assert bench.positions.action[moves.start : moves.stop][greedy.argmax()] == 1
    assert greedy.max() == 1


def test_standard_play_is_judged_at_the_arrows_of_figure_9() -> None:
    plays, claims = (importlib.import_module(f"experiments.michie_1963.{name}") for name in ("plays", "claims"))

    def course(looks: tuple[int, ...]) -> Any:
        """Return sixty pairs of machines that settle on a line of play only at the given observations."""
        made = {look: [plays.Play((1,), float(look in looks), 0.0)] * 60 for look in plays.LOOKS[9]}
        return plays.Course(np.zeros((60, 8, 3)), {}, {}, made)

    words = [claims.a_play_emerges(course(looks)).verdict.word for looks in ((3, 5), (6, 8), (3,))]
    assert words == ["reproduced", "no", "no"]


def test_boxes_by_move_match_the_preset() -> None:
    hexapawn = importlib.import_module("experiments.hexapawn.page")
    assert [hexapawn.boxes_by_move(symmetry) for symmetry in ("full", "none")] == ["2, 10 and 7", "3, 20 and 14"]
    source = get_preset("gardner-1962").source
    assert "2, 10 and 7" in source
    assert "3, 20 and 14" in source


def test_run_with_drawn_rewards_equals_the_machine_of_the_study() -> None:
    teachers = importlib.import_module("experiments.teachers.study")
    gains, values = teachers.rewards("random", 200)
    with teachers.study(**teachers.design(teachers.TEXTBOOK, Side.X, 200, 1)) as played:
        won, lost, _, _, worst = teachers.strengths(played)[:, teachers.TAUGHT_BY["random"], :, 0, -1]
    assert len(gains) == 200
    assert values[-1, :2] == pytest.approx(won - lost, abs=1e-12)
    assert values[-1, 2] == pytest.approx(-worst[teachers.GREEDY])


def test_quickest_teachers_are_first_with_enough_unbeatable_machines() -> None:
    teachers = importlib.import_module("experiments.teachers.study")
    losses = np.ones((len(teachers.TEACHERS), 4, len(teachers.MARKS)))
    assert teachers.quickest(losses, 0.5) is None
    losses[3, :1, 5] = losses[3, :2, 7:] = losses[2, :, 8] = losses[5, :2, 7] = 0
    assert teachers.quickest(losses, 0.25) == (teachers.MARKS[5], "imperfect:0.1")
    assert teachers.quickest(losses, 0.5) == (teachers.MARKS[7], "imperfect:0.1 or perfect")
    assert teachers.quickest(losses, 1) == (teachers.MARKS[8], "imperfect:0.5")


def test_share_between_urn_families_matches_polya() -> None:
    """The shares in an urn that starts with 12 beads converge to a random limit with a Dirichlet distribution.

    The first k draws explain k / (12 + k) of the variance of the limit.
    """
    fate, chance = importlib.import_module("experiments.fate.study"), np.random.default_rng(1)
    for games in (1, 10, 100):
        beads = [4 + chance.multinomial(games, shares) for shares in chance.dirichlet((4, 4, 4), 2_000)]
        possible_outcomes = np.array([chance.dirichlet(urn, fate.COPIES) for urn in beads])
        share = fate.share_between(possible_outcomes)
        assert share.low <= fate.urn(games) <= share.high
        assert share.value == pytest.approx(fate.urn(games), abs=0.02)
    assert np.isnan(fate.share_between(np.ones((5, 4, 3))).value)


def test_copies_of_a_machine_stay_similar_if_they_are_made_late() -> None:
    fate = importlib.import_module("experiments.fate.study")
    early, late = fate.played("menace", "itself", (5, 99), families=8, games=100)
    assert fate.share_between(late[..., :3]).value > 0.95
    assert fate.share_between(early[..., :3]).value < 0.7
    assert len(np.unique(early.reshape(-1, 4), axis=0)) == 8 * fate.COPIES
    (alone,) = fate.played("menace", "itself", (99,), families=8, games=100)
    assert np.array_equal(alone, late)  # the copies' games change neither the machine nor its opponent


def test_best_rate_falls_only_if_each_rate_is_better_at_its_mark() -> None:
    teachers = importlib.import_module("experiments.teachers.study")
    unbeatable = np.zeros((len(teachers.RATES), 200, len(teachers.MARKS)), bool)
    unbeatable[6, ::2, 8:] = unbeatable[3, ::4, 8] = True
    assert teachers.Fall.of(unbeatable) == (teachers.MARKS[8], 0.5, 0.5, False)
    unbeatable[3, :, -1] = True
    assert teachers.Fall.of(unbeatable) == (teachers.MARKS[8], 0.5, 0.1, True)
    # From here on, the results for the comparison seeds contradict those for the selection seeds.
    unbeatable[6, 100:, 8], unbeatable[3, 100:, 8] = False, True
    assert teachers.Fall.of(unbeatable) == (teachers.MARKS[8], 0.5, 0.1, False)


def test_half_draw_is_first_mark_at_which_half_of_the_machines_never_lose() -> None:
    axis = importlib.import_module("experiments.twelve_learners.study")
    strengths = np.full((len(axis.MEASURES), 2, 1, 1, 4, len(axis.MARKS)), -1.0)
    strengths[axis.OPTIMAL, 0, ..., :1, 3:] = strengths[axis.OPTIMAL, 0, ..., 1:2, 5] = 0.0
    assert axis.half_draw(strengths).squeeze().tolist() == [axis.MARKS[5], np.inf]
    page = importlib.import_module("experiments.twelve_learners.page")
    assert page.ranked(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [2.5, 0.0, 2.5, 1.0]


MARKS = {".": "0", "X": "1", "O": "2"}


def write_table(positions: Positions, chance: random.Random, path: Path) -> Policy:
    """Write a table with random beads on a random image of each board, and return X's policy for this table."""
    lines = []
    policy = fixed_policy("optimal", positions, 0).probability.copy()
    for position in range(len(positions)):
        if positions.to_move[position] < 0:
            continue
        symmetry = chance.choice(positions.symmetries)
        board = symmetry.board(positions.boards[position])
        beads = [(cell, chance.randint(1, 5)) for cell in range(9) if board[cell] == "."]
        chance.shuffle(beads)
        lines += [
            ",".join(MARKS[mark] for mark in board),
            ",".join(str(cell) for cell, count in beads for _ in range(count)),
        ]
        if positions.to_move[position] == 0:
            most = min(cell for cell, count in beads if count == max(count for _, count in beads))
            moves = positions.moves_of(position)
            policy[moves.start : moves.stop] = 0
            policy[positions.move_of(position, positions.to_canonical(board, most))] = 1
    # The table also contains unreachable boards. If two boxes have the same board, the first box counts.
    cell_left = next(cell for cell in (0, 1, 4) if policy[positions.move_of(0, cell)] == 0)
    lines += ["1,1,1,2,2,0,0,0,0", "5,6,7,8", "0,0,0,0,0,0,0,0,0", f"{cell_left},{cell_left}"]
    path.write_text("\n".join(lines) + "\n")
    return Policy.deterministic(positions, 0, policy)


def test_table_has_the_strength_of_its_policy(by_symmetry: dict[str, Positions], tmp_path: Path) -> None:
    positions = by_symmetry["full"]
    made = write_table(positions, random.Random(2), tmp_path / "t.dat")
    boxes = read_table(tmp_path / "t.dat")
    read, boxes_read = fullest(boxes, positions, 0)
    assert boxes_read == 338
    for name in ("random", "optimal"):
        opponent = fixed_policy(name, positions, 1)
        assert against(read, opponent) == against(made, opponent)
    assert strength_against_best_response(read) == strength_against_best_response(made)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        ("", "has 0 lines; a table has two for each box"),
        ("0,0,0,0,0,0,0,0,0\n", "has 1 lines; a table has two for each box"),
        ("0,0,0,0,0,0,0,0\n1\n", "line 1: '0,0,0,0,0,0,0,0' is not nine of 0, 1 and 2"),
        ("0,0,0,0,3,0,0,0,0\n1\n", "line 1: '0,0,0,0,3,0,0,0,0' is not nine of 0, 1 and 2"),
        ("1,0,0,0,0,0,0,0,0\n1,0\n", "line 2: '0' is not an empty cell of X........"),
        ("1,0,0,0,0,0,0,0,0\n9\n", "line 2: '9' is not an empty cell of X........"),
        ("1,0,0,0,0,0,0,0,0\nx\n", "line 2: 'x' is not an empty cell of X........"),
        ("0,0,0,0,0,0,0,0,0\n4\n", "the table has no box for "),
    ],
)
def test_invalid_table_gives_a_one_line_error(text: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.dat"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        report(read_table(path))
    assert "\n" not in str(refused.value)


def test_command_prints_one_line_for_unreadable_file(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / "experiments" / "article" / "read_table.py"), str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.splitlines() == [f"error: {tmp_path} cannot be read: Is a directory"]


@functools.cache
def possible_outcomes(board: str) -> frozenset[str]:
    """Return the outcomes that are still possible from a board."""
    outcome = TICTACTOE.outcome(board)
    if outcome is not None:
        return frozenset({outcome})
    return frozenset().union(
        *(possible_outcomes(TICTACTOE.canonical(child)) for child in TICTACTOE.children(board).values())
    )


def test_outcome_is_certain_if_all_continuations_have_it(positions: Positions, boards: list[str]) -> None:
    assert list(certain(positions)) == [len(possible_outcomes(TICTACTOE.canonical(board))) == 1 for board in boards]


def test_printed_plays_end_when_the_draw_is_certain() -> None:
    bench = Bench()
    for digits in EMERGED:
        path = path_of(bench, digits)
        draws = [certain(bench.positions)[position] for position in path]
        assert draws == [False] * (len(digits) - 1) + [True]
        assert possible_outcomes(bench.positions.boards[path[-1]]) == {"draw"}
        assert mistakes(bench, path) == 0
        assert path_of(bench, digits_of(bench, path)) == path  # the digits may denote equivalent squares
    # On the squares 1 2 3 / 8 0 4 / 7 6 5, Nought takes the centre, and Cross loses the game with an edge.
    path = path_of(bench, "02")
    assert [bench.positions.boards[position] for position in path] == [
        TICTACTOE.canonical(board) for board in ("....X....", ".O..X....")
    ]
    assert mistakes(bench, path) == 1
