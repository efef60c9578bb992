"""Where `menace` and `python -m menace` begin: Ctrl-C is heard from here on, while everything else is still loaded."""

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
IMPORTING = "<frozen importlib"  # how the files of Python's import system are called


def main() -> None:
    """Run the command line; Ctrl-C ends it with one line, whatever it is about to load.

    Whoever starts it with Ctrl-C ignored, as shells start what runs in the background, has it ignored.
    """
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupt)
            sys.unraisablehook = _not_raised
        # sqlite_utils loads pandas where there is one, which takes longer than a command; no command needs it.
        sys.modules.setdefault("pandas", None)  # type: ignore[arg-type]
        from menace.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        leave()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is Python's own end


def interrupt(number: int, frame: FrameType | None) -> None:
    """Answer Ctrl-C: raise KeyboardInterrupt; but leave at once while a module is loaded.

    Modules that are interrupted half-way print tracebacks of their own, or take it for another error. What is committed
    stays, and nothing is written in parts, so that leaving is safe at any moment.
    """
    inner = frame
    while inner is not None:
        if inner.f_code.co_filename.startswith(IMPORTING):
            leave()
        inner = inner.f_back
    signal.default_int_handler(number, frame)


def leave() -> NoReturn:
    """Say in a line that the command was interrupted, and leave without another step."""
    try:
        os.write(2, b"\nmenace: interrupted\n" if os.isatty(2) else b"menace: interrupted\n")
    finally:  # also where standard error is closed
        os._exit(INTERRUPTED)


def _not_raised(what: sys.UnraisableHookArgs) -> None:
    """Hear a Ctrl-C that came where Python cannot raise it, such as in the end of an object's life."""
    if what.exc_type is KeyboardInterrupt:
        leave()
    sys.__unraisablehook__(what)


if __name__ == "__main__":
    main()
