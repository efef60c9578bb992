"""tools/lowest_versions.py: each library that users have, constrained to the lowest version that setup.cfg allows."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import lowest_versions


def test_each_bound_is_a_constraint(tmp_path: Path) -> None:
    setup = tmp_path / "setup.cfg"
    extras = "".join(f"{extra} =\n    {extra}-library[x]>=1.2,<2\n" for extra in lowest_versions.EXTRAS)
    setup.write_text(f"[options]\ninstall_requires =\n    click>=8.3\n[options.extras_require]\n{extras}")
    wanted = ["click==8.3", *(f"{extra}-library==1.2" for extra in sorted(lowest_versions.EXTRAS))]
    assert lowest_versions.constraints(setup) == wanted


def test_ours_all_have_one() -> None:
    names = {line.partition("==")[0] for line in lowest_versions.constraints()}
    assert {"click", "numpy", "matplotlib", "reportlab", "datasette", "pandas", "dask", "gymnasium"} <= names
