"""The experiment hexapawn: `page` writes docs/reproductions/hexapawn.md."""
