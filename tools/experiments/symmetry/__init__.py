"""The experiment `symmetry`; its module `page` writes docs/reproductions/symmetry.md."""
