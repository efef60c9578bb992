"""Print pip constraints that pin each requirement in setup.cfg to its lowest version.

    pip install --constraint <(tools/release/lowest_versions.py) '.[web,plot]'

A CI workflow runs the tests with these versions, to check that the lower bounds are correct.
"""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

from packaging.requirements import Requirement

SETUP = Path(__file__).resolve().parents[2] / "setup.cfg"
EXTRAS = ("notebook", "plot", "print", "web", "study", "rl")  # the extras that are meant for users


def constraints(setup: Path = SETUP) -> list[str]:
    """Return a sorted list of constraints, such as `numpy==1.26`, one for each requirement that has a lower bound.

    Args:
        setup: The parsed setup.cfg, with install_requires and EXTRAS.
    """
    config = ConfigParser()
    config.read(setup, encoding="utf-8")
    lines = config["options"]["install_requires"].splitlines()
    lines += [line for extra in EXTRAS for line in config["options.extras_require"][extra].splitlines()]
    return sorted(filter(None, map(_constraint, set(lines))))


def _constraint(line: str) -> str:
    if not line.strip():
        return ""
    requirement = Requirement(line)
    lowest = next(bound.version for bound in requirement.specifier if bound.operator == ">=")
    return f"{requirement.name}=={lowest}" + (f"; {requirement.marker}" if requirement.marker else "")


if __name__ == "__main__":
    print("\n".join(constraints()))
