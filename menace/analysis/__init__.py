"""Analysis of machines: their boxes, the history of these, and how strong the machines are."""
