"""The normative rules of movement in plain Python, one module for each kind of board."""
