"""The Python and notebook API: a database and its learners, with the commands as methods."""
