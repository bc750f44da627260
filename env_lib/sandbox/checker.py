"""The process of the trusted tests: runs them against proxies and writes one report."""

from __future__ import annotations

import gc
import importlib.abc
import importlib.machinery
import inspect
import itertools
import os
import signal
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from . import errors, files, lookalike, proxy, rewrite, wire
from .channel import Channel
from .clock import Clock

NAME = "tests"
_AGAIN_S = 0.05
"""The alarm rings again this often, should a test have swallowed it."""
Ready = Callable[[], None]


class Candidates(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the candidate's modules as proxies."""

    def __init__(self, channel: Channel, modules: list[str]) -> None:
        self._channel, self._modules = channel, modules

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Import one of the candidate's own modules; what it raises there is raised here."""
        if name.split(".")[0] not in self._modules:
            return None
        package = self._channel.ask("import", [name]) is True
        return importlib.machinery.ModuleSpec(name, self, is_package=package)

    def create_module(self, spec: Any) -> Any:
        """Return the module's stand-in."""
        return _Module(self._channel, spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: the module lives in the other process."""


class _Module(types.ModuleType):
    def __init__(self, channel: Channel, name: str) -> None:
        super().__init__(name)
        self.__dict__["_proxy"] = proxy.Named(channel, name, (), "module")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_proxy"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__") or isinstance(value, _Module):
            super().__setattr__(name, value)
        else:
            setattr(self.__dict__["_proxy"], name, value)


class Runner:
    """Runs the tests of one file in order, each with what time is left."""

    def __init__(self, channel: Channel, job: dict[str, Any], timer: Clock) -> None:
        self._channel, self._job, self._timer = channel, job, timer
        self._imported = False
        self._armed = False  # only while a test runs, so that an alarm never loses the report
        self._module = types.ModuleType(NAME)
        self.report: dict[str, Any] = {"results": [], "error": "", "message": ""}

    def on_alarm(self, *_: Any) -> None:
        """End what runs now, and everything after it, unless there is time left after all."""
        left = self._timer.left(self._job["wall_s"])
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, max(left, _AGAIN_S), _AGAIN_S)
            return
        late = errors.OutOfTime("out of time")
        if self._channel.broken is None:
            self._channel.broken = late
        if self._armed:
            raise late

    def run(self) -> None:
        """Collect and run the tests, or make the one call."""
        if "function" in self._job:
            self._guard(self._value, self._fail)
            return
        self._guard(self._collect, self._fail)
        for name in self._job["names"]:
            self.report["results"].append([name, *self._one(name)])

    def _guard(self, body: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
        """Run untrusted calls or trusted tests; an alarm ends them wherever it finds them."""
        try:
            try:
                self._armed = True
                body()
            except errors.OutOfTime:
                raise
            except BaseException as error:  # untrusted code raises what it likes
                self._armed = False
                failed(error)
            finally:
                self._armed = False
        except errors.OutOfTime as late:
            self._armed = False
            failed(late)

    def _value(self) -> None:
        """Call one function and report its value, for `run_call`."""
        name = self._job["function"]
        self._channel.ask("import", [self._job["module"]])
        if name is None:
            return
        self._imported = True
        body = [self._job["module"], name.split("."), self._job["args"], self._job["kwargs"], False]
        self.report["value"] = self._channel.ask("call", body)[0]

    def _collect(self) -> None:
        sys.modules[NAME] = self._module
        self._module.__dict__.update(rewrite.helpers(self._channel))
        exec(rewrite.unpacked(self._job["code"]), self._module.__dict__)

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, errors.OutOfTime):
            self.report.update(error="timeout", message="out of time")
        elif isinstance(error, errors.CandidateGone):
            self.report.update(error=_gone(error), message=str(error))
        elif isinstance(error, errors.Unsupported):
            self.report.update(error="unsupported", message=str(error))
        elif isinstance(error, SyntaxError):
            place = f"{error.filename}, line {error.lineno}: " if error.filename else ""
            self.report.update(error="syntax", message=f"{place}{error.msg}")
        else:
            error_kind = "crash" if self._imported else "import"
            self.report.update(error=error_kind, message=_words(error))

    def _one(self, name: str) -> tuple[str, str]:
        if self.report["error"]:
            late = self.report["error"] == "timeout"
            return "timeout" if late else "error", self.report["message"]
        broken = self._channel.broken
        if broken is not None:
            return _ended(broken), f"not run: {broken}"
        return self._watch(lambda: self._call(name))

    def _watch(self, body: Callable[[], Any]) -> tuple[str, str]:
        self._channel.raised = None
        ends: list[tuple[str, str]] = [("passed", "")]
        self._guard(body, lambda error: ends.append(self._explain(error)))
        status, message = ends[-1]
        broken = self._channel.broken
        if broken is not None and status != "error":
            status, message = _ended(broken), str(broken)
            if self._channel.last is not None:
                message = f"{self._channel.last_call()}: {broken}"
        return status, message

    def _explain(self, error: BaseException) -> tuple[str, str]:
        if isinstance(error, _Cannot):
            return "error", str(error)
        if isinstance(error, AssertionError) and error is not self._channel.raised:
            return "failed", str(error) or "assertion failed"
        if error is self._channel.raised and self._channel.last is not None:
            if isinstance(error, SyntaxError) and not self.report["error"]:
                self._fail(error)
            return "failed", f"{self._channel.last_call()} raised {_words(error)}"
        if isinstance(error, errors.NotPlain):
            return "failed", f"{self._channel.last_call()}: {error}"
        return "failed", _words(error)

    def _call(self, name: str) -> None:
        function = getattr(self._module, name, None)
        if not callable(function):
            raise _Cannot(f"{name} is not a function")
        _steady(function)
        for kwargs in _cases(function):
            result = function(**kwargs)
            if inspect.iscoroutine(result):
                result.close()
                raise _Cannot(f"{name} is a coroutine; call asyncio.run inside a plain test")


class _Cannot(Exception):
    """A test that this runner cannot run."""


def _canary(channel: Channel, code: str) -> str:
    """Run a test that must fail through the same machinery; anything but "failed" is an alarm."""
    names = rewrite.helpers(channel)
    exec(rewrite.unpacked(code), names)
    try:
        names["canary"]()
    except AssertionError:
        return "failed"
    return "passed"


def _gone(error: errors.Unanswered) -> str:
    return "protocol" if str(error).startswith("protocol") else "crash"


def _ended(broken: errors.Unanswered) -> str:
    if isinstance(broken, errors.OutOfTime):
        return "timeout"
    return "unsupported" if isinstance(broken, errors.Unsupported) else _gone(broken)


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _cases(function: Any) -> Iterator[dict[str, Any]]:
    """Yield the arguments of each case of a test; parametrize marks multiply."""
    marks = [mark for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
    groups = [[_case(mark.args[0], row) for row in mark.args[1]] for mark in marks]
    given = {name for group in groups for case in group[:1] for name in case}
    if not hasattr(function, "hypothesis"):
        for name, parameter in inspect.signature(function).parameters.items():
            if name not in given and parameter.default is parameter.empty:
                raise _Cannot(f"there is no fixture {name!r} here; tests are plain functions")
    for cases in itertools.product(*groups):
        yield {name: value for case in cases for name, value in case.items()}


def _case(names: str | list[str], row: Any) -> dict[str, Any]:
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    if hasattr(row, "marks"):
        row = row.values
    elif len(names) == 1:
        row = (row,)
    return dict(zip(names, row, strict=True))


def _steady(function: Any) -> None:
    """Let a property test draw the same examples in each run, whatever its own settings say."""
    own = getattr(function, "_hypothesis_internal_use_settings", None)
    if own is not None:
        made = type(own)(own, derandomize=True, database=None, deadline=None, print_blob=False)
        function._hypothesis_internal_use_settings = made


def run(
    reader: int,
    writer: int,
    work: dict[str, Any],
    report: int,
    job: dict[str, Any],
    ready: Ready,
    timer: Clock,
) -> None:
    """Run the tests in `work` and write the report; never returns."""
    job = {**job, **work}
    channel = Channel(reader, writer)
    sys.meta_path.insert(0, Candidates(channel, job["modules"]))
    if "pytest" not in sys.modules:
        sys.modules["pytest"] = lookalike.module()
    if job["seal"]:
        files.load_standard({"tests.py": job.get("tests", "").encode()})
    files.seed()
    gc.disable()  # a short life
    ready()
    timer.start()
    runner = Runner(channel, job, timer)
    alarms = hasattr(signal, "setitimer")
    if alarms:
        signal.signal(signal.SIGALRM, runner.on_alarm)
        signal.setitimer(signal.ITIMER_REAL, job["wall_s"], _AGAIN_S)
    try:
        runner.run()
    finally:
        if alarms:
            signal.setitimer(signal.ITIMER_REAL, 0)
    runner.report["canary"] = _canary(channel, job["canary"])
    wire.send(report, runner.report)
    os._exit(0)


def read_work(fd: int) -> dict[str, Any]:
    """Return the tests, or the call, that a descriptor holds, and close it."""
    work: dict[str, Any] = wire.loads(os.pread(fd, os.fstat(fd).st_size, 0))
    os.close(fd)
    return work
