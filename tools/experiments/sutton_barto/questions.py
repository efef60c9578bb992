"""Shortened questions from the exercises in Sutton and Barto's first chapter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from experiments.page import Page

EXERCISES = {
    "1.1": ("Self-play", "Would the program learn a different policy if both sides learned from self-play?"),
    "1.2": ("Symmetries", "How could the program use symmetries, and should it do so if its opponent does not?"),
    "1.3": ("Greedy play", "Might a player that never explores learn to play better, or worse?"),
    "1.4": ("Learning from exploration", "Which two sets of probabilities are learned, and which set wins more games?"),
    "1.5": ("Other improvements", "Are there better ways to solve the problem?"),
}


def mean_percent(values: NDArray[np.float64]) -> str:
    """Return the mean of several shares as a percentage."""
    return f"{100 * values.mean():.1f} %"


def open_exercise(page: Page, number: str) -> None:
    """Add the heading and the shortened question for an exercise."""
    title, question = EXERCISES[number]
    page.heading(f"{number} {title}")
    page.text(f"*{question}*")
