"""What tests of commands share: running `menace` in an empty directory, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Result(NamedTuple):
    code: int | str | None
    out: str
    err: str


Run = Callable[..., Result]


def ok(result: Result) -> str:
    assert not result.code, result.err
    assert result.err == ""
    return result.out


def refused(result: Result, *parts: str) -> None:
    assert result.code == 1, result
    assert result.out == ""
    assert len(result.err.splitlines()) == 1, result.err
    assert result.err.startswith("menace: ")
    for part in parts:
        assert part in result.err
