"""Lets ``python -m puzzle_service.cli`` be the program too."""

from puzzle_service.cli import main

main()
