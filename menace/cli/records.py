"""Printing for other programs: tables as JSON or CSV."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import click

from menace.output import csv_text, json_text, without_controls
from menace.tables import Table
from menace.wording import Form


def print_records(table: Table, form: Form) -> None:
    """Print a table in UTF-8, whatever the terminal's encoding: other programs expect it.

    Args:
        table: what to print.
        form: `json`, a list of objects, or `csv`, which has its header also where there are no rows, and what a cell
            cannot hold, such as the settings of a learner, as JSON.
    """
    columns, rows = table
    text = f"{json_text(columns, rows)}\n" if form == "json" else csv_text(columns, [_cells(row) for row in rows])
    click.echo(text.encode(errors="replace"), nl=False)


def _cells(row: Sequence[object]) -> list[object]:
    return [without_controls(json.dumps(value) if isinstance(value, Mapping) else value) for value in row]
