"""The experiment gutmann: `page` writes docs/reproductions/gutmann.md."""
