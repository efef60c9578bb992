"""What is written down and never lost; the only room that speaks SQL."""
