"""The experiment sekeres: `page` writes docs/reproductions/sekeres.md."""
