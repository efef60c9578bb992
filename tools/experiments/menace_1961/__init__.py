"""The experiment `menace-1961`; its module `page` writes docs/reproductions/menace-1961.md."""
