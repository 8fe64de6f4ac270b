"""The explicit tuple of systems. Only the command line looks one up by name."""

from __future__ import annotations

from buildsearch.model.system import System
from buildsearch.systems.animon.system import AnimonSystem
from buildsearch.systems.armitage.system import ArmitageSystem
from buildsearch.systems.dungeoneers.system import DungeoneersSystem
from buildsearch.systems.vitality.system import VitalitySystem

SYSTEMS: tuple[System, ...] = (VitalitySystem(), ArmitageSystem(), DungeoneersSystem(), AnimonSystem())
