"""The experiment `jehiel-samet`; its module `page` writes docs/reproductions/jehiel-samet.md."""
