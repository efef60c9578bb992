"""The experiment `q-table`; its module `page` writes docs/reproductions/q-table.md."""
