"""Loads the whole kernel, compiling what is not in the cache yet: no function may be compiled twice.

Run by ``make kernel``, which meets an empty cache in a fresh clone; the tests take away a few functions from
a full one, as to compile them all takes half a minute.
"""

import importlib
import sys


def compilations() -> dict[str, int]:
    """Return for how many signatures each function was compiled in this process; 0 for what was loaded."""
    return {
        f"{module}.{name}": len(thing.signatures)
        for module, loaded in list(sys.modules.items())
        if module.startswith("dama.kernel.")
        for name, thing in vars(loaded).items()
        if hasattr(thing, "signatures")
    }


if __name__ == "__main__":
    importlib.import_module("dama.kernel.play")
    twice = sorted(name for name, times in compilations().items() if times > 1)
    sys.exit(f"compiled for more than one signature: {', '.join(twice)}" if twice else 0)
