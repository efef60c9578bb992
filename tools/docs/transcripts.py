"""Find the commands on documentation pages, and run them as a reader would.

The commands on each page run in order in an empty folder. Commands that start with `menace` run in this process, which
saves the time to start Python. Commands that contain pipes or patterns run in a shell.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
TYPED = re.compile(r"^\$ (.*)$", re.MULTILINE)
COMMENT = re.compile(r"\s+# .*$")
INTO_A_FILE = re.compile(r"(.*) > ([\w.-]+)")
SEPARATE_PAGES = {"your-own-game.md"}  # make_tutorial.py runs the commands on this page
SHELL = re.compile(r"[|<>;&*?~`$\n]")  # characters that a shell interprets outside quotation marks


def find_pages() -> list[Path]:
    """Return the paths of README.md and of the pages in docs/ that show the output of commands."""
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [
        page for page in paths if page.name not in SEPARATE_PAGES and BLOCK.search(page.read_text(encoding="utf-8"))
    ]


def code_blocks(text: str, *languages: str) -> list[str]:
    """Return the contents of a page's code blocks in the given languages, in order."""
    return re.findall(rf"^```(?:{'|'.join(languages)})\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def page_commands(text: str) -> list[str]:
    """Return all commands on a page: lines that begin with `$`, and lines in shell blocks that begin with menace."""
    blocks = re.findall(r"^```(console|sh)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    begins = {"console": "$ ", "sh": "menace "}
    lines = [line for language, block in blocks for line in block.splitlines() if line.startswith(begins[language])]
    return [line.removeprefix("$ ") for line in lines]


def update_page(text: str) -> str:
    """Run the commands in a page's console blocks, and return the page with their current output."""
    with open_shell(80) as shell:
        write_files(text)

        def rerun(block: re.Match[str]) -> str:
            printed = [f"$ {command}\n{shell(command)}" for command in TYPED.findall(block[0])]
            return "\n".join(re.sub(r"[ \t]+$", "", part, flags=re.MULTILINE) for part in printed)

        return BLOCK.sub(rerun, text)


def write_files(text: str) -> None:
    """Write the Python files that the page tells its readers to save.

    The first line of such a block is a comment that contains the name of the file.
    """
    for block in code_blocks(text, "python"):
        name = re.match(r"# ([\w/]+\.py)\n", block)
        if name is not None:
            Path(name[1]).parent.mkdir(parents=True, exist_ok=True)
            Path(name[1]).write_text(block, encoding="utf-8")


@contextlib.contextmanager
def open_shell(columns: int) -> Iterator[Callable[[str], str]]:
    """Yield a function that runs commands in a folder, which at first contains only the study designs from docs/.

    Args:
        columns: The width of the terminal, in characters.

    Yields: A function that takes a command and returns its output. The function raises `RuntimeError` if the command
    fails or prints to standard error.
    """
    here, environment = Path.cwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        try:
            os.chdir(folder)
            for design in (ROOT / "docs").glob("*.toml"):
                shutil.copy(design, folder)
            os.environ.pop("MENACE_DB", None)
            os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            os.environ["COLUMNS"] = str(columns)
            yield run_line
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(environment)


def run_line(command: str) -> str:
    """Run a command in the working directory and return its output."""
    command = COMMENT.sub("", command)
    into_a_file = INTO_A_FILE.fullmatch(command)
    line = into_a_file[1] if into_a_file else command
    unquoted = re.sub(r"'[^']*'", "", line)
    is_expanded = re.search(r"[`$]", unquoted) or SHELL.search(re.sub(r'"[^"]*"', "", unquoted))
    plain = line.startswith("menace ") and not is_expanded
    if not plain:
        line, into_a_file = command, None
    code, out, err = _run_menace(shlex.split(line)) if plain else _run(line)
    if code or err:
        raise RuntimeError(f"{command}: exit code {code}\n{out}{err}")
    if into_a_file:
        Path(into_a_file[2]).write_text(out, encoding="utf-8")
        return ""
    return out


def _run(command: str) -> tuple[int | str | None, str, str]:
    """Run a command in a shell, and return its exit code, output and errors."""
    run = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def _run_menace(arguments: list[str]) -> tuple[int | str | None, str, str]:
    """Run `menace` in this process without input, and return its exit code, output and errors."""
    from menace import cli

    streams, kept = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3)], (sys.stdin, sys.argv)
    code: int | str | None = None
    sys.stdin, sys.argv = streams[0], arguments
    try:
        with contextlib.redirect_stdout(streams[1]), contextlib.redirect_stderr(streams[2]):
            cli.main()
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.stdin, sys.argv = kept
    for stream in streams:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams[1:])  # type: ignore[attr-defined]
    return code, out, err


@contextlib.contextmanager
def serve_database(database: str, *options: str) -> Iterator[str]:
    """Serve a database in the working directory, and yield the address of its pages."""
    command = [sys.executable, "-m", "menace", "serve", "--port", "0", "--db", f"{database}.db", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[0]
        finally:
            process.kill()
