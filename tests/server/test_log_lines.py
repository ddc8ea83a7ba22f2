"""The log of a server."""

from __future__ import annotations

import sys

import pytest

from asked import Asked, model_paths


class FullDisk:
    """A stream that takes nothing."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device", text[:0])

    def flush(self) -> None:
        self.write("")


def test_a_log_on_a_full_disk_costs_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Asked({"pos": model_paths()["pos"]})
    server.service.log_requests = True
    monkeypatch.setattr(sys, "stderr", FullDisk())
    assert server("GET", "/livez").status == 200
