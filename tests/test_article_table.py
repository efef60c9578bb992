"""tools/read_article_table.py: a table in the format of R. Kaushik's program has the strength of its source."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / "tools"
sys.path.insert(0, str(TOOLS))

from read_article_table import fullest, read_table, report  # noqa: E402

from menace.arena.strength import against, worst_case  # noqa: E402
from menace.games.positions import Positions  # noqa: E402
from menace.learners.opponents.fixed import fixed_policy  # noqa: E402
from menace.learners.policy import Policy  # noqa: E402

MARKS = {".": "0", "X": "1", "O": "2"}


def written(positions: Positions, chance: random.Random, path: Path) -> Policy:
    """Write a table of random beads, on any image of each board, and return X's policy."""
    lines = []
    policy = fixed_policy("optimal", positions, 0).probability.copy()
    for position in range(len(positions)):
        if positions.to_move[position] < 0:
            continue
        symmetry = chance.choice(positions.symmetries)
        board = symmetry.board(positions.boards[position])
        beads = [(cell, chance.randint(1, 5)) for cell in range(9) if board[cell] == "."]
        chance.shuffle(beads)
        lines += [
            ",".join(MARKS[mark] for mark in board),
            ",".join(str(cell) for cell, count in beads for _ in range(count)),
        ]
        if positions.to_move[position] == 0:
            most = min(cell for cell, count in beads if count == max(count for _, count in beads))
            moves = positions.moves_of(position)
            policy[moves.start : moves.stop] = 0
            policy[positions.move_of(position, positions.to_canonical(board, most))] = 1
    # Boards that no game reaches have boxes too, and of two boxes of a board the first is taken.
    cell_left = next(cell for cell in (0, 1, 4) if policy[positions.move_of(0, cell)] == 0)
    lines += ["1,1,1,2,2,0,0,0,0", "5,6,7,8", "0,0,0,0,0,0,0,0,0", f"{cell_left},{cell_left}"]
    path.write_text("\n".join(lines) + "\n")
    return Policy.deterministic(positions, 0, policy)


def test_a_table_is_as_strong_as_what_it_was_made_from(by_symmetry: dict[str, Positions], tmp_path: Path) -> None:
    positions = by_symmetry["full"]
    made = written(positions, random.Random(2), tmp_path / "t.dat")
    boxes = read_table(tmp_path / "t.dat")
    read, boxes_read = fullest(boxes, positions, 0)
    assert boxes_read == 338
    for name in ("random", "optimal"):
        opponent = fixed_policy(name, positions, 1)
        assert against(read, opponent) == against(made, opponent)
    assert worst_case(read) == worst_case(made)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        ("", "has 0 lines; a table has two for each box"),
        ("0,0,0,0,0,0,0,0,0\n", "has 1 lines; a table has two for each box"),
        ("0,0,0,0,0,0,0,0\n1\n", "line 1: '0,0,0,0,0,0,0,0' is not nine of 0, 1 and 2"),
        ("0,0,0,0,3,0,0,0,0\n1\n", "line 1: '0,0,0,0,3,0,0,0,0' is not nine of 0, 1 and 2"),
        ("1,0,0,0,0,0,0,0,0\n1,0\n", "line 2: '0' is not an empty cell of X........"),
        ("1,0,0,0,0,0,0,0,0\n9\n", "line 2: '9' is not an empty cell of X........"),
        ("1,0,0,0,0,0,0,0,0\nx\n", "line 2: 'x' is not an empty cell of X........"),
        ("0,0,0,0,0,0,0,0,0\n4\n", "the table has no box for "),
    ],
)
def test_what_is_no_table_is_refused_in_a_line(text: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.dat"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        report(read_table(path))
    assert "\n" not in str(refused.value)


def test_the_command_prints_one_line_for_what_it_cannot_read(tmp_path: Path) -> None:
    command = [sys.executable, str(TOOLS / "read_article_table.py"), str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.splitlines() == [f"error: {tmp_path} cannot be read: Is a directory"]
