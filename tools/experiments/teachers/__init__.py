"""The experiment teachers: `page` writes docs/reproductions/teachers.md."""
