"""A machine looked at: its boxes, how they came to be, how strong it is."""
