"""The pages of the explorer, one file for each page, and the table of all routes.

They import the other folders of the explorer, and not each other's handlers. Start with graph.py, which is short;
routes.py lists the pages.
"""
