"""Finds, proves and grades puzzles offline; it meets the site only in a JSON Lines file."""
