"""The experiment `one-axis`; its module `page` writes docs/reproductions/one-axis.md."""
