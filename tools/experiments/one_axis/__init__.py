"""The experiment one-axis: `page` writes docs/reproductions/one-axis.md."""
