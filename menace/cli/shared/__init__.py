"""Share code between commands: options, terminal output, tab completion and prompts.

This folder imports `menace.analysis` and folders that `menace.analysis` may import, but it does not import any command.
Start with options.py.
"""
