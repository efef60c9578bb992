"""Programs that look for faults by interrupting commands, damaging files, sending hostile input and changing code."""
