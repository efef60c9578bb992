"""Words for people: plurals and percentages, narration of games, and names of beads and squares.

It imports only `menace.errors`. Start with wording.py; narration.toml contains the sentences that Python and the
scripts of web pages share.
"""
