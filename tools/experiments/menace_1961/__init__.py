"""The experiment menace-1961: `page` writes docs/reproductions/menace-1961.md."""
