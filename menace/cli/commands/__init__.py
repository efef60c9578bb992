"""The commands, with related ones in one file; each parses its arguments, calls one function and prints the result.

They import `menace.cli.shared`, and import the rest of menace only when a command runs. Start reading at show.py.
"""
