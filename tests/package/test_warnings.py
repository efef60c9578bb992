"""Tests that no command and no page causes a warning, even while Python starts and exits.

All other tests see only warnings from the code that they call.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest
from commands import EVERY_COMMAND, SMALL_DESIGN, start_command
from database_templates import trained_bytes

pytestmark = pytest.mark.slow

# Here, warnings during import and at exit also count. Encoding warnings count only if our code causes them, because few
# libraries specify encodings.
EACH = """
import sys, warnings
warnings.simplefilter("error")
warnings.filterwarnings("ignore", category=EncodingWarning)
warnings.filterwarnings("error", category=EncodingWarning, module=r"menace(\\.|$)")
import menace.cli
for line in sys.stdin:
    sys.argv = ["menace", *line.split()]
    try:
        menace.cli.main()
    except SystemExit as ended:
        if ended.code:
            sys.exit(f"{line.strip()}: {ended.code}")
"""
PAGES = [
    "",
    "/menace",
    "/menace/play/menace-x",
    "/menace/boxes/menace-x",
    "/menace/machines",
    "/menace/explore/XX.OO.....json",
]
PAGES = [f"/-/menace{page}" for page in (*PAGES, "/menace/compare", "/menace/graph")]
PAGES += ["/menace", "/menace/learner", "/menace/learner.csv"]  # Datasette's own pages


def test_no_command_warns(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL_DESIGN, encoding="utf-8")
    command = [sys.executable, "-X", "warn_default_encoding", "-c", EACH]
    done = subprocess.run(
        command,
        input="\n".join(EVERY_COMMAND),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr


def test_no_page_warns(tmp_path: Path) -> None:
    """Datasette does not close its database connections.

    Since Python 3.13, garbage collection of these connections causes warnings.
    """
    (tmp_path / "menace.db").write_bytes(trained_bytes(50))
    of_datasette = ["-W", "ignore:unclosed database:ResourceWarning"]
    command = [sys.executable, "-W", "error", *of_datasette, "-m", "menace", "serve", "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start_command(command, cwd=tmp_path, **pipes) as process:
        assert process.stdout is not None
        home = process.stdout.readline().split()[0]
        for page in PAGES:
            with urlopen(urljoin(home, page)) as answer:
                assert answer.status == 200
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert errors.strip() == "menace: interrupted"
