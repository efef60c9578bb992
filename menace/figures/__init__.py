"""Figures of what the database says. Whoever imports one is told what to install where matplotlib is missing."""

from menace.extras import need_extra

need_extra("matplotlib", "plot")
