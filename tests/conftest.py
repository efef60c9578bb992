"""What many tests share: tic-tac-toe's positions, table and graph, with symmetry `full` and `none`."""

from __future__ import annotations

import sys
from pathlib import Path

import networkx as nx
import pytest
from commands import Result, Run
from templates import fresh_bytes, trained_bytes

from menace import cli
from menace.games import get_game
from menace.games.base import Game
from menace.graph import build_graph
from menace.positions import SYMMETRY_USES, Positions, enumerate_positions
from menace.table import TransitionTable


@pytest.fixture(scope="session")
def game() -> Game:
    return get_game()


@pytest.fixture(scope="session")
def positions(game: Game) -> dict[str, Positions]:
    """By symmetry."""
    return {symmetry: enumerate_positions(game, symmetry) for symmetry in SYMMETRY_USES}


@pytest.fixture(scope="session")
def tables(positions: dict[str, Positions]) -> dict[str, TransitionTable]:
    """By symmetry. Do not write into them."""
    return {symmetry: TransitionTable.from_positions(found) for symmetry, found in positions.items()}


@pytest.fixture(scope="session")
def graphs(positions: dict[str, Positions]) -> dict[str, nx.DiGraph]:
    """By symmetry. Do not write into them."""
    return {symmetry: build_graph(found) for symmetry, found in positions.items()}


@pytest.fixture(scope="session")
def table(tables: dict[str, TransitionTable]) -> TransitionTable:
    """With symmetry `full`."""
    return tables["full"]


@pytest.fixture(scope="session")
def boards(positions: dict[str, Positions]) -> list[str]:
    """The canonical boards, by position."""
    return [positions["full"].board(position) for position in range(len(positions["full"]))]


@pytest.fixture(scope="session")
def position_of(boards: list[str]) -> dict[str, int]:
    """The position of each canonical board."""
    return {board: position for position, board in enumerate(boards)}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `menace` with arguments, in an empty directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MENACE_DB", raising=False)

    def call(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["menace", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return Result(ended.value.code, *capsys.readouterr())

    return call


@pytest.fixture
def begun(run: Run, tmp_path: Path) -> Run:
    """The same, in a directory with a database without learners, as `menace init` makes it."""
    (tmp_path / "menace.db").write_bytes(fresh_bytes())
    return run


@pytest.fixture
def trained(run: Run, tmp_path: Path) -> Run:
    """The same, in a directory with a trained database, as `menace selfplay --games 500 --seed 1` leaves it."""
    (tmp_path / "menace.db").write_bytes(trained_bytes(500))
    return run
