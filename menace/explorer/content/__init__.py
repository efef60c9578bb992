"""Data and HTML that several pages show: boards, curves, records and settings.

It imports `menace.explorer.server` and `menace.analysis`, but no page. Start with board_inputs.py.
"""
