"""The experiment `teachers`; its module `page` writes docs/reproductions/teachers.md."""
