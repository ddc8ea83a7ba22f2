"""Share a large value among many calls: pickle it once, and unpickle it once per worker."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Value = TypeVar("Value")


class Shared(Generic[Value]):
    """A value and its key, and something that is made of it once in each process.

    `value` is called when the value is needed: in the process of the driver what is `made` of it may be there
    already. In other processes it stays bytes until it is first used.
    """

    def __init__(self, key: str, value: Callable[[], Value], made: object = None) -> None:
        self.key = key
        self._factory: Callable[[], Value] | None = value
        self._value: Value | None = None
        self._bytes: npt.NDArray[np.uint8] | None = None
        self._made = made
        self._lock = threading.RLock()

    def get(self) -> Value:
        """The value."""
        with self._lock:
            if self._value is None:
                self._value = self._factory() if self._factory else self._unpickled()
            return self._value

    def _unpickled(self) -> Value:
        assert self._bytes is not None
        value: Value = pickle.loads(self._bytes.data)
        self._bytes = None
        return value

    def made(self, make: Callable[[Value], Any]) -> Any:
        """What `make` makes of the value, the first time; always the same afterwards."""
        with self._lock:
            if self._made is None:
                self._made = make(self.get())
            return self._made

    def __getstate__(self) -> tuple[str, npt.NDArray[np.uint8]]:
        """The key and the bytes, as an array, which engines can hand over without copying it."""
        with self._lock:
            if self._bytes is not None:
                return self.key, self._bytes
            value = self._factory() if self._factory else self._value
            return self.key, np.frombuffer(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), np.uint8)

    def __setstate__(self, state: tuple[str, npt.NDArray[np.uint8]]) -> None:
        """Only bytes, until they are needed."""
        self.key, self._bytes = state
        self._factory = self._value = self._made = None
        self._lock = threading.RLock()


class SharedByKey:
    """The shared values that a worker has, by their keys."""

    def __init__(self) -> None:
        self._known: dict[str, Shared[Any]] = {}

    def own(self, shared: Shared[Value]) -> Shared[Value]:
        """The one that came first under this key, which may have been unpickled."""
        return self._known.setdefault(shared.key, shared)
