"""Studies: many machines of a grid of settings, opponents and seeds, and their exact strength at marks."""
