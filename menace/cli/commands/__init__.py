"""Define the commands, with related commands in the same file. Each command calls one function and prints the result.

These modules may import the other files of `menace.cli` at the top, but import the rest of menace only when a command
runs. Start with show.py.
"""
