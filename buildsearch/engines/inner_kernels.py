"""`inner`: a compiled function that only kernels call, at half of what numba takes for one.

numba makes machine code of every function by itself, with wrappers for callers in Python, and optimises it;
then the kernel that calls it takes the same code in, optimises all of it together and makes machine code
again. What only kernels call needs none of the first: it is typed, lowered and handed on. Results are
the same bits, since the kernel is optimised as a whole as ever. One large kernel: 19 s instead of 27.

It cannot be called from Python (a KeyError says so); its plain source can: `py_func`. It is kept in no file,
since the kernels are. numba offers compilers of one's own (`pipeline_class`), but the library of code that is
left alone here is numba's inner one. Where numba is not built so, this is an ordinary function.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import secrets
from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

from numba import njit, types
from numba.core import bytecode, codegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.typed_passes import NativeLowering

# numba numbers the functions that it compiles, from 1 in every process, and tells them apart by the number.
# Of two of one name (one source with other constants) that two processes compiled into two kernels, whoever
# loads both kernels would run one in place of the other (numba's issue 10486).
bytecode.FunctionIdentity._unique_ids = count(secrets.randbits(60))

_Function = TypeVar("_Function", bound=Callable[..., Any])
_REPLACED = ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")


class _PartOfKernels(codegen.JITCodeLibrary):
    """Code that is linked into kernels, and never run by itself."""

    def _optimize_final_module(self) -> None:
        """The kernel's business."""

    def _finalize_final_module(self) -> None:
        """No machine code: the kernel has its own copy of this."""
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _NoEntry(LoweringPass):
    """numba wants something that Python could call, another one for each function."""

    _name = "no_entry"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """A method of a text that fails with that text, whatever it is called with."""
        entry = f"{{{state.func_id.func_name} is an inner kernel, which kernels alone can call}}".format
        state["cr"] = state["cr"]._replace(cfunc=entry)
        state.targetctx.insert_user_function(entry, state["cr"].fndesc, [state.library])
        return True


class _InnerCompiler(CompilerBase):
    """numba's own passes, into a library of the kind above."""

    def define_pipelines(self) -> list[Any]:
        """As numba's, without what would make it callable."""
        state = self.state
        state.library = _PartOfKernels(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        state.flags.no_cpython_wrapper = True
        state.flags.no_cfunc_wrapper = True
        passes = DefaultPassBuilder.define_nopython_pipeline(state)
        passes.add_pass_after(_NoEntry, NativeLowering)
        passes.finalize()
        return [passes]


def inner(function: _Function, **more: Any) -> _Function:
    """Compile it as a part of the kernels that call it; `more` are options of numba's."""
    options: dict[str, Any] = {"nogil": True, "pipeline_class": _InnerCompiler}
    if not all(hasattr(codegen.JITCodeLibrary, name) for name in _REPLACED):
        options = {"nogil": True, "cache": True}
    compiled: Any = njit(**options, **more)(function)
    take_constants_as_numbers(compiled)
    return compiled  # type: ignore[no-any-return]


def inner_uncounted(function: _Function) -> _Function:
    """The same for steps that allocate nothing (`uncounted`); numba refuses to compile one that does."""
    return inner(function, _nrt=False)


def take_constants_as_numbers(compiled: Any) -> None:
    """To numba a constant has a type of its own, and so has a variable until it is changed: 0 and then any
    number. The function would be compiled for both; LLVM sees the constant all the same."""
    if not isinstance(compiled, Dispatcher):
        return  # nothing is compiled
    template_of = compiled.get_call_template

    def template(args: Any, kws: Any) -> Any:
        return template_of(
            tuple(map(types.unliteral, args)),
            {name: types.unliteral(kind) for name, kind in dict(kws).items()},
        )

    compiled.get_call_template = template  # type: ignore[method-assign]
