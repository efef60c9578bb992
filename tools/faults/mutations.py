"""List the mutants of Python source code. A mutant is a small change that a test should detect."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.MatMult: ast.Mult,
}
# Parts of the syntax tree that have no effect at run time, or that have no position in the source (f-strings in Python
# 3.11).
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "type_params", "format_spec"}
SKIPPED_NODES = (ast.JoinedStr, ast.Import, ast.ImportFrom)
REMOVABLE_STATEMENTS = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete, ast.Assert)


@dataclass(frozen=True)
class Mutant:
    """A change to source code. The change replaces `old`, which starts at byte `start`, with `new`.

    Attributes:
        first: the first line of the statement, from 1.
        line: the line of the change.
        last: the last line of the change.
    """

    first: int
    line: int
    last: int
    start: int
    old: str
    new: str

    def apply(self, text: str) -> str:
        """Apply the change to source code, and return the result."""
        raw, end = text.encode(), self.start + len(self.old.encode())
        return (raw[: self.start] + self.new.encode() + raw[end:]).decode()

    def __str__(self) -> str:
        old, new = (re.sub(r"\s+", " ", part) for part in (self.old, self.new))
        return f"{self.line}: {old} -> {new}"


def expression_replacements(node: ast.expr) -> Iterator[ast.expr]:
    """Yield expressions that can replace the given one.

    All replacements share one object, so use each of them before requesting the next.
    """
    other: Any = copy.copy(node)
    match node:
        case ast.Compare():
            for i, op in enumerate(node.ops):
                other.ops = [*node.ops[:i], SWAPS[type(op)](), *node.ops[i + 1 :]]
                yield other
        case ast.BinOp() | ast.BoolOp():
            other.op = SWAPS[type(node.op)]()
            yield other
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool()):
            other.value = not node.value
            yield other
        case ast.Constant(value=int() | float()):
            other.value = node.value + 1
            yield other


def statement_replacements(node: ast.stmt) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """Yield each replaceable part of a statement with its replacement."""
    match node:
        case ast.If() | ast.While():
            yield node.test, "False"
            if isinstance(node, ast.If):
                yield node.test, "True"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, "None"
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom() | ast.Await()):
            yield node, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield node, "pass"
        case _ if isinstance(node, REMOVABLE_STATEMENTS):
            yield node, "pass"


class Lister:
    """A syntax tree visitor that collects mutants."""

    def __init__(self, text: str) -> None:
        lines = text.encode().splitlines(keepends=True)
        self.begins = [0, *accumulate(map(len, lines))]
        self.raw = text.encode()
        self.statement: ast.stmt | None = None
        self.found: list[Mutant] = []
        self.visit(ast.parse(text))

    def add_mutant(self, node: ast.stmt | ast.expr, new: str) -> None:
        """Add a mutant that replaces a node."""
        assert self.statement is not None
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.begins[node.lineno - 1] + node.col_offset
        end = self.begins[node.end_lineno - 1] + node.end_col_offset
        old = self.raw[start:end].decode()
        self.found.append(Mutant(self.statement.lineno, node.lineno, node.end_lineno, start, old, new))

    def visit(self, node: ast.AST) -> None:
        """Add the mutants of a node and of its children."""
        if isinstance(node, ast.stmt):
            self.statement = node
            for part, new in statement_replacements(node):
                self.add_mutant(part, new)
        elif isinstance(node, ast.expr):
            for other in expression_replacements(node):
                self.add_mutant(node, f"({ast.unparse(other)})")
        if isinstance(node, SKIPPED_NODES):
            return
        statement = self.statement
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and field not in SKIPPED_FIELDS:
                    self.visit(child)
                    self.statement = statement


def list_mutants(text: str) -> list[Mutant]:
    """Return all mutants of Python source code, in source order."""
    return sorted(Lister(text).found, key=lambda mutant: (mutant.start, mutant.old, mutant.new))
