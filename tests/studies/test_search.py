"""Tests of searches for settings: scores, the order of settings, interruptions, executors and refused designs."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import Run, ok, refused

import menace
from menace import Study
from menace.errors import InvalidSetting, RevisionMismatch
from menace.ledger.store.study_file import StudyFile
from menace.studies import runner, search
from menace.studies.search import Search

ROOT = Path(__file__).parents[2]
RANGES: dict[str, Any] = {"beads": [[1, 8], [1, 6], [1, 4], [1, 2]], "loss": [-4, 0]}
SMALL: dict[str, Any] = {"minimise": "training.losses", "against": "perfect", "games": 50, "seeds": 32, "rounds": 3}
SMALL |= {"fresh_seeds": 20, "ranges": RANGES}


def scores_alone(plays: Any, result: int, seeds: range, **settings: Any) -> list[int]:
    """Train machines one by one, and return the number of their games with a given result (X wins, draws or O wins)."""
    machines = [menace.Machine("menace", plays, **settings) for _ in seeds]
    return [
        menace.play_games(*machine.plays.x_and_o(machine, "random"), games=30, seed=seed).outcomes[result]
        for machine, seed in zip(machines, seeds, strict=True)
    ]


@pytest.mark.parametrize(("plays", "what", "result"), [("X", "losses", 2), ("O", "losses", 0), ("O", "wins", 2)])
def test_score_of_training_counts_games_of_machine_trained_alone(
    plays: str, what: str, result: int, tmp_path: Path
) -> None:
    table = {**SMALL, "plays": plays, "against": "random", "games": 30, "minimise": f"training.{what}", "rounds": 1}
    found = Search(tmp_path / "a.study", table).run(workers=1)
    own = np.mean(scores_alone(plays, result, range(33, 53)))
    assert found.rows[-1][found.columns.index("fresh")] == own
    beads, loss = (found.rows[0][found.columns.index(name)] for name in RANGES)
    best = scores_alone(plays, result, range(33, 53), beads=tuple(map(int, beads.split(","))), loss=int(loss))
    assert found.rows[0][found.columns.index("fresh")] == np.mean(best)
    assert found.rows[0][found.columns.index("difference")] == pytest.approx(np.mean(best) - own)


@pytest.mark.parametrize("policy", ["behaviour", "greedy"])
def test_score_of_strength_equals_measurement_of_study(policy: str, tmp_path: Path) -> None:
    table = {**SMALL, "minimise": "best_response.value", "policies": policy, "rounds": 1}
    found = Search(tmp_path / "a.study", table).run(workers=1)
    study = Study.open(tmp_path / "a.study").run(workers=1)  # of the best settings
    (scores,) = study.scores("best_response.value").values()
    assert found.rows[0][found.columns.index("searched")] == pytest.approx(scores.mean())
    assert study.design.settings["loss"] == int(found.rows[0][1])


def test_aim_decides_order_and_mean_over_opponents(tmp_path: Path) -> None:
    table = {**SMALL, "against": ["random", "perfect"]}
    least = Search(tmp_path / "a.study", table).run(workers=1)
    most = Search(tmp_path / "a.study", {**table, "minimise": None, "maximise": "training.losses"}).run(workers=1)
    scores = [[row[least.columns.index("searched")] for row in found.rows] for found in (least, most)]
    assert scores[0][:-1] == sorted(scores[0][:-1])
    assert scores[1][:-1] == sorted(scores[1][:-1], reverse=True)
    assert scores[0][0] < scores[0][-1] == scores[1][-1] < scores[1][0]
    alone = [
        Search(tmp_path / "b.study", {**table, "against": name}).run(workers=1).rows[-1]
        for name in ("random", "perfect")
    ]
    place = least.columns.index("searched")
    assert scores[0][-1] == pytest.approx((alone[0][place] + alone[1][place]) / 2)


def test_interrupted_search_continues_with_any_executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, trained, whole = tmp_path / "a.study", list[int](), Search(tmp_path / "b.study", SMALL).run(workers=1)

    def counting(chunk: runner.Chunk, measure: str) -> list[float]:
        trained.append(len(chunk.seeds))
        return runner.score_machines(chunk, measure)

    def interrupt(_: int) -> None:
        if sum(trained) > 300:
            raise KeyboardInterrupt

    monkeypatch.setattr(search, "score_machines", counting)
    with pytest.raises(KeyboardInterrupt):
        Search(path, SMALL).run(workers=1, progress=interrupt)
    before = sum(trained)
    with ThreadPoolExecutor(2) as threads:
        assert Search(path, SMALL).run(threads) == whole
    with StudyFile.open(path) as file:
        ((stored,),) = file.rows("SELECT count(*) FROM score")
    assert before < sum(trained) == stored
    assert Search(path, SMALL).run(workers=1) == whole
    assert sum(trained) == stored  # the last search does not train any machines


def test_processes_give_same_result(tmp_path: Path) -> None:
    results = [Search(tmp_path / f"{workers}.study", SMALL).run(workers=workers) for workers in (1, 2)]
    assert results[0] == results[1]


def test_preset_competes_and_invalid_settings_are_skipped(tmp_path: Path) -> None:
    """A draw may not pay more than a win, so most points are invalid.

    If the draw stays the same, the preset's own settings remain the best.
    """
    table = {**SMALL, "ranges": {"win": [3, 9], "draw": [1, 60], "loss": [-1, 0]}, "rounds": 2}
    found = Search(tmp_path / "a.study", table).run(workers=1)
    assert all(int(row[0]) >= int(row[1]) >= int(row[2]) for row in found.rows)
    place = found.columns.index("searched")
    assert found.rows[0][place] <= found.rows[-1][place]


def test_ranges_of_fractions_stay_within_their_ends(tmp_path: Path) -> None:
    table = {**SMALL, "preset": "q-learning", "ranges": {"alpha": [0.0123, 0.5], "epsilon": [0.0, 0.2]}}
    found = Search(tmp_path / "a.study", table).run(workers=1)
    for alpha, epsilon, *_ in found.rows:
        assert 0.0123 <= float(alpha) <= 0.5
        assert 0 <= float(epsilon) <= 0.2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"minimise": None}, "minimise or maximise"),
        ({"maximise": "random.wins"}, "minimise or maximise"),
        ({"minimise": "training.fun"}, "minimise or maximise"),
        ({"grid": {"win": [1]}}, "no grid"),
        ({"rounds": 0}, "at least one round"),
        ({"fresh_seeds": "many"}, "at least one round"),
        ({"policies": ["greedy", "behaviour"]}, "one policy"),
        ({"ranges": {}}, "write ranges as in"),
        ({"ranges": 3}, "write ranges as in"),
        ({"ranges": {"win": 3}}, "write ranges as in"),
        ({"ranges": {"win": [1, 2, 3]}}, "write ranges as in"),
        ({"ranges": {"beads": [[1, 3], 4]}}, "write ranges as in"),
        ({"ranges": {"alpha": [0.1, 0.3]}}, "write ranges as in .*has the settings boxes, beads"),
        ({"ranges": {"beads": [[1, 3], [1, 2]]}}, "a range for each number"),
        ({"ranges": {"win": [5, 1]}}, "write ranges as in"),
        ({"ranges": {"win": [-9, -5]}}, "no settings in these ranges are valid"),
        ({"fruit": 1}, "'fruit'"),
    ],
)
def test_impossible_searches_are_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match=message) as error:
        Search(tmp_path / "a.study", {**SMALL, **change}).run(workers=1)
    assert "\n" not in str(error.value)


def test_scores_of_another_revision_are_refused(tmp_path: Path) -> None:
    Search(tmp_path / "a.study", {**SMALL, "rounds": 1}).run(workers=1)
    with StudyFile.open(tmp_path / "a.study") as file:
        file.database.execute("UPDATE setting SET revision = revision + 1")
        file.database.commit()
    with pytest.raises(RevisionMismatch, match="start a new search"):
        Search(tmp_path / "a.study", SMALL).run(workers=1)


def test_command_prints_settings_that_new_accepts(run: Run) -> None:
    text = 'against = "perfect"\ngames = 50\nseeds = 32\nrounds = 1\nfresh_seeds = 20\nminimise = "training.losses"\n'
    Path("a.toml").write_text(text + "[ranges]\nbeads = [[1, 8], [1, 6], [1, 4], [1, 2]]\n")
    lines = ok(run("study", "search", "a.toml", "--workers", "1")).splitlines()
    assert lines[1].split() == ["beads", "searched", "20", "fresh", "seeds", "minus", "menace"]
    assert re.fullmatch(r"4,3,2,1 +\S+ +\S+ \(\S+ to \S+\) +0\.000 \(0\.000 to 0\.000\)", lines[-2])
    ok(run("init"))
    command = lines[-1].removeprefix("menace ").replace("NAME", "found").split()
    assert "beads" in ok(run(*command))
    refused(run("study", "search", shutil.copy(ROOT / "docs" / "beads.toml", "b.toml")), "minimise")


@pytest.mark.slow
def test_search_of_the_documentation_finds_better_settings_than_michie(tmp_path: Path) -> None:
    design = Path(shutil.copy(ROOT / "docs" / "rebuilt.toml", tmp_path))
    assert len(design.read_text(encoding="utf-8").splitlines()) <= 15
    found = Search.from_toml(design).run()
    fresh, low, high = (found.columns.index(name) for name in ("fresh", "low", "high"))
    assert found.rows[0][fresh] <= 15.6
    assert found.rows[-1][low] <= 40.7 <= found.rows[-1][high]
