"""The SQL files of menace: schema.sql, study.sql, views.sql and queries/*.sql. README.md explains every column."""
