"""Programs that generate and check pages and pictures of the documentation, mostly from the output of commands."""
