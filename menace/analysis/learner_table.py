"""The learners of a database as a tidy table for other programs: settings as columns, and exact strength."""

from __future__ import annotations

from typing import Any

from menace.analysis.json_records import learner_records
from menace.ledger.learners import load_machine
from menace.ledger.marks import POLICIES, measure
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.tables import Table
from menace.wording import RESULTS


def learner_table(store: Store) -> Table:
    """Return a row for each learner, policy and opponent, with the exact strength as it stands now.

    Its columns are those of `menace learners --json`, but that each setting is a column of its own, at the end: None
    where an algorithm has none of that name, a list as text (`4,3,2,1`). Then policy, opponent (random, optimal or
    best), wins, draws, losses (probabilities).

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
