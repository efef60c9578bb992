"""The SQL that ships with menace: schema.sql, views.sql and queries/*.sql. README.md explains every column."""
