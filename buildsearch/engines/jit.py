"""How functions are compiled, and the one place that touches private parts of numba.

A kernel is compiled code that Python calls: `@njit(cache=True, nogil=True)`, numba's documented form. A step
is compiled code that only kernels call: `@step`. numba would give each step machine code and wrappers of its
own, and then compile the same code again inside each kernel. A step skips the first part, so compiling takes
a third less time. Results are the same bits: the kernel is optimised as a whole either way.

`PRIVATE_PARTS` lists what is used beyond numba's documentation. With a numba that was not tested or lacks one
of them, or with `BUILDSEARCH_PLAIN_NUMBA=1`, every decorator here is plain `njit(cache=True, nogil=True)`:
the same scores, compiled and computed more slowly. `WHY_PLAIN` says why, and `buildsearch doctor` prints it.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import gc
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import types

# The first and the last version whose private parts were tested, as (major, minor).
TESTED = ((0, 62), (0, 68))
PLAIN_SWITCH = "BUILDSEARCH_PLAIN_NUMBA"


_STEPS = "a step gets machine code of its own: compiling takes longer"
_TWICE = "two processes may compile the same kernel, and one of the two files may be lost"
# A name in numba.core, why it is used, and what happens without it.
PRIVATE_PARTS = (
    ("codegen.JITCodeLibrary._optimize_final_module", "a step is optimised in its kernels only", _STEPS),
    ("codegen.JITCodeLibrary._finalize_final_module", "a step has no machine code of its own", _STEPS),
    ("codegen.JITCodeLibrary._finalize_dynamic_globals", "the part of it that steps need", _STEPS),
    ("compiler.CompilerBase", "steps have their own list of compiler passes", _STEPS),
    ("compiler.DefaultPassBuilder.define_nopython_pipeline", "the passes that it begins with", _STEPS),
    ("compiler.Flags.no_compile", "the kernel is compiled instead", _STEPS),
    ("compiler.Flags.no_cpython_wrapper", "a step has no caller in Python", _STEPS),
    ("compiler.Flags.no_cfunc_wrapper", "a step has no caller in C", _STEPS),
    ("compiler_machinery.LoweringPass", "a pass gives a step an entry that refuses calls", _STEPS),
    ("compiler_machinery.register_pass", "numba runs registered passes only", _STEPS),
    ("typed_passes.NativeLowering", "the pass that ours follows", _STEPS),
    (
        "dispatcher.Dispatcher.get_call_template",
        "a constant argument has the type of any number",
        "a step is compiled once for each constant, and once for numbers",
    ),
    (
        "options.DefaultOptions._nrt",
        "code without allocations counts no references to its arrays",
        "fights take longer",
    ),
    ("dispatcher.FunctionCache", "a cache with locks is put in its place", _TWICE),
    ("caching.FunctionCache.load_overload", "a missing kernel is locked, then compiled", _TWICE),
    ("caching.FunctionCache.save_overload", "the lock is released when the kernel is saved", _TWICE),
    ("caching.FunctionCache._impl_class", "`_impl`, which knows the name of the file, is one", _TWICE),
    (
        "event.Listener",
        "garbage collection pauses while numba compiles, and locks of failures are released",
        "compiling takes a tenth longer",
    ),
    ("event.register", "the listeners are told", "the same"),
    (
        "types.functions.BaseFunction.get_call_type",
        "the type of an index or a sum is worked out once, not at each place",
        "compiling takes a fifth longer",
    ),
)
# These two are used wherever they exist, since numbers would be wrong without them.
_UNIQUE_IDS = (
    "bytecode.FunctionIdentity._unique_ids",
    "numba numbers functions from 1 in each process. It takes two of one name and number for the same, "
    "also from two processes (numba's issue 10486)",
    "a kernel may call a step that was made with other constants",
)
_RECORDER = (
    "event.install_recorder",
    "timings leave out what was compiled meanwhile",
    "the first timings include compiling",
)

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _exists(name: str) -> bool:
    module, _, attribute = name.partition(".")
    try:
        attrgetter(attribute)(import_module(f"numba.core.{module}"))
    except (ImportError, AttributeError):
        return False
    return True


def why_plain(version: str) -> str | None:
    """Why private parts are not used with this version of numba, and how to change that; None if they are."""
    if os.environ.get(PLAIN_SWITCH, "0") not in ("", "0"):
        return f"{PLAIN_SWITCH} is set. Remove it from the environment."
    first, last = (".".join(map(str, each)) for each in TESTED)
    cure = f"Install a version from {first} to {last}."
    if not TESTED[0] <= tuple(map(int, re.findall(r"\d+", version)[:2])) <= TESTED[1]:
        return f"numba {version} is not tested. {cure}"
    missing = [name for name, _, _ in PRIVATE_PARTS if not _exists(name)]
    return f"numba {version} has no {missing[0]}. {cure}" if missing else None


WHY_PLAIN = why_plain(numba.__version__)

# Decorators ---------------------------------------------------------------------------------------


def _compiled(function: _Function, **options: Any) -> _Function:
    if WHY_PLAIN is not None:
        options = {name: value for name, value in options.items() if name not in ("_nrt", "pipeline_class")}
        options["cache"] = True
    decorator: Any = numba.njit  # its types do not know all options
    compiled: Any = decorator(nogil=True, **options)(function)
    if WHY_PLAIN is None:
        _take_constants_as_numbers(compiled)
    return compiled  # type: ignore[no-any-return]


def step(function: _Function, **options: Any) -> _Function:
    """Compile a function into the kernels that call it. It is in no file by itself, since the kernels are.

    Calls from Python raise a KeyError; the plain source is `py_func`. `options` are numba's.
    """
    return _compiled(function, pipeline_class=None if WHY_PLAIN else _step_compiler(), **options)


# numba counts references to every array that a function is handed or takes out of a record. In steps of a few
# instructions that was half of the time, and the caller of the kernel holds the arrays anyway. numba refuses
# to compile code without counts that allocates. A step inherits this option from its caller, so a step that
# allocates has to say that it counts.
step_without_refcounts = partial(step, _nrt=False)
kernel_without_refcounts = partial(_compiled, cache=True, _nrt=False)


def step_options() -> Any:
    """Options of numba for code that is made elsewhere and that only kernels call."""
    return {} if WHY_PLAIN else {"pipeline_class": _step_compiler(), "_nrt": False, "forceinline": True}


@cache
def _step_compiler() -> type[Any]:
    """numba's compiler without the passes that make a function callable from outside of kernels."""
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import LoweringPass, register_pass
    from numba.core.typed_passes import NativeLowering

    class CodeOfStep(JITCodeLibrary):
        """Code that is linked into kernels and never runs by itself."""

        def _optimize_final_module(self) -> None:
            """The kernel is optimised instead."""

        def _finalize_final_module(self) -> None:
            """No machine code: the kernel has its own copy of this."""
            self._finalize_dynamic_globals()
            self._finalized = True

    @register_pass(mutates_CFG=False, analysis_only=False)
    class RefuseCalls(LoweringPass):
        """numba wants a different object that Python could call for each function."""

        _name = "refuse_calls"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            """`format` of a text that fails with that text, whatever its arguments are."""
            entry = f"{{{state.func_id.func_name} is a step: only kernels can call it}}".format
            state["cr"] = state["cr"]._replace(cfunc=entry)
            state.targetctx.insert_user_function(entry, state["cr"].fndesc, [state.library])
            return True

    class StepCompiler(CompilerBase):
        """numba's own passes, into a library of the kind above."""

        def define_pipelines(self) -> list[Any]:
            """As numba's, without wrappers."""
            state = self.state
            state.library = CodeOfStep(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            state.flags.no_cpython_wrapper = True
            state.flags.no_cfunc_wrapper = True
            passes = DefaultPassBuilder.define_nopython_pipeline(state)
            passes.add_pass_after(RefuseCalls, NativeLowering)
            passes.finalize()
            return [passes]

    return StepCompiler


def _take_constants_as_numbers(compiled: Any) -> None:
    """To numba a constant has a type of its own, and so has a variable until it changes: 0, then any number.

    The function would be compiled for both. LLVM sees the constant in any case.
    """
    if not hasattr(compiled, "get_call_template"):
        return  # NUMBA_DISABLE_JIT: a plain function
    template_of = compiled.get_call_template

    def template(args: Any, kws: Any) -> Any:
        return template_of(
            tuple(map(types.unliteral, args)),
            {name: types.unliteral(kind) for name, kind in dict(kws).items()},
        )

    compiled.get_call_template = template


# One process compiles, the others wait ------------------------------------------------------------

# A process that waits longer than this many seconds compiles too: the other one may have been suspended.
_LONGEST = 600.0
_PAUSE = 0.02


class _Locks:
    """Locks that this process holds, by path: the open file, and how often it was taken.

    numba compiles under one lock of its own, so threads do not meet here. Kernels never call one another in a
    circle, so processes do not wait for each other. The system releases a lock when its process ends.
    """

    def __init__(self) -> None:
        self._held: dict[Path, list[int]] = {}

    def take(self, path: Path) -> bool:
        """Wait until the lock is free and take it; False where there are no locks, or after `_LONGEST`."""
        if path in self._held:
            self._held[path][1] += 1
            return True
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return False
        if _wait_for(file):
            self._held[path] = [file, 1]
            return True
        os.close(file)
        return False

    def release(self, path: Path) -> None:
        """Once for each time that it was taken."""
        held = self._held.get(path)
        if held is None:
            return
        held[1] -= 1
        if held[1] == 0:
            del self._held[path]
            os.close(held[0])


def _wait_for(file: int) -> bool:
    try:
        fcntl: Any = import_module("fcntl")
    except ImportError:
        return False  # Windows: each process compiles for itself
    begun = time.monotonic()
    while time.monotonic() - begun < _LONGEST:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            return False  # a file system without locks
        else:
            return True
    return False


_locks = _Locks()


def _share_kernels() -> None:
    """A process that finds no kernel in the files locks its name, looks once more, and then compiles.

    This holds for functions that are decorated later, whose locator (`kernel_cache`) asks for it.
    """
    from numba.core import dispatcher, event
    from numba.core.caching import FunctionCache

    class SharedCache(FunctionCache):
        """numba's files of a function's kernels, for one process at a time."""

        @property
        def lock(self) -> Path:
            """The file whose lock is taken."""
            return Path(self.cache_path) / f"{self._impl.filename_base}.lock"

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            """The kernel, or None: then this process holds the lock until `save_overload` or a failure."""
            found = super().load_overload(sig, target_context)
            if found is not None or not getattr(self._impl.locator, "is_locked", False):
                return found
            self._impl.locator.ensure_cache_path()
            if _locks.take(self.lock):
                found = super().load_overload(sig, target_context)
                if found is not None:
                    _locks.release(self.lock)
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            """Save it; then the other processes may look."""
            try:
                super().save_overload(sig, data)
            finally:
                _locks.release(self.lock)

    class Failures(event.Listener):
        """What cannot be compiled is never saved, so its lock is released here."""

        def on_start(self, _event: Any) -> None:
            """Nothing to do."""

        def on_end(self, event: Any) -> None:
            """After each compilation, also one that failed."""
            compiled: Any = (event.data or {}).get("dispatcher")
            kept = getattr(compiled, "_cache", None)
            if isinstance(kept, SharedCache) and event.data["args"] not in compiled.overloads:
                _locks.release(kept.lock)

    dispatcher.FunctionCache = SharedCache  # type: ignore[attr-defined]
    event.register("numba:compile", Failures())


# While numba compiles -----------------------------------------------------------------------------


def _pause_garbage_collection() -> None:
    """Compiling makes very many objects and few cycles: a tenth faster, and 100 MB more at the peak."""
    from numba.core import event

    class Pause(event.Listener):
        """A count will do: numba compiles under a lock, a function inside another in the middle of it."""

        depth, was_on = 0, False

        def on_start(self, _event: Any) -> None:
            """Before the outermost function."""
            if self.depth == 0:
                self.was_on = gc.isenabled()
                gc.disable()
            self.depth += 1

        def on_end(self, _event: Any) -> None:
            """After it, also where compiling failed."""
            self.depth -= 1
            if self.depth == 0 and self.was_on:
                gc.enable()

    event.register("numba:compile", Pause())


def _remember_types() -> None:
    """For each `a[i]`, numba asks dozens of functions for its type: a fifth of the time. Answers are kept.

    Only numba's own arithmetic and indexing of numbers and arrays is remembered: its types depend on nothing
    else. A function that is compiled for the answer is asked again.
    """
    from numba.core.types import functions

    simple = (types.Array, types.Number, types.Boolean, types.IntegerLiteral, types.BaseTuple)
    ask = functions.BaseFunction.get_call_type
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(kind, simple) for kind in args):
            return ask(self, context, args, kws)
        key = self, context, args
        if key not in known:
            found = ask(self, context, args, kws)
            if found is None or self._impl_keys.get(found.args) is not self.typing_key:
                return found
            known[key] = found
        return known[key]

    functions.BaseFunction.get_call_type = get_call_type  # type: ignore[method-assign]


@contextmanager
def compile_events() -> Iterator[list[Any]]:
    """A list that is empty as long as no thread compiles; kernels that are loaded from files add nothing."""
    if not _exists(_RECORDER[0]):
        yield []
        return
    from numba.core import event

    with event.install_recorder("numba:compile") as recorder:
        yield recorder.buffer


def compile_seconds(events: list[Any]) -> float:
    """How long something was compiled, by what such a list has; until now, if it still is."""
    passed, depth, since = 0.0, 0, 0.0
    for at, event in tuple(events):
        depth += 1 if event.is_start else -1
        if event.is_start and depth == 1:
            since = at
        elif depth == 0:
            passed += at - since
    return passed + (time.time() - since if depth else 0.0)


def _number_functions_at_random() -> None:
    from numba.core.bytecode import FunctionIdentity

    FunctionIdentity._unique_ids = count(secrets.randbits(60))


if _exists(_UNIQUE_IDS[0]):
    _number_functions_at_random()
if WHY_PLAIN is None:
    _share_kernels()
    _pause_garbage_collection()
    _remember_types()
