"""The game graph arranged: where boards stand, how moves run between them, and what colours say. Nothing is drawn."""
