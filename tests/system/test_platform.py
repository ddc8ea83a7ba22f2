"""Names that only some operating systems have stay in one place, and text files are always UTF-8."""

from __future__ import annotations

import ast
import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import perceptag
from perceptag.system.platform import machine, network
from perceptag.system.platform import open_files as files

PACKAGE = Path(perceptag.__file__).parent
HOME = PACKAGE / "system" / "platform"
ELSEWHERE = [path for path in sorted(PACKAGE.rglob("*.py")) if HOME not in path.parents]

MODULES = "fcntl resource pwd grp termios tty pty crypt syslog posix nt msvcrt winreg select selectors ctypes"
NAMES = {
    "os": """name fork forkpty sysconf confstr uname nice kill killpg setsid getuid geteuid getgid getpgid getloadavg
        sched_getaffinity sched_setaffinity wait waitpid wait4 mkfifo mknod pipe2 chown fchown lchown fchmod chroot
        statvfs fstatvfs fdatasync pread pwrite preadv sendfile posix_fadvise posix_spawn register_at_fork O_NOFOLLOW
        O_DIRECTORY O_CLOEXEC O_BINARY O_SYNC startfile getxattr memfd_create""",
    "signal": """SIGKILL SIGHUP SIGPIPE SIGUSR1 SIGUSR2 SIGALRM SIGCHLD SIGQUIT SIGTSTP SIGCONT SIGSTOP SIGWINCH alarm
        setitimer pause sigwait pthread_sigmask pthread_kill siginterrupt SIGBREAK CTRL_C_EVENT""",
    "socket": "AF_UNIX SO_REUSEPORT SO_REUSEADDR SO_EXCLUSIVEADDRUSE SCM_RIGHTS MSG_DONTWAIT",
    "sys": "platform getwindowsversion",
    "multiprocessing.connection": "PipeConnection",
}
FOLDERS = ("/proc/", "/dev/", "/sys/", "/etc/", "/tmp/", "C:\\")
TEXT = {"read_text": 1, "write_text": 2, "open": 3}  # how many arguments there are with the encoding


def faults(text: str) -> Iterator[str]:
    """What a module does that another system cannot, or does differently."""
    modules, names = set(MODULES.split()), {module: set(some.split()) for module, some in NAMES.items()}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from [node.module] if node.module.partition(".")[0] in modules else []
            yield from (alias.name for alias in node.names if alias.name in names.get(node.module, ()))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from [f"{node.value.id}.{node.attr}"] if node.attr in names.get(node.value.id, ()) else []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(FOLDERS):
            yield from [] if "{" in node.value else [node.value]  # a pattern of strings names no folder
        elif isinstance(node, ast.Call):
            yield from _without_encoding(node)


def _without_encoding(call: ast.Call) -> Iterator[str]:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name not in TEXT or any(keyword.arg == "encoding" for keyword in call.keywords):
        return
    if name != "open":
        yield from [] if len(call.args) >= TEXT[name] else [f"{name} without an encoding"]
    elif isinstance(function, ast.Name) or _is_mode(call.args[:1]) or not (call.args or call.keywords):
        mode = call.args[-1:] if _is_mode(call.args[-1:]) else []
        yield from [] if mode and "b" in mode[0].value else ["open without an encoding"]  # type: ignore[attr-defined]


def _is_mode(nodes: list[ast.expr]) -> bool:
    return bool(nodes) and isinstance(nodes[0], ast.Constant) and set(str(nodes[0].value)) <= set("rwaxbt+")


def test_only_one_folder_knows_the_operating_system() -> None:
    found = {str(path.relative_to(PACKAGE)): list(faults(path.read_text("utf-8"))) for path in ELSEWHERE}
    assert not {name: names for name, names in found.items() if names}
    assert len(ELSEWHERE) > 200
    assert any(list(faults(path.read_text("utf-8"))) for path in HOME.glob("*.py"))


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


def test_without_posix_every_function_has_an_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on Windows, where modules and names are missing."""
    for name in ("fcntl", "_IS_POSIX"):
        monkeypatch.setattr(files, name, None)
    for name in ("sched_getaffinity", "sysconf", "nice"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setitem(sys.modules, "resource", None)
    monkeypatch.delattr(network.socket, "AF_UNIX", raising=False)
    monkeypatch.setattr(machine, "_GROUP", tmp_path)
    path = tmp_path / "file"
    path.touch()
    with path.open("rb") as file:
        files.lock(file.fileno())
        assert not files.is_deleted(file.fileno())
    files.delete_locked(path)
    assert path.exists()
    files.delete_unless_locked(path)
    assert not path.exists()
    files.sync_folder(tmp_path / "missing")
    assert not files.others_may_read(0o777)
    assert machine.usable_cores() >= 1 and machine.whole_memory() == machine.UNLIMITED
    assert machine.left_of_the_limit() == machine.left_in_the_group() == machine.UNLIMITED
    assert machine.resident_bytes() is None and network.path_socket() is None
    machine.limit_memory(1)
    machine.allow_files(1)
    machine.step_back(1)


def test_signals_reach_a_loop_that_cannot_take_them_itself() -> None:
    """As on Windows; in a process of its own, since the handler stays."""
    code = (
        "import asyncio, signal\n"
        "from perceptag.system.platform.network import handle_signals\n"
        "class Loop(asyncio.SelectorEventLoop):\n"
        "    def add_signal_handler(self, *_): raise NotImplementedError\n"
        "async def main():\n"
        "    came = asyncio.Event()\n"
        "    handle_signals(asyncio.get_running_loop(), {'SIGTERM': came.set, 'SIGNONE': came.set})\n"
        "    signal.raise_signal(signal.SIGTERM)\n"
        "    await asyncio.wait_for(came.wait(), 10)\n"
        "Loop().run_until_complete(main())\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert hasattr(signal, "raise_signal") and hasattr(asyncio, "SelectorEventLoop")
