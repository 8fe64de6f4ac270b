"""The kernels of a statement: `kernels.py` run with its rules, in files named by all they are made of."""

from __future__ import annotations

import sys
from functools import lru_cache
from types import ModuleType
from typing import Any

from buildsearch.engines import kernels
from buildsearch.engines.statement import Statement, rule


@lru_cache(maxsize=32)
def kernels_of(statement: Statement) -> Any:
    """`kernels.py` with the rules of a statement in it. `kernel_cache` reads `MADE_OF`."""
    loader: Any = kernels.__loader__
    module = ModuleType(f"{kernels.__name__}_of_{statement.name}_{statement.digest[:12]}")
    vars(module).update(__file__=kernels.__file__, MADE_OF=(statement.name, statement.digest))
    sys.modules[module.__name__] = module  # numba asks for the module of a function
    exec(loader.get_code(kernels.__name__), vars(module))  # noqa: S102 - a file of this package
    # Authors count what `options` lists, so this rule alone is watched: beyond the list is an IndexError.
    options = rule(getattr(statement.options, "py_func", statement.options), boundscheck=True)
    vars(module).update(statement.rules | {"options": options})
    return module
