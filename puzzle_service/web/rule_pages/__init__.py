"""What the pages about the rules say and show, by the board a game is played on."""
