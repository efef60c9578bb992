"""Prepare data and HTML that several pages use: boards, curves, records and settings.

This folder imports `menace.explorer.server` and `menace.analysis`, but it does not import the pages. Start with
board_inputs.py.
"""
