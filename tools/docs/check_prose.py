"""Check that no sentence in the repository contains a word in `WORDS` or has more than 40 words.

    python tools/docs/check_prose.py [--long] [--undocumented]

The program prints each offence as `path:line: reason: sentence`, and exits with 1 if it finds an offence. The program
also counts the sentences of more than 25 words; `--long` prints them. `--undocumented` prints the public names of
menace that have no docstring. Quotations (text in quotation marks or after `>`) are not checked, because their wording
must not change.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from docs.prose import ROOT, Sentence, find_sentences, find_undocumented

LONG, MAX_WORDS = 25, 40  # words
WORDS = {  # the replacements that docs/development/style.md recommends
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


def replace_quotations(text: str) -> str:
    """Replace each piece of `code`, each "quotation" and each link address in a sentence with a single word."""
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”", "x", text)


def find_offence(text: str) -> str | None:
    """Return the reason why a sentence must change, or None if it need not change."""
    plain = replace_quotations(text)
    if found := FORBIDDEN.search(plain):
        instead = next(advice for pattern, advice in WORDS.items() if re.fullmatch(pattern, found[0], re.IGNORECASE))
        return f"'{found[0]}' ({instead})"
    if (words := count_words(text)) > MAX_WORDS:
        return f"{words} words"
    return None


def count_words(text: str) -> int:
    """Return the number of words in a sentence. A quotation or a piece of code counts as one word."""
    return sum(any(map(str.isalnum, word)) for word in replace_quotations(text).split())


def print_offence(sentence: Sentence, reason: str) -> None:
    """Print a sentence, its location and the reason why it must change."""
    print(f"{sentence.path.relative_to(ROOT)}:{sentence.line}: {reason}: {sentence.text}")


def main() -> int:
    """Check all sentences, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help=f"also print the sentences of more than {LONG} words")
    parser.add_argument("--undocumented", action="store_true", help="also print the public names without a docstring")
    given = parser.parse_args()
    sentences = list(find_sentences())
    offences = [(sentence, reason) for sentence in sentences if (reason := find_offence(sentence.text))]
    long = [sentence for sentence in sentences if LONG < count_words(sentence.text) <= MAX_WORDS]
    undocumented = find_undocumented()
    for sentence, reason in offences:
        print_offence(sentence, reason)
    for sentence in long if given.long else []:
        print_offence(sentence, f"{count_words(sentence.text)} words")
    for name in undocumented if given.undocumented else []:
        print(f"{name}: no docstring")
    print(f"{len(sentences):,} sentences: {len(offences)} to correct, {len(long)} of more than {LONG} words")
    print(f"{len(undocumented)} public names of menace without a docstring")
    return bool(offences)


if __name__ == "__main__":
    sys.exit(main())
