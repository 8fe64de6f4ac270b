"""Find the best, the dominant and the broken builds of a tabletop combat game."""

import os
import sys

__version__ = "0.1.0"

# numba reads this when it is imported, and asks these in turn where kernels are kept: ours before its own.
_LOCATORS = ",".join(
    [
        *(
            f"{__name__}.engines.kernel_cache.{name}"
            for name in ("ProvidedFolder", "BesideSource", "FolderOfUser")
        ),
        "UserProvidedCacheLocator",
        "InTreeCacheLocator",
        "UserWideCacheLocator",
        "IPythonCacheLocator",
        "ZipCacheLocator",
    ]
)
if "numba" in sys.modules:
    sys.modules["numba"].config.CACHE_LOCATOR_CLASSES = _LOCATORS
else:
    os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", _LOCATORS)
