"""Draw random sentences, mixed with those of other libraries, for a reader who knows nothing about the project.

    python tools/docs/sample_sentences.py SEED OUT.txt KEY.txt [--each 60] [--others 25] [--functions N]

The file OUT contains the sentences, shuffled and numbered. There are `--each` sentences of each kind: documentation,
docstrings with comments, and messages. There are also `--others` docstring sentences from each of python-chess,
sqlite-utils, Datasette, networkx and Axelrod, if installed (`pip install chess networkx axelrod`). The file KEY lists
the origin of each sentence. With `--functions N`, the program instead writes the signatures of N functions of menace,
so that a reader can guess what they do.
"""

import argparse
import ast
import importlib.util
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from docs.prose import KINDS, ROOT, find_docstrings, find_sentences

LENGTHS = range(41, 400)  # characters
OTHERS = ("chess", "sqlite_utils", "datasette", "networkx", "axelrod")


def sentences_of_library(name: str) -> list[tuple[str, str]]:
    """Return (file, sentence) for each sentence in a library's docstrings; empty if the library is missing."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        print(f"{name} is not installed", file=sys.stderr)
        return []
    found = []
    for path in sorted(Path(spec.submodule_search_locations[0]).rglob("*.py")):
        if "test" not in path.name:
            found += [(path.name, sentence.text) for sentence in find_docstrings(path, ast.parse(path.read_text()))]
    return found


def find_signatures() -> list[tuple[str, str]]:
    """Return (place, signature) for every function of menace whose name does not begin with two underscores."""
    found = []
    for path in sorted((ROOT / "menace").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
                result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                found.append((place, f"{node.name}({ast.unparse(node.args)}){result}"))
    return found


def main() -> None:
    """Write the sample and its key."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("out", type=Path)
    parser.add_argument("key", type=Path)
    parser.add_argument("--each", type=int, default=60)
    parser.add_argument("--others", type=int, default=25)
    parser.add_argument("--functions", type=int, help="write the signatures of this many functions instead")
    given = parser.parse_args()
    generator = random.Random(given.seed)  # noqa: S311 - the sample is repeatable
    rows: list[tuple[str, str, str]] = []  # kind, place, text
    if given.functions:
        rows = [("function", *row) for row in generator.sample(find_signatures(), given.functions)]
    else:
        ours = [item for item in find_sentences() if len(item.text) in LENGTHS]
        for kind in KINDS:
            pool = {item.text: f"{item.path.relative_to(ROOT)}:{item.line}" for item in ours if item.kind == kind}
            chosen = generator.sample(sorted(pool), min(given.each, len(pool)))
            rows += [(kind, pool[text], text) for text in chosen]
        for name in OTHERS:
            pool = {text: place for place, text in sentences_of_library(name) if len(text) in LENGTHS}
            chosen = generator.sample(sorted(pool), min(given.others, len(pool)))
            rows += [(name, pool[text], text) for text in chosen]
        generator.shuffle(rows)
    given.out.write_text(
        "".join(f"{number}. {text}\n" for number, (_, _, text) in enumerate(rows, 1)), encoding="utf-8"
    )
    given.key.write_text("".join(f"{number} {kind} {place}\n" for number, (kind, place, _) in enumerate(rows, 1)))


if __name__ == "__main__":
    main()
