"""Prepare data and HTML that several pages use, and manage the games and training jobs that pages run on the server.

The modules in this folder import `menace.explorer.server`, `menace.people` and `menace.ledger`, but no page.
Read board_inputs.py or sessions.py first; sessions.py manages the games and jobs for each file.
"""
