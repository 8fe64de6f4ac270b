"""The executor whose tasks run on a Dask cluster. A scheduler that is lost is waited for."""

from __future__ import annotations

import logging
import threading
import time
import warnings
from asyncio import CancelledError as TaskCancelled
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any

from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.comm import CommClosedError
from distributed.security import Security

from buildsearch.cluster.addresses import Address
from buildsearch.cluster.tasks import (
    OtherVersionsError,
    difference,
    name_of,
    packed,
    versions,
    work,
    wrapped,
)
from buildsearch.cluster.workers import WarmUp, keep_code_here
from buildsearch.evaluate.threads import in_threads, thread_count
from buildsearch.model.errors import UsageError
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import Chunk
from buildsearch.search.executor import Executor, Item, Result, Task
from buildsearch.search.warm_up import deaf_children

# Seconds: for the first answer of a scheduler and the first worker; for one that was there and is gone.
_FIRST, _PATIENCE = 10.0, 300.0
# If workers take longer than this to get ready, the user is told why.
_COMPILING = 4.0
_COMPILE = "the workers compile what these builds need, which takes minutes the first time; work begins then."
# How often it is checked that there are workers.
_LOOK = 5.0
_KEPT = "What was scored is cached; repeat the command to continue."

# What Dask raises where the connection to a scheduler, and so to a task, is lost.
_LOST = (CancelledError, TaskCancelled, CommClosedError, OSError, TimeoutError, RuntimeError)

Told = Callable[[str], None]


@contextmanager
def cluster_executor(address: Address, *, jobs: int, tell: Told, warn: Told) -> Iterator[Executor]:
    """An executor on a cluster, as long as the block lasts; raises UsageError.

    `tell` hears where the cluster can be looked at, `warn` what is odd about it.
    """
    # What is lost on the way is told by us; a connection that closes on Ctrl-C is no news.
    for name in ("distributed", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with _scheduler(address, jobs) as where:
        executor = DaskExecutor(where, jobs, warn)
        try:
            executor.check()
            tell(executor.described())
            yield executor
        finally:
            executor.close()


@contextmanager
def _scheduler(address: Address, jobs: int) -> Iterator[str]:
    """The address of a scheduler: that which was named, or one of our own with its processes."""
    if address.scheduler is not None:
        yield address.scheduler
        return
    threads = max(1, thread_count(jobs) // address.processes)
    # Threads that begin in there are deaf to Ctrl-C, and so are the processes that they begin.
    with deaf_children():
        cluster = LocalCluster(
            n_workers=address.processes,
            threads_per_worker=threads,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    with cluster:
        yield cluster.scheduler_address


class _Failed(Exception):  # noqa: N818 - it only carries what a task raised past those of the connection
    """A task has failed on its worker."""


class DaskExecutor(Executor):
    """The workers of a cluster."""

    is_remote = True

    def __init__(self, address: str, jobs: int, warn: Told) -> None:
        super().__init__(jobs)
        self._address, self._warn = address, warn
        self._versions = versions()
        self._lock = threading.Lock()
        self._is_closed = False
        self._plugins: dict[str, WarmUp] = {}
        self._alone_since: float | None = None
        try:
            self._client = self._connected(_FIRST)
        except (OSError, TimeoutError) as error:
            raise UsageError(
                f"no scheduler answers at ‹cluster› {address}. Start one (`dask scheduler`) and workers "
                f"(`dask worker {address}`), or work here with ‹cluster› local:2."
            ) from error

    def _connected(self, seconds: float) -> Client:
        self._check_certificate()
        with warnings.catch_warnings():
            # Versions are compared by us, and a difference is no warning.
            warnings.simplefilter("ignore")
            try:
                return Client(self._address, timeout=seconds, set_as_default=False, name="buildsearch")
            except (TypeError, RuntimeError, ValueError) as error:
                # What Dask says of missing certificates names files, never their content.
                raise UsageError(f"‹cluster› {self._address} cannot be used: {error}") from error

    def _check_certificate(self) -> None:
        """Before a client is made: one without a certificate would go on trying. Raises UsageError."""
        if self._address.partition("://")[0] not in ("tls", "wss"):
            return
        try:
            context = Security().get_connection_args("client").get("ssl_context")
        except (OSError, ValueError) as error:
            raise UsageError(
                f"Dask's certificate for ‹cluster› {self._address} cannot be read: {error}"
            ) from error
        if context is None:
            raise UsageError(
                f"‹cluster› {self._address} needs a certificate: Dask's configuration has none for a client "
                "(distributed.comm.tls.ca-file, .client.cert, .client.key). docs/cluster.md shows one."
            )

    def check(self) -> None:
        """There are workers, and all of them are as this machine is; raises UsageError."""
        with suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=_FIRST)
        found = self._client.run(_versions_there, on_error="return")
        if not found:
            raise UsageError(
                f"the cluster at {self._address} has no worker. Start some (`dask worker {self._address}`)."
            )
        wrong = {}
        for worker, there in found.items():
            told = difference(self._versions, there) if isinstance(there, dict) else _without(there)
            if told is not None:
                wrong[worker] = told
        if wrong:
            named = "; ".join(f"{worker} has {told}" for worker, told in wrong.items())
            raise UsageError(f"not all workers are as this machine is: {named}. {_INSTALL}")

    def described(self) -> str:
        """Where it is, how many work there, and where one can look."""
        threads = self._client.nthreads()
        return (
            f"Cluster {self._address}: {len(threads)} workers, {sum(threads.values())} threads. "
            f"Dashboard: {self._client.dashboard_link}"
        )

    @property
    def workers(self) -> int:
        try:
            return max(1, int(sum(self._client.nthreads().values())))
        except (OSError, TimeoutError, RuntimeError):
            return 1  # it is being waited for

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        # A task must be under way before a worker is free for it; a thread here then only waits.
        return in_threads(work, items, 2 * self.workers)

    def warm_up(self, scorer: BulkScorer, few: Sequence[Chunk], fights: Sequence[Any]) -> None:
        """Let every worker compile, also those that join later."""
        plugin = WarmUp(packed(scorer), few, fights)
        self._plugins[plugin.name] = plugin
        waiting = threading.Timer(_COMPILING, self._warn, (_COMPILE,))
        waiting.daemon = True
        waiting.start()
        try:
            with suppress(
                OSError, TimeoutError, RuntimeError
            ):  # a scheduler that is gone: a task tells of it
                self._client.register_plugin(plugin)
        finally:
            waiting.cancel()

    def run(self, task: Task[Result]) -> Result:
        """A scheduler that is gone is waited for; raises UsageError."""
        data, name = wrapped(task, self._versions), name_of(task, self._versions)
        while True:
            client = self._client
            try:
                found = self._result(client, client.submit(work, data, key=name, pure=True))
                break
            except _Failed as error:
                raise error.__cause__ or error from None  # by the work itself, and no fault of the way
            except _LOST:
                self._reconnect(client)
        return task.unpack(found)

    def _result(self, client: Client, future: Future[bytes]) -> bytes:
        while True:
            try:
                error = future.exception(timeout=_LOOK)
                break
            except TimeoutError:
                self._look_for_workers(client)
        if isinstance(error, CancelledError | TaskCancelled):
            raise error
        if error is None:
            return bytes(future.result())
        if isinstance(error, OtherVersionsError):
            raise UsageError(f"a worker that joined is not as this machine is: {error}. {_INSTALL}")
        if isinstance(error, KilledWorker):
            raise UsageError(
                f"a task has ended every worker that took it: {error}. It may need more memory than "
                f"they have. {_KEPT}"
            )
        if isinstance(error, ImportError):
            raise UsageError(f"a worker that joined cannot read our tasks: {error}. {_INSTALL}")
        raise _Failed from error

    def _look_for_workers(self, client: Client) -> None:
        """Raises UsageError where there has been no worker for long."""
        if client.nthreads():
            self._alone_since = None
            return
        now = time.monotonic()
        if self._alone_since is None:
            self._alone_since = now
            self._warn(f"no worker is left at {self._address}; waiting for one.")
        elif now - self._alone_since > _PATIENCE:
            raise UsageError(f"no worker came back at {self._address} in {_PATIENCE:.0f} s. {_KEPT}")

    def _reconnect(self, lost: Client) -> None:
        """Another client in the place of one that has lost its scheduler; once for all who wait."""
        if self._is_closed:
            raise UsageError("the work was stopped.")
        with self._lock:
            if self._client is not lost:
                return
            if lost.status == "running" and _answers(lost):
                return  # only one future was lost: it is asked for again
            self._warn(f"the scheduler at {self._address} does not answer; waiting for it.")
            ends = time.monotonic() + _PATIENCE
            with suppress(Exception):
                lost.close(timeout=1)
            while not self._is_closed:
                try:
                    self._client = self._connected(_LOOK)
                    break
                except (OSError, TimeoutError) as error:
                    if time.monotonic() > ends:
                        raise UsageError(
                            f"the scheduler at {self._address} is gone for {_PATIENCE:.0f} s. {_KEPT}"
                        ) from error
                    time.sleep(1)
            for plugin in self._plugins.values():
                with suppress(OSError, TimeoutError, RuntimeError):
                    self._client.register_plugin(plugin)

    def close(self) -> None:
        """Leave; tasks that are still waiting are not computed."""
        self._is_closed = True
        with suppress(Exception):
            for name in self._plugins:
                self._client.unregister_worker_plugin(name)
        with suppress(Exception):
            self._client.close(timeout=2)


_INSTALL = "Install the same versions everywhere (`pip install -c constraints.txt`), and restart the workers."


def _versions_there() -> dict[str, str]:
    keep_code_here()
    return dict(versions())


def _without(error: BaseException) -> str:
    return f"no buildsearch that can be used ({error})"


def _answers(client: Client) -> bool:
    try:
        client.nthreads()
    except Exception:  # whatever it says, it is no answer
        return False
    return True
