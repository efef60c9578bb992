"""The experiment tournaments; `page` writes docs/reproductions/tournaments.md."""
