"""Compressed files are read as if they were not."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from perceptag import DataError
from perceptag.text.compressed import decompressed
from perceptag.text.lines import Source, read_text

TEXT = "Ein Satz mit Umlauten: ä ö ü\n" * 5000


def read(source: Source) -> str:
    with decompressed(source) as stream:
        return read_text(stream)  # type: ignore[arg-type]


def test_the_first_bytes_tell(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "b.gz").write_text(TEXT)
    assert read(tmp_path / "a.txt") == read(tmp_path / "b.gz") == TEXT
    (tmp_path / "two").write_bytes(gzip.compress(TEXT[:-1].encode()) + gzip.compress(b"\n"))
    assert read(tmp_path / "two") == TEXT
    for some in (b"", b"\x1f"):
        (tmp_path / "short").write_bytes(some)
        assert read(tmp_path / "short") == some.decode() + "\n" * len(some)


def test_streams() -> None:
    assert read(io.BytesIO(gzip.compress(TEXT.encode()))) == TEXT
    assert read(io.BytesIO(TEXT.encode())) == read(io.StringIO(TEXT)) == TEXT


def test_how_far_a_file_has_been_read(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    with decompressed(path) as stream:
        assert stream.read(10) == TEXT.encode()[:10]
        while stream.read(1 << 16):
            pass
        assert stream.place() == path.stat().st_size and stream.name == str(path)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    data = gzip.compress(TEXT.encode())
    for damaged in (data[:5], data[:-9], data[:-1], data[:30] + b"xxxx" + data[34:], data + b"more"):
        (tmp_path / "a.gz").write_bytes(damaged)
        with pytest.raises(DataError, match=r"a\.gz: cannot read: the compressed file is damaged"):
            read(tmp_path / "a.gz")
