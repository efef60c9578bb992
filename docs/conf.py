"""Sphinx configuration: `python -m sphinx -c docs . build/docs` builds the documentation site.

The source folder is the whole repository, so that links between pages work both in the repository and on the site.
The navigation follows the lists in README.md.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import GenericAlias
from typing import TYPE_CHECKING

import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

project = html_title = "menace"
root_doc = "README"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "db/README.md", "docs/**"]
exclude_patterns = [".*", "**/.*", "build", "dist"]
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click", "sphinx_copybutton"]

html_theme = "furo"
html_theme_options = {  # the colours of explorer/static/menace.css
    "light_css_variables": {
        "color-brand-primary": "#1d4f7c",
        "color-brand-content": "#1d4f7c",
        "color-background-primary": "#f8f4eb",
        "color-background-secondary": "#efe8da",
        "color-background-border": "#d9ceba",
        "color-foreground-primary": "#23201b",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8cbcf5",
        "color-brand-content": "#8cbcf5",
        "color-background-primary": "#1b1a18",
        "color-background-secondary": "#2b2824",
        "color-background-border": "#4a453c",
        "color-foreground-primary": "#efe9dc",
    },
}
html_static_path = html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False  # LICENSE contains the copyright
copybutton_prompt_text = "$ "

highlight_language = "text"
default_role = "literal"  # docstrings put code between single backticks
smartquotes = False  # smart quotes would turn the two hyphens of an option into a dash

myst_heading_anchors = 4  # the anchors that repository pages have
nb_execution_mode = "off"  # notebooks contain their output; tests/docs/test_notebooks.py runs them

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
add_module_names = False
python_use_unqualified_type_names = True


class NDArray:
    """A replacement for numpy's NDArray that Sphinx shows by this name."""

    def __class_getitem__(cls, item: object) -> GenericAlias:
        return GenericAlias(cls, item)


NDArray.__module__ = "numpy.typing"
vars(npt).update(NDArray=NDArray)  # must happen before menace is imported


def lists_of_pages(text: str) -> dict[str, list[dict[str, str]]]:
    """Return the lists in README.md by heading. Each item maps its pages to their link texts."""
    lists = text.partition("\n## Where to go next\n")[2].partition("\n## ")[0]
    sections = re.findall(r"^### ([^\n]*)\n(.*?)(?=^### |\Z)", lists, re.DOTALL | re.MULTILINE)
    return {heading: [_pages(item) for item in section.split("\n- ")[1:]] for heading, section in sections}


def _pages(item: str) -> dict[str, str]:
    links = re.findall(r"\[([^]]*)\]\(([^)#]*)\.(?:md|ipynb)\)", item)
    return {page: " ".join(words.split()) for words, page in links}


LISTS = lists_of_pages(Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8"))


def add_navigation(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the lists to the navigation of README.md, and the other pages of an item to that of its first page."""
    for heading, items in LISTS.items():
        if page == root_doc:
            start = ["The first five minutes <self>"] if heading == "Start" else []
            source[0] += toctree([*start, *(entries(item)[0] for item in items)], f":caption: {heading}")
        below = [entry for item in items if page == next(iter(item)) for entry in entries(item)[1:]]
        source[0] += toctree(below) if below else ""
    if page == "docs/experiments":
        source[0] += toctree(re.findall(r"\((reproductions/[^)#]*)\.md\)", source[0]))


def entries(item: dict[str, str]) -> list[str]:
    """Return the pages of an item in the syntax of a Sphinx table of contents."""
    return [f"{words[0].upper()}{words[1:]} </{page}>" for page, words in item.items()]


def toctree(pages: Iterable[str], option: str = ":maxdepth: 1") -> str:
    """Return a table of contents that appears only in the navigation."""
    return "\n".join(["", "", "```{toctree}", ":hidden:", option, "", *pages, "```", ""])


def plain_text(_app: Sphinx, what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Preserve indented blocks in docstrings, and colons in the docstrings of properties."""
    if lines and lines[0].startswith("Alias for field number"):  # the default docstring of a NamedTuple field
        lines.clear()
    for number in reversed(range(2, len(lines))):
        before = next((line for line in reversed(lines[:number]) if line), " ")
        if lines[number].startswith("    ") and not lines[number - 1] and not before.startswith(" "):
            lines[number:number] = ["::", ""]
    if what in ("attribute", "property"):
        lines[:0] = ["..", ""]  # after a comment, napoleon does not read the text before a colon as a type


def kept_lines(_app: Sphinx, _context: object, lines: list[str]) -> None:
    """Turn lines that click does not wrap, such as examples, into a block; sphinx-click marks them with bars."""
    bars = [line.startswith("| ") for line in lines]
    for number in reversed(range(len(lines))):
        if not bars[number]:
            lines[number] = lines[number].replace("*", r"\*")
        elif number and bars[number - 1]:
            lines[number] = f"   {lines[number].removeprefix('|')}"
        else:
            lines[number : number + 1] = [lines[number].removeprefix("| "), "", "::", ""]


def add_first_page(app: Sphinx, error: Exception | None) -> None:
    """Copy the first page to index.html, which web servers send for the folder."""
    if error is None:
        shutil.copy(Path(app.outdir, f"{root_doc}.html"), Path(app.outdir, "index.html"))


def setup(app: Sphinx) -> None:
    """Connect the functions above to the events of Sphinx."""
    app.connect("source-read", add_navigation)
    app.connect("autodoc-process-docstring", plain_text, priority=1)  # before napoleon
    app.connect("sphinx-click-process-description", kept_lines)
    app.connect("sphinx-click-process-epilog", kept_lines)
    app.connect("build-finished", add_first_page)
