"""A disk that fails, or takes the process with it, at a chosen step of a write."""

from __future__ import annotations

import os
import signal

from buildsearch.files.atomic import Disk

KILL = "kill"


class FaultyDisk(Disk):
    """Goes well until step `at`, counted from 0; then raises the error of a number, or kills the process."""

    def __init__(self, at, how):
        self.at, self.how = at, how
        self.steps = []

    def _step(self, name):
        self.steps.append(name)
        if len(self.steps) <= self.at:
            return
        if self.how == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(self.how, os.strerror(self.how))

    def create(self, folder, prefix):
        self._step("create")
        return super().create(folder, prefix)

    def create_folder(self, folder, prefix):
        self._step("create folder")
        return super().create_folder(folder, prefix)

    def write(self, handle, data):
        if len(self.steps) == self.at:
            os.write(handle, bytes(data)[: len(bytes(data)) // 2])  # half of it arrives
        self._step("write")
        return super().write(handle, data)

    def sync(self, handle):
        self._step("sync")
        super().sync(handle)

    def rename(self, old, new):
        self._step("rename")
        super().rename(old, new)

    def link(self, old, new):
        self._step("link")
        super().link(old, new)

    def exchange(self, one, other):
        self._step("exchange")
        return super().exchange(one, other)


class WithoutExchange(FaultyDisk):
    """Of a system that cannot swap two names."""

    def exchange(self, one, other):
        self._step("exchange")
        return False
