"""The experiment `wos`; its module `page` writes docs/reproductions/wos.md."""
