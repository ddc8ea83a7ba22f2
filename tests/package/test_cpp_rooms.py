"""The checker of the C++ rooms: it notices what it is for."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("place", "include", "message"),
    [
        (
            "include/perceptag/core/a.hpp",
            '"perceptag/search/nbest.hpp"',
            '"perceptag/search/nbest.hpp": core may include no other room',
        ),
        ("src/search/a.cpp", '"perceptag/text/lines.hpp"', '"perceptag/text/lines.hpp": search may include core'),
        ("bind/text/a.cpp", '"linear/layout.hpp"', '"linear/layout.hpp": text may include core'),
        ("src/core/a.cpp", '"core/arrays.hpp"', '"core/arrays.hpp": expected a header below perceptag/'),
        ("src/core/a.cpp", "<nanobind/nanobind.h>", "<nanobind/nanobind.h>: only cpp/bind may include it"),
        (
            "src/parser/a.cpp",
            '"perceptag/core/types.hpp"',
            '"perceptag/core/types.hpp": parser is not in the table of rooms (.ci/cpp_rooms.py)',
        ),
    ],
)
def test_a_violation_is_found_with_its_file_and_line(tmp_path: Path, place: str, include: str, message: str) -> None:
    path = tmp_path / "cpp" / place
    path.parent.mkdir(parents=True)
    path.write_text(f"// A comment.\n#pragma once\n\n#include <vector>\n\n#include {include}\n")
    assert list(cpp_rooms.violations(tmp_path / "cpp")) == [f"cpp/{place}:6: {message}"]


@pytest.mark.parametrize(
    ("place", "include"),
    [
        ("include/perceptag/document/a.hpp", '"perceptag/linear/predictor.hpp"'),
        ("src/linear/a.cpp", '"perceptag/search/nbest.hpp"'),
        ("bind/search/a.cpp", "<nanobind/nanobind.h>"),
        ("bind/module.cpp", '"document/spelling.hpp"'),
    ],
)
def test_lower_rooms_may_be_included(tmp_path: Path, place: str, include: str) -> None:
    path = tmp_path / "cpp" / place
    path.parent.mkdir(parents=True)
    path.write_text(f"#include {include}\n")
    assert list(cpp_rooms.violations(tmp_path / "cpp")) == []
