"""Published experiments, each in its own folder.

reproduce.py calls the function `reproduce(folder)` in the module `page` of each experiment.
"""
