"""Published experiments, a folder each; reproduce.py runs the function `reproduce(folder)` of each page.py."""
