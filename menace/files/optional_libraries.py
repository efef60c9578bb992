"""Optional libraries (extras of the distribution): checks for one, and says how to install it if it is missing.

Source: PEP 610, on `direct_url.json`, which records how a distribution was installed.
"""

from __future__ import annotations

from pathlib import Path

from menace.errors import MissingExtra

DISTRIBUTION = "matchbox-menace"


def has_extra(module: str) -> bool:
    """Return whether a module can be imported.

    >>> has_extra("json")
    True
    """
    import importlib.util  # takes 4 ms to import, and every command would

    return importlib.util.find_spec(module) is not None


def need_extra(module: str, extra: str) -> None:
    """Raise MissingExtra, with the command that installs it, unless a module can be imported.

    >>> need_extra("json", "plot")
    >>> try:
    ...     need_extra("no_such_module", "plot")
    ... except MissingExtra as error:
    ...     print(str(error).split(";")[0])
    this needs no_such_module, which is not installed
    """
    if not has_extra(module):
        raise MissingExtra(f"this needs {module}, which is not installed; {_how_to_install(extra)}")


def _how_to_install(extra: str) -> str:
    """Return how to install an extra, by how menace was installed: from a folder, or from an index or a wheel."""
    folder, editable = _installed_from()
    if folder is None:
        return f'type: pip install "{DISTRIBUTION}[{extra}]"'
    return f'in the folder {folder}, type: pip install {"-e " if editable else ""}".[{extra}]"'


def _installed_from() -> tuple[Path | None, bool]:
    """Return the folder that menace was installed from, None for an index or a wheel; and whether it is editable."""
    import json  # these take longer to load than most commands run
    from importlib.metadata import distributions
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    installed = list(distributions(name=DISTRIBUTION))
    if not installed:  # it runs from where it was unpacked
        return Path(__file__).parents[2], True
    # Beside the sources there may be a distribution without it.
    texts = (distribution.read_text("direct_url.json") for distribution in installed)
    direct_url = json.loads(next(filter(None, texts), "{}"))
    if "dir_info" not in direct_url:
        return None, False
    return Path(url2pathname(urlsplit(direct_url["url"]).path)), bool(direct_url["dir_info"].get("editable"))
