"""Tests that pages show the actual output of their commands and examples, and that links and lists are correct."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest
from checkout import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import conf

from docs import make_pictures, make_screenshots, transcripts, update_readme

TEXTS = {page.name: page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]}
PAGES = [page.name for page in transcripts.find_pages()]


def blocks(language: str, *names: str) -> list[str]:
    return [block for name in names or TEXTS for block in transcripts.code_blocks(TEXTS[name], language)]


def test_readme_is_short_and_pages_show_output() -> None:
    assert len(TEXTS["README.md"].splitlines()) <= 250
    assert len(PAGES) >= 5
    assert sum(len(transcripts.TYPED.findall("".join(blocks("console", name)))) for name in PAGES) >= 20


@pytest.mark.parametrize("name", PAGES)
def test_no_command_occurs_twice_on_a_page(name: str) -> None:
    """A reader who types all commands on a page, including those that install menace, should not repeat any command."""
    shown = transcripts.TYPED.findall("".join(blocks("console", name)))
    elsewhere = "".join(transcripts.code_blocks(TEXTS[name], "sh", "bat"))
    assert [command for command in shown if re.search(rf"menace(?:\.exe)? {re.escape(command[7:])}\b", elsewhere)] == []
    assert len(set(shown)) == len(shown)


@pytest.mark.slow
@pytest.mark.parametrize("page", transcripts.find_pages(), ids=lambda page: page.name)
def test_commands_of_page_print_the_output_on_the_page(page: Path) -> None:
    assert update_readme.diff_page(page) == ""


def test_update_readme_reports_and_replaces_outdated_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    text = "A page.\n\n```console\n$ menace presets\nold words\n\n$ menace presets td\n```\n\nIts end.\n"
    page.write_text(text)
    assert update_readme.main(["--check", str(page)]) == 1
    assert "-old words" in capsys.readouterr().out.splitlines()
    assert page.read_text() == text
    assert update_readme.main([str(page)]) == 0
    new = page.read_text()
    assert new.startswith(text.partition("old")[0])
    assert new.endswith("```\n\nIts end.\n")
    assert "old words" not in new
    assert update_readme.main(["--check", str(page)]) == 0
    assert capsys.readouterr().out == ""


def test_transcripts_raise_if_a_command_fails_or_prints_errors() -> None:
    with transcripts.open_shell(80) as shell:
        for command in ("menace show --db none.db", "menace show --db none.db | cat", "false", "echo a >&2"):
            with pytest.raises(RuntimeError, match="exit code"):
                shell(command)


def test_transcripts_run_commands_like_a_shell() -> None:
    """Commands that contain quotes, redirections or comments have the same results as in a shell."""
    with transcripts.open_shell(80) as shell:
        shell("menace init")
        for command in ('menace query "SELECT \'a  |b\' AS ""x"", 2 > 1"', "menace presets menace  # and a comment"):
            assert shell(command) == shell(f"{command}\n:")
        assert shell("menace presets > presets.txt  # for later") == ""
        assert shell("cat presets.txt") == shell("menace presets") != ""


def test_screenshots_match_make_screenshots_and_are_small() -> None:
    files = {file.stem: file.stat().st_size for file in make_screenshots.PICTURES.iterdir()}
    assert files.keys() == {shot.name for shot in make_screenshots.SHOTS}
    assert max(files.values()) <= make_screenshots.MAX_BYTES
    assert sum(files.values()) < 2_500_000


@pytest.mark.slow
def test_pictures_are_used_and_up_to_date(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = set(re.findall(r"\]\((?:docs/)?pictures/([^)]+)\)", "".join(TEXTS.values())))
    pictures = ROOT / "docs" / "pictures"
    assert shown == {file.relative_to(pictures).as_posix() for file in pictures.rglob("*.*")}
    monkeypatch.setattr(sys, "argv", ["make_pictures.py", "--check"])
    assert (make_pictures.main(), capsys.readouterr().out) == (0, "")


@pytest.mark.slow
def test_python_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_tests = {"adapters.md", "in-class.md", "python.md"}
    tests = "# test_"  # test_examples_of_tests.py runs these
    examples = [code for code in blocks("python", *TEXTS.keys() - own_tests) if not code.startswith(tests)]
    assert len(examples) >= 2
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # the program in docs/grading.md reads boards
    for example in examples:
        exec(compile(example, "an example", "exec"), {"__name__": "__main__"})


@pytest.mark.slow
def test_python_guide_shows_the_printed_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The examples run in order in one session."""
    examples = re.findall(
        r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", TEXTS["python.md"], re.DOTALL | re.MULTILINE
    )
    assert sum(bool(shown) for _, shown in examples) >= 8
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for example, shown in examples:
        exec(compile(example, "an example", "exec"), names)
        printed = re.sub(r"[ \t]+$", "", capsys.readouterr().out, flags=re.MULTILINE)
        assert printed == shown or not shown, example


@pytest.mark.slow
def test_class_page_contains_the_numbers_of_its_program(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = blocks("python", "in-class.md")
    exec(compile(program, "in-class.md", "exec"), {"__name__": "__main__"})
    tables = [re.findall(r"\d+\.\d", line) for line in TEXTS["in-class.md"].splitlines() if line.startswith("|")]
    shown = [numbers for numbers in tables if numbers]
    for printed in capsys.readouterr().out.splitlines():
        numbers = re.findall(r"\d+\.\d", printed.partition(" ")[2])
        assert numbers in shown or numbers[:2] in shown, printed  # the text below the table contains the third number


def test_commands_page_lists_every_command() -> None:
    from menace.cli import cli

    text = TEXTS["commands.md"]
    table = text[text.index("| command |") : text.index("accepts `--db PATH`")]
    commands = " ".join(re.findall(r"^\| (`.*?) \|", table, flags=re.MULTILINE))
    assert [name for name in cli.commands if not re.search(rf"[` ]{name}[` ]", commands)] == []


def test_ci_runs_the_test_command_of_the_readme() -> None:
    (command,) = [line for line in "".join(blocks("sh", "README.md")).splitlines() if "pytest" in line]
    first = next(line for line in TEXTS["README.md"].splitlines() if "-m pytest" in line)
    script = (ROOT / ".ci" / "run").read_text()
    assert "grep -m1 -- '-m pytest' README.md" in script
    assert first == command
    assert shlex.split(command)[-3:] == ["-m", "pytest", "--quiet"]


def test_readme_lists_every_page() -> None:
    """The website generates its navigation from these lists."""
    assert list(conf.LISTS) == ["Start", "Do", "Understand", "Look up", "Develop"]
    listed = [page for items in conf.LISTS.values() for item in items for page in item]
    files = {*ROOT.glob("docs/*.md"), *ROOT.glob("docs/development/*.md"), *ROOT.glob("docs/notebooks/*.ipynb")}
    pages = {file.relative_to(ROOT).with_suffix("").as_posix() for file in files}
    assert sorted(listed) == sorted(pages | {"CONTRIBUTING", "CHANGELOG", "db/README"})
    experiments = {file.name for file in ROOT.glob("docs/reproductions/*.md")}
    assert set(re.findall(r"\]\(reproductions/(.*?)\)", TEXTS["experiments.md"])) == experiments


def test_api_page_has_every_public_name() -> None:
    import menace

    shown = re.findall(r"^\.\. (?:autoclass|autofunction|py:data):: menace\.(\w+)$", TEXTS["api.md"], re.MULTILINE)
    assert sorted([*shown, "MenaceError", "__version__"]) == sorted(menace.__all__)
    assert ".. automodule:: menace.errors" in TEXTS["api.md"]


def headings(page: Path) -> set[str]:
    """Return the anchors that GitHub creates for a page's headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in titles}


def test_links_to_files_and_headings_are_valid() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("db/*.md"), *ROOT.glob("docs/**/*.md")]
    assert len(pages) >= 10
    links = [
        (page, link, heading)
        for page in pages
        for link, heading in re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8"))
    ]
    assert len(links) >= 30
    assert len([heading for *_, heading in links if heading]) >= 3
    broken = [(page.name, link) for page, link, _ in links if not (page.parent / link).exists()]
    assert broken == []
    targets = [(page, page.parent / link if link else page, heading) for page, link, heading in links if heading]
    assert [(page.name, heading) for page, target, heading in targets if heading not in headings(target)] == []
