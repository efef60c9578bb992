"""Define the commands, with related commands in the same file. Each command calls one function and prints the result.

These modules import the other files of `menace.cli`, but they import the rest of menace only when a command runs. Start
with show.py.
"""
