"""Tests that exact strength agrees with sampled games and that statistics over seeds follow their definitions."""

from __future__ import annotations

import csv
import itertools
import random
import statistics
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from commands import Run, ok, refused
from database_templates import fresh_database
from runs import train

import menace
from menace.analysis import groups as groups_seed_statistics
from menace.analysis.grades import strength_of
from menace.analysis.groups import Group, estimate, interquartile_mean, intervals, mean, probability_above
from menace.analysis.matchups import comparison, matchup_of, sample
from menace.analysis.position import show
from menace.arena.exact_strength import exact_outcomes, outcomes
from menace.errors import InvalidGame, InvalidPlayer, InvalidRun, UnknownLearner
from menace.games.base import Game
from menace.games.positions import Positions
from menace.learners.opponents.fixed import fixed_policy
from menace.ledger.learners import new_learner
from menace.ledger.store import Store
from menace.ledger.training import POLICIES
from menace.text.wording import OPPONENTS, RESULTS

KEY = ("alpha", "plays", "policy", "opponent", "measure")

LEARNERS = {
    "beads": ("X", "menace", {}),
    "quitter": ("X", "menace", {"when_empty": "resign"}),
    "zhang": ("O", "zhang", {}),
    "table": ("O", "q-table", {}),
    "odds": ("X", "michie-1963", {}),
    "fullest": ("O", "article-code", {"epsilon": "0.25"}),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database with a briefly trained learner of every kind."""
    with fresh_database(tmp_path_factory.mktemp("contests") / "menace.db") as opened:
        for seed, (name, (plays, preset, settings)) in enumerate(LEARNERS.items()):
            new_learner(opened, name, plays, preset, settings)
            train(opened, name, "imperfect:0.5", games=300, seed=seed)
        yield opened


PAIRS = [
    ("beads", "zhang"),
    ("quitter", "random"),
    ("odds", "fullest"),
    ("imperfect:0.3", "table"),
    ("random", "random"),
]


@pytest.mark.parametrize("kind", ["behaviour", "greedy"])
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_sampled_games_match_exact_probabilities(store: Store, x: str, o: str, kind: str) -> None:
    # A correct share is off by more than six standard errors in about 1 in 5 * 10^8 tests. An error of 0 means that the
    # share must be exact.
    estimate = sample(store, x, o, 40_000, kind, seed=7)  # type: ignore[arg-type]
    exact = matchup_of(store, x, o, kind).outcomes  # type: ignore[arg-type]
    assert sum(estimate.shares) == pytest.approx(1)
    for share, probability, error in zip(estimate.shares, exact, estimate.errors, strict=True):
        assert abs(share - probability) <= 6 * error + 1e-12


def test_sample_reports_standard_errors(store: Store) -> None:
    for pair in (("random", "random"), ("beads", "zhang"), ("perfect", "perfect")):
        estimate, exact = sample(store, *pair, 64, seed=3), matchup_of(store, *pair).outcomes
        assert (estimate.games, estimate.seed) == (64, 3)
        assert all(share * 64 == round(share * 64) for share in estimate.shares)
        assert estimate.errors == pytest.approx([(abs(p * (1 - p)) / 64) ** 0.5 for p in exact], abs=1e-9)
    assert sample(store, "random", "random", 1, seed=3).games == 1
    assert sample(store, "random", "random", 9) != sample(store, "random", "random", 9)  # the seed at least differs


def test_default_policy_is_behaviour(store: Store) -> None:
    assert (
        strength_of(store, "fullest")
        == strength_of(store, "fullest", "behaviour")
        != strength_of(store, "fullest", "greedy")
    )
    pair = ("beads", "fullest")
    assert (
        matchup_of(store, *pair).outcomes
        == matchup_of(store, *pair, "behaviour").outcomes
        != matchup_of(store, *pair, "greedy").outcomes
    )
    assert comparison(store, [*pair])[pair] == matchup_of(store, *pair).outcomes
    assert matchup_of(store, *pair).fractions == matchup_of(store, *pair, "behaviour").fractions
    assert sample(store, *pair, 500, seed=1) == sample(store, *pair, 500, "behaviour", seed=1)


def test_sampling_does_not_teach(store: Store) -> None:
    before = Path(store.path).read_bytes()
    sample(store, "beads", "table", 1000, seed=1)
    assert Path(store.path).read_bytes() == before


@pytest.mark.parametrize("kind", ["behaviour", "greedy"])
@pytest.mark.parametrize("name", LEARNERS)
def test_refutation_is_legal_lost_game(store: Store, game: Game, name: str, kind: str) -> None:
    report = strength_of(store, name, kind)  # type: ignore[arg-type]
    if report.line is None:
        assert report.against["best_response"].loss == 0
        return
    board = game.initial
    for action, after in zip(report.actions, report.boards[1:], strict=True):
        board = game.play(board, action)
        assert board == after
    if report.line.resigns:
        assert game.outcome(board) is None
        assert game.to_move(board) == report.plays
    else:
        assert game.outcome(board) not in {None, "draw", report.plays}
    assert (
        0
        < report.line.probability
        <= report.against["best_response"].loss + report.against["best_response"].draw + 1e-12
    )
    assert report.line.probability <= 1


def test_machine_with_empty_first_box_resigns_at_once(store: Store) -> None:
    new_learner(store, "tired", "X", "scroggs", {"beads": "1", "draw": "-1"})
    train(store, "tired", "perfect", games=50, seed=1)
    assert show(store, "." * 9, "tired").box.beads == 0
    report = strength_of(store, "tired", "behaviour")
    assert report.line is not None
    assert (report.line.moves, report.line.resigns, report.line.probability) == ((), True, 1.0)
    assert report.exploitability == 1


def test_policies_of_different_games_are_refused(positions: Positions) -> None:
    small = menace.enumerate_positions(menace.get_game("tictactoe", "2x2x2"))
    for x_positions, o_positions in ((positions, small), (small, positions)):
        with pytest.raises(InvalidGame, match="use players for the same game"):
            outcomes(fixed_policy("random", x_positions, 0), fixed_policy("random", o_positions, 1))
        with pytest.raises(InvalidGame):
            exact_outcomes(fixed_policy("random", o_positions, 0), fixed_policy("random", x_positions, 1))


def test_compare_covers_all_pairs(store: Store) -> None:
    rows = comparison(store, list(LEARNERS))
    assert len(rows) == 3 * 3
    assert rows["beads", "zhang"] == matchup_of(store, "beads", "zhang").outcomes
    assert set(comparison(store, ["beads", "random"])) == {("beads", "random"), ("random", "random")}


def test_incomparable_players_are_refused(store: Store) -> None:
    with pytest.raises(UnknownLearner):
        matchup_of(store, "nobody", "random")
    with pytest.raises(InvalidPlayer, match="plays O, not X"):
        matchup_of(store, "zhang", "random")
    with pytest.raises(InvalidPlayer, match="0 to 1"):
        matchup_of(store, "imperfect:7", "random")
    with pytest.raises(InvalidPlayer, match="no player plays O; add a player for O"):
        comparison(store, ["beads"])
    for seed in (-1, 2**63):
        with pytest.raises(InvalidRun, match="seed"):
            sample(store, "random", "random", 1, seed=seed)
    for games in (0, -1, 10**9 + 1):
        with pytest.raises(InvalidRun):
            sample(store, "random", "random", games)


def test_comparison_names_machines_by_preset_and_side() -> None:
    zhang, td = menace.Machine("zhang", "X"), menace.Machine("td", "O")
    assert (zhang.algorithm.name, td.algorithm.name) == ("td", "td")
    meeting = menace.evaluate(zhang, td.copy())
    assert (meeting.x, meeting.o) == ("zhang", "td")
    assert repr(meeting).startswith("zhang against td (behaviour): ")
    assert repr(menace.evaluate(menace.Machine("td", "X"), td)).startswith("td (X) against td (O) (behaviour): ")
    assert menace.strength(zhang).name == "zhang"
    with pytest.raises(InvalidPlayer, match="zhang plays X, not O"):
        menace.evaluate(zhang, zhang)
    settings_alone = menace.Machine.fresh(zhang.algorithm, zhang.settings, zhang.positions, zhang.side)
    assert menace.evaluate(settings_alone, td).x == "td"


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database with three learners for X in each of two settings, and one learner for O."""
    with fresh_database(tmp_path_factory.mktemp("groups") / "menace.db") as opened:
        for alpha in ("0.1", "0.5"):
            for seed in range(3):
                new_learner(opened, f"td-{alpha}-{seed}", "X", "zhang", {"alpha": alpha})
                train(opened, f"td-{alpha}-{seed}", "random", games=50, seed=seed)
        train(opened, "td-0.5-2", "random", games=50, seed=5)
        new_learner(opened, "eve", "O", "zhang")
        yield opened


def test_group_strength_is_interquartile_mean(groups: Store, run: Run) -> None:
    names = [f"td-0.1-{seed}" for seed in range(3)]
    printed = ok(run("strength", "td-*", "eve", "--by", "alpha", "--csv", "--db", groups.path))
    rows = list(csv.DictReader(printed.splitlines()))
    factors = "machines,alpha,plays,against"
    assert ",".join(rows[0]) == f"{factors},games,games_most,policy,opponent,measure,value,low,high,n"
    assert len(rows) == 3 * 2 * 3 * 3
    for policy in POLICIES:
        reports = [strength_of(groups, name, policy) for name in names]
        for opponent in OPPONENTS:
            for number, result in enumerate(RESULTS):
                shares = [report.against[opponent][number] for report in reports]
                key = ("0.1", "X", policy, opponent, result)
                (row,) = (row for row in rows if tuple(row[name] for name in KEY) == key)
                # a quarter of three values rounds down to zero values
                assert float(row["value"]) == pytest.approx(sum(shares) / 3)
                assert min(shares) - 1e-12 <= float(row["low"]) <= float(row["high"]) <= max(shares) + 1e-12
                assert (row["games"], row["games_most"], row["n"]) == ("50", "50", "3")
    assert {(row["games"], row["games_most"]) for row in rows if row["alpha"] == "0.5"} == {("50", "100")}


def test_strength_command_prints_table_or_description(groups: Store, run: Run) -> None:
    def printed(*words: str) -> str:
        return ok(run("strength", *words, "--db", groups.path))

    assert printed("td-0.1-0") == printed("td-0.1-[0]")
    assert printed("td-0.1-0").startswith("td-0.1-0 plays X; ")
    header, first, *others = printed("td-*", "--by", "alpha").splitlines()[2:]
    assert header.split()[:4] == ["alpha", "policy", "games", "n"]
    assert first.split()[:4] == ["0.1", "behaviour", "50", "3"]
    assert [line.split()[0] for line in others] == ["0.5", "0.1", "0.5"]
    assert "50 to 100  3" in others[0]
    lines = printed("td-*", "--by", "alpha", "--markdown").splitlines()
    assert [line.split("|")[1:5] for line in lines[:3:2]] == [
        [" alpha ", " policy ", " games ", " n "],
        [" 0.1 ", " behaviour ", " 50 ", " 3 "],
    ]
    cells = [cell.strip() for cell in lines[2].split("|")[5:-1]]
    assert all(cell in first for cell in cells)
    latex = printed("td-*", "--by", "alpha", "--latex").splitlines()
    assert latex[4] == " & ".join(["0.1", "behaviour", "50", "3", *cells]) + r" \\"
    assert latex[-1] == r"\end{tabular}"
    lines = printed("td-0.1-0", "--markdown").splitlines()
    assert lines[2].startswith("| behaviour | against random play | ")
    assert len(lines) == 8
    # Learners that differ only by chance form a group if there are enough of them.
    assert [line.split()[0] for line in printed("td-*").splitlines()[3:7]] == [
        "td-0.1-0,",
        "td-0.5-0",
        "td-0.5-1",
        "td-0.5-2",
    ]
    assert "interval" not in printed("td-0.5-*")
    refused(run("strength", "td-*", "--by", "beads", "--db", groups.path), "no machine here has the factor 'beads'")
    refused(run("strength", "x*", "--db", groups.path), "no machine's name matches")


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 30, 101])
def test_interquartile_mean_cuts_quarters(count: int) -> None:
    dice = random.Random(count)
    rows = [[dice.choice([0.0, 0.25, dice.random()]) for _ in range(count)] for _ in range(20)]
    cut = count // 4
    by_hand = [statistics.fmean(sorted(row)[cut : count - cut]) for row in rows]
    assert interquartile_mean(np.array(rows)) == pytest.approx(by_hand, abs=1e-15)
    assert mean(np.array(rows)) == pytest.approx([statistics.fmean(row) for row in rows], abs=1e-15)


@pytest.mark.parametrize("sizes", [(1, 1), (5, 8), (30, 20)])
def test_probability_above_counts_ties_half(sizes: tuple[int, int]) -> None:
    dice = random.Random(1)
    for values in (2, 5, 1000):
        first, second = ([dice.randrange(values) / values for _ in range(size)] for size in sizes)
        pairs = list(itertools.product(first, second))
        by_hand = sum((a > b) + 0.5 * (a == b) for a, b in pairs) / len(pairs)
        above = probability_above(np.array(first), np.array(second))
        assert above == pytest.approx(by_hand, abs=1e-15)
        assert above + probability_above(np.array(second), np.array(first)) == pytest.approx(1)


def test_interval_matches_explicit_bootstrap() -> None:
    scores, generator = np.random.default_rng(2).random(17), np.random.default_rng(0)
    resampled = [
        statistics.fmean(sorted(scores[chosen])[4:13])
        for chosen in generator.integers(0, 17, (groups_seed_statistics.RESAMPLES, 17))
    ]
    interval = estimate(scores)
    assert interval.value == pytest.approx(statistics.fmean(sorted(scores)[4:13]))
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(resampled, [0.025, 0.975])))
    assert interval.n == 17


def test_interval_is_independent_of_batch_size(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(2).random(50)
    whole = estimate(scores)
    for at_once in (1, 777, 10_000):
        monkeypatch.setattr(groups_seed_statistics, "AT_ONCE", at_once)
        assert estimate(scores) == whole


def test_intervals_have_nominal_coverage() -> None:
    """The test draws 400 samples with a fixed seed.

    If the true coverage is 94%, the observed coverage is below 88% in about 1 in 10^5 runs.
    """
    generator = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        interval = estimate(generator.exponential(size=60), mean)
        covered += interval.low <= 1 <= interval.high
    assert 0.88 * 400 <= covered <= 0.98 * 400


def test_group_has_common_marks() -> None:
    curves = [[(0, 0.5), (5, 1.0), (10, 0.25)], [(0, 0.5), (10, 0.75)]]
    group = Group.of(curves, {"win": 1}, intervals)
    assert (group.games, group.label) == ((0, 10), "win=1")
    assert group.scores.tolist() == [[0.5, 0.5], [0.25, 0.75]]
    assert [interval.value for interval in group.estimates] == [0.5, 0.5]
    assert Group.of(curves).label == "all machines"
    assert Group.of([curves[0][:1], curves[1][1:]]).games == ()
