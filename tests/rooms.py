"""Which test files belong to which room of menace/: `pytest --room analysis` runs those of a room alone.

A room is a folder of menace/, or a file beside the folders; `db`, `docs` and `tools` are the folders beside menace/.
A file stands with each room whose change it is the first to notice; tests/test_rooms.py holds that none is missing.
"""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

FILES_BY_ROOM = {
    "errors": "wrong_types",
    "wording": "columns widths wording",
    "game_narration": "telling",
    "extras": "extras",
    "naming_schemes": "naming_kept",
    "atomic_files": "output",
    "output_files": "output windows",
    "tables": "notebook representations",
    "without_cython": "compiled",
    "kernel": "compiled credit kernel learners_by_hand measuring policies updates weights_by_hand",
    "kernel_status": "compiled",
    "games": """boards_apart every_game games graph known look michie_plays new_game positions registry rules_by_game
        sides svg trial_games""",
    "testing": "testing",
    "learners": """box credit known learner_contract learners learners_by_hand machine player players policies
        rewards_by_length tournament tree_search updates weights_by_hand
        your_player""",
    "arena": "evaluation expected_beads marks measuring phases randomness ruin",
    "ledger": """damage deletion forgetting games_of_run imported learner_contract log marks memory patterns phases
        readers ruin run_marks store study_file tournament training upgrade verification your_player""",
    "analysis": "box expected_beads game_by_game history lines naming_kept records seed_statistics strength",
    "people": "greedy_play physical play recount",
    "labels": "cli_labels kits labels",
    "drawing": "picture",
    "exporting": "boards_apart exporting",
    "figures": "figures game_by_game legend notebook picture study",
    "studies": "seed_statistics study study_dask study_file",
    "adapters": "adapters",
    "notebook": "notebook representations sharing wrong_types",
    "site": "site site_browser site_learner site_source",
    "explorer": """datasette matchbox serving_cost web web_attack web_axe web_board web_browser web_connections
        web_explore web_explore_browser web_guard web_keys web_library web_machines web_machines_browser
        web_pictures web_play web_policy_browser web_routes web_ruin_risk web_sql""",
    "cli": "cli cli_labels cli_play columns completion new_game output records study your_player",
    "__main__": "interrupts warnings",
    "db": "datasette db study_file",
    "docs": "doctests facts notebooks readme tutorial",
    "tools": "article_table damage faults imports lowest_versions mutants peers release reproductions rooms wheel",
}


def files_of(room: str) -> set[str]:
    """Return the names of a room's test files."""
    return {f"test_{name}.py" for name in FILES_BY_ROOM[room].split()}


def files_of_change(paths: list[str]) -> set[str]:
    """Return the names of the test files that a change of files can touch; paths are from the root of the tree."""
    parts = [PurePosixPath(path).parts for path in paths]
    rooms = {PurePosixPath(names[1]).stem if names[0] == "menace" and names[1:] else names[0] for names in parts}
    tests = {names[1] for names in parts if names[0] == "tests" and names[1:]}
    return tests.union(*(files_of(room) for room in rooms & FILES_BY_ROOM.keys()))


def changed_paths() -> list[str]:
    """Return what differs from the commit before the last; nothing where there is no repository, or no git."""
    command = ["git", "-C", str(Path(__file__).parent), "diff", "--name-only", "HEAD~1"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    except FileNotFoundError:
        return []
