"""Published experiments, one folder for each; reproduce.py runs the function `reproduce(folder)` in each page.py."""
