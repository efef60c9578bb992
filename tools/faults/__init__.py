"""Programs that interrupt commands, damage files, send hostile input and change the code, to see what breaks."""
