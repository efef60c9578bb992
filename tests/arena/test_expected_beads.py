"""Tests that the mean field and the exact distribution of beads match brute force, sampled copies and Pólya's urn."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from commands import Run, ok, refused

from menace.analysis.expected_beads import expect
from menace.arena import bead_distributions
from menace.arena.bead_distributions import (
    MeanField,
    exact_distributions,
    mean_path,
    opponent_policy_after,
    ruin_risk,
    sampled_distributions,
)
from menace.arena.exact_strength import against
from menace.errors import InvalidPlayer, InvalidRun
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.player_to_policy import policy_of
from menace.notebook.database_api import Database
from menace.studies.study import Study

STONES, MOST = 5, 2  # Nim: the player that takes the last stone wins
SETTINGS = [
    {"when_empty": "restock"},
    {"when_empty": "restock", "credit": "last", "win": 0, "draw": 0},
    {"when_empty": "resign", "win": 3},
    {"when_empty": "resign", "credit": "last"},
    {"when_empty": "random", "loss": -2},
    {"when_empty": "restock-colour", "beads": (2, 1)},
    {"when_empty": "restock", "floor": 1, "beads": (3, 1), "loss": -2},
    {"when_empty": "restock-colour", "floor": 1, "beads": (3, 1), "loss": -2},
]
Boxes = tuple[tuple[int, int, int], ...]  # (stones in the heap, stones to take, beads) for every pile of a machine


@pytest.fixture(scope="module")
def nim() -> Positions:
    return enumerate_positions(get_game("nim", f"{STONES}-take{MOST}"))


@pytest.fixture(scope="module")
def hexapawn() -> Positions:
    return enumerate_positions(get_game("hexapawn"))


def machine_of(positions: Positions, settings: dict[str, object]) -> Machine:
    return Machine("menace", "X", positions, **({"beads": (1,), "win": 1, "draw": 0, "loss": -1} | settings))


def boxes_of(machine: Machine, amounts: np.ndarray) -> Boxes:
    """Return a table of bead counts, indexed by the stones in the heap and the stones to take."""
    positions = machine.positions
    return tuple(
        (
            int(positions.boards[positions.position_of_move[move]][0]),
            int(positions.action[move]) + 1,
            int(amounts[move]),
        )
        for move in np.flatnonzero(machine.learned.kept)
    )


class Matchboxes:
    """MENACE for this variant of Nim, implemented from its published rules using dictionaries and fractions."""

    def __init__(self, settings: dict[str, object], first: Boxes) -> None:
        self.settings, self.first = {"floor": 0, "credit": "all"} | settings, {(s, t): b for s, t, b in first}

    def law_after(self, law: dict[Boxes, Fraction]) -> dict[Boxes, Fraction]:
        """Return the distribution after one more game against random play."""
        later: Counter[Boxes] = Counter()
        for boxes, probability in law.items():
            for after, share in self.games({(s, t): b for s, t, b in boxes}, STONES, []):
                later[tuple((s, t, b) for (s, t), b in after.items())] += probability * share
        return later

    def games(
        self, boxes: dict[tuple[int, int], int], stones: int, drawn: list[tuple[int, int]]
    ) -> Iterator[tuple[dict[tuple[int, int], int], Fraction]]:
        """Yield the contents of the boxes after each possible game, together with that game's probability."""
        if not stones:
            yield self.learned(boxes, drawn, "loss"), Fraction(1)
            return
        takes = range(1, min(MOST, stones) + 1)
        has_box = len(takes) > 1
        if has_box and not any(boxes[stones, take] for take in takes):
            if self.settings["when_empty"] == "resign":
                yield self.learned(boxes, drawn, "loss"), Fraction(1)
                return
            has_box = self.settings["when_empty"] != "random"
            boxes = boxes | {(stones, take): self.first[stones, take] for take in takes if has_box}
        weights = {take: Fraction(boxes[stones, take] if has_box else 1) for take in takes}
        for take, weight in weights.items():
            share = weight / sum(weights.values())
            left, beads = stones - take, [*drawn, (stones, take)] if has_box else drawn
            if share and not left:
                yield self.learned(boxes, beads, "win"), share
            elif share:
                for reply in range(1, min(MOST, left) + 1):
                    for after, probability in self.games(boxes, left - reply, beads):
                        yield after, share * probability / min(MOST, left)

    def learned(
        self, boxes: dict[tuple[int, int], int], drawn: list[tuple[int, int]], end: str
    ) -> dict[tuple[int, int], int]:
        boxes = dict(boxes)
        for colour in drawn[-1:] if self.settings["credit"] == "last" else drawn:
            boxes[colour] = max(boxes[colour] + int(str(self.settings[end])), int(str(self.settings["floor"])))
            if not boxes[colour] and self.settings["when_empty"] == "restock-colour":
                boxes[colour] = self.first[colour]
        return boxes


@pytest.mark.parametrize("settings", SETTINGS)
def test_exact_distribution_matches_enumeration_of_games(nim: Positions, settings: dict[str, object]) -> None:
    machine = machine_of(nim, settings)
    first = boxes_of(machine, machine.learned.amount)
    matchboxes = Matchboxes({"win": 1, "loss": -1} | settings, first)
    law = {first: Fraction(1)}
    field = MeanField(machine, opponent_policy_after("random", machine, 0))
    for exact in exact_distributions(machine, "random", range(1, 6)):
        # The change in the mean equals the expected change, averaged over all possible contents.
        keys = [boxes_of(machine, piles) for piles in exact.piles]
        before, law = law, matchboxes.law_after(law)
        assert dict(zip(keys, exact.probability, strict=True)) == pytest.approx({k: float(p) for k, p in law.items()})
        change = sum(float(p) * field.expected_change(amounts_of(machine, boxes)) for boxes, p in before.items())
        kept = machine.learned.kept
        mean = sum(float(p) * amounts_of(machine, boxes) for boxes, p in before.items())
        assert (mean + change)[kept] == pytest.approx(exact.mean[kept])
    assert len(law) > 5


def amounts_of(machine: Machine, boxes: Boxes) -> np.ndarray:
    amounts = machine.learned.amount.copy()
    amounts[machine.learned.kept] = [beads for _, _, beads in boxes]
    return amounts


@pytest.mark.parametrize(("preset", "plays"), [("menace", "X"), ("scroggs", "O")])
def test_expected_change_of_first_box_is_reward_of_game(positions: Positions, preset: str, plays: str) -> None:
    machine, other = Machine(preset, plays, positions), "O" if plays == "X" else "X"
    opponent = policy_of("random", other, positions)
    change = MeanField(machine, opponent).expected_change(machine.learned.amount)
    first = [move for box in expect(machine, "random", games=1).boxes for move in positions.moves_of(box)]
    strength = against(machine.policy(), opponent)
    assert change[first].sum() == pytest.approx(3 * strength.win + strength.draw - strength.loss)


def test_game_resigned_by_opponent_is_won(positions: Positions) -> None:
    machine, other = Machine("menace", "X", positions), Machine("scroggs", "O", positions)
    for position in (1, 3):  # the positions after an opening in a corner and after one in the centre
        moves = positions.moves_of(position)
        other.learned.amount[moves.start : moves.stop] = 0
    assert other.policy().resigns[[1, 2, 3]].tolist() == [1, 0, 1]
    change = MeanField(machine, other.policy()).expected_change(machine.learned.amount)
    strength = against(machine.policy(), other.policy())
    assert change[:3].sum() == pytest.approx(3 * strength.win + strength.draw - strength.loss)
    assert change[[0, 2]] == pytest.approx([3 / 3, 3 / 3])


def test_urn_that_always_wins_is_polya_urn(nim: Positions) -> None:
    """An opponent that always takes the maximum loses at misère Nim, whichever bead X draws from its only box."""
    misere = enumerate_positions(get_game("nim", "3-take2-misere"))
    machine, games = Machine("menace", "X", misere, beads=(2,), win=3), 12
    greedy = policy_of(lambda _, moves: moves[-1], "O", misere)
    (law,) = exact_distributions(machine, greedy, [games])
    added = {int(piles[0] - 2) // 3: p for piles, p in zip(law.piles, law.probability, strict=True)}
    # ratio of the initial beads to the beads added per win; the shares converge to a Beta(2/3, 2/3) distribution
    a = Fraction(2, 3)

    def rising(count: int, start: Fraction) -> Fraction:
        return math.prod((start + i for i in range(count)), start=Fraction(1))

    beta_binomial = {
        k: float(math.comb(games, k) * rising(k, a) * rising(games - k, a) / rising(games, 2 * a))
        for k in range(games + 1)
    }
    assert added == pytest.approx(beta_binomial)
    mean, deviation = law.mean_shares_and_deviations(range(2))
    assert mean == pytest.approx([0.5, 0.5])  # the share is a martingale
    n, whole = games, float(2 * a)
    limit = 1 / 4 / (whole + 1)  # the variance in the limit, which the actual variance approaches from below
    assert deviation[0] ** 2 == pytest.approx(limit * n / (n + whole))


def test_copies_follow_exact_distribution(nim: Positions) -> None:
    machine, marks = machine_of(nim, {"win": 2}), [1, 4]
    laws = zip(
        exact_distributions(machine, "random", marks),
        sampled_distributions(machine, "random", marks, 2000),
        strict=True,
    )
    for exact, sampled in laws:
        variance = exact.probability @ (exact.piles - exact.mean) ** 2
        error = np.sqrt(variance / 2000)[machine.learned.kept]
        off = np.abs(sampled.mean - exact.mean)[machine.learned.kept]
        # with correct code, at least one of the 12 means exceeds the tolerance in fewer than 1 of 10,000 runs
        assert (off <= 4.5 * error + 1e-9).all()


def test_copies_equal_machines_of_study(tmp_path: object) -> None:
    study = Study(f"{tmp_path}/a.study", against="perfect", games=30, seeds=2)
    (law,) = sampled_distributions(Machine("menace", "X"), "perfect", [30], machines=2)
    for seed in (1, 2):
        assert (study.machine(seed).learned.amount == law.piles[seed - 1]).all()


def test_exact_ruin_risk_matches_sampled_copies(hexapawn: Positions) -> None:
    machine = Machine("punish-all", "O", hexapawn)
    (law,) = exact_distributions(machine, "optimal", [10])
    risk = ruin_risk(machine, "optimal", 10)
    assert risk is not None
    exact = law.ruin_probability(machine)
    assert abs(risk.ruined / risk.trials - exact) < 4.5 * math.sqrt(exact * (1 - exact) / risk.trials)
    assert 0.1 < exact < 0.3
    unruined = Machine("menace", "O", hexapawn)
    assert next(sampled_distributions(unruined, "optimal", [1], 3)).ruin_probability(unruined) == 0


@pytest.mark.parametrize(("opponent", "nearest", "farthest"), [("random", 0.0, 0.09), ("perfect", 0.07, 0.2)])
def test_mean_machine_is_accurate_only_against_random_play(opponent: str, nearest: float, farthest: float) -> None:
    """The test compares the first boxes of the machines with seeds 1 to 200.

    Against perfect play, the first few games determine the shares in the first box.
    """
    rows = expect(Machine("menace", "X"), opponent, games=250, marks="0,100", machines=200).table().records()
    off = {row["games"]: max(abs(row["share"] - row["machines_share"]), 0) for row in rows if row["move"] == "4"}
    deviation = {row["games"]: row["machines_deviation"] for row in rows if row["move"] == "4"}
    assert nearest <= off[250] <= farthest
    assert deviation[0] == 0
    assert abs(deviation[250] - deviation[100]) < 0.03  # the deviation no longer changes much
    assert 0.2 < deviation[250] < 0.33


def test_mean_path_follows_changing_opponent(positions: Positions) -> None:
    machine = Machine("menace", "X", positions)
    changing, random = (list(mean_path(machine, who, [3, 4])) for who in ("random:3,perfect", "random"))
    assert (changing[0] == random[0]).all()
    perfect = MeanField(machine, fixed_policy("perfect", positions, 1)).expected_change(changing[0])
    assert changing[1] == pytest.approx(changing[0] + perfect)


def test_fixed_shares_have_zero_motion(positions: Positions) -> None:
    """The changes in all shares add up to 0.

    If every game is drawn, as in Pólya's urn, the expected change in every share is 0.
    """
    expected = expect(Machine("menace", "X", positions), "perfect", games=1, machines=2)
    assert expected.motion(expected.path, 0, 0).sum(axis=1) == pytest.approx([0, 0])
    assert np.abs(expected.motion(expected.path, 0, 0)).max() > 0.01
    # This machine never loses, because its boxes contain only beads for optimal moves.
    safe = np.where(positions.optimal | ~expected.machine.learned.kept, 100, 0)[None]
    assert safe[0, :3].tolist() == [100, 100, 100]
    assert expected.motion(safe, 0, 0) == pytest.approx(np.zeros((1, 3)))


def test_figure_matches_table(begun: Run) -> None:
    ok(begun("new", "adam", "--plays", "X"))
    printed = ok(begun("plot", "expected", "adam", "a.csv", "--against", "perfect", "--games", "3"))
    rows = expect(Machine("menace", "X"), "perfect", games=3, machines=500).table()
    with Path("a.csv").open() as file:
        assert [list(map(str, row)) for row in rows.rows] == list(csv.reader(file))[1:]
    assert "500 machines" in printed
    ok(begun("new", "eva", "--plays", "X"))
    assert "not 2" in begun("plot", "expected", "adam", "eva", "a.csv").err
    assert "not to score" in begun("plot", "score", "adam", "a.csv", "--games", "3").err


def test_expect_command_prints_expected_beads(run: Run) -> None:
    words = "expect scroggs --plays x --against random --games 3 --board XO....... --db no.db"
    rows = json.loads(ok(run(*words.split(), "--machines", "2", "--json")))
    expected = expect(Machine("scroggs", "X"), "random", games=3, board="XO.......", machines=2)
    assert rows == expected.table().records()
    assert ok(run(*words.split())).splitlines()[0] == "scroggs plays X against random: expected beads"
    ok(run("new", "adam", "--plays", "X"))
    ok(run("new", "eva", "--plays", "O", "--preset", "td"))
    with Database("menace.db") as db:
        assert db["adam"].expect(db["eva"], games=1).in_words().title == "adam plays X against eva: expected beads"
    assert "adam plays X against eva" in ok(run("expect", "adam", "--against", "eva", "--games", "1"))
    refused(run("expect", "eva", "--against", "random"), "eva", "cannot compute the expected beads")
    refused(run("expect", "adam", "--against", "random", "--board", "X........"), "adam has no box for X........")


def test_too_many_contents_are_refused(nim: Positions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bead_distributions, "MAX_CONTENTS", 50)
    with pytest.raises(InvalidRun, match="more than 50 different contents"):
        list(exact_distributions(machine_of(nim, {}), "random", [100]))
    with pytest.raises(InvalidPlayer, match="cannot compute the expected beads"):
        expect(Machine("td", "X"), "random")
    for machines, marks in ((-1, "0"), (10**6, "0"), (1000, "every:1"), (True, "0")):
        with pytest.raises(InvalidRun, match="machines"):
            expect(Machine("menace", "X"), "random", machines=machines, marks=marks)
