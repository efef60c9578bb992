"""Check every sentence of the repository: no word of `WORDS`, and at most 40 words.

    python tools/docs/check_prose.py [--long] [--undocumented]

It prints each offence as `path:line: reason: sentence` and ends with exit 1 if there is one. It counts the sentences
of more than 25 words; `--long` prints them. `--undocumented` prints the public names of menace without a docstring.
Quotations, in quotation marks or after `>`, are not checked, because they stay as their authors wrote them.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from docs.prose import ROOT, Sentence, find_sentences, find_undocumented

LONG, TOO_LONG = 25, 40  # words
WORDS = {  # what docs/development/style.md asks for instead
    r"whoever": "anyone who, whichever player",
    r"whom": "rewrite the sentence",
    r"reckon(s|ed|ing)?": "compute, count",
    r"told of": "informed about, given",
    r"has not (a|an|any|the|such)\b": "does not have, lacks",
    r"(could|can) not be had|cannot be had": "is unavailable",
    r"of today(?!'s)": "current, present",
    r"some (ten|twenty|thirty|fifty|hundred|thousand)": "about ten",
    r"by a hair|a hair's breadth": "slightly",
    r"meanwhile": "while ...",
    r"likewise": "also",
    r"thereby": "rewrite the sentence",
    r"each for (itself|himself)": "separately",
    r"best repl(y|ies)|worst[- ]case": "best response",
    r"anew": "again",
    r"henceforth|hitherto|whereof|thereof|therein|wherein": "today's words",
    r"to be had": "available",
    r"lest": "so that ... not",
}
FORBIDDEN = re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in WORDS), re.IGNORECASE)


def without_quotations(text: str) -> str:
    """Return a sentence with `code`, "quotations" and the addresses of links replaced by one word each."""
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”", "x", text)


def offence_in(text: str) -> str | None:
    """Return what is wrong with a sentence, or None."""
    plain = without_quotations(text)
    if found := FORBIDDEN.search(plain):
        instead = next(advice for pattern, advice in WORDS.items() if re.fullmatch(pattern, found[0], re.IGNORECASE))
        return f"'{found[0]}' ({instead})"
    if (words := count_words(text)) > TOO_LONG:
        return f"{words} words"
    return None


def count_words(text: str) -> int:
    """Return the number of words of a sentence; a quotation or a piece of code is one word."""
    return sum(any(map(str.isalnum, word)) for word in without_quotations(text).split())


def show(sentence: Sentence, reason: str) -> None:
    """Print a sentence with its place and the reason why it should change."""
    print(f"{sentence.path.relative_to(ROOT)}:{sentence.line}: {reason}: {sentence.text}")


def main() -> int:
    """Check all sentences, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help=f"print the sentences of more than {LONG} words, too")
    parser.add_argument("--undocumented", action="store_true", help="print the public names without a docstring, too")
    given = parser.parse_args()
    sentences = list(find_sentences())
    offences = [(sentence, reason) for sentence in sentences if (reason := offence_in(sentence.text))]
    long = [sentence for sentence in sentences if LONG < count_words(sentence.text) <= TOO_LONG]
    undocumented = find_undocumented()
    for sentence, reason in offences:
        show(sentence, reason)
    for sentence in long if given.long else []:
        show(sentence, f"{count_words(sentence.text)} words")
    for name in undocumented if given.undocumented else []:
        print(f"{name}: no docstring")
    print(f"{len(sentences):,} sentences: {len(offences)} to correct, {len(long)} of more than {LONG} words")
    print(f"{len(undocumented)} public names of menace without a docstring")
    return bool(offences)


if __name__ == "__main__":
    sys.exit(main())
