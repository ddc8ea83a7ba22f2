"""Tests that are collected once and run in forks: each fork changes one module in memory, and runs the tests chosen.

Collecting all tests and importing what they test takes half a minute. A fork of the process that has done it costs
nothing, so that a change costs only the tests which notice it.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import resource
import shutil
import signal
import sys
import time
import types
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

LIMIT = 200  # seconds until a process that waits is ended: some changes make it wait for ever
SECONDS = 120  # of processor time of one test file: some changes make a loop endless
MEMORY = 8 << 30  # bytes, for the same reason
NOTHING = 99  # the exit status of a fork in which nothing could be changed


class WarmTests:
    """A plugin of pytest: `work` is called with all tests instead of running them."""

    def __init__(self, work: Callable[[WarmTests], None], files: int = 10, also: Sequence[str] = ()) -> None:
        self._work = work
        self.files = files  # that are run at most for a line of which nothing is recorded
        self.also = also  # files that are run for each line
        self._folder = Path()
        self.items: dict[str, list[pytest.Item]] = defaultdict(list)  # by test file

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            self.items[item.location[0]].append(item)
        self._folder = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        self._work(self)
        return True

    def fails(self, tests: Sequence[pytest.Item], change: Callable[[], int]) -> str:
        """What notices the change of a fork: a test, or the time. "cold": the change cannot be made in memory."""
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            try:
                _limit()
                if not change():
                    os._exit(NOTHING)
                _run(tests)
            except BaseException:
                os._exit(1)
            os._exit(0)
        found = waited(child)
        for left in self._folder.iterdir():
            shutil.rmtree(left, ignore_errors=True)
        return found


def _limit() -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


class _FirstFailure:
    """A plugin that ends the process with the first test that fails."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(1)


def _run(tests: Sequence[pytest.Item]) -> None:
    tests[0].config.pluginmanager.register(_FirstFailure())
    for item, following in pairwise([*tests, None]):
        assert item
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def waited(child: int) -> str:
    """Wait for a process, and end it and what it has started; say why it failed."""
    until = time.monotonic() + LIMIT
    pause = 0.01
    done, status = os.waitpid(child, os.WNOHANG)
    try:
        while not done and time.monotonic() < until:
            time.sleep(pause)
            pause = min(0.2, pause * 1.2)
            done, status = os.waitpid(child, os.WNOHANG)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        if not done:
            os.waitpid(child, 0)
    if not done or os.WIFSIGNALED(status):
        return "time"
    return {0: "", NOTHING: "cold"}.get(os.waitstatus_to_exitcode(status), "test")


def patch(path: Path, name: str, source: str) -> int:
    """Change a module in memory: functions, defaults and constants, also where they are imported; return how many.

    The new source is run once, in a module that has the same name but is not imported.
    """
    old = sys.modules[name]
    new = types.ModuleType(name)
    kept = ("__file__", "__package__", "__spec__", "__loader__", "__path__")
    new.__dict__.update({key: old.__dict__[key] for key in kept if key in old.__dict__})
    exec(compile(source, str(path), "exec", dont_inherit=True), new.__dict__)
    return _copy(old, new, name, set())


def _copy(old: Any, new: Any, module: str, seen: set[int]) -> int:
    """Copy what differs from a new module or class to the old one."""
    changes = 0
    for name, value in list(vars(new).items()):
        was = vars(old).get(name)
        if is_constant(value):
            if type(was) is type(value) and was != value and not name.startswith("__"):
                _replace(name, was, value, old)
                changes += 1
            continue
        for one, other in zip(_functions(was), _functions(value), strict=False):
            if id(one) not in seen and one.__code__.co_freevars == other.__code__.co_freevars:
                seen.add(id(one))
                changes += one.__code__ != other.__code__ or one.__defaults__ != other.__defaults__
                changes += one.__kwdefaults__ != other.__kwdefaults__
                changes += one.__annotations__ != other.__annotations__  # the options of a command
                one.__code__, one.__defaults__ = other.__code__, other.__defaults__
                one.__kwdefaults__, one.__annotations__ = other.__kwdefaults__, other.__annotations__
        if isinstance(was, type) and isinstance(value, type) and was.__module__ == module and id(was) not in seen:
            seen.add(id(was))
            changes += _copy(was, value, module, seen)
    return changes


CONSTANTS = (bool, int, float, str, bytes, range)


def is_constant(value: object) -> bool:
    """Whether a value is its own content: a tuple of other objects may differ although nothing in it has changed."""
    if isinstance(value, (tuple, frozenset)):
        return all(map(is_constant, value))
    return value is None or isinstance(value, CONSTANTS)


def _replace(name: str, was: Any, value: Any, owner: Any) -> None:
    setattr(owner, name, value)
    for module in list(sys.modules.values()):
        is_ours = getattr(module, "__name__", "").startswith("perceptag")
        if is_ours and vars(module).get(name) is was and not _defines(module, name):
            setattr(module, name, value)


def _defines(module: types.ModuleType, name: str) -> bool:
    """Whether a module has a constant of its own of this name: an equal one elsewhere is another one."""
    try:
        source = inspect.getsource(module)
    except (OSError, TypeError):
        return False
    return re.search(rf"^{re.escape(name)}\b[^=\n]*=", source, re.MULTILINE) is not None


def _functions(value: Any) -> list[types.FunctionType]:
    """The function of a name: itself, or what a method, a property or a decorator wraps."""
    if isinstance(value, types.FunctionType):
        return [value, *_functions(getattr(value, "__wrapped__", None))]
    if isinstance(value, staticmethod | classmethod):
        return _functions(value.__func__)
    if isinstance(value, property):
        return [one for part in (value.fget, value.fset) for one in _functions(part)]
    return _functions(value.__wrapped__) if hasattr(value, "__wrapped__") else []
