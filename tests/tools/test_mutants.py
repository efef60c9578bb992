"""Tests of the list of mutants in tools/faults/mutations.py and of the sample that mutants.py draws."""

from __future__ import annotations

import ast

from faults.mutants import sample_mutants
from faults.mutations import list_mutants

TEXT = '''"""Not "a < b"."""
from os import path as é
LIMIT: Literal[1] = 3

@cache(size=8)
def f(a: int = -1, *, é=True) -> Literal[2]:
    if a < LIMIT <= 9 and not é:
        a += f"{a + 1}" * 2
        raise ValueError(a)
    é[0] = [
        x for x in a if x is not None
    ]
    print(é)
    return (a
            + é)
'''
CHANGES = [
    "3: 3 -> (4)",
    "6: -1 -> (1)",
    "6: 1 -> (2)",
    "6: True -> (False)",
    "7: a < LIMIT <= 9 -> (a <= LIMIT <= 9)",
    "7: a < LIMIT <= 9 -> (a < LIMIT < 9)",
    "7: a < LIMIT <= 9 and not é -> (a < LIMIT <= 9 or not é)",
    "7: a < LIMIT <= 9 and not é -> False",
    "7: a < LIMIT <= 9 and not é -> True",
    "7: 9 -> (10)",
    "7: not é -> (é)",
    '8: a += f"{a + 1}" * 2 -> pass',
    """8: f"{a + 1}" * 2 -> (f'{a + 1}' + 2)""",
    "8: 2 -> (3)",
    "9: raise ValueError(a) -> pass",
    "10: é[0] = [ x for x in a if x is not None ] -> pass",
    "10: 0 -> (1)",
    "11: x is not None -> (x is None)",
    "13: print(é) -> pass",
    "14: a + é -> (a - é)",
    "14: a + é -> None",
]


def test_mutants_change_every_operator_condition_number_result_and_statement() -> None:
    assert sorted(map(str, list_mutants(TEXT))) == sorted(CHANGES)


def test_every_mutant_is_valid_and_differs_only_in_its_lines() -> None:
    lines = TEXT.splitlines()
    for mutant in list_mutants(TEXT):
        text = mutant.apply(TEXT)
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(TEXT))
        assert text.splitlines()[: mutant.line - 1] == lines[: mutant.line - 1]
        assert text.splitlines()[::-1][: len(lines) - mutant.last] == lines[::-1][: len(lines) - mutant.last]


def test_sample_is_determined_by_the_seed_and_sorted_by_file() -> None:
    once, other = sample_mutants("people", 9, 1, ""), sample_mutants("people", 9, 2, "")
    assert once == sample_mutants("people", 9, 1, "") != other
    assert [name for name, _ in once] == sorted(name for name, _ in once)
    assert len(set(once)) == 9
    assert sample_mutants("people", 1, 1, str(once[5][1])) == [once[5]]
    assert {name for name, _ in sample_mutants("kernel", 9, 1, "")} == {"kernel/loop.py"}
