"""The experiment symmetry: `page` writes docs/reproductions/symmetry.md."""
