"""Tests of exact grades for submissions, of notes about hostile submissions, and of leagues."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from hostile import HOSTILE, nothing_left, write_hostile, write_players

from menace import grade
from menace.analysis.matchups import evaluate
from menace.analysis.submissions import Submissions, grade_submissions, write_report
from menace.errors import InvalidPlayer
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.games.rules.hexapawn import Hexapawn

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems limit less")


def check_rows(graded: Submissions) -> None:
    """Check that both rows of each hostile submission have the expected note, and that all other rows have grades."""
    for row in graded:
        expected = HOSTILE[row.name][1] if row.name in HOSTILE else None
        if expected is None:
            assert (row.notes, row.illegal, row.grade is None) == ((), 0, False), row
        else:
            assert any(expected in note for note in row.notes), row
            assert row.grade is None or row.illegal or row.name == "prints", row


@linux
def test_hostile_submissions_get_a_note_and_others_a_grade(tmp_path: Path, temporary: Path) -> None:
    hostile = write_hostile(tmp_path, "hangs", "exits", "raises", "prints", "forks", "counts", "garbles", "litters")
    players = write_players(tmp_path, 2)
    graded = grade_submissions([players[0], *hostile, players[1]], list(Side), tictactoe(), seconds=1)
    assert [row.name for row in graded[::2]] == ["player000", *(Path(path).stem for path in hostile), "player001"]
    check_rows(graded)
    assert nothing_left(temporary)


@linux
@pytest.mark.slow
def test_forty_submissions_of_which_22_are_hostile_are_graded_within_a_minute(tmp_path: Path, temporary: Path) -> None:
    files = [*write_hostile(tmp_path), *write_players(tmp_path, 40 - len(HOSTILE))]
    start = time.monotonic()
    graded = grade_submissions(files, list(Side), tictactoe(), seconds=2)
    assert time.monotonic() - start < 60
    assert len(graded) == 80
    check_rows(graded)
    assert nothing_left(temporary)


@pytest.mark.parametrize("symmetric", [False, True])
def test_grade_of_submission_equals_grade_of_its_function(tmp_path: Path, symmetric: bool) -> None:
    def player(board: str, moves: list[str]) -> dict[str, float]:
        return {moves[0]: 1, moves[-1]: 3} if board.count(".") % 3 else {moves[len(board) % len(moves)]: 1}

    text = (
        "def player(board, moves):\n"
        "    return {moves[0]: 1, moves[-1]: 3} if board.count('.') % 3 else {moves[len(board) % len(moves)]: 1}\n"
    )
    (tmp_path / "player.py").write_text(text)
    for positions in (tictactoe(), enumerate_positions(Hexapawn(3, 3))):
        graded = grade_submissions([str(tmp_path / "player.py")], list(Side), positions, symmetric=symmetric)
        for row in graded:
            assert row.notes == ()
            assert row.grade == grade(player, row.plays, positions, symmetric=symmetric)


def test_illegal_moves_lose(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("def move(board, moves):\n    return '0' if board == '.' * 9 else 'pass'\n")
    (row,) = grade_submissions([str(tmp_path / "wrong.py")], [Side.X], tictactoe())
    assert row.illegal == 8
    assert row.notes == ("no legal move on 8 of 9 boards, where it loses: returns 'pass' at XO.......",)
    assert row.grade is not None
    assert [tuple(strength) for strength in row.grade.against.values()] == [(0.0, 0.0, 1.0)] * 3
    assert row.grade.contradictions == ()


def test_grades_compare_illegal_moves_with_those_on_mirrored_boards(tmp_path: Path) -> None:
    text = "def move(board, moves):\n    return 'pass' if board == '..X......' else moves[0]\n"
    (tmp_path / "wrong.py").write_text(text)
    (row,) = grade_submissions([str(tmp_path / "wrong.py")], [Side.O], tictactoe())
    assert row.grade is not None
    assert row.grade.contradictions is not None
    assert ("..X......", (), "X........", ("1",)) in [tuple(each) for each in row.grade.contradictions]
    assert "but 1 at X........" in str(row.grade)


def test_league_contains_the_exact_result_of_every_pair(tmp_path: Path) -> None:
    files = [*write_players(tmp_path, 3), *write_hostile(tmp_path, "several")]
    graded = grade_submissions(files, list(Side), tictactoe(), league=True)
    players = {(row.name, row.plays): row.grade.player for row in graded if row.grade is not None}
    for row in graded[:6]:
        assert list(row.against) == ["player000", "player001", "player002"]
        for name, value in row.against.items():
            pair = (row.name, name) if row.plays is Side.X else (name, row.name)
            result = evaluate(players[pair[0], Side.X], players[pair[1], Side.O]).outcomes
            assert value == (result.x_wins - result.o_wins) * row.plays.sign
        others = [value for name, value in row.against.items() if name != row.name]
        assert row.league == sum(others) / 2
    assert graded.table().columns[-4:] == ("league", "against player000", "against player001", "against player002")
    assert graded.table().rows[-1][-4:] == (None,) * 4
    assert graded.in_words().columns[-2:] == ("player002", "note")


def test_names_are_file_names_or_paths_where_these_are_ambiguous(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "agent.py" for folder in "ab"] + [tmp_path / "other.py"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text("def move(board, moves):\n    return moves[0]\n")
    graded = grade_submissions([str(path) for path in paths], [Side.X], tictactoe())
    assert [row.name for row in graded] == [str(paths[0]), str(paths[1]), "other"]
    with pytest.raises(InvalidPlayer, match=r"there is no file missing\.py"):
        grade_submissions(["missing.py"], [Side.X], tictactoe())


def test_report_has_a_page_for_each_file_with_boards_and_replaces_an_earlier_one(tmp_path: Path) -> None:
    files = [*write_players(tmp_path, 2), *write_hostile(tmp_path, "several")]
    (tmp_path / "<b>.py").write_text("def move(board):\n    raise ValueError('<script>')\n")
    folder = tmp_path / "report"
    write_report(folder, grade_submissions([*files, str(tmp_path / "<b>.py")], list(Side), tictactoe(), league=True))
    names = ["player000", "player001", "several", "-b-"]
    pages = [f"submission-{number:04}-{name}.html" for number, name in enumerate(names, 1)]
    assert sorted(file.name for file in folder.iterdir()) == ["index.html", *pages]
    index, page = (folder / "index.html").read_text(), (folder / pages[0]).read_text()
    assert all(f'href="{page}"' in index for page in pages)
    assert page.count("A line that beats it") == 2
    assert page.count("<svg") >= 2 * (5 + 3)
    assert "&lt;script&gt;" in (folder / pages[3]).read_text()
    assert "<script>" not in index + (folder / pages[3]).read_text()
    write_report(folder, grade_submissions(files[:1], [Side.X], tictactoe()))
    assert sorted(file.name for file in folder.iterdir()) == ["index.html", pages[0]]
