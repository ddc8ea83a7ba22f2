"""Runs the code blocks of a page in the current folder, and writes what they printed as JSON.

python docs/site/run_page.py PAGE.md RESULT.json

- A block without a language whose lines begin with ``$ `` is a session: each command goes to one shell, its output must
  be what the page shows (… stands for anything). A line that begins with ``> `` continues the command above it.
- A block of Python is run, all blocks of a page in one process; ``# → value`` shows what an expression must give.
- A block whose first line is ``# NAME.py`` or ``# NAME.toml`` is written to that file, not run.
- Other languages cannot be run. Neither can a block after the line ``<!-- not run -->``, which must say why.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing, redirect_stdout
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

from markdown import ARROW, matches, statements
from shell import Shell

BLOCK = re.compile(r"^(<!-- not run[^\n]*-->\n)?```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CORPUS = str(files("perceptag") / "data")
_FILE = re.compile(r"# ([\w/-]+\.(?:py|toml|txt))")
_PROMPT = re.compile(r"^\$ ", re.MULTILINE)
_MARK = re.compile(r"(^…$\n?)|…", re.MULTILINE)  # some lines, or some of a line
_COMMAND_WITHOUT_PROMPT = re.compile(r"^(?:perceptag|make|pip|python|curl) ", re.MULTILINE)


class MismatchError(Exception):
    """A block that fails, or that prints something else than the page shows."""


@dataclass
class Shown:
    """A block as the site shows it: with what was printed in this run."""

    code: str
    printed: str = ""


@dataclass
class Runner:
    """The state that the blocks of a page share."""

    shell: Shell
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "__main__"})

    def run(self, language: str, code: str) -> Shown:
        """Run one block."""
        if file := _FILE.fullmatch(code.partition("\n")[0]):
            Path(file[1]).parent.mkdir(parents=True, exist_ok=True)
            Path(file[1]).write_text(code, "utf-8")
            return Shown(code)
        if language == "python":
            return self._python(code)
        if not language and _PROMPT.search(code):
            return Shown("".join(self._session(code)))
        if not language and _COMMAND_WITHOUT_PROMPT.search(code):
            raise MismatchError(f"expected a prompt ('$ ') before a command, found\n{code}")
        return Shown(code)

    def _session(self, code: str) -> Iterator[str]:
        before, *parts = _PROMPT.split(code)
        yield before
        for part in parts:
            typed, shown = _typed(part)
            status, printed = self.shell.run(re.sub(r"^> ", "", typed, flags=re.MULTILINE))
            printed = printed.replace(CORPUS, "…")  # readers have it elsewhere
            if status:
                raise MismatchError(f"$ {typed}\nexpected exit status 0, found {status}:\n{printed}")
            if not matches(shown, printed):
                raise MismatchError(f"$ {typed}\nexpected:\n{shown}\nfound:\n{printed}")
            yield f"$ {typed}\n{filled(shown, printed)}"

    def _python(self, code: str) -> Shown:
        lines = code.split("\n")
        printed = io.StringIO()
        with redirect_stdout(printed):
            for statement, shown in statements(code):
                value = self._execute(statement)
                if shown and not matches(shown, repr(value)):
                    raise MismatchError(f"{ast.unparse(statement)}\nexpected: {shown}\nfound: {value!r}")
                if "…" in shown:
                    _fill_value(lines, (statement.end_lineno or 1) - 1, shown, repr(value))
        return Shown("\n".join(lines), printed.getvalue())

    def _execute(self, statement: ast.stmt) -> object:
        if isinstance(statement, ast.Expr):
            return eval(compile(ast.Expression(statement.value), "page", "eval"), self.names)
        exec(compile(ast.Module([statement], []), "page", "exec"), self.names)
        return None


def _typed(part: str) -> tuple[str, str]:
    """A command with the lines that continue it, and the output below it."""
    lines = part.split("\n")
    end = 1
    while end < len(lines) and (lines[end - 1].endswith("\\") or lines[end].startswith("> ")):
        end += 1
    return "\n".join(lines[:end]), "\n".join(lines[end:])


def filled(shown: str, printed: str) -> str:
    """The output as shown, with what … stands for inside a line; on a line of its own it stays."""
    body = shown.rstrip("\n")
    marks = list(_MARK.finditer(body))
    ends, starts = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), None]
    texts = [body[end:start] for end, start in zip(ends, starts, strict=True)]
    pattern = re.escape(texts[0])
    for mark, text in zip(marks, texts[1:], strict=True):
        pattern += (r"((?:.*\n?)*?)" if mark[1] else "(.*)") + re.escape(text)
    found = re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.strip("\n").split("\n")))
    if found is None:
        return shown
    values = [mark[0] if mark[1] else value for mark, value in zip(marks, found.groups(), strict=True)]
    return texts[0] + "".join(map("".join, zip(values, texts[1:], strict=True))) + shown[len(body) :]


def _fill_value(lines: list[str], last: int, shown: str, value: str) -> None:
    """Put the value in place of …, on the line of the statement if there is room, else below it."""
    value = value if shown == "…" else filled(shown, value)
    if ARROW not in lines[last]:
        lines[last + 1] = f"{ARROW} {value}"
        return
    before = lines[last].partition(ARROW)[0]
    same_line = f"{before}{ARROW} {value}"
    lines[last] = same_line if len(same_line) <= 100 else f"{before.rstrip()}\n{ARROW} {value}"


@cache
def digest_of_code(root: Path) -> str:
    """Of what the output of every page depends on: this code, perceptag, and the models that ship with it."""
    core = importlib.util.find_spec("perceptag._core")
    site = Path(__file__).parent
    own = [*(root / "src").rglob("*.*"), *(root / "models").rglob("*.model"), Path(str(core and core.origin))]
    paths = [*own, site / "run_page.py", site / "shell.py"]
    contents = [path.read_bytes() for path in sorted(paths) if path.is_file() and path.suffix != ".pyc"]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def run_page(page: Path) -> list[Shown]:
    """Run all blocks of a page, in their order."""
    text = page.read_text("utf-8")
    with closing(Shell()) as shell:
        runner = Runner(shell)
        return [_run_block(runner, block, f"{page.name}:{_line(block)}") for block in BLOCK.finditer(text)]


def _line(block: re.Match[str]) -> int:
    return block.string.count("\n", 0, block.start()) + 1


def _run_block(runner: Runner, block: re.Match[str], where: str) -> Shown:
    try:
        return Shown(block[3]) if block[1] else runner.run(block[2], block[3])
    except MismatchError as error:
        raise SystemExit(f"{where}: {error}") from None
    except Exception as error:
        raise SystemExit(f"{where}: {type(error).__name__}: {error}") from error


if __name__ == "__main__":
    del os.environ["PYTHONPATH"]  # it is for this program, not for those of the page
    sys.path[0] = str(Path.cwd())
    Path(sys.argv[2]).write_text(json.dumps([asdict(one) for one in run_page(Path(sys.argv[1]))]), "utf-8")
