"""The experiment `sekeres`; its module `page` writes docs/reproductions/sekeres.md."""
