"""Entry point for `menace` and `python -m menace` that handles Ctrl-C before importing anything else."""

from __future__ import annotations

try:
    import os
    import signal
    import sys
except KeyboardInterrupt:
    raise SystemExit(130) from None

TYPE_CHECKING = False  # importing typing takes longer than all other imports in this module
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130  # the exit status that shells use for SIGINT: 128 plus the signal's number
IMPORTING = "<frozen importlib"  # prefix of the file names that tracebacks show for Python's import machinery


def main() -> None:
    """Run the command line. If Ctrl-C is pressed, even during an import, print one line and exit.

    Ctrl-C stays ignored if it was ignored when the process started, as it is for background jobs in some shells.
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
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # only Python's own shutdown remains


def interrupt(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C by raising KeyboardInterrupt, or by exiting at once if a module is being imported.

    A module whose import is interrupted may print a traceback or mistake the interruption for another error. Committed
    data is kept and no file is ever partially written, so it is safe to exit at any moment.

    Args:
        number: the signal's number.
        frame: the frame that was running when the signal arrived.
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
    finally:  # exit even if standard error is closed
        os._exit(INTERRUPTED)


def _unraisable_hook(unraisable: sys.UnraisableHookArgs) -> None:
    """Handle a Ctrl-C that arrives where Python cannot raise an exception, such as in a finalizer."""
    if unraisable.exc_type is KeyboardInterrupt:
        leave()
    sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    main()
