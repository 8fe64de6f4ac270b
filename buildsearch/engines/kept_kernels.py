"""Where compiled kernels are kept, and how many are: the first run compiles them, later ones load them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from buildsearch.engines.kernel_cache import BesideSource, FolderOfUser, ProvidedFolder, stamp_of

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
    file = str(stamp_of.__code__.co_filename)
    for locator in (ProvidedFolder, BesideSource, FolderOfUser):
        if locator.from_function(stamp_of, file) is not None:
            # Both others have a folder for each folder of sources, side by side.
            beside = Path(locator.from_function(stamp_of, file).get_cache_path()).parent
            folder = _PACKAGE if locator is BesideSource else beside
            sizes = [path.stat().st_size for path in folder.rglob(_ENDING)]
            return KeptKernels(folder, len(sizes), sum(sizes))
    return KeptKernels(None, 0, 0)
