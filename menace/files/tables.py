"""Define tables with named columns, and convert them to HTML, Markdown, LaTeX and pandas DataFrames."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from menace.files.optional_libraries import need_extra
from menace.text.wording import counted, without_noise

if TYPE_CHECKING:
    import pandas as pd

ROWS_SHOWN = 20  # maximum number of rows that a notebook shows
SMALLEST_SHOWN = 0.00005  # numbers below this are shown in scientific notation


@dataclass(frozen=True, repr=False)
class Table:
    """A table with named columns. Notebooks display the table's first rows.

    Attributes:
        columns: the names of the columns.
        rows: the rows, with cells in the same order as `columns`.
        title: a human-readable caption.

    >>> Table(("game", "positions"), [("tictactoe", 765)])
    game, positions (1 row)
      tictactoe, 765
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""

    def __len__(self) -> int:
        return len(self.rows)

    def records(self) -> list[dict[str, Any]]:
        """Return each row as a dictionary that maps column names to cells."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame.

        Raises:
            MissingExtra: if pandas is not installed.

        >>> Table(["game", "positions"], [("tictactoe", 765)]).to_frame().to_dict("records")
        [{'game': 'tictactoe', 'positions': 765}]
        """
        need_extra("pandas", "notebook")
        import pandas as pd

        return pd.DataFrame([tuple(row) for row in self.rows], columns=list(self.columns))

    def __repr__(self) -> str:
        shown = [f"  {', '.join(map(str, row))}" for row in self._first_rows()]
        remainder = [f"  ... {counted(len(self) - ROWS_SHOWN, 'more row')}"] if len(self) > ROWS_SHOWN else []
        return "\n".join([f"{', '.join(self.columns)} ({counted(len(self), 'row')})", *shown, *remainder])

    def _repr_html_(self) -> str:
        excerpt = f"{counted(len(self), 'row')}, of which {ROWS_SHOWN} are shown" if len(self) > ROWS_SHOWN else ""
        return html_table(self.columns, self._first_rows(), "; ".join(filter(None, [self.title, excerpt])))

    def _first_rows(self) -> list[list[object]]:
        return [
            [number_text(cell) if isinstance(cell, float) else cell for cell in row] for row in self.rows[:ROWS_SHOWN]
        ]


class Tabular:
    """A base class for results with a machine-readable `table` and a human-readable table `in_words`."""

    def table(self) -> Table:
        """Return the machine-readable table, with the same columns as the command's `--json` and `--csv` output."""
        raise NotImplementedError

    def in_words(self) -> Table:
        """Return the human-readable table that the command prints."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """Return `table` as a pandas DataFrame.

        Raises:
            MissingExtra: if pandas is not installed.
        """
        return self.table().to_frame()

    def __repr__(self) -> str:
        return repr(self.in_words())

    def _repr_html_(self) -> str | None:
        return self.in_words()._repr_html_()


T = TypeVar("T")


class Listing(list[T], Tabular):
    """A list that can also be shown as a table.

    Args:
        entries: the entries, in order.
        table: a function that returns the machine-readable table.
        in_words: a function that returns the human-readable table.
    """

    def __init__(self, entries: Iterable[T], table: Callable[[], Table], in_words: Callable[[], Table]) -> None:
        super().__init__(entries)
        self._table, self._in_words = table, in_words

    __repr__ = Tabular.__repr__

    def table(self) -> Table:
        """Return the machine-readable table."""
        return self._table()

    def in_words(self) -> Table:
        """Return the human-readable table."""
        return self._in_words()

    def __reduce__(self) -> tuple[type[list[T]], tuple[list[T]]]:
        """Pickle only the entries, as a plain list."""
        return list, (list(self),)


def number_text(number: float) -> str:
    """Return a number with four decimals, or in scientific notation if four decimals would round it to 0.

    >>> number_text(0.25), number_text(1e-9), number_text(-2.8e-17)
    ('0.2500', '1.0e-09', '0.0000')
    """
    number = without_noise(number)
    # Adding 0.0 converts -0.0 to 0.0.
    return f"{number:.1e}" if 0 < abs(number) < SMALLEST_SHOWN else f"{number + 0.0:.4f}"


def html_table(header: Sequence[object], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table as HTML with escaped text, in which None becomes an empty cell.

    Args:
        header: the column headings.
        rows: the cells of each row.
        caption: the caption; "" for none.

    >>> html_table(["n"], [["<1"]])
    '<table><thead><tr><th>n</th></tr></thead><tbody><tr><td>&lt;1</td></tr></tbody></table>'
    """
    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return f"<table>{above}<thead><tr>{_cells('th', header)}</tr></thead><tbody>{body}</tbody></table>"


def _cells(tag: str, values: Sequence[object]) -> str:
    return "".join(f"<{tag}>{'' if value is None else html.escape(str(value))}</{tag}>" for value in values)


def markdown_table(table: Table) -> str:
    """Return a table as GitHub-flavoured Markdown.

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
    r"""Return a table as LaTeX, using the horizontal rules of the booktabs package.

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
