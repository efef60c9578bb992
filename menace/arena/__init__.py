"""Playing games and measuring strength, in memory."""
