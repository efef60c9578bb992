"""Data and HTML for several pages: boards, curves, records and settings.

This folder imports `menace.explorer.server` and `menace.analysis`, but no page. Start with board_inputs.py.
"""
