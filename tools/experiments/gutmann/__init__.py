"""The experiment `gutmann`; its module `page` writes docs/reproductions/gutmann.md."""
