"""What Python and notebooks are handed: a database whose methods are the commands."""
