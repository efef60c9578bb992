"""The experiment `rebuilt`; its module `page` writes docs/reproductions/rebuilt.md."""
