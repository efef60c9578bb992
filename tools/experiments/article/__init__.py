"""The experiment article: `page` writes docs/reproductions/article.md."""
