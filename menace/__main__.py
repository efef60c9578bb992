"""`python -m menace` is the command `menace`."""

from menace.cli import main

main()
