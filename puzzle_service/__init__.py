"""The daily-puzzle site."""
