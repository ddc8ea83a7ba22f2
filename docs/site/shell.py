"""One shell for all commands of a page, so that variables, folders and servers stay."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass, field

_END = "that was all of it"


def _start() -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-o", "pipefail"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )


@dataclass
class Shell:
    """A shell that runs commands one by one."""

    process: subprocess.Popen[str] = field(default_factory=_start)

    def run(self, command: str) -> tuple[int, str]:
        """The exit status of a command and what it printed, errors included."""
        assert self.process.stdin is not None and self.process.stdout is not None
        # `eval` runs it in the shell itself; a command that reads standard input must not read the next command.
        self.process.stdin.write(f"eval {shlex.quote(command)} </dev/null; printf '\\n%s %d\\n' '{_END}' $?\n")
        self.process.stdin.flush()
        printed = ""
        for line in self.process.stdout:
            if line.startswith(_END):
                return int(line.split()[-1]), printed[:-1]
            printed += line
        return 1, printed  # the command has ended the shell

    def close(self) -> None:
        """End the shell; what it has started in the background goes on."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
