"""The experiment `hexapawn`; its module `page` writes docs/reproductions/hexapawn.md."""
