"""Published experiments: a module each, with a function `reproduce(folder)`. tools/reproduce.py runs them."""
