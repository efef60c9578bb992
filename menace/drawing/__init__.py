"""Layout of boards and the game graph, as shapes and coordinates, and as SVG: positions, routes of moves, colours."""
