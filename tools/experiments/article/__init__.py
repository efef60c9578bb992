"""The experiment `article`; its module `page` writes docs/reproductions/article.md."""
