"""Tests of the contract that every learner must fulfil, run against databases for each preset and side."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pypdfium2
import pytest
from commands import Run, ok, refused
from database_templates import fresh_database
from kernel_games import (
    COVERING_PRESETS,
    EPSILON_CASES,
    PRESET_BY_ALGORITHM,
    SEATS,
    SeatedMachine,
    arena,
    machine_of_preset,
    play,
    raw_numbers,
)
from runs import reached_state, resume, selfplay, train, train_alone, use_small_blocks

from menace.analysis.position import draws_beads
from menace.arena.bead_distributions import MeanField, opponent_policy_after, sampled_distributions
from menace.errors import InvalidPlayer, VerificationFailed
from menace.games.base import Side
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.labels.kit import LabelSheet, load_kit
from menace.labels.rules import play_rules, teach_rules
from menace.learners.algorithm import OUTCOMES, OWN, STATE, Algorithm, KitRules, LearnerState, Preset
from menace.learners.algorithms.beads import MENACE, MenaceSettings
from menace.learners.machine import Machine
from menace.learners.registry import LEARNERS, PRESETS
from menace.learners.settings import MAX_BEADS, from_json
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import SelfPlay, order, unfinished_run
from menace.ledger.store import LearnerRow, Store
from menace.ledger.training import play_to_end
from menace.site.translation import ENGLISH

COLUMNS = {"matchbox": ("beads", "picked"), "state_value": ("value", "updates"), "action_value": ("value", "updates")}
GAMES = 220
# These opponents learn from the same games as the learner under test, and each of them stores its values in a different
# table.
OTHERS = ("zhang", "scroggs")
EVERY_SEAT = pytest.mark.parametrize(("name", "side"), SEATS)
# The log and the tables do not depend on the side, so the test alternates between the sides that these presets can
# play.
FEWER_SEATS = pytest.mark.parametrize(
    ("name", "side"),
    [
        (name, Side(PRESETS[name].plays[number % len(PRESETS[name].plays)]).number)
        for number, name in enumerate(COVERING_PRESETS)
    ],
)
# In the presets, epsilon decays too slowly for a test to detect its changes. With these settings, epsilon decays fast
# in each algorithm that explores. Ties go to the first move, so exploration always has an effect. The sides alternate
# from one preset to the next.
FAST_DECAY = [
    (name, side, changes | ({"ties": "first"} if "epsilon_first" in changes else {}))
    for name, side, changes in EPSILON_CASES
    if name in {"value-function", *PRESET_BY_ALGORITHM.values()}
    if side == (changes.get("epsilon_first", False) + len(name)) % 2
]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the paths of databases without learners, one for each type of symmetry."""
    paths = {symmetry: tmp_path_factory.mktemp(symmetry) / "menace.db" for symmetry in ("full", "none")}
    for symmetry, path in paths.items():
        fresh_database(path, symmetry=symmetry).close()
    return paths


def with_learners(path: Path, name: str, side: int, changes: Mapping[str, Any] = MappingProxyType({})) -> Store:
    """Open a database, and add two opponents and `adam`, a learner with the given preset and settings."""
    store = open_database(path)
    new_learner(store, "adam", Side.of_number(side), name, changes, 17)
    new_learner(store, "eva", Side.of_number(1 - side), OTHERS[side])
    new_learner(store, "abel", Side.of_number(side), name, {}, 17)
    return store


@pytest.fixture(scope="module")
def trained(empty: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], Path]:
    """Return a function that returns a database in which adam and eva have played.

    Each database is created only once.
    """
    made: dict[tuple[str, int], Path] = {}

    def database(name: str, side: int) -> Path:
        if (name, side) not in made:
            path = Path(shutil.copy(empty["full"], tmp_path_factory.mktemp("trained") / "menace.db"))
            with with_learners(path, name, side) as store:
                selfplay(store, *names_of_x_and_o(side), games=GAMES, seed=11)
            made[name, side] = path
        return made[name, side]

    return database


def names_of_x_and_o(side: int) -> tuple[str, str]:
    return ("adam", "eva") if side == 0 else ("eva", "adam")


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[Path], Path]:
    return lambda path: Path(shutil.copy(path, tmp_path / "copy.db"))


def stored_state(store: Store, name: str) -> tuple[LearnerRow, list]:
    """Return everything that the database stores about a learner."""
    row = store.learner(name)
    return row, store.learned_rows(LEARNERS[row.algorithm].stored_as, row.learner_id)


@pytest.mark.slow
def test_every_algorithm_trains_without_symmetry(empty: dict[str, Path], copied: Callable[[Path], Path]) -> None:
    with open_database(copied(empty["none"])) as store:
        for number, name in enumerate(PRESET_BY_ALGORITHM.values()):
            new_learner(store, name, PRESETS[name].plays[number % len(PRESETS[name].plays)], name, {}, 17)
            train(store, name, "random", games=3, seed=1)
            assert sum(row[-1] for row in stored_state(store, name)[1]) >= 3
        report = verify(store)
        assert (report.games, report.learners) == (3 * len(PRESET_BY_ALGORITHM), len(PRESET_BY_ALGORITHM))


@FEWER_SEATS
@pytest.mark.slow
def test_run_resumed_at_random_games_equals_uninterrupted_run(
    trained: Callable,
    empty: dict[str, Path],
    copied: Callable[[Path], Path],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    side: int,
) -> None:
    dice = random.Random(f"{name} {side}")
    blocks = [games for _ in range(4) for games in [dice.randint(1, 20)] * dice.randint(1, 2)]
    with open_database(trained(name, side)) as uncut, with_learners(copied(empty["full"]), name, side) as cut:
        play_in_blocks(monkeypatch, cut, side, [3, *blocks, dice.randint(20, 200)])
        assert len(cut.blocks()) > len(uncut.blocks())
        assert reached_state(cut) == reached_state(uncut)
        assert verify(cut).games == GAMES
        assert [row.games for row in cut.learners()] == [GAMES, GAMES, 0]
        assert sum(row[-1] for row in stored_state(cut, "adam")[1]) >= GAMES


@pytest.mark.parametrize(("name", "side", "changes"), FAST_DECAY)
@pytest.mark.slow
def test_run_resumed_at_each_game_keeps_decaying_epsilon(
    empty: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    side: int,
    changes: dict[str, Any],
) -> None:
    paths = [Path(shutil.copy(empty["full"], tmp_path / f"{number}.db")) for number in range(2)]
    uncut, cut = (with_learners(path, name, side, changes) for path in paths)
    with uncut, cut:
        selfplay(uncut, *names_of_x_and_o(side), games=GAMES, seed=11)
        play_in_blocks(monkeypatch, cut, side, [1] * 11 + [GAMES])  # epsilon reaches its minimum in game 11
        assert len(cut.blocks()) > len(uncut.blocks())
        assert reached_state(cut) == reached_state(uncut)


def play_in_blocks(monkeypatch: pytest.MonkeyPatch, store: Store, side: int, blocks: list[int]) -> None:
    """Continue the run of `trained` with a new trainer for each entry in `blocks`.

    Each entry is the maximum number of games in a block. The last trainer finishes the run.
    """
    order(store, SelfPlay(*names_of_x_and_o(side), games=GAMES, seed=11))
    for games in blocks[:-1]:
        use_small_blocks(monkeypatch, games)
        assert next(play_to_end(store, unfinished_run(store))).games_played < GAMES
    use_small_blocks(monkeypatch, blocks[-1])
    resume(store)


@FEWER_SEATS
@pytest.mark.slow
def test_verify_detects_every_changed_value(
    trained: Callable, copied: Callable[[Path], Path], name: str, side: int
) -> None:
    path = copied(trained(name, side))
    stored_as = LEARNERS[PRESETS[name].algorithm].stored_as
    amount, count = COLUMNS[stored_as]
    with open_database(path) as store:
        learner, rows = stored_state(store, "adam")
    fuller, emptier = sorted(rows, key=lambda row: row[-1])[-2:]
    amount_after = fuller[-2] + 1 if stored_as == "matchbox" else float(np.nextafter(fuller[-2], 9.0))
    execute_update(path, f"UPDATE {stored_as} SET {amount} = ? WHERE {row_condition(learner, fuller)}", amount_after)
    execute_update(path, f"UPDATE {stored_as} SET {count} = ? WHERE {row_condition(learner, emptier)}", emptier[-1] + 1)
    changes = 2
    for column, state in (("epsilon", learner.epsilon), ("outcome_mean", learner.outcome_mean)):
        if state is not None:
            execute_update(
                path, f"UPDATE learner SET {column} = ? WHERE name = 'adam'", float(np.nextafter(state, 0.5))
            )
            changes += 1
    first = (
        "the epsilon or the mean outcome of machine adam"
        if changes > 2
        else f"machine adam, position {min(fuller[0], emptier[0])}"
    )
    with open_database(path) as store, pytest.raises(VerificationFailed, match=first) as refused:
        verify(store)
    assert f"({changes - 1} more difference{'s' if changes > 2 else ''})" in str(refused.value)


def test_verify_checks_second_value_of_move(trained: Callable, copied: Callable[[Path], Path]) -> None:
    change = "UPDATE action_value SET half_difference = coalesce(half_difference, 0) + ? WHERE updates > 2"
    for name, error in (("double-q-learning", "as its value, learned"), ("sarsa", "two values for a move, but sarsa")):
        path = copied(trained(name, 0))
        execute_update(path, change, 0.25, several=True)
        with open_database(path) as store, pytest.raises(VerificationFailed, match=error):
            verify(store)


@pytest.mark.parametrize("column", STATE[OUTCOMES])
def test_verify_checks_each_column_of_outcome_mean(
    trained: Callable, copied: Callable[[Path], Path], column: str
) -> None:
    path = copied(trained("michie-1963-hundreds", 0))
    with open_database(path) as store:
        state = getattr(store.learner("adam"), column)
        assert state not in {0, None}  # the run ends in the middle of a set of games
    execute_update(path, f"UPDATE learner SET {column} = ? WHERE name = 'adam'", float(np.nextafter(state, 1)))
    with (
        open_database(path) as store,
        pytest.raises(VerificationFailed, match="the epsilon or the mean outcome of machine adam"),
    ):
        verify(store)


def row_condition(learner: LearnerRow, row: tuple) -> str:
    """Return an SQL condition that selects `row`, one of the rows with a learner's beads or values."""
    action = f" AND action = {row[1]}" if len(row) > 3 else ""
    return f"learner_id = {learner.learner_id} AND position_id = {row[0]}{action}"


def execute_update(path: Path, sql: str, value: float, several: bool = False) -> None:
    connection = sqlite3.connect(path)
    rows = connection.execute(sql, (value,)).rowcount
    assert rows > 1 if several else rows == 1
    connection.commit()
    connection.close()


@FEWER_SEATS
@pytest.mark.slow
def test_learners_that_do_not_learn_are_unchanged(
    trained: Callable, copied: Callable[[Path], Path], name: str, side: int
) -> None:
    with open_database(copied(trained(name, side))) as store:
        before = {who: stored_state(store, who) for who in ("adam", "eva", "abel")}
        train_alone(store, "eva", "adam", games=100, seed=5)
        assert stored_state(store, "adam") == before["adam"]
        assert stored_state(store, "abel") == before["abel"]
        assert stored_state(store, "eva") != before["eva"]
        before["eva"] = stored_state(store, "eva")
        train(store, "abel", "random", games=50, seed=6)
        assert {who: stored_state(store, who) for who in ("adam", "eva")} == {
            who: before[who] for who in ("adam", "eva")
        }
        assert stored_state(store, "abel") != before["abel"]


def positions_visited_by_game(positions: Positions, machine: SeatedMachine) -> Iterator[set[int]]:
    """Yield the positions of each of the machine's games against random play, including the final position."""
    players = (machine, "random") if machine.side == 0 else ("random", machine)
    bench, numbers = arena(positions, *players), kernel.RawNumbers(np.random.PCG64(8))
    for _ in range(300):
        _, taken = bench.games(numbers, 1)
        passed = bench.arrays[0][:taken].tolist()
        yield {*passed, int(positions.next_position[bench.arrays[1][taken - 1]])}


@EVERY_SEAT
def test_game_changes_only_visited_and_stored_values(positions: Positions, name: str, side: int) -> None:
    machine = machine_of_preset(positions, name, side)
    by_position = len(machine.learned.kept) == len(positions)
    position_of = np.arange(len(positions)) if by_position else positions.position_of_move
    before, changed_ever = machine.learned.copy(), 0
    for passed in positions_visited_by_game(positions, machine):
        now = machine.learned
        changed = np.flatnonzero((now.amount != before.amount) | (now.count != before.count))
        assert set(position_of[changed].tolist()) <= passed
        assert now.kept[changed].all()
        assert (now.count - before.count).max() <= 1
        changed_ever += len(changed)
        before = now.copy()
    assert changed_ever > 300


@pytest.fixture(scope="module")
def seated(empty: dict[str, Path]) -> Iterator[Store]:
    """Return a database with a learner for each preset and side, named after both."""
    with open_database(Path(shutil.copy(empty["full"], empty["full"].with_name("seated.db")))) as store:
        for name, side in SEATS:
            new_learner(store, f"{name} {side}", Side.of_number(side), name)
        yield store


def test_settings_survive_database(seated: Store) -> None:
    for name, side in SEATS:
        row, settings = seated.learner(f"{name} {side}"), PRESETS[name].settings
        assert (row.preset, row.algorithm, row.plays) == (name, PRESETS[name].algorithm, Side.of_number(side))
        assert from_json(type(settings), row.settings) == settings
        assert (row.seed is None) == (name != "zhang-random")
        assert draws_beads(seated, row) == Machine(name, Side.of_number(side)).draws_beads


@EVERY_SEAT
def test_introduction_contains_words_of_algorithm(positions: Positions, name: str, side: int) -> None:
    machine = machine_of_preset(positions, name, side)
    text = ENGLISH.introduction(machine, of_cells=True)
    assert text.endswith(".")
    assert not set("{}") & set(text)
    assert machine.algorithm.words.format(alike=", alike" if machine.has_beads else "") in text.replace(
        ENGLISH.told("alike_cells"), ", alike"
    )


@EVERY_SEAT
def test_kit_has_rules_or_is_refused(seated: Store, name: str, side: int) -> None:
    if LEARNERS[PRESETS[name].algorithm].kit_rules is None:
        with pytest.raises(InvalidPlayer, match=f"{name} {side}"):
            load_kit(seated, f"{name} {side}", LabelSheet())
        return
    kit = load_kit(seated, f"{name} {side}", LabelSheet())
    assert all(re.fullmatch(r"[A-Z][^{}]*[.)]", rule) for rule in (*play_rules(kit), *teach_rules(kit)))
    assert any(kit.spare.values()) <= any("add" in rule for rule in kit.rules.teach)


@EVERY_SEAT
def test_site_rule_gives_same_policy(positions: Positions, name: str, side: int) -> None:
    machine = machine_of_preset(positions, name, side)
    if machine.algorithm.site_rule is None:
        return
    seats = (machine, "random") if side == 0 else ("random", machine)
    play(positions, *seats, raw_numbers(8, 9 * 300), 300)
    rule, policy = machine.algorithm.site_rule(machine.settings, machine), machine.policy()
    assert rule.keys() >= {"kind", "boxed"}
    assert machine.has_beads or "learns" not in rule  # scripts can train only machines with beads
    amounts = np.array(machine.amounts_of(machine.entries_of(range(positions.move_count))))
    for position in np.flatnonzero(rule["boxed"]).tolist():
        moves = list(positions.moves_of(position))
        weights = amounts[moves]
        if rule["kind"] in {"favourite", "values"}:
            own = np.array(rule.get("highest", amounts))[moves]
            best = positions.multiplicity[moves] * (own == own.max())
            weights = np.arange(len(moves)) == np.argmax(own) if rule.get("first_of_ties") else best
            epsilon = machine.learned.epsilon or 0.0
            exploring = np.ones(len(moves)) if rule.get("explores_alike") else positions.multiplicity[moves]
            weights = (1 - epsilon) * weights / weights.sum() + epsilon * exploring / exploring.sum()
        if weights.sum():
            assert policy.probability[moves] == pytest.approx(weights / weights.sum(), abs=1e-9)


@EVERY_SEAT
def test_expected_change_equals_mean_of_many_machines(positions: Positions, name: str, side: int) -> None:
    machine = Machine(name, Side.of_number(side), positions)
    if machine.algorithm.pile_rule is None:
        with pytest.raises(InvalidPlayer, match="cannot compute the expected beads"):
            MeanField(machine, opponent_policy_after("random", machine, games=0))
        return
    for opponent in ("random", "optimal"):  # the random opponent often loses, whereas the optimal one never does
        change = MeanField(machine, opponent_policy_after(opponent, machine, games=0)).expected_change(
            machine.learned.amount
        )
        piles = next(sampled_distributions(machine, opponent, [1], 1000)).piles - machine.learned.amount
        first = (positions.ply <= 1)[positions.position_of_move] & machine.learned.kept
        for part in (first, machine.learned.kept):
            sums = piles[:, part].sum(axis=1)
            assert abs(sums.mean() - change[part].sum()) <= 5 * sums.std() / len(sums) ** 0.5 + 1e-9
        assert change[first].any()


NAME = "win-stay-lose-shift"


@dataclass(frozen=True)
class WinStaySettings(MenaceSettings):
    """The settings of a machine that ignores `win` and `draw` and removes beads after a loss."""

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        return MenaceSettings.player(equivalent_settings(self), learner, graph, learns, epsilon)


def equivalent_settings(settings: WinStaySettings) -> WinStaySettings:
    """Return settings with which MENACE learns in the same way as a machine with the given settings."""
    return dataclasses.replace(settings, win=0, draw=0)


# This algorithm does not define any rules, and it must not inherit those of MENACE.
WITHOUT_RULES = Algorithm(
    NAME,
    "matchbox",
    WinStaySettings,
    words="It plays by beads{alike}, and takes out those of lost games.",
    kit_rules=None,
    site_rule=None,
    pile_rule=None,
    amounts=(0, MAX_BEADS),
    by_share=True,
)
# This algorithm defines all the rules. A loss removes a bead, and other results change nothing.
WITH_RULES = dataclasses.replace(
    WITHOUT_RULES,
    kit_rules=lambda _settings, _game: KitRules("Draw a bead. {made}", (), ("If it has lost, burn the bead.",)),
    site_rule=lambda settings, machine: MENACE.site_rule(equivalent_settings(settings), machine),
    pile_rule=lambda settings, positions: MENACE.pile_rule(equivalent_settings(settings), positions),
)


@pytest.fixture(params=[WITHOUT_RULES])
def adam(request: pytest.FixtureRequest, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return `run` in a folder whose database contains `adam`, a trained machine that uses the added algorithm."""
    monkeypatch.setitem(LEARNERS, NAME, request.param)
    monkeypatch.setitem(PRESETS, NAME, Preset(NAME, WinStaySettings(), "stays after a win", "ours"))
    for command in (
        "init --variant 2x3x3",
        f"new adam --plays X --preset {NAME}",
        "train adam --against random --games 50 --seed 1",
    ):
        ok(run(*command.split()))
    return run


@pytest.mark.parametrize("command", ["labels adam labels.pdf", "expect adam --against random", "export site/"])
def test_commands_without_required_rule_are_refused_in_one_line(adam: Run, command: str, tmp_path: Path) -> None:
    refused(adam(*command.split()), "adam", NAME)
    assert [path.name for path in tmp_path.iterdir()] == ["menace.db"]


@pytest.mark.parametrize("adam", [WITH_RULES], indirect=True)
def test_rules_of_added_algorithm_are_used(adam: Run, tmp_path: Path) -> None:
    ok(adam("labels", "adam", "labels.pdf"))
    printed = pypdfium2.PdfDocument(tmp_path / "labels.pdf")
    words = " ".join(page.get_textpage().get_text_range() for page in printed)
    assert "burn the bead" in words
    assert "add 3 beads" not in words
    ok(adam("export", "site/"))
    assert "and takes out those of lost games" in (tmp_path / "site" / "boxes-adam.html").read_text("utf-8")
    ok(adam("new", "eva", "--plays", "X", "--preset", NAME))
    command = "expect eva --against random --games 5 --machines 1000 --json"
    rows = json.loads(ok(adam(*command.split())))
    for row in rows:  # each row is compared with the results of 1,000 machines trained by the kernel
        assert row["beads"] == pytest.approx(row["machines_beads"], abs=0.1)
        assert row["beads"] <= 4


def test_added_learner_is_shown_verified_and_played(adam: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "beads" in ok(adam("show", "XO....", "--learner", "adam"))
    assert "50 games" in ok(adam("verify"))
    answers = iter([*"543210543210", "n"])
    monkeypatch.setattr("builtins.input", lambda _question: next(answers))
    assert "adam" in ok(adam("play", "adam", "--seed", "1"))
