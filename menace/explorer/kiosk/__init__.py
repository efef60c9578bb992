"""Show one machine in a museum: visitors play it on a touch screen, and it learns from their games alone.

This folder imports the explorer's other folders except pages/. Start with exhibit.py, which contains the machine and
the game in progress. server.py answers the page, which reaches nothing else.
"""
