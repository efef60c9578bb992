"""The experiment `michie-1963`; its module `page` writes docs/reproductions/michie-1963.md."""
