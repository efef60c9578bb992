"""Show the results of a lesson: each machine's strength, the class's curve, a tournament and the merged machines."""

from __future__ import annotations

import math
import time
from itertools import islice
from statistics import fmean
from typing import Any

from menace.analysis.comparisons import comparison
from menace.errors import InvalidPlayer, InvalidRun
from menace.explorer.classroom.lesson import Lesson
from menace.explorer.content.json_for_scripts import shown_record
from menace.explorer.sessions.scene import load_bead_names
from menace.games.base import Side
from menace.learners.machine import merge_machines
from menace.learners.opponents.fixed import STANDARD
from menace.ledger.learners import load_machine, named_machine
from menace.ledger.positions import positions_of
from menace.ledger.runs import import_machine
from menace.ledger.store import LearnerRow, Store
from menace.ledger.training import measure
from menace.text.wording import unused_name

RANDOM = "random"
MAX_POINTS = 200  # in the curve


class Cards:
    """The cards on the teacher's page, one for each machine. A card is recomputed only after a game."""

    def __init__(self) -> None:
        self._cards: dict[int, dict[str, Any]] = {}

    def all(self, store: Store, lesson: Lesson, seconds: float = math.inf) -> list[dict[str, Any]]:
        """Return a card for each machine of a lesson.

        After `seconds`, the remaining cards are left for the next call, so that pupils' requests do not have to wait.
        """
        end, rows = time.monotonic() + seconds, list(lesson.machines(store))
        return [{"pupil": pupil, **card} for pupil, row in rows if (card := self._card(store, row, end))]

    def _card(self, store: Store, row: LearnerRow, end: float) -> dict[str, Any] | None:
        card = self._cards.get(row.learner_id)
        if (card is None or card["all"] != row.games) and time.monotonic() < end:
            machine = load_machine(store, positions_of(store), row)
            names, box = load_bead_names(store, row), next(islice(machine.each_box(), 1), None)
            loss = measure(machine.policy())[RANDOM].loss
            rows = [each for each in store.evaluations_of(row.learner_id, "behaviour") if each.opponent == RANDOM]
            first, start = (rows[0].learner_games, rows[0].loss) if rows else (row.games, loss)
            # Each run also measures the machine before its first game.
            later = {
                each.learner_games: (each.block_id, each.loss) for each in reversed(rows) if each.learner_games > first
            }
            card = {"machine": row.name, "plays": row.plays, "all": row.games, "first": first, "loss": loss}
            card |= {"box": box and shown_record(box, names), "start": start, "curve": sorted(later.values())}
            self._cards[row.learner_id] = card
        if card is None:
            return None
        shown = {name: card[name] for name in ("machine", "plays", "start", "loss", "box")}
        return {**shown, "games": card["all"] - card["first"]}

    def curve(self) -> list[tuple[int, float]]:
        """Return the average probability that the machines lose to a random player after each game of the class."""
        cards = list(self._cards.values())
        now = [card["start"] for card in cards]
        points = [(0, fmean(now))] if cards else []
        steps = sorted((*step, number) for number, card in enumerate(cards) for step in card["curve"])
        for games, (_, loss, number) in enumerate(steps, start=1):
            now[number] = loss
            points.append((games, fmean(now)))
        step = -(-len(points) // MAX_POINTS) or 1
        return [*points[:-1:step], *points[-1:]]


def tournament(lesson: Lesson, store: Store) -> dict[str, Any]:
    """Return the exact results of every X machine against every O machine of a lesson.

    If all machines play the same side, they play against the usual opponents instead. A result is the expected number
    of points: a win counts one point and a draw half a point.
    """
    pupils = {row.name: pupil for pupil, row in lesson.machines(store)}
    plays = {row.name: row.plays for _, row in lesson.machines(store)}
    sides = set(plays.values())
    if not sides:
        raise InvalidRun("there are no machines yet; begin the lesson first")
    others = [] if len(sides) == len(Side) else list(STANDARD)
    own = Side.X if Side.X in sides else Side.O
    table: dict[str, dict[str, float]] = {}
    points: dict[str, list[float]] = {name: [] for name in pupils}
    for (x, o), outcomes in comparison(store, [*pupils, *others]).items():
        of_x = outcomes.x_wins + outcomes.draw / 2
        if x in points:
            points[x].append(of_x)
        if o in points:
            points[o].append(1 - of_x)
        row, column = (x, o) if own is Side.X else (o, x)
        if row in pupils:
            table.setdefault(row, {})[column] = own.x_and_o(of_x, 1 - of_x)[0]
    ranked = sorted(((fmean(got), name) for name, got in points.items() if got), reverse=True)
    return {
        "pupils": pupils,
        "own": own,
        "ranked": [{"machine": name, "plays": plays[name], "points": got} for got, name in ranked],
        "columns": list(next(iter(table.values()), {})),
        "table": table,
    }


def add_up(lesson: Lesson, store: Store) -> list[dict[str, Any]]:
    """Merge what the pupils' machines have learned into one new machine for each side, and return these machines.

    Raises:
        InvalidRun: if there are no machines, or if an original has learned from more games since it was copied.
        InvalidPlayer: if the machines have no beads.
    """
    made: list[dict[str, Any]] = []
    ids = {pupil.learner_id for pupil in lesson.pupils.values()} - {None}
    for name, games in lesson.choices.copied.items():
        base = named_machine(store, name)
        if base.learned.games != games:
            raise InvalidRun(f"{name} has learned since the lesson began, so the copies cannot be added up")
        if not base.has_beads:
            raise InvalidPlayer(f"{name} has no beads, so its copies cannot be added up")
        rows = [row for _, row in lesson.machines(store) if row.learner_id in ids and row.plays is base.plays]
        if rows:
            copies = [load_machine(store, positions_of(store), row) for row in rows]
            new = unused_name(f"sum-{base.plays.lower()}", {row.name for row in store.learners()}, "-")
            total = merge_machines(base, copies)
            row, loss = import_machine(store, total, new), measure(total.policy())[RANDOM].loss
            made.append({"name": row.name, "plays": row.plays, "games": row.games, "loss": loss})
    if not made:
        raise InvalidRun("no pupil has a machine yet, so there is nothing to add up")
    return made
