"""Programs that write pages and pictures of the documentation from what commands print and draw."""
