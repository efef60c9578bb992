"""Published experiments: a module each, with a function `reproduce(folder)`. reproduce.py runs them."""
