"""The experiment fate: `page` writes docs/reproductions/fate.md."""
