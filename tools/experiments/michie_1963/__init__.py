"""The experiment michie-1963: `page` writes docs/reproductions/michie-1963.md."""
