"""The third part of the planted suite, looked at once.

On that look 9 of 10 faults were named first or second, and none of 4 healthy variants had an error.
"""

from __future__ import annotations

import numba
import pytest

from tests.analysis.planted.plants import is_named, said_about
from tests.analysis.planted.third.third_half import FAULTS, HEALTHY

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="scores thousands of builds")

# By kind what was said instead, on the first look. A definition that names one fails the test.
MISSED = {"dead": "nothing: fighters have some endurance unless told otherwise, so the option is alive"}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_is_named_first_or_second_unless_it_was_missed(fault, run, elsewhere):
    said = said_about(fault, run, elsewhere)
    assert is_named(fault, said) != (fault.kind in MISSED), [(each.code, each.subjects) for each in said]


@pytest.mark.parametrize("variant", HEALTHY, ids=str)
def test_a_healthy_variant_has_no_error(variant, run, elsewhere):
    said = said_about(variant, run, elsewhere)
    assert [each for each in said if each.is_error] == []
