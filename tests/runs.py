"""Helpers that carry out runs in a single call, return the resulting state, and make blocks small."""

from __future__ import annotations

from typing import Any

import pytest

from menace.learners.algorithm import STATE
from menace.learners.box import Box
from menace.learners.registry import LEARNERS
from menace.ledger import training
from menace.ledger.learners import named_machine
from menace.ledger.runs import SelfPlay, Training, order, unfinished_run
from menace.ledger.store import Run, Store
from menace.ledger.training import carry_out


def selfplay(store: Store, *arguments: Any, **options: Any) -> Run:
    """Create and finish a self-play run."""
    return carry_out(store, order(store, SelfPlay(*arguments, **options)))


def train(store: Store, *arguments: Any, **options: Any) -> Run:
    """Create and finish a training run."""
    return carry_out(store, order(store, Training(*arguments, **options)))


def train_alone(store: Store, *arguments: Any, **options: Any) -> Run:
    """Create and finish a training run against an opponent that does not learn."""
    return train(store, *arguments, **options, alone=True)


def resume(store: Store, run_id: int | None = None) -> Run:
    """Finish an interrupted run."""
    return carry_out(store, unfinished_run(store, run_id))


def boxes_of(store: Store, name: str) -> tuple[Box, ...]:
    """Return the current boxes of a learner, indexed by position."""
    return named_machine(store, name).boxes


def reached_state(store: Store) -> dict[str, Any]:
    """Return the state that interruptions must not affect: tables, numbers of games, and strength at the marks."""
    names = {row.learner_id: row.name for row in store.learners()}
    return {
        "learners": [(row.name, row.games) for row in store.learners()],
        "states": {row.name: [getattr(row, name) for name in STATE] for row in store.learners()},
        "boxes": {
            row.name: store.learned_rows(LEARNERS[row.algorithm].stored_as, row.learner_id) for row in store.learners()
        },
        "runs": [(run.games_played, run.games_wanted, run.seed, run.finished_at is None) for run in store.runs()],
        "outcomes": [
            tuple(sum(c) for c in zip(*(b[3:7] for b in store.blocks(r.run_id)), strict=True)) for r in store.runs()
        ],
        "numbers": [store.numbers_used(run.run_id) for run in store.runs()],
        "strength": {(names[e.learner_id], *e[2:]) for e in store.evaluations()},
    }


def use_small_blocks(monkeypatch: pytest.MonkeyPatch, games: int = 97) -> None:
    """Make each block end after one kernel call, and each kernel call after `games` games."""
    monkeypatch.setattr("menace.arena.play.GAMES_PER_CALL", games)
    monkeypatch.setattr(training, "BLOCK_SECONDS", 0.0)
    monkeypatch.setattr(training, "MIN_REST", 0.0)
