"""`Sandbox`: the owner's side of the zygotes."""

from __future__ import annotations

import queue
import sys
import weakref
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from env_lib.sandbox import fallback
from env_lib.sandbox import request as requests
from env_lib.sandbox.errors import Unsupported
from env_lib.sandbox.limits import Limits, Outcome, SandboxError
from env_lib.sandbox.slot import Extra, Slot
from env_lib.sandbox.verdict import judge

Files = Mapping[str, str | bytes]
WALLS = ("landlock", "seccomp", "uid", "zygote", "monty")


class Sandbox:
    """Runs untrusted Python in processes of its own; see the package for what that promises.

    Started at first use, and usable from several threads. A copy of it is itself, and a pickled
    one starts helpers of its own, so that an environment that holds one can be copied.

    Args:
        workers: How many runs go on at a time in `run_many`.
        preload: Modules that tests or code may use beyond the standard library.
        without: Walls to leave away, of WALLS: what a machine without them would do.
        environment: Variables that the helpers have beside their own few, such as switches of
            preloaded libraries; they are set before anything is imported.
        modules: Trusted modules, name -> source, loaded after what is preloaded, and importable
            in each run; they may use the owner's import path while they load, and never later.
    """

    def __init__(
        self,
        workers: int = 1,
        preload: Sequence[str] = ("hypothesis",),
        without: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        modules: Mapping[str, str] | None = None,
    ) -> None:
        if workers < 1:
            raise ValueError(f"workers is {workers}; it must be at least 1")
        unknown = set(without) - set(WALLS)
        if unknown:
            raise ValueError(f"unknown wall {sorted(unknown)[0]!r}; known: {', '.join(WALLS)}")
        self._workers, self._preload, self._without = workers, tuple(preload), tuple(without)
        self._extra = Extra(dict(environment or {}), dict(modules or {}))
        self._slots = [Slot(self._preload, self._without, self._extra) for _ in range(workers)]
        self._free: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        for slot in self._slots:
            self._free.put(slot)
        self._end = weakref.finalize(self, _close, self._slots)

    def run_tests(self, files: Files, tests: str, limits: Limits | None = None) -> Outcome:
        """Run a trusted test file against untrusted files.

        Args:
            files: Relative path -> source; modules are imported by name, as from their folder.
            tests: Plain functions `test_…` with asserts; hypothesis where it is preloaded.
            limits: What the run may use.

        Raises:
            ValueError: the tests are no Python or name a test twice, or a path leaves its folder.
            SandboxError: the sandbox failed; nothing is known about the code.
        """
        limits = limits or Limits()
        return self._run(requests.for_tests(files, tests, limits, self._preload))

    def run_many(
        self, runs: Iterable[tuple[Files, str]], limits: Limits | None = None
    ) -> list[Outcome]:
        """Run several (files, tests) pairs on all workers; outcomes come in the given order."""
        limits = limits or Limits()
        asked = [requests.for_tests(files, tests, limits, self._preload) for files, tests in runs]
        if self._workers == 1 or len(asked) < 2:
            return [self._run(request) for request in asked]
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(self._run, asked))

    def run_call(
        self,
        files: Files,
        module: str,
        function: str | None = "main",
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
    ) -> Outcome:
        """Call one function of an untrusted module, or only import it where `function` is None.

        What it returns is in `Outcome.value` as plain data; what it raises is error `crash`, and
        what the import raises is `import` or `syntax`. An import alone has the value None and no
        results, so that `error` says whether it went well.
        """
        limits = limits or Limits()
        return self._run(requests.for_call(files, module, function, args, kwargs or {}, limits))

    def _run(self, request: requests.Request) -> Outcome:
        slot = self._free.get()
        try:
            kinds = self._kinds(slot)
            for kind in kinds:
                try:
                    if kind == "zygote":
                        evidence = slot.run(request)
                    else:
                        evidence = fallback.run(request, self._preload, kind, self._extra)
                    return judge(request.names, request.limits, evidence)
                except Unsupported:
                    continue  # only Monty lacks features; the next kind is asked
        finally:
            self._free.put(slot)
        raise SandboxError(f"none of {', '.join(kinds)} could run this")

    def _kinds(self, slot: Slot) -> list[str]:
        """Return the ways to run here, best first."""
        if sys.platform == "linux" and "zygote" not in self._without:
            slot.start()
            if slot.hello["tier"] != "process":
                return ["zygote"]
            last = "zygote"
        else:
            last = "candidate"
        monty = "monty" not in self._without and fallback.monty_binary() is not None
        return ["monty", last] if monty else [last]

    def hello(self) -> dict[str, Any]:
        """Return what the first zygote said of its walls; nothing before a run, or without one."""
        return dict(self._slots[0].hello)

    def close(self) -> None:
        """End all helpers; a later run starts new ones."""
        _close(self._slots)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> Sandbox:
        return self

    def __copy__(self) -> Sandbox:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Sandbox, (self._workers, self._preload, self._without, *self._extra)


def _close(slots: list[Slot]) -> None:
    for slot in slots:
        slot.close()
