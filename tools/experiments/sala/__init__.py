"""The experiment `sala`; its module `page` writes docs/reproductions/sala.md."""
