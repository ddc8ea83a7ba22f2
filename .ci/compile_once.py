#!/usr/bin/env python3
"""Compile the same text once: a launcher for compilers that finds objects again.

The extension, the tests of the core and the wheel are built from the same sources, in folders of their own. ``.ci/run``
puts this in front of the compiler (CMAKE_CXX_COMPILER_LAUNCHER) and names a folder for objects (COMPILE_ONCE).

An object is known by the source after preprocessing and by the flags that can change it. It is kept only if the
compiler said nothing: what is found again has no warnings, so that it may be used where warnings are errors.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

WITH_PATH = ("-o", "-c", "-MF", "-MT", "-MQ", "-I", "-isystem")  # the next word is a path


def main(command: list[str]) -> int:
    """Run a compiler, or copy the object that it made of the same text before."""
    if "-c" not in command or "-o" not in command or "COMPILE_ONCE" not in os.environ:
        return subprocess.run(command, check=False).returncode
    made = Path(command[command.index("-o") + 1])
    text = subprocess.run(preprocessing(command), capture_output=True, check=False)
    if text.returncode or text.stderr:  # the compiler says it better
        return subprocess.run(command, check=False).returncode
    kept = Path(os.environ["COMPILE_ONCE"], key(command, text.stdout))
    if kept.exists():
        shutil.copyfile(kept, made)
        return 0
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    sys.stderr.buffer.write(done.stderr)
    if done.returncode == 0 and not done.stderr:
        keep(made, kept)
    return done.returncode


def preprocessing(command: list[str]) -> list[str]:
    """The command that writes the source with all that it includes, without names of files, and its dependencies."""
    output = command.index("-o")
    words = [*command[:output], *command[output + 2 :]]
    return ["-E" if word == "-c" else word for word in words] + ["-P"]


def key(command: list[str], text: bytes) -> str:
    """A name for the object: nothing of it depends on where files are, or on whether warnings are errors."""
    flags = [os.path.realpath(shutil.which(command[0]) or command[0])]  # c++ and g++ are often one compiler
    for before, word in pairwise(command):
        if before not in WITH_PATH and word not in WITH_PATH and not word.startswith(("-I", "-M", "-Werror")):
            flags.append(word)
    return hashlib.sha256("\0".join(flags).encode() + b"\0\0" + text).hexdigest()


def keep(made: Path, kept: Path) -> None:
    """Copy an object to where it is looked for, all at once: another compiler may look at the same time."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    part = kept.with_name(f"{kept.name}.{os.getpid()}")
    shutil.copyfile(made, part)
    part.replace(kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
