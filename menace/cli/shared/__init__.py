"""What several commands share: options, output to the terminal, tab completion, prompts and boards as text.

It imports `menace.analysis` and what comes before it, but no command. Start with options.py.
"""
