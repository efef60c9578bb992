"""Ordinary, hostile and broken submissions for tests, with the notes expected in their rows."""

from __future__ import annotations

import random
import time
from pathlib import Path

FORKING = "import os\ndef move(board, moves):\n    while True:\n        os.fork()\n"
ESCAPING = (  # starts a grandchild process in a separate session if processes may be started
    "import os, time\ndef move(board, moves):\n"
    "    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            time.sleep(600)\n"
    "        os._exit(0)\n    os.wait()\n"
    "    return moves[0]\n"
)
# Each entry contains the text of a file and part of the note expected in both rows for that file. If the second item is
# None, the file is graded without a note.
HOSTILE: dict[str, tuple[str, str | None]] = {
    "hangs": ("def move(board, moves):\n    while True:\n        pass\n", "exceeds the time limit"),
    "sleeps_at_import": ("import time\ntime.sleep(600)\ndef move(board): return '0'\n", "while it is loaded"),
    "raises": ("def move(board, moves):\n    return moves[99]\n", "IndexError"),
    "invalid": ("def move(board, moves)\n    return 0\n", "cannot be loaded: SyntaxError"),
    "exits": ("import os\ndef move(board, moves):\n    os._exit(3)\n", "exits with status 3"),
    "exits_at_import": ("import sys\nsys.exit('bye')\n", "cannot be loaded: SystemExit: bye"),
    "crashes": ("import ctypes\ndef move(board, moves):\n    ctypes.string_at(0)\n", "is killed by signal 11"),
    "prints": ("def move(board, moves):\n    print('x' * 10_000)\n    return moves[0]\n", "bytes, which are discarded"),
    "forks": (FORKING, "it may not start processes"),
    "escapes": (ESCAPING, "it may not start processes"),
    "allocates": ("def move(board, moves):\n    return moves[bytearray(10**10)[0]]\n", "MemoryError"),
    "recurses": ("def move(board, moves):\n    return move(board, moves)\n", "RecursionError"),
    "nonsense": ("def move(board, moves):\n    return [float('nan'), {'a': object()}]\n", 'returns "[nan, '),
    "negative": ("def move(board, moves):\n    return {moves[0]: float('nan')}\n", "no legal move on"),
    "unlikely": (
        "import random\ndef move(board, moves):\n    return random.choice(moves)\n",
        "gives different answers on",
    ),
    "counts": (
        "calls = 0\ndef move(board, moves):\n    global calls\n    calls += 1\n    return moves[calls % len(moves)]\n",
        "gives different answers on",
    ),
    "litters": (
        (
            "import os, pathlib, tempfile\ndef move(board, moves):\n"
            "    pathlib.Path('deep').mkdir(exist_ok=True)\n    pathlib.Path('deep', 'a').write_text('x')\n"
            "    pathlib.Path(tempfile.gettempdir(), 'b').write_text('x')\n    return moves[0]\n"
        ),
        None,
    ),
    "writes_answers": (
        (
            'import os\nfor pipe in range(3, 20):\n    try:\n        os.write(pipe, b\'{"choice": "4"}\\n\' * 99)\n'
            "    except OSError:\n        pass\ndef move(board, moves):\n    return moves[0]\n"
        ),
        "sends answers without being asked",
    ),
    "garbles": (
        (
            "import os\ndef move(board, moves):\n    for pipe in range(3, 20):\n        try:\n"
            "            os.write(pipe, b'[' * 50_000 + b'\\n')\n        except OSError:\n            pass\n"
        ),
        "violates the protocol",
    ),
    "closes": ("import os\ndef move(board, moves):\n    os.closerange(0, 60)\n", "exits with status"),
    "kills": (
        "import os\ndef move(board, moves):\n    os.kill(os.getppid(), 9)\n    os.kill(-1, 9)\n",
        "ProcessLookup",
    ),
    "several": ("def first(board): return '0'\ndef second(board): return '1'\n", "several functions (first, second)"),
}


def write_players(folder: Path, count: int) -> list[str]:
    """Write deterministic players, each with a different order of preference among cells, and return their paths."""
    paths = []
    for number in range(count):
        order = random.Random(number).sample("012345678", 9)
        path = folder / f"player{number:03}.py"
        path.write_text(f"def move(board, moves):\n    return min(moves, key={order}.index)\n")
        paths.append(str(path))
    return paths


def write_hostile(folder: Path, *names: str) -> list[str]:
    """Write the named hostile submissions (by default all submissions), and return the paths of their files."""
    paths = []
    for name in names or HOSTILE:
        path = folder / f"{name}.py"
        path.write_text(HOSTILE[name][0])
        paths.append(str(path))
    return paths


def processes_in(folder: Path) -> list[str]:
    """Return the ids of the processes on Linux whose command line or working folder contains the given folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command, place = (process / "cmdline").read_bytes(), str((process / "cwd").readlink())
        except OSError:
            continue
        if str(folder).encode() in command or place.startswith(str(folder)):
            found.append(process.name)
    return found


def nothing_left(folder: Path) -> bool:
    """Return whether a temporary folder becomes empty and its processes end within two seconds."""
    for _ in range(100):
        if not processes_in(folder) and not list(folder.iterdir()):
            return True
        time.sleep(0.02)
    return False
