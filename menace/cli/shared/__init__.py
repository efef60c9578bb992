"""Code that several commands share: options, terminal output, tab completion and prompts.

It imports `menace.analysis` and the folders above it, but no command. Start reading at options.py.
"""
