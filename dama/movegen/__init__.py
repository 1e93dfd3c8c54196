"""The normative rules of movement, in plain Python.

Which way pieces go depends on the board: ``orthogonal`` and ``diagonal`` say so. The rest is the same on
both, read in this order: ``gait``, where a piece steps and what it jumps; ``series``, how jumps follow one
another; ``priorities``, which captures go before others; ``moves``, the legal moves of a position.
"""
