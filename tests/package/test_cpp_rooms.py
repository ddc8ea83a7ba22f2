"""The checker of the C++ rooms: it notices what it is for."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("cpp_rooms", ROOT / ".ci" / "cpp_rooms.py")
assert _spec and _spec.loader
cpp_rooms = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(cpp_rooms)


def test_the_sources_keep_the_order() -> None:
    assert list(cpp_rooms.violations(ROOT / "cpp")) == []


def test_every_room_is_in_the_table_and_every_room_of_the_table_exists() -> None:
    for side in cpp_rooms.SIDES:
        assert {path.name for path in (ROOT / "cpp" / side).iterdir() if path.is_dir()} == set(cpp_rooms.LEVEL)
