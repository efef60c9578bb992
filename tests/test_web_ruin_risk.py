"""The risk of ruin on the explorer's pages: the same sentence as that of the commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browsing import get
from templates import fresh_database

from menace.arena.first_box import ruin_text
from menace.explorer.pages import machines
from menace.explorer.server.serving import site
from menace.learners.machine import Machine
from menace.ledger.learners import new_learner


@pytest.fixture(scope="module")
def datasette(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path: Path = tmp_path_factory.mktemp("ruin-risk") / "menace.db"
    with fresh_database(path) as store:
        new_learner(store, "adam", "X", "michie-1961", {"beads": "1"})
    return site([path])


@pytest.mark.parametrize("query", ["learner=adam", "preset=michie-1961&plays=X&setting=beads%3D1"])
def test_the_ruin_risk_is_the_same_of_a_machine_and_before_it_is_made(
    datasette: Any, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setattr(machines, "GAMES_AHEAD", 20)
    machine = Machine("michie-1961", "X", beads=(1,))
    reply = get(datasette, f"/menace/prospect.json?{query}").json()
    sentences = {opponent: ruin_text(machine, opponent, 20) for opponent in ("random", "optimal")}
    assert reply == {"games": 20, "prospects": sentences}
    assert "out of beads for the" in reply["prospects"]["optimal"]


def test_no_ruin_risk_is_given_of_a_machine_that_cannot_lose_its_first_box(datasette: Any) -> None:
    query = f"preset=michie-1961&plays=X&setting={quote('when_empty=restock')}"
    assert get(datasette, f"/menace/prospect.json?{query}").json()["prospects"] == {}


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("learner=nobody", 404, "no machine is called 'nobody'"),
        ("preset=nothing", 400, "nothing"),
        ("plays=Y", 400, "Y"),
        ("setting=beads", 400, "setting='beads' is not NAME=VALUE"),
        ("setting=beads%3Dmany", 400, "setting beads=many is not whole numbers"),
        ("preset=her-1962", 400, "her-1962"),
    ],
)
def test_a_machine_that_cannot_be_is_refused_in_a_line(datasette: Any, query: str, status: int, message: str) -> None:
    response = get(datasette, f"/menace/prospect.json?{query}")
    assert (response.status_code, message in response.json()["error"]) == (status, True)
