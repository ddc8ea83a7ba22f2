"""Output appears whole or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import perceptag.system.output_files
from command_line import OLD
from perceptag.errors import DataError
from perceptag.system.replacing import is_same_file
from perceptag.text import from_tokens, open_output, write

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_file_appears_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with open_output(path) as stream:
        stream.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, OSError])
def test_after_an_error_the_old_file_is_there(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "out.txt"
    path.write_bytes(OLD)
    with pytest.raises(error), open_output(path) as stream:
        stream.write(b"new" * 100_000)
        raise error
    assert path.read_bytes() == OLD
    assert names(tmp_path) == ["out.txt"]


@posix
def test_the_mode_of_the_old_file_and_links_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "out.txt", tmp_path / "link"
    path.write_bytes(OLD)
    path.chmod(0o640)
    link.symlink_to(path)
    write([from_tokens(["a"])], link)
    assert link.is_symlink()
    assert path.read_bytes() == b"a\n\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write([], tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode


@posix
def test_links_in_a_circle_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(DataError, match="a: cannot write: Too many levels of symbolic links"):
        write([], tmp_path / "a")
    assert (tmp_path / "a").is_symlink()


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.txt"
    path.write_bytes(OLD)
    monkeypatch.setattr(
        perceptag.system.output_files.os, "access", lambda *_: False
    )  # the superuser may write every file
    with pytest.raises(DataError) as caught:
        write([], path)
    assert str(caught.value) == f"{path}: cannot write: the file is read-only"
    assert path.read_bytes() == OLD


@full
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_a_full_device(size: int) -> None:
    with pytest.raises(DataError, match=r"^/dev/full: cannot write: No space left on device$"):
        write([from_tokens(["x" * size])], "/dev/full")


@posix
def test_a_disk_that_fills_up_while_writing(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "out.txt"
    path.write_bytes(OLD)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(DataError, match=r"out\.txt: cannot write: File too large"):
            write([from_tokens(["a" * 100])] * 2000, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == OLD
    assert names(tmp_path) == ["out.txt"]


@posix
def test_what_a_killed_process_has_left_goes_with_the_next_file(tmp_path: Path) -> None:
    path, other = tmp_path / "out.txt", tmp_path / "other.txt"
    kill = "import os, signal, sys; os.kill(os.getpid(), signal.SIGKILL)"
    code = f"import sys\nfrom perceptag.text import open_output\nwith open_output(sys.argv[1]) as stream:\n  {kill}"
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    (tmp_path / ".mine.tmp").write_bytes(b"")
    assert len(names(tmp_path)) == 2
    with open_output(other):
        assert len(names(tmp_path)) == 3, "of another target: not to be touched"
    with open_output(path) as stream:
        stream.write(b"new")
        stream.flush()
        with open_output(path) as inner:  # the first one is still being written, so it stays
            inner.write(b"inner")
        assert len(names(tmp_path)) == 4
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == [".mine.tmp", "other.txt", "out.txt"]


@posix
def test_a_named_pipe_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    write([from_tokens(["a"])], path)
    reader.join()
    assert got == [b"a\n\n"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@posix
@pytest.mark.parametrize("target", ["-", "/dev/stdout", "/dev/fd/1"])
def test_standard_output_is_appended_to_not_replaced(tmp_path: Path, target: str) -> None:
    path = tmp_path / "out.txt"
    code = (
        "import sys; from perceptag.text import from_tokens, write\n"
        f"print('before'); write([from_tokens(['é'])], {target!r}); print('after')"
    )
    with path.open("wb") as stdout:
        stdout.write(b"header\n")
        stdout.flush()
        search = os.pathsep.join(entry for entry in sys.path if entry)
        environment = {**os.environ, "PYTHONPATH": search, "PYTHONIOENCODING": "ascii"}
        subprocess.run([sys.executable, "-c", code], stdout=stdout, env=environment, check=True)
    assert path.read_text(encoding="utf-8") == "header\nbefore\né\n\nafter\n"


@posix
def test_a_broken_pipe_is_left_to_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb", buffering=0) as pipe:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, write_through=True))
        with pytest.raises(BrokenPipeError):
            write([from_tokens(["a"])], "-")


@contextlib.contextmanager
def redirected(stream: int, path: Path) -> Iterator[None]:
    """Put a file in the place of a standard stream."""
    with path.open("r+b") as file:
        before = os.dup(stream)
        os.dup2(file.fileno(), stream)
        try:
            yield
        finally:
            os.dup2(before, stream)
            os.close(before)


@posix
def test_a_standard_stream_is_the_file_that_it_is_redirected_to(tmp_path: Path) -> None:
    read_from, written_to = tmp_path / "in.txt", tmp_path / "out.txt"
    for path in (read_from, written_to):
        path.write_text("a\n")
    with redirected(0, read_from), redirected(1, written_to):
        found = [is_same_file(*pair) for pair in (("-", str(written_to)), (str(read_from), "-"))]
        others = [is_same_file(*pair) for pair in (("-", str(read_from)), (str(written_to), "-"), ("-", "-"))]
    assert (found, others) == ([True] * 2, [False] * 3)
