"""The commands, a few related ones in each file: parse, call one function, print.

They import `menace.cli.shared`, and the rest of menace only when a command runs. Start with show.py.
"""
