"""The experiment q-table: `page` writes docs/reproductions/q-table.md."""
