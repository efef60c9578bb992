"""Programs that look for faults: they interrupt commands, damage files, send hostile input and change the code."""
