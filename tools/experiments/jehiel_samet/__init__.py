"""The experiment jehiel-samet; `page` writes docs/reproductions/jehiel-samet.md."""
