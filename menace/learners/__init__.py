"""Who plays, in memory."""
