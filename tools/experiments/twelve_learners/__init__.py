"""The experiment `twelve-learners`; its module `page` writes docs/reproductions/twelve-learners.md."""
