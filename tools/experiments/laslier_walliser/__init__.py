"""The experiment `laslier-walliser`; its module `page` writes docs/reproductions/laslier-walliser.md."""
