"""Data and HTML for several pages: boards, curves, records and settings.

It imports `menace.explorer.server` and `menace.analysis`, but not the pages. Start with board_inputs.py.
"""
