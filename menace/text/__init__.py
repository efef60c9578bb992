"""Text for people: plurals and percentages, sentences about games, and names of beads and cells.

It imports only `menace.errors`. Start with wording.py; narration.toml contains the sentences that Python and the
scripts of web pages share.
"""
