"""Where compiled kernels are kept, and how many are: the first run compiles them, later ones load them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from buildsearch.engines.kernel_cache import BesideSource, FolderOfUser, ProvidedFolder

_ENDING = "*.nbc"
_PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class KeptKernels:
    """`folder` is None where no place can be written, so that every run compiles anew."""

    folder: Path | None
    files: int
    size: int


def kept_kernels() -> KeptKernels:
    """What is kept in the place that numba would choose."""
    for kind in (ProvidedFolder, BesideSource, FolderOfUser):
        if (locator := kind.from_function(kept_kernels, __file__)) is not None:
            # Both others have a folder for each folder of sources, side by side.
            folder = _PACKAGE if kind is BesideSource else Path(locator.get_cache_path()).parent.parent
            sizes = [path.stat().st_size for path in folder.rglob(_ENDING)]
            return KeptKernels(folder, len(sizes), sum(sizes))
    return KeptKernels(None, 0, 0)
