"""Names that only some operating systems have stay in one place, and text files are always UTF-8."""

from __future__ import annotations

import os
from pathlib import Path

from perceptag.system.platform import open_files as files


def test_a_lock_ends_when_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    first, second = (os.open(path, os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert files.try_lock(first) and not files.try_lock(second)
    files.delete_unless_locked(path)
    assert path.exists()
    os.close(first)
    assert files.try_lock(second) and not files.is_deleted(second)
    os.close(second)
    files.delete_unless_locked(path)
    assert not path.exists()


def test_names_of_open_files() -> None:
    names = ("/dev/stdout", "/dev/stderr", "/dev/fd/7", "/proc/self/fd/1", "stdout", "/dev/null", "-")
    assert [files.descriptor_named(name) for name in names] == [1, 2, 7, 1, None, None, None]
