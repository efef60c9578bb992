"""The experiment sala: `page` writes docs/reproductions/sala.md."""
