"""The experiment wos: `page` writes docs/reproductions/wos.md."""
