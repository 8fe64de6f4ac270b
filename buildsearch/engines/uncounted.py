"""How steps of kernels are compiled that are handed arrays and allocate none.

numba counts a reference to every array that a function is handed or takes out of a record. In steps of a few
instructions that was half of the time, and needless: whoever calls the kernel holds its arrays. An option
that is not said is taken over from the caller, so a step that does allocate has to say that it is counted.
"""

from __future__ import annotations

from typing import Any

from numba import njit

_compiled: Any = njit  # its types do not know the option

uncounted = _compiled(nogil=True, _nrt=False)
uncounted_kept = _compiled(cache=True, nogil=True, _nrt=False)
counted = _compiled(nogil=True, _nrt=True)
counted_kept = _compiled(cache=True, nogil=True, _nrt=True)
