"""The experiment `fate`; its module `page` writes docs/reproductions/fate.md."""
