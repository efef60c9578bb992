"""Find every English sentence in Markdown, notebooks, docstrings, comments, messages, templates and SQL.

check_prose.py checks the sentences, and sample_sentences.py draws random ones for a reader.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
CODE = ("menace", "db", "tools", "tests")
KINDS = ("documentation", "docstrings", "messages")
WORDS_OF_A_SENTENCE, CHARACTERS_OF_A_SENTENCE = 5, 40
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
SECTIONS = re.compile(r"    |\s*(Args|Parameters|Returns|Raises|Attributes|:param|\.\.|-+|>>>)")
DIRECTIVES = re.compile(r"#\s*(type:|noqa|ruff:|cython:|pragma|!|distutils|fmt:|mypy:|%%)")
CODE_IN_TEXT = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|PRAGMA|WITH|WHERE|JOIN)\b|[{}<>;=].*[{}<>;=]|\w\(.*\)\s*$|::"
)
SENTENCE_END = re.compile(
    r"(?:(?<=[.!?])|(?<=[.!?][)\"*]))\s+(?=[A-Z`*\"(\[-])"
    r"|(?<!\bvs\.)(?<!\betc\.)(?<!\bcf\.)(?:(?<=[^\s.]{2}\.)|(?<=[^\s.]{2}\.[)\"*]))\s+(?=[a-z])"
)
INLINE_TAGS = {
    "a",
    "b",
    "strong",
    "em",
    "i",
    "code",
    "kbd",
    "span",
    "abbr",
    "small",
    "output",
    "time",
    "var",
    "sub",
    "sup",
}


class Sentence(NamedTuple):
    """A sentence with its kind, its file, and the number of the line at which its paragraph begins.

    Line numbers count from 1.
    """

    kind: str
    path: Path
    line: int
    text: str


def split_sentences(text: str) -> list[str]:
    """Split a paragraph wherever a full stop, a question mark or an exclamation mark precedes a new sentence.

    A sentence may begin with a lower-case name, such as `menace`. The full stop before such a sentence must follow two
    characters that are not full stops. Therefore, initials, ellipses and common abbreviations do not end a sentence.
    """
    parts = SENTENCE_END.split(" ".join(text.split()))
    return [part.strip() for part in parts if part.strip()]


def markdown_paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line, paragraph) for each paragraph, omitting code blocks, headings, tables, pictures and quotations."""
    text = re.sub(r"(^|\n)( *)```.*?\n\2```", lambda block: "\n" * block[0].count("\n"), text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
    for found in re.finditer(r"(?:^(?!\s*$).+\n?)+", text, re.MULTILINE):
        line = text.count("\n", 0, found.start()) + 1
        for item in re.split(r"\n(?=\s*(?:[-*]|\d+\.)\s)", found[0]):
            if not item.lstrip().startswith(("|", "#", "!", ">", "<", "[![")):
                yield line, re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", item)
            line += item.count("\n") + 1


def find_in_markdown() -> Iterator[Sentence]:
    """Yield the sentences in Markdown files and in the Markdown cells of notebooks."""
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "db" / "README.md"]:
        for line, paragraph in markdown_paragraphs(path.read_text(encoding="utf-8")):
            for text in split_sentences(paragraph):
                yield Sentence("documentation", path, line, text)
    for path in sorted((ROOT / "docs").rglob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                for _, paragraph in markdown_paragraphs("".join(cell["source"])):
                    for text in split_sentences(paragraph):
                        yield Sentence("documentation", path, 1, text)


def find_docstrings(path: Path, tree: ast.Module) -> Iterator[Sentence]:
    """Yield the sentences in a module's docstrings, omitting doctests and lists of arguments."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and (docstring := ast.get_docstring(node)):
            text = re.sub(r"\n\s*>>>.*?(\n\n|\Z)", "\n\n", docstring, flags=re.DOTALL)
            for paragraph in re.split(r"\n\s*\n", text):
                if (
                    not SECTIONS.match(paragraph)
                    and "\n    " not in paragraph
                    and ":param" not in paragraph
                    and "----" not in paragraph
                ):
                    for sentence in split_sentences(paragraph):
                        yield Sentence("docstrings", path, node.body[0].lineno, sentence)


def find_comments(path: Path, source: str) -> Iterator[Sentence]:
    """Yield the sentences in a module's comments. Consecutive lines that contain only a comment form one paragraph."""
    comments = [  # (line, whether the line contains only the comment, text of the comment)
        (token.start[0], token.line.lstrip().startswith("#"), token.string.lstrip("#").strip())
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and not DIRECTIVES.match(token.string)
    ]
    paragraphs: list[tuple[int, str]] = []
    last = 0
    for line, alone, text in comments:
        if alone and line == last + 1 and paragraphs:
            paragraphs[-1] = paragraphs[-1][0], f"{paragraphs[-1][1]} {text}"
        else:
            paragraphs.append((line, text))
        last = line if alone else 0
    for line, paragraph in paragraphs:
        for sentence in split_sentences(paragraph):
            yield Sentence("docstrings", path, line, sentence)


def string_text(node: ast.expr) -> str:
    """Return the text of a string, or of an f-string with "..." for each value, or "" for any other expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return string_text(node.left) + string_text(node.right)
    return ""


def find_messages(path: Path, tree: ast.Module) -> Iterator[Sentence]:
    """Yield the sentences in a module's strings. `is_sentence` decides whether a string is prose."""
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, DOCUMENTED) and isinstance(node.body[0], ast.Expr)
    }
    inside: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)) or id(node) in documented | inside:
            continue
        inside.update(id(part) for part in ast.walk(node))
        text = string_text(node)
        if is_sentence(text):
            for sentence in split_sentences(text):
                yield Sentence("messages", path, node.lineno, sentence)


def is_sentence(text: str) -> bool:
    """Return whether a string is prose rather than SQL, code, CSS or a list of names."""
    words = re.findall(r"[A-Za-z']{2,}", text)
    return (
        len(words) >= WORDS_OF_A_SENTENCE
        and len(text) > CHARACTERS_OF_A_SENTENCE
        and not CODE_IN_TEXT.search(text)
        and sum(map(len, words)) > 0.6 * len(text)
    )


class _Text(HTMLParser):
    """A parser that collects the text of each block of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[tuple[int, str]] = [(1, "")]
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in {"script", "style"}
        if tag not in INLINE_TAGS:
            self.blocks.append((self.getpos()[0], ""))
        for name, value in attrs:
            if name in {"title", "aria-label", "alt", "placeholder"} and value:
                self.blocks.insert(-1, (self.getpos()[0], value))

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in {"script", "style"}
        if tag not in INLINE_TAGS:
            self.blocks.append((self.getpos()[0], ""))

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.blocks[-1] = self.blocks[-1][0], self.blocks[-1][1] + data


def template_branches(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, HTML) for each branch of a template.

    The first item is the whole page with the first branch of each condition; the other branches follow. Each value is
    replaced with "...". Without this separation, the texts of two branches would look like one sentence.
    """
    pages: list[list[str]] = [[""]]
    starts, open_pages = [1], [0]
    line = 1
    for part in re.split(r"(\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\})", source, flags=re.DOTALL):
        word = re.match(r"\{%-?\s*(\w+)", part)
        text = "..." if part.startswith("{{") else "" if part.startswith(("{%", "{#")) else part
        breaks = part.count("\n")
        pages[open_pages[-1]].append(text + "\n" * (breaks - text.count("\n")))
        if open_pages[-1]:
            pages[0].append("\n" * breaks)  # keeps the page's line numbers correct
        if word and word[1] in {"if", "for"}:
            open_pages.append(open_pages[-1])
        elif word and word[1] in {"else", "elif"}:
            open_pages[-1] = len(pages)
            pages.append([])
            starts.append(line)
        elif word and word[1] in {"endif", "endfor"}:
            open_pages.pop()
        line += breaks
    for start, page in zip(starts, pages, strict=True):
        yield start, "".join(page)


def find_in_templates() -> Iterator[Sentence]:
    """Yield the sentences in HTML templates, with "..." in place of each value."""
    for path in sorted((ROOT / "menace").rglob("*.html")):
        for start, html in template_branches(path.read_text(encoding="utf-8")):
            parser = _Text()
            parser.feed(html)
            for line, block in parser.blocks:
                for sentence in split_sentences(block) if is_sentence(block) else []:
                    yield Sentence("messages", path, start + line - 1, sentence)


def find_script_comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, paragraph) for the comments in a script that do not share a line with code.

    Consecutive comment lines form one paragraph.
    """
    for found in re.finditer(r"^[ \t]*(?:/\*(?s:.*?)\*/|//.*(?:\n[ \t]*//.*)*)", source, re.MULTILINE):
        text = re.sub(r"^[ \t]*(?://+|/\*+|\*(?!/))|\*/$", "", found[0], flags=re.MULTILINE)
        yield source.count("\n", 0, found.start()) + 1, text


def find_in_scripts() -> Iterator[Sentence]:
    """Yield the sentences in the comments of scripts, and the strings in scripts that read as sentences."""
    for path in sorted((ROOT / "menace").rglob("*.js")):
        source = path.read_text(encoding="utf-8")
        for number, comment in find_script_comments(source):
            for sentence in split_sentences(comment) if is_sentence(comment) else []:
                yield Sentence("docstrings", path, number, sentence)
        for number, line in enumerate(source.splitlines(), 1):
            if not re.match(r"\s*(//|/?\*)", line):
                for _, text in re.findall(r"([\"'`])((?:(?!\1).)*)\1", line):
                    if is_sentence(text):
                        yield Sentence("messages", path, number, re.sub(r"\$\{.*?\}", "...", text))


def find_in_data() -> Iterator[Sentence]:
    """Yield the sentences in TOML values and SQL comments. Consecutive comment lines form one paragraph."""
    for path in sorted(path for folder in ("menace", "db", "docs") for path in (ROOT / folder).rglob("*.toml")):
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r'"([^"\n]{41,})"', text):
            for sentence in split_sentences(found[1]) if is_sentence(found[1]) else []:
                yield Sentence("messages", path, text.count("\n", 0, found.start()) + 1, sentence)
    for path in sorted((ROOT / "db").rglob("*.sql")):
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r"--.*(?:\n\s*--.*)*", text):
            comment = re.sub(r"(^|\n)\s*--", " ", found[0])
            for sentence in split_sentences(comment):
                yield Sentence("messages", path, text.count("\n", 0, found.start()) + 1, sentence)


def find_sentences() -> Iterator[Sentence]:
    """Yield all sentences of the repository."""
    yield from find_in_markdown()
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            tree = ast.parse(source)
            yield from find_docstrings(path, tree)
            yield from find_comments(path, source)
            if folder == "menace":
                yield from find_messages(path, tree)
    yield from find_in_templates()
    yield from find_in_scripts()
    yield from find_in_data()


def find_undocumented() -> list[str]:
    """Return the public classes, functions and methods of menace that have no docstring, as `path:line name`."""
    found: list[str] = []
    for path in sorted((ROOT / "menace").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        found += [
            f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
            for owner in [tree, *classes]
            for node in owner.body
            if isinstance(node, DOCUMENTED[1:]) and not node.name.startswith("_") and not ast.get_docstring(node)
        ]
    return found
