"""The experiment `tournaments`; its module `page` writes docs/reproductions/tournaments.md."""
