"""Check for optional libraries and explain how to install missing libraries as extras of the distribution.

Source: PEP 610 describes `direct_url.json`, which records how a distribution was installed.
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
    import importlib.util  # imported here; otherwise, every command would start 4 ms later

    return importlib.util.find_spec(module) is not None


def need_extra(module: str, extra: str) -> None:
    """Raise MissingExtra unless a module can be imported.

    Args:
        module: the module's name.
        extra: the extra that installs the module, for the error message.

    >>> need_extra("json", "plot")
    >>> try:
    ...     need_extra("no_such_module", "plot")
    ... except MissingExtra as error:
    ...     print(str(error).split(";")[0])
    this feature needs no_such_module, which is not installed
    """
    if not has_extra(module):
        raise MissingExtra(f"this feature needs {module}, which is not installed; {_how_to_install(extra)}")


def _how_to_install(extra: str) -> str:
    """Return instructions for installing an extra, depending on whether menace was installed from a folder."""
    folder, editable = _installed_from()
    if folder is None:
        return f'type: pip install "{DISTRIBUTION}[{extra}]"'
    return f'in the folder {folder}, type: pip install {"-e " if editable else ""}".[{extra}]"'


def _installed_from() -> tuple[Path | None, bool]:
    """Return the folder that menace was installed from, or None, and whether the installation is editable."""
    import json  # imported here because these imports take longer than most commands
    from importlib.metadata import distributions
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    installed = list(distributions(name=DISTRIBUTION))
    if not installed:  # menace is run from an unpacked archive
        return Path(__file__).parents[2], True
    # The source folder may contain a second distribution that has no direct_url.json.
    texts = (distribution.read_text("direct_url.json") for distribution in installed)
    direct_url = json.loads(next(filter(None, texts), "{}"))
    if "dir_info" not in direct_url:
        return None, False
    return Path(url2pathname(urlsplit(direct_url["url"]).path)), bool(direct_url["dir_info"].get("editable"))
