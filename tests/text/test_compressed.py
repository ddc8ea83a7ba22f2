"""Compressed files are read as if they were not."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from perceptag import DataError, SettingError
from perceptag.system import compression
from perceptag.text import write
from perceptag.text.compressed import decompressed
from perceptag.text.lines import Source, read_text

TEXT = "Ein Satz mit Umlauten: ä ö ü\n" * 5000


def read(source: Source) -> str:
    with decompressed(source) as stream:
        return read_text(stream)  # type: ignore[arg-type]


def test_how_far_a_file_has_been_read(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    with decompressed(path) as stream:
        assert stream.read(10) == TEXT.encode()[:10]
        while stream.read(1 << 16):
            pass
        assert stream.place() == path.stat().st_size and stream.name == str(path)


def zst(data: bytes) -> bytes:
    return pytest.importorskip("zstandard").ZstdCompressor(write_checksum=True).compress(data)  # type: ignore[no-any-return]


WAYS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zst,
}


@pytest.mark.parametrize("ending", WAYS)
def test_every_way(tmp_path: Path, ending: str) -> None:
    pack, path = WAYS[ending], tmp_path / f"a.txt{ending}"
    half = len(TEXT) // 2
    path.write_bytes(pack(TEXT[:half].encode()) + b"\0" * 512 + pack(TEXT[half:].encode()))
    assert read_text(path) == read(path) == TEXT
    path.write_bytes(pack(b""))
    assert read_text(path) == ""
    path.write_bytes(TEXT.encode())  # a name proves nothing
    assert read_text(path) == TEXT
    data = pack(TEXT.encode())
    for damaged in (data[:-1], data[: len(data) // 2], data + b"more", data + data[:20], data[:20] + b"x" + data[21:]):
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=rf"a\.txt\{ending}: cannot read: the compressed file is damaged: "):
            read_text(path)


def test_much_in_little_is_read_in_pieces(tmp_path: Path) -> None:
    for ending, pack in WAYS.items():
        (tmp_path / "zeros").write_bytes(pack(b" " * (1 << 24)))
        with (tmp_path / "zeros").open("rb") as file:
            way = compression.of_file(file, "zeros")
            assert way is not None and way.ending == ending
            assert len(compression.Decompressed(file, way, "zeros").read(1000)) <= 1 << (24 if ending == ".zst" else 12)


def test_zstandard_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = zst(TEXT.encode())
    (tmp_path / "a.zst").write_bytes(data)
    for name in ("zstandard", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    message = r"Zstandard \(\.zst\): the package 'zstandard' is missing; .*pip install 'perceptag\[zstd\]'"
    for use in (lambda: read_text(tmp_path / "a.zst"), lambda: write([], tmp_path / "b.jsonl.zst")):
        with pytest.raises(SettingError, match=message):
            use()
    assert not (tmp_path / "b.jsonl.zst").exists()


def test_streams_are_not_decompressed() -> None:
    """The caller who opens a stream decides what is in it; a server must not unpack what it is sent."""
    with pytest.raises(DataError, match="NUL character"):
        read_text(io.BytesIO(gzip.compress(TEXT.encode())))
