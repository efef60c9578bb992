"""Figures of what the database says. Nothing of matplotlib is loaded before one is drawn."""
