"""The experiment laslier-walliser; `page` writes docs/reproductions/laslier-walliser.md."""
