"""Engines by the names that ``--on`` takes."""

from __future__ import annotations

from perceptag.engines.calls import Engine
from perceptag.errors import SettingError, brief

ENGINES = ("threads", "processes", "ray", "ray:ADDRESS", "ray://HOST:PORT")


def engine(on: str, workers: int = 0) -> Engine:
    """Return the engine of this name; `workers` is at most how many, 0: one for each core."""
    if on == "threads":
        from perceptag.engines.threads_engine import ThreadsEngine

        return ThreadsEngine(workers)
    if on == "processes":
        from perceptag.engines.processes_engine import ProcessesEngine

        return ProcessesEngine(workers)
    if on == "ray" or on.startswith("ray:"):
        from perceptag.engines.ray_engine import RayEngine

        if on == "ray:":
            raise SettingError("--on: expected an address after 'ray:', or 'ray' alone; found 'ray:'")
        address = on if on.startswith("ray://") else on.removeprefix("ray").removeprefix(":")
        return RayEngine(address, workers)
    raise SettingError(f"--on: expected {', '.join(ENGINES)}; found {brief(on)}")
