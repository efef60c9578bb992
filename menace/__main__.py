"""Entry point of `menace` and `python -m menace`: handles Ctrl-C before anything else is imported."""

from __future__ import annotations

try:
    import os
    import signal
    import sys
except KeyboardInterrupt:
    raise SystemExit(130) from None

TYPE_CHECKING = False  # as in typing, which takes longer to load than all that is needed here
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130  # 128 and the number of SIGINT, as shells have it
IMPORTING = "<frozen importlib"  # how the file names of Python's import system begin


def main() -> None:
    """Run the command line; Ctrl-C ends it with one line, whatever it is about to load.

    If it was started with Ctrl-C ignored, as shells start background jobs, Ctrl-C stays ignored.
    """
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupt)
            sys.unraisablehook = _unraisable_hook
        from menace.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        leave()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is Python's own end


def interrupt(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C: raise KeyboardInterrupt, or exit at once while a module is being imported.

    Modules that are interrupted half-way print tracebacks of their own, or take it for another error. What is committed
    stays, and nothing is written in parts, so exiting is safe at any moment.
    """
    inner = frame
    while inner is not None:
        if inner.f_code.co_filename.startswith(IMPORTING):
            leave()
        inner = inner.f_back
    signal.default_int_handler(number, frame)


def leave() -> NoReturn:
    """Print one line saying that the command was interrupted, and exit immediately."""
    try:
        os.write(2, b"\nmenace: interrupted\n" if os.isatty(2) else b"menace: interrupted\n")
    finally:  # also where standard error is closed
        os._exit(INTERRUPTED)


def _unraisable_hook(unraisable: sys.UnraisableHookArgs) -> None:
    """Handle a Ctrl-C that arrives where Python cannot raise it, such as in an object's finalizer."""
    if unraisable.exc_type is KeyboardInterrupt:
        leave()
    sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    main()
