"""Rows of the database, as records: the columns of each table in their order."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

MOST_BEADS = 2**26 - 1  # in a pile, as db/schema.sql and the kernel have it


class Rules(NamedTuple):
    """The row of `rules`."""

    name: str
    variant: str
    symmetry: str


class LearnerRow(NamedTuple):
    """A row of `learner`."""

    learner_id: int
    name: str
    plays: str
    algorithm: str
    revision: int
    preset: str
    settings: str
    seed: int | None
    games: int
    epsilon: float | None
    outcome_mean: float | None
    created_at: str


class RunRow(NamedTuple):
    """A row of `run`."""

    run_id: int
    kind: str
    x_player: str
    o_player: str
    x_learner_id: int | None
    o_learner_id: int | None
    x_learns: int
    o_learns: int
    games_wanted: int
    games_played: int
    seed: int
    options: str
    version: str
    started_at: str
    finished_at: str | None


class BlockRow(NamedTuple):
    """A row of `block`."""

    block_id: int
    run_id: int
    kind: str
    games: int
    x_wins: int
    draws: int
    o_wins: int
    numbers_before: int
    numbers: int
    created_at: str


class GameRow(NamedTuple):
    """A row of `game`."""

    game_id: int
    block_id: int
    number: int
    actions: str
    explored: str
    learned: str
    ended_by: str
    outcome: str


class ChangeRow(NamedTuple):
    """A row of `change`."""

    game_id: int
    learner_id: int
    ply: int
    position_id: int
    action: int | None
    before: float
    put_back: int
    after: float


class AdjustmentRow(NamedTuple):
    """A row of `adjustment`."""

    block_id: int
    learner_id: int
    position_id: int
    action: int
    beads_before: int
    beads_after: int


class EvaluationRow(NamedTuple):
    """A row of `evaluation`."""

    block_id: int
    learner_id: int
    learner_games: int
    policy: str
    opponent: str
    win: float
    draw: float
    loss: float


def now() -> str:
    """Return the time as the database keeps it: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
