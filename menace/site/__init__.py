"""The explorer as static files: pages that need no server, on which a machine draws and learns in the browser.

`tables.py` and `machines.py` write what the scripts in static/ play by; `pages.py` writes the pages.
"""
