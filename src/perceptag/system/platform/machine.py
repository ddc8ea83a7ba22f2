"""Memory and cores: how much there is, and how much this process may use."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

UNLIMITED = 1 << 62  # bytes, on a system that does not say
_STATUS = Path("/proc/self/statm")
_GROUP = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Return the number of cores that this process may use, or of all cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory() -> int:
    """Return the free memory in bytes, or the total if that is unknown."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    return _windows_memory()[1] or whole_memory()


def whole_memory() -> int:
    """Return the total memory in bytes."""
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return _windows_memory()[0] or UNLIMITED


def _windows_memory() -> tuple[int, int]:
    """Return total and free memory on Windows; zeros elsewhere."""
    if sys.platform != "win32":
        return 0, 0
    import ctypes

    size = 64  # of MEMORYSTATUSEX: two numbers of 32 bits, the first of which is this one, then seven of 64
    status = (ctypes.c_uint64 * (size // 8))(size)
    done = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return (status[1], status[2]) if done else (0, 0)


def left_of_the_limit() -> int:
    """Return the bytes left below the memory limit of the process."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            return most - resource.getpagesize() * int(_STATUS.read_text("ascii").split()[0])
    return UNLIMITED


def left_in_the_group() -> int:
    """Return the bytes left below the memory limit of the control group."""
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        with suppress(OSError, ValueError):
            return int((_GROUP / limit).read_text("ascii")) - int((_GROUP / used).read_text("ascii"))
    return UNLIMITED


def resident_bytes() -> int | None:
    """Return the memory used by the process; None if unknown."""
    with suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        return int(_STATUS.read_text("ascii").split()[1]) * resource.getpagesize()
    return None


def own_memory() -> int:
    """Return the bytes of memory in use that belong to no file, also those shared with a parent; 0 if unknown."""
    with suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        _, resident, in_files, *_ = _STATUS.read_text("ascii").split()
        return (int(resident) - int(in_files)) * resource.getpagesize()
    return 0


def limit_memory(size: int) -> None:
    """Limit the memory of this process to a number of bytes, where the system supports that."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def return_memory() -> None:
    """Return free memory to the system, where the C library can; threads else keep much of it for themselves."""
    import ctypes
    import gc

    gc.collect()
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def allow_files(wanted: int) -> int:
    """Let the process have so many files open, as far as the system allows; return how many it may have open."""
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft == resource.RLIM_INFINITY or soft >= most:
            return wanted if soft == resource.RLIM_INFINITY else soft
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (ImportError, OSError, ValueError):  # Windows has no such limit
        return wanted
    return most


def step_back(steps: int) -> None:
    """Lower the priority of this process, where the system supports it."""
    if hasattr(os, "nice"):
        os.nice(steps)


def cpu_name() -> str:
    """Return the name of the CPU, or that of its kind if the system does not say more."""
    import platform

    with suppress(OSError, StopIteration, IndexError):
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return platform.processor() or platform.machine()


def parent_name() -> str:
    """Return the name of the program that started this process; empty where the system does not tell."""
    try:
        return Path(f"/proc/{os.getppid()}/comm").read_text("utf-8").strip()
    except OSError:
        return ""
