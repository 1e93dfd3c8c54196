"""Where and how the kernel is compiled: its own cache folder, and one decorator for every compiled function.

Numba does not notice when a function that a cached one calls has changed in another file. The cache folder is
therefore named after everything that decides the machine code, so that a change of any of it starts afresh.
"""

import atexit
import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import llvmlite.binding
import numba
import platformdirs
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dama.pieces import KING_WORTH, MAN_WORTH

_numba: Any = numba  # its stubs leave out what we use
_F = TypeVar("_F", bound=Callable[..., Any])

STALE_AFTER = 30 * 24 * 3600.0
"""Seconds without use after which the folder of another version of the kernel is removed."""

u8 = types.uint64
i8 = types.int64
work_array = types.Array(types.uint64, 1, "C")
work_pointer = cast("Any", types).CPointer(types.uint64)


def fingerprint() -> str:
    """Name everything that decides the machine code: the sources, Numba, LLVM and the processor."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    processor = llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()
    # The worths are the only numbers from outside this folder that are compiled in.
    numbers = MAN_WORTH, KING_WORTH
    digest.update(repr((numba.__version__, llvmlite.__version__, processor, numbers)).encode())
    return digest.hexdigest()[:20]


def _is_private(folder: Path) -> bool:
    # Compiled code is unpickled from the folder: one that somebody else can write to must never be used.
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _usable(base: Path, name: str) -> Path | None:
    folder = base / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)
    except OSError:
        return None
    return folder


def _temporary(name: str) -> Path:
    if hasattr(os, "getuid"):
        base = Path(tempfile.gettempdir()) / f"dama-kernel-{os.getuid()}"
        with contextlib.suppress(OSError):
            base.mkdir(mode=0o700, exist_ok=True)
            folder = _usable(base, name) if _is_private(base) else None
            if folder is not None:
                return folder
    folder = Path(tempfile.mkdtemp(prefix="dama-kernel-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def cache_folder() -> Path:
    """Return the folder for compiled code, created when missing, in the user's cache or a temporary place."""
    name = fingerprint()
    try:
        base = Path(platformdirs.user_cache_dir("dama", appauthor=False)) / "kernel"
    except RuntimeError:  # a user without a home, as in many containers
        return _temporary(name)
    folder = _usable(base, name)
    if folder is None:
        return _temporary(name)
    for sibling in base.iterdir():
        with contextlib.suppress(OSError):  # another process may be removing the same one
            if sibling != folder and sibling.stat().st_mtime < time.time() - STALE_AFTER:
                shutil.rmtree(sibling)
    return folder


_folder = str(cache_folder())
_exported: list[Any] = []
"""What was compiled to be called by its address, which holds as long as this does."""
_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def compiled(signature: Any, *, entry: bool = False) -> Callable[[_F], _F]:
    """Compile a function for one signature at once, or load it from the kernel's cache folder.

    For what Python calls (an ``entry``) and for what calls itself: without a signature Numba would have to
    guess the types of a recursion.
    """
    jit: Any = _numba.njit(signature, cache=True, no_cpython_wrapper=not entry, **_OPTIONS)

    def decorate(function: _F) -> _F:
        return cast("_F", _kept(lambda: jit(function)))

    return decorate


def _kept(compile_it: Callable[[], Any]) -> Any:
    """Compile something that keeps its code in the kernel's cache folder."""
    previous = _numba.config.CACHE_DIR
    _numba.config.CACHE_DIR = _folder
    try:
        return compile_it()
    finally:  # other users of Numba in this process keep their own folder
        _numba.config.CACHE_DIR = previous


def part(function: _F) -> _F:
    """Compile a function with the first compiled function that calls it, for the types it is called with.

    A cached caller holds the code of all its parts, so that only what Python calls is loaded at the start.
    """
    return cast("_F", _numba.njit(no_cpython_wrapper=True, **_OPTIONS)(function))


def exported(signature: Any) -> Callable[[_F], _F]:
    """Compile a function of plain numbers and pointers once, for compiled functions to call it as they stand.

    Nothing of it is copied into its callers, which ``part`` does; so it is for what is long and seldom used.
    """

    def decorate(function: _F) -> _F:
        name = f"{function.__module__}.{function.__name__}"
        callback = _kept(lambda: _numba.cfunc(signature, cache=True, error_model="numpy")(function))
        _exported.append(callback)
        llvmlite.binding.add_symbol(name, callback.address)
        return cast("_F", types.ExternalFunction(name, signature))

    return decorate


def inlined(function: _F) -> _F:
    """Do as ``part`` does, and put the code in the place of every call."""
    return cast("_F", _numba.njit(no_cpython_wrapper=True, forceinline=True, **_OPTIONS)(function))


@intrinsic
def _pointer_to(_context: Any, work: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        proxy = cast("Any", cgutils).create_struct_proxy(signature.args[0])
        return proxy(context, builder, arguments[0]).data

    return work_pointer(work), emit


pointer_to = cast("Callable[[Any], Any]", _pointer_to)
"""Returns where an array stands, for ``exported`` functions; it counts no references."""

array_at = cast("Callable[[Any, Any], Any]", _numba.carray)
"""Returns an array of so many numbers that stand there."""
