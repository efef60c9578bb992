"""Where games are played and measured, in memory."""
