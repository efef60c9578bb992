"""Figures of learners and games, drawn with matplotlib. Importing this raises MissingExtra if it is not installed."""

from menace.extras import need_extra

need_extra("matplotlib", "plot")
