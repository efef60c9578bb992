"""The experiment `sutton-barto`; its module `page` writes docs/reproductions/sutton-barto.md."""
