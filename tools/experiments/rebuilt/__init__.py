"""The experiment rebuilt: `page` writes docs/reproductions/rebuilt.md."""
