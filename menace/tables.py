"""Tables for other programs: named columns with rows; HTML and pandas frames, as notebooks have them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from menace.extras import need_extra

if TYPE_CHECKING:
    import pandas as pd


class Table(NamedTuple):
    """Names of columns, and rows in their order.

    >>> Table(("game", "positions"), [("tictactoe", 765)]).columns
    ('game', 'positions')
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def records(self) -> list[dict[str, Any]]:
        """Return each row by the names of the columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def html_table(header: Sequence[object], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table as HTML; cells are escaped text, None is an empty cell.

    >>> html_table(["n"], [["<1"]])
    '<table><thead><tr><th>n</th></tr></thead><tbody><tr><td>&lt;1</td></tr></tbody></table>'
    """
    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return f"<table>{above}<thead><tr>{_cells('th', header)}</tr></thead><tbody>{body}</tbody></table>"


def _cells(tag: str, values: Sequence[object]) -> str:
    return "".join(f"<{tag}>{'' if value is None else html.escape(str(value))}</{tag}>" for value in values)


def markdown_table(table: Table) -> str:
    """Return a table as Markdown, as GitHub reads it.

    >>> print(markdown_table(Table(("win", "value"), [(1, 0.25)])), end="")
    | win | value |
    |---|---|
    | 1 | 0.2500 |
    """
    rows = [table.columns, ["---"] * len(table.columns), *(map(_short, row) for row in table.rows)]
    lines = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    lines[1] = "|" + "---|" * len(table.columns)
    return "".join(f"{line}\n" for line in lines)


def latex_table(table: Table) -> str:
    r"""Return a table as LaTeX, with the rules of the package booktabs.

    >>> latex_table(Table(("a_b", "value"), [("1 %", 0.25)])).splitlines()[2:5]
    ['a\\_b & value \\\\', '\\midrule', '1 \\% & 0.2500 \\\\']
    """
    header, *rows = (" & ".join(map(_latex, row)) + r" \\" for row in [table.columns, *table.rows])
    kinds = "".join("r" if all(map(_is_number, column)) else "l" for column in zip(*table.rows, strict=True))
    first, last = rf"\begin{{tabular}}{{{kinds}}}", r"\end{tabular}"
    return "\n".join([first, r"\toprule", header, r"\midrule", *rows, r"\bottomrule", last, ""])


def _short(cell: object) -> object:
    return f"{cell:.4f}" if isinstance(cell, float) else cell


def _is_number(cell: object) -> bool:
    try:
        float(str(cell) or "0")
    except ValueError:
        return False
    return True


def _latex(cell: object) -> str:
    text = str(_short(cell)).replace("\\", r"\textbackslash ")
    return re.sub(r"([#$%&_{}])", r"\\\1", text).replace("~", r"\textasciitilde ").replace("^", r"\textasciicircum ")


def frame(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> pd.DataFrame:
    """Return a table as a pandas DataFrame.

    Raises:
        MissingExtra: if pandas is not installed.

    >>> frame(["game", "positions"], [("tictactoe", 765)]).to_dict("records")
    [{'game': 'tictactoe', 'positions': 765}]
    """
    need_extra("pandas", "notebook")
    import pandas as pd

    return pd.DataFrame([tuple(row) for row in rows], columns=list(columns))
