"""The experiment sutton-barto: `page` writes docs/reproductions/sutton-barto.md."""
