"""Tabulate exact strength for single learners, with their settings, and for groups of learners, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from menace.analysis.groups import Estimate, estimate, factor_columns, grouped
from menace.analysis.learning_curves import Curve, with_facts
from menace.analysis.listings import learner_records
from menace.files.tables import Table
from menace.ledger.learners import load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.ledger.training import POLICIES, measure
from menace.text.wording import OPPONENTS, RESULTS

GROUP_COLUMNS = ("games", "games_most", "policy", "opponent", "measure", *Estimate._fields)


def learner_table(store: Store) -> Table:
    """Return a row for each learner, policy and opponent, with the learner's current exact strength.

    The first columns are those of `menace learners --json`, followed by one column per setting. A setting is None if
    the algorithm does not have it, and a list is written as text (`4,3,2,1`). The last columns are policy, opponent
    (random, optimal or best_response), and the probabilities wins, draws and losses.

    >>> table = learner_table(store)
    >>> len(table.rows), table.columns[:5], table.columns[-4:]
    (12, ('name', 'plays', 'algorithm', 'preset', 'seed'), ('opponent', 'wins', 'draws', 'losses'))
    """
    positions, rows = positions_of(store), store.learners()
    records = learner_records(rows)
    place = records.columns.index("settings")
    names = dict.fromkeys(name for record in records.rows for name in record[place])
    columns = (*records.columns[:place], *records.columns[place + 1 :], *names)
    table: list[tuple[Any, ...]] = []
    for row, record in zip(rows, records.rows, strict=True):
        cells = (*record[:place], *record[place + 1 :], *(_cell(record[place].get(name)) for name in names))
        machine = load_machine(store, positions, row)
        for policy in POLICIES:
            for opponent, strength in measure(machine.policy(policy)).items():
                table.append((*cells, policy, opponent, *strength))
    return Table((*columns, "policy", "opponent", *RESULTS), table)


def _cell(value: Any) -> Any:
    return ",".join(map(str, value)) if isinstance(value, list) else value


def group_strengths(store: Store, names: Sequence[str], by: Sequence[str] = ()) -> Table:
    """Return the current exact strength of groups of learners, in rows sorted by policy, group, opponent and result.

    The columns that distinguish the groups are followed by GROUP_COLUMNS. These are the smallest and largest number of
    games that the group's learners have learned from, the policy, the opponent, the result, and the result's
    probability with its interval.

    Args:
        store: the database.
        names: the names of learners.
        by: the factors that the learners of a group share (see `groups.grouped`). If empty, three or more learners that
            differ only by chance and have learned from the same number of games form a group, and every other learner
            forms a group of one.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidSetting: if no learner has a factor with the given name.

    >>> table = group_strengths(store, ["menace-x", "menace-o"])
    >>> table.columns[:3], len(table.rows)
    (('machines', 'plays', 'games'), 36)
    >>> [table.rows[0][place] for place in (0, 1, 2, 4, 5, 6)], round(table.rows[0][7], 3)
    (['menace-x', 'X', 100, 'behaviour', 'random', 'wins'], 0.709)
    """
    with store.copied() as copy:
        positions = positions_of(copy)
        machines = [load_machine(copy, positions, copy.learner(name)) for name in names]
        by_policy = [
            with_facts(copy, [Curve(m.name, policy, {m.learned.games: measure(m.policy(policy))}) for m in machines])
            for policy in POLICIES
        ]
    groups = [group for curves in by_policy for group in grouped(curves, by, marks=0 if by else 1)]
    columns, cells = factor_columns(groups, by)
    rows = []
    for group, own in zip(groups, cells, strict=True):
        games = [mark for curve in group for mark in curve.marks]
        for opponent in OPPONENTS:
            scores = np.array([strengths[opponent] for curve in group for strengths in curve.points.values()]).T
            for result, shares in zip(RESULTS, map(estimate, scores), strict=True):
                rows.append((*own, min(games), max(games), group[0].policy, opponent, result, *shares))
    return Table((*columns, *GROUP_COLUMNS), rows)
