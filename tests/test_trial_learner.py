"""A learner that somebody adds by CONTRIBUTING.md: each command works with it, or refuses it in one line."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pytest
from commands import Run, ok, refused

from menace import kernel
from menace.learners.algorithm import OWN, Algorithm, KitRules, LearnerState, Preset
from menace.learners.algorithms.beads import MENACE, MenaceSettings
from menace.learners.registry import LEARNERS, PRESETS
from menace.learners.settings import MOST_BEADS

NAME = "win-stay-lose-shift"


@dataclass(frozen=True)
class WinStaySettings(MenaceSettings):
    """Settings of a machine that only ever takes out the bead of a lost game, whatever `win` and `draw` say."""

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        return MenaceSettings.player(as_it_learns(self), learner, graph, learns, epsilon)


def as_it_learns(settings: WinStaySettings) -> WinStaySettings:
    """Return the settings by which MENACE would learn as it does."""
    return dataclasses.replace(settings, win=0, draw=0)


# It brings nothing, and must not inherit what MENACE brings.
SILENT = Algorithm(
    NAME,
    "matchbox",
    WinStaySettings,
    words="It plays by beads{alike}, and takes out those of lost games.",
    kit_rules=None,
    site_rule=None,
    pile_rule=None,
    amounts=(0, MOST_BEADS),
    by_share=True,
)
# It brings everything: a lost game takes out a bead, and every other game changes nothing.
TOLD = dataclasses.replace(
    SILENT,
    kit_rules=lambda _settings, _game: KitRules("Draw a bead. {made}", (), ("If it has lost, burn the bead.",), 0),
    site_rule=lambda settings, machine: MENACE.site_rule(as_it_learns(settings), machine),
    pile_rule=lambda settings, positions: MENACE.pile_rule(as_it_learns(settings), positions),
)


@pytest.fixture(params=[SILENT])
def adam(request: pytest.FixtureRequest, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run commands in a folder with a database in which `adam` is a trained machine of the trial learner."""
    monkeypatch.setitem(LEARNERS, NAME, request.param)
    monkeypatch.setitem(PRESETS, NAME, Preset(NAME, WinStaySettings(), "stays after a win", "ours"))
    for command in ("init", f"new adam --plays X --preset {NAME}", "train adam --against random --games 50 --seed 1"):
        ok(run(*command.split()))
    return run


@pytest.mark.parametrize("command", ["labels adam labels.pdf", "expect adam --against random", "export site/"])
def test_what_its_algorithm_does_not_bring_is_refused_in_one_line(adam: Run, command: str) -> None:
    refused(adam(*command.split()), "adam", NAME)


def test_no_file_is_left_by_what_is_refused(adam: Run, tmp_path: Path) -> None:
    for command in ("labels adam labels.pdf", "export site/"):
        adam(*command.split())
    assert [path.name for path in tmp_path.iterdir()] == ["menace.db"]


@pytest.mark.parametrize("adam", [TOLD], indirect=True)
def test_what_its_algorithm_brings_is_used(adam: Run, tmp_path: Path) -> None:
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
    for row in rows:  # what 1,000 machines have that learn by the kernel
        assert row["beads"] == pytest.approx(row["machines_beads"], abs=0.1)
        assert row["beads"] <= 4


def test_it_is_shown_and_played_and_verified(adam: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "beads" in ok(adam("show", "XO.......", "--learner", "adam"))
    assert "50 games" in ok(adam("verify"))
    answers = iter([*"876543210876543210", "n"])
    monkeypatch.setattr("builtins.input", lambda _question: next(answers))
    assert "adam" in ok(adam("play", "adam", "--seed", "1"))
