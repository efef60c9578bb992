"""Tests of the home page and of the pages about machines: content, writes and the risk of ruin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from browsing import get, post
from database_templates import fresh_database, trained_bytes
from runs import train

from menace.analysis import grades
from menace.analysis.grades import strength_of
from menace.analysis.listings import list_learners
from menace.arena.bead_distributions import ruin_text
from menace.arena.exact_strength import Strength
from menace.explorer.pages import home, machines as machines_page, routes
from menace.explorer.server.serving import site
from menace.games.base import Side
from menace.learners.algorithms.beads import MENACE
from menace.learners.machine import Machine
from menace.learners.registry import PRESETS
from menace.learners.settings import describe, explain, show
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.log.verification import verify
from menace.ledger.store import Store
from menace.site.translation import ENGLISH
from menace.text.wording import OPPONENTS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "menace.db"
    file.write_bytes(trained_bytes(500))
    return file


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_database(path) as opened:
        yield opened


def names(path: Path) -> list[str]:
    with open_database(path) as store:
        return [row.name for row in store.learners()]


@pytest.mark.slow
def test_home_shows_the_exact_strength_and_curve_of_every_learner(path: Path, store: Store) -> None:
    (database,) = get(site([path]), ".json").json()
    assert database["game"] == "tictactoe 3x3x3"
    for learner in database["learners"]:
        report = strength_of(store, learner["name"])
        assert learner["strength"]["best_response"] == pytest.approx(report.against_best_response.value, abs=1e-12)
        assert learner["strength"]["exploitability"] == pytest.approx(report.exploitability, abs=1e-12)
        assert [point["games"] for point in learner["curve"]] == [0, 1, 2, 5, 10, 20, 50, 100, 200, 500]
        assert learner["curve"][-1]["value"] == pytest.approx(report.against["random"].value, abs=1e-12)
    text = get(site([path]), "").text
    assert len(database["learners"]) == 2
    for learner in database["learners"]:
        hundred = learner["strength"]["hundred"]
        assert sum(hundred.values()) == 100
        assert (hundred["wins"] - hundred["loses"]) / 100 == pytest.approx(learner["strength"]["random"], abs=0.02)
        parts = " ".join(f"{word} {number}" for word, number in hundred.items())
        side = "first" if learner["plays"] == "X" else "second"
        assert f"{learner['name']} Goes {side}; has learned from 500 games {parts} Play" in page_text(text)
    assert len(text) < 20_000


def page_text(page: str) -> str:
    """Return the text of one of our pages, starting from its heading."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page[page.index("</h1>") :])).split())


def play_link(page: str) -> str | None:
    """Return the address to which the link *Play it* leads, relative to the root of our pages."""
    link = re.search(r'<a class="button" href="/-/menace([^"]*)">Play it</a>', page)
    return link and unescape(link[1])


def test_first_page_begins_with_the_same_description_as_a_site(path: Path, store: Store) -> None:
    for served, game in (([path], "noughts and crosses"), ([], "the game")):
        page = get(site(served), "").text
        assert "Matchboxes that <span>learn</span></h1>" in page
        story = page_text(page)
        assert f"Meet a machine that knows nothing about {game}." in story
        assert all(word in story for word in ("1961", "287", "Donald Michie", "matchboxes", "coloured beads"))
    page = get(site([path]), "").text  # other pages show technical numbers and use formats that other programs define
    assert not re.search("exploitability|value", page_text(page), re.IGNORECASE)
    assert not re.search("SQL|JSON", page.partition("For experts")[0].partition("<main")[2])
    on_site = ENGLISH.introduction(named_machine(store, "menace-x"), of_cells=True)
    by_beads = MENACE.words.format(alike=", counting rotated and mirrored boards as one")
    assert on_site.startswith(f"{ENGLISH.told('matchboxes')} {by_beads} ")


def test_play_it_links_to_the_machine_with_most_games(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with fresh_database(path) as store:
        for name, side, games in (
            ("old", Side.X, 0),
            ("eva ö 2", Side.O, 20),
            ("able", Side.X, 60),
            ("twin", Side.X, 60),
        ):
            new_learner(store, name, side, "menace")
            if games:
                train(store, name, "random", games=games, seed=1)
        new_learner(store, "values", Side.X, "td")
        train(store, "values", "random", games=90, seed=1)  # the home page gives preference to machines with beads
        datasette = site([path])
        for name, left in pairwise(["able", "twin", "eva ö 2", "old", "values", None]):
            address = play_link(get(datasette, "").text)
            assert address == "/a/play"
            offered = re.findall(r'<a class="button[^>]*href="/-/menace(/a/[^"]*)"', get(datasette, address).text)
            practised = name in ("able", "twin", "eva ö 2", "values")  # the others have not learned from any games
            assert [unquote(each) for each in offered] == ["/a/beginner", *[f"/a/play/{name}"] * practised]
            page = get(datasette, f"/a/play/{quote(name)}")
            assert page.status_code == 200
            assert f"<h1>Play {name}</h1>" in page.text
            reply = get(datasette, "/a/boxes")  # an address without a name leads to the same machine
            assert (reply.status_code, unquote(reply.headers["location"])) == (302, f"/-/menace/a/boxes/{name}")
            # this version of menace lacks the machine's revision of the algorithm, so the machine can no longer play
            if left is not None:
                with store.transaction():
                    store.database.execute("UPDATE learner SET revision = 99 WHERE name = ?", [name])


@pytest.mark.slow
def test_first_page_offers_a_first_machine_if_there_is_none(tmp_path: Path, path: Path) -> None:
    fresh_database(tmp_path / "empty.db").close()
    datasette = site([tmp_path / "empty.db"])
    address = play_link(get(datasette, "").text)
    assert address is None
    assert "Create the first one and play it" in get(datasette, "").text
    assert play_link(get(site([tmp_path / "empty.db", path]), "").text) == "/menace/play"
    assert play_link(get(site([tmp_path / "empty.db"], read_only=True), "").text) is None
    assert play_link(get(site([]), "").text) is None


def test_home_shows_the_last_measured_strength_of_many_learners(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "MAX_MEASURED", 1)
    (database,) = get(site([path]), ".json").json()
    for learner in database["learners"]:
        assert learner["strength"]["random"] == learner["curve"][-1]["value"] != learner["curve"][0]["value"]
        assert learner["strength"]["exploitability"] is None


def test_exploitability_is_never_negative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Because of rounding, an unbeatable player's value against the best response may exceed the value of the game."""
    path = tmp_path / "menace.db"
    path.write_bytes(trained_bytes(10))
    above = Strength(win=0.0 + 2e-16, draw=1.0, loss=0.0)
    monkeypatch.setattr(grades, "measure", lambda _policy: dict.fromkeys(OPPONENTS, above))
    (database,) = get(site([path]), ".json").json()
    assert [str(learner["strength"]["exploitability"]) for learner in database["learners"]] == ["0.0", "0.0"]
    assert "-0.0000" not in get(site([path]), "").text


def test_one_click_creates_the_first_machine(tmp_path: Path) -> None:
    fresh_database(tmp_path / "menace.db").close()
    datasette = site([tmp_path / "menace.db"])
    page = get(datasette, "").text
    form = re.search(r'data-post="/-/menace(.*?)".*?<button>Create the first', page, re.DOTALL)
    assert form is not None
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    assert post(datasette, form[1], sent).json()["name"] == "menace-x"
    assert names(tmp_path / "menace.db") == ["menace-x"]
    assert "Create the first" not in get(datasette, "").text


@pytest.mark.parametrize(("side", "name"), [("X", "menace-x"), ("O", "menace-o")])
def test_missing_file_is_created_only_by_a_click(tmp_path: Path, side: str, name: str) -> None:
    path = tmp_path / "my games.db"
    datasette = site([path])
    assert "Before the first game, every colour is equally likely" in get(datasette, "").text
    assert get(datasette, ".json").json() == []
    assert get(datasette, "/my_games/machines").status_code == 404
    assert list(tmp_path.iterdir()) == []
    made = post(datasette, "", {"plays": side}).json()
    assert made == {"name": name, "address": f"/-/menace/my_games/play/{name}"}
    assert names(path) == [name]
    assert play_link(get(datasette, "").text) == "/my_games/play"
    assert get(datasette, f"/my_games/play/{name}").status_code == 200
    # a page that was opened earlier may send this request
    assert post(datasette, "", {"plays": side}).status_code == 404


def test_file_created_by_another_program_is_served(tmp_path: Path, path: Path) -> None:
    datasette = site([tmp_path / "later.db"])
    get(datasette, "")
    (tmp_path / "later.db").write_bytes(path.read_bytes())
    assert play_link(get(datasette, "").text) == "/later/play"


@pytest.mark.parametrize("preset", ["menace", "zhang-random", "michie-1963", "article-code"])
def test_form_has_every_setting_with_meaning_and_preset_value(path: Path, preset: str) -> None:
    page = unescape(get(site([path]), f"/menace/machines?preset={preset}").text)
    values = PRESETS[preset].settings
    for name, means in explain(type(values)).items():
        assert f"{means}; {describe(type(values), name)}" in page
        value = show(getattr(values, name))
        field = re.search(rf'name="settings.{name}"(.*?)</(?:select|div)>', page, re.DOTALL)
        assert field is not None
        assert f'value="{value}"' in field[1] or f"<option selected>{value}</option>" in field[1]
    assert PRESETS[preset].source in page


def test_only_presets_for_the_game_are_offered(tmp_path: Path) -> None:
    create_database(tmp_path / "her.db", "hexapawn").close()
    datasette = site([tmp_path / "her.db"])
    page = get(datasette, "/her/machines")
    assert page.status_code == 200
    offered = re.findall(r'<option value="([^"]+)"', page.text.partition('name="preset"')[2].partition("</select>")[0])
    assert offered[0] == "gardner-1962"
    assert offered == sorted(offered, key=lambda name: not PRESETS[name].fits)
    assert set(offered) == {name for name, preset in PRESETS.items() if preset.is_for("hexapawn 3x3")}
    assert get(datasette, "/her/machines?preset=nim-cups").status_code == 400


def test_new_machine_has_the_typed_settings_and_is_listed(path: Path, store: Store) -> None:
    sent = {"name": "eva", "plays": "O", "preset": "scroggs", "colours": "michie", "numbering": "michie", "seed": ""}
    response = post(site([path]), "/menace/machines", {**sent, "settings": {"beads": "9,5", "merged": "no"}})
    assert response.json()["address"] == "/-/menace/menace/machines/eva"
    machine = named_machine(store, "eva")
    assert (machine.settings.beads, machine.settings.merged, machine.plays) == ((9, 5), False, "O")
    assert machine.naming == ("michie", "michie")
    page = get(site([path]), "/menace/machines").text
    assert "in the file <b>menace.db</b>" in page
    rows = list_learners(store).in_words().rows
    assert rows[-1][-1] == "beads=9,5 merged=no colours=michie numbering=michie"
    for row in rows:
        assert " ".join(str(cell) for cell in (*row[:4], row[5], row[4]) if cell != "") in page_text(page)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"name": "-", "plays": "X"}, "begins with '-'"),
        ({"name": "menace-x", "plays": "X"}, "menace-x"),
        ({"name": "eva", "plays": "Z"}, "unknown side 'Z'"),
        ({"name": "eva", "plays": "X", "preset": "nobody"}, "there is no preset 'nobody'"),
        ({"name": "eva", "plays": "X", "preset": "gardner-1962"}, "supports hexapawn 3x3"),
        ({"name": "eva", "plays": "X", "settings": {"beads": "many"}}, "setting beads=many is not integers"),
        ({"name": "eva", "plays": "X", "settings": {"beads": {"a": []}}}, "setting beads="),
        ({"name": "eva", "plays": "X", "settings": {"luck": "1"}}, "there is no setting 'luck'"),
        ({"name": "eva", "plays": "X", "settings": []}, None),
        ({"name": "eva", "plays": "X", "colours": "pastel"}, "colours='pastel'"),
    ],
)
def test_invalid_machine_is_refused_in_one_line_without_writing(path: Path, body: Any, message: str | None) -> None:
    before = path.read_bytes()
    response = post(site([path]), "/menace/machines", body)
    if message is None:  # an empty list does not change any settings
        assert response.status_code == 200
        return
    assert response.status_code == 400
    assert message in response.json()["error"]
    assert "\n" not in response.json()["error"]
    assert path.read_bytes() == before


def test_rename_copy_and_delete_follow_the_rules_of_the_commands(path: Path, store: Store) -> None:
    datasette = site([path])
    assert post(datasette, "/menace/machines/menace-x/rename", {"name": "Adam"}).json()["name"] == "Adam"
    assert post(datasette, "/menace/machines/Adam/copy", {"name": "Seth"}).json()["name"] == "Seth"
    assert named_machine(store, "Seth").learned.amount.tolist() == named_machine(store, "Adam").learned.amount.tolist()
    assert post(datasette, "/menace/machines/nobody/copy", {"name": "x"}).status_code == 404
    refused = post(datasette, "/menace/machines/Seth/delete", {})
    assert "has learned from 500 games" in refused.json()["error"]
    assert post(datasette, "/menace/machines/Seth/delete", {"yes": "no"}).status_code == 400
    assert names(path) == ["Adam", "menace-o", "Seth"]
    assert post(datasette, "/menace/machines/Seth/delete", {"yes": True}).json()["gone"] is False
    assert names(path) == ["Adam", "menace-o"]
    post(datasette, "/menace/machines", {"name": "new", "plays": "O"})
    assert post(datasette, "/menace/machines/new/delete", {}).json()["gone"] is True
    assert verify(store).learners == 3  # the count includes the deleted learner, which is still in the log


def test_change_the_world_does_not_change_the_original(path: Path, store: Store) -> None:
    before = named_machine(store, "menace-x").learned.amount.tolist()
    world = {"name": "exile", "empty": "..X.O....", "against": "optimal", "games": "30"}
    reply = post(site([path]), "/menace/machines/menace-x/world", world).json()
    assert (reply["run"]["games_played"], reply["run"]["state"]) == (30, "finished")
    assert named_machine(store, "menace-x").learned.amount.tolist() == before
    assert store.learner("exile").games == 530
    tipped = {"name": "tipped", "empty": "..X.O...."}
    assert post(site([path]), "/menace/machines/menace-x/world", tipped).json()["run"] is None
    machine, old = named_machine(store, "tipped"), named_machine(store, "menace-x")
    box = machine.box("X...O....")
    assert box is not None
    assert box.beads == 0
    changed = {int(move) for move in (machine.learned.amount != old.learned.amount).nonzero()[0]}
    assert changed <= set(machine.positions.moves_of(box.position_id))


@pytest.mark.parametrize(
    ("world", "message"),
    [
        ({"name": "x", "empty": "X........"}, "menace-x has no box for X........"),
        ({"name": "x", "empty": "nonsense"}, "nonsense"),
        ({"name": "x", "against": "nobody"}, "nobody"),
        ({"name": "x", "against": "menace-x"}, "both play X"),
        ({"name": "x", "against": "imperfect:7"}, "imperfect"),
        ({"name": "x", "against": "random", "games": "0"}, "games=0"),
        ({"name": "x", "against": "random", "games": "9999999"}, "too many for a page"),
        ({"name": "menace-o", "against": "random"}, "menace-o"),
    ],
)
def test_invalid_change_of_the_world_creates_no_copy(path: Path, world: dict[str, str], message: str) -> None:
    response = post(site([path]), "/menace/machines/menace-x/world", world)
    assert response.status_code in {400, 404}
    assert message in response.json()["error"]
    assert names(path) == ["menace-x", "menace-o"]


def test_long_run_is_continued_and_can_be_ended(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("menace.explorer.pages.machines.train_for.__defaults__", (0.0,))
    monkeypatch.setattr("menace.ledger.training.BLOCK_SECONDS", 0.0001)
    datasette = site([path])
    world = {"name": "long", "against": "random", "games": 900_000}
    reply = post(datasette, "/menace/machines/menace-x/world", world).json()
    assert reply["run"]["state"] == "unfinished"
    assert f"Run {reply['run']['run_id']} is not finished" in get(datasette, "/menace/machines/long").text
    on = post(datasette, reply["more"].removeprefix("/-/menace"), {"run_id": reply["run"]["run_id"]}).json()
    assert reply["run"]["games_played"] < on["run"]["games_played"] < 900_000
    elsewhere = post(datasette, "/menace/machines/menace-o/abandon", {"run_id": reply["run"]["run_id"]})
    assert elsewhere.status_code == 400
    ended = post(datasette, "/menace/machines/long/abandon", {"run_id": reply["run"]["run_id"]}).json()
    assert (ended["run"]["state"], ended["run"]["games_played"]) == ("abandoned", on["run"]["games_played"])


def test_read_only_pages_write_nothing(path: Path) -> None:
    datasette = site([path], read_only=True)
    before = path.read_bytes()
    for address in ("machines/menace-x", "machines", "boxes/menace-x", "compare", "play/menace-x"):
        page = get(datasette, f"/menace/{address}").text
        assert page.count("This page is read-only: you cannot play") == 1
        assert "data-post" not in page
    body = {"name": "x", "plays": "X", "yes": True, "token": "x", "move": "0", "against": "random", "run_id": 1}
    for route in [route for route in routes() if route.method == "POST"]:
        address = route.path.format(database="menace", player="menace-x", name="menace-x")
        in_memory = {200} if address.endswith("beginner/begin") else {410} if "/beginner/" in address else {403}
        assert {post(datasette, address, body).status_code} == in_memory, address
    assert path.read_bytes() == before


@pytest.fixture(scope="module")
def datasette(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path: Path = tmp_path_factory.mktemp("ruin-risk") / "menace.db"
    with fresh_database(path) as store:
        new_learner(store, "adam", "X", "michie-1961", {"beads": "1"})
    return site([path])


@pytest.mark.parametrize("query", ["learner=adam", "preset=michie-1961&plays=X&setting=beads%3D1"])
def test_ruin_risk_is_the_same_before_and_after_creation(
    datasette: Any, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setattr(machines_page, "GAMES_AHEAD", 20)
    machine = Machine("michie-1961", "X", beads=(1,))
    reply = get(datasette, f"/menace/prospect.json?{query}").json()
    sentences = {opponent: ruin_text(machine, opponent, 20) for opponent in ("random", "optimal")}
    assert reply == {"games": 20, "prospects": sentences}
    assert "out of beads for the" in reply["prospects"]["optimal"]


def test_no_ruin_risk_is_shown_if_the_first_box_cannot_run_empty(datasette: Any) -> None:
    query = f"preset=michie-1961&plays=X&setting={quote('when_empty=restock')}"
    assert get(datasette, f"/menace/prospect.json?{query}").json()["prospects"] == {}


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("learner=nobody", 404, "no machine is called 'nobody'"),
        ("preset=nothing", 400, "nothing"),
        ("plays=Y", 400, "Y"),
        ("setting=beads", 400, "setting='beads' is not NAME=VALUE"),
        ("setting=beads%3Dmany", 400, "setting beads=many is not integers"),
        ("preset=her-1962", 400, "her-1962"),
    ],
)
def test_ruin_risk_of_an_invalid_machine_is_refused_in_one_line(
    datasette: Any, query: str, status: int, message: str
) -> None:
    response = get(datasette, f"/menace/prospect.json?{query}")
    assert (response.status_code, message in response.json()["error"]) == (status, True)
