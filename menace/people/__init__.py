"""Games with people, at a screen or at real matchboxes."""
