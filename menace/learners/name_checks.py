"""Checks the names of learners and people."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from menace.errors import InvalidPlayer
from menace.learners.opponents.fixed import is_reserved
from menace.wording import counted, unused_name

NAME_MOST = 60  # characters
NAME_SIGNS = " -_."  # what a name may have besides letters, their marks, and decimal digits of any script


def check_name(name: str) -> str:
    r"""Return a learner's name in Unicode's normal form C, so that it is found however it is typed.

    Raises:
        InvalidPlayer: if it is empty or too long, has other characters than letters, digits, spaces and `-_.`, looks
            like something else, or means another player.

    >>> check_name("Adam 2.0"), check_name("e\N{COMBINING ACUTE ACCENT}va") == "\xe9va"
    ('Adam 2.0', True)
    """
    if not isinstance(name, str):
        raise InvalidPlayer(f"the name {name!r} is not a text; put it in quotes, such as 'adam'")
    name = unicodedata.normalize("NFC", name)
    wrong = [character for character in name if not _may_be_in_names(character)]
    reasons = {
        f"is empty; a name has 1 to {NAME_MOST} characters": not name,
        f"has {counted(len(name), 'character')}, and a name 1 to {NAME_MOST}; shorten it": len(name) > NAME_MOST,
        "begins or ends with a space; leave it out": name != name.strip(" "),
        f"has {''.join(wrong[:1])!r}, and a name only letters, digits, spaces, '-', '_' and '.'; leave it out": wrong,
        "begins with '-', as options do; begin it with a letter or a digit": name.startswith("-"),
        "has no letter or digit; add one": not any(map(str.isalnum, name)),
        "is a word for another kind of player; choose another": is_reserved(name),
    }
    for reason, holds in reasons.items():
        if holds:
            shown = name if len(name) <= NAME_MOST else f"{name[:NAME_MOST]}..."
            raise InvalidPlayer(f"the name {shown!r} {reason}")
    return name


def name_from(text: str, taken: Collection[str]) -> str:
    """Return a free name made of a text, such as a file's name, without what no name may have.

    >>> name_from("menace-x-120 (3)", {"menace-x-120 3"}), name_from("random", set()), name_from("()", set())
    ('menace-x-120 3-2', 'random-2', 'machine')
    """
    kept = "".join(filter(_may_be_in_names, unicodedata.normalize("NFC", text)))
    stem = kept.strip(NAME_SIGNS)[: NAME_MOST - 10].strip(" ") or "machine"
    return unused_name(stem, taken if is_name(stem) else {*taken, stem}, "-")


def _may_be_in_names(character: str) -> bool:
    """Say whether a character is a letter, a mark on one, a decimal digit, or one of the signs."""
    category = unicodedata.category(character)
    return category[0] in "LM" or category == "Nd" or character in NAME_SIGNS


def is_name(value: object) -> bool:
    """Say whether a value is a name as menace writes it.

    >>> is_name("Adam"), is_name(" Adam"), is_name(7)
    (True, False, False)
    """
    try:
        return isinstance(value, str) and check_name(value) == value
    except InvalidPlayer:
        return False
