"""Install each extra from the wheel in dist/ into an empty environment, and run the first example of its guide there.

``make extras`` runs all of them, ``make extras ARGUMENTS="server arrow"`` these. An extra must bring what it declares
and none of the libraries that the other extras declare, unless one of its own needs them. It is not part of CI: the
environments take gigabytes.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from markdown import Page, statements  # noqa: E402

GUIDE = ROOT / "docs" / "guide"
# For each extra: a page, and its first block of Python with this text. What stands before it in the page is not run.
FIRST = {
    "arrow": ("tables", "import pyarrow"),
    "pandas": ("tables", "import pandas"),
    "spark": ("tables", "import pyspark|from pyspark"),
    "spacy": ("spacy", "import spacy"),
}
SCRIPTS = {  # where a guide begins with a command, or its example needs an earlier one
    "server": """
import re, subprocess, sys
from perceptag.client import Client
words = [sys.executable, "-m", "perceptag", "serve", "--port", "0"]
server = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
address = next(found[0] for line in server.stderr if (found := re.search(r"http://[\\d.:]+", line)))
labels = Client(address).tag([["Peter", "lives", "in", "Paris"]])
server.terminate()
assert "LOC" in str(labels), labels
""",
    "sklearn": """
from sklearn.base import clone
from perceptag.sklearn import PerceptagTagger
crf = clone(PerceptagTagger("crf", epochs=5)).fit([[{"w": "a"}, {"w": "b"}]], [["X", "Y"]])
assert crf.predict([[{"w": "b"}]]) == [["Y"]]
""",
    "polars": """
import polars as pl
from perceptag import tables
tagged = tables.tag("en", pl.DataFrame({"body": ["Angela Merkel visited Paris."]}), text="body")
assert tagged["spans"].to_list()[0][1]["label"] == "LOC"
""",
    "zstd": """
import subprocess, sys
from pathlib import Path
from perceptag.text import read_columns
if sys.version_info < (3, 14):
    import zstandard
    Path("x.txt.zst").write_bytes(zstandard.compress(b"Anna B-PER\\n"))
    assert [s.columns["form"] for s in read_columns("x.txt.zst", ["form", "ner"])] == [["Anna"]]
""",
    "ray": """
import subprocess, sys
from pathlib import Path
Path("a.txt").write_text("Angela Merkel visited Paris.\\n")
words = [sys.executable, "-m", "perceptag", "tag", "--model", "en", "--on", "ray", "--out-dir", "out", "a.txt"]
subprocess.run(words, check=True)
assert "B-LOC" in Path("out/a.txt").read_text()
""",
}
SEEN = """
import json, re
from importlib.metadata import distributions
plain = lambda name: re.sub("[-_.]+", "-", name).lower()
print(json.dumps({plain(d.metadata["Name"]): [d.version, d.requires or []] for d in distributions()}))
"""


def main() -> None:
    """Try the extras that are named, or all, and print a table."""
    wheels = sorted(ROOT.glob(f"dist/perceptag-*-cp{sys.version_info.major}{sys.version_info.minor}-*.whl"))
    if not wheels:
        sys.exit("extras: expected a wheel of this Python in dist/, found none; make wheel builds it")
    extras = declared(wheels[-1])
    rows, failed = [], False
    for extra in sys.argv[1:] or [*FIRST, *SCRIPTS, "all"]:
        if extra == "spark" and not shutil.which("java"):
            rows.append(f"{extra}: NOT RUN, there is no Java")
            continue
        with tempfile.TemporaryDirectory() as folder:
            problem, seen = try_extra(wheels[-1], extra, extras, Path(folder))
        versions = ", ".join(f"{name} {seen[name][0]}" for name in sorted(extras[extra] & seen.keys()))
        rows.append(f"{extra}: {problem or 'as it should be'} ({len(seen)} distributions; {versions})")
        print(rows[-1], flush=True)
        failed = failed or bool(problem)
    print("", *rows, sep="\n")
    sys.exit(failed)


def declared(wheel: Path) -> dict[str, set[str]]:
    """What each extra declares: names of distributions."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode().splitlines()
    found: dict[str, set[str]] = {}
    for line in lines:
        if match := re.match(r"Requires-Dist: ([\w.-]+).*extra == ['\"](\w+)['\"]", line):
            found.setdefault(match[2], set()).add(plain(match[1]))
    ours = {name: found[name] for name in [*FIRST, *SCRIPTS]}
    return ours | {"all": set().union(*ours.values())}


def plain(name: str) -> str:
    """A name as an index compares it."""
    return re.sub("[-_.]+", "-", name).lower()


def try_extra(wheel: Path, extra: str, extras: dict[str, set[str]], folder: Path) -> tuple[str, dict[str, list[str]]]:
    """Return what is wrong, or "", and what was installed."""
    venv.create(folder / "empty", with_pip=True)
    python = str(folder / "empty" / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, f"perceptag[{extra}] @ {wheel.as_uri()}"], check=True)
    listed = subprocess.run([python, "-c", SEEN], check=True, capture_output=True, text=True).stdout
    seen = {name: about for name, about in json.loads(listed).items() if name not in ("pip", "setuptools")}
    subprocess.run([*install, "--no-deps", str(ROOT / "models" / "perceptag-en")], check=True)
    needed = {
        plain(re.split(r"[^\w.-]", r)[0]) for name, about in seen.items() if name != "perceptag" for r in about[1]
    }
    strange = (extras["all"] & seen.keys()) - extras[extra] - needed
    if strange:
        return f"brings {', '.join(sorted(strange))} of other extras", seen
    active = {**os.environ, "PATH": f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"}  # for Spark's workers
    for name in [*FIRST, *SCRIPTS] if extra == "all" else [extra]:
        code = SCRIPTS.get(name) or first_example(*FIRST[name])
        done = subprocess.run([python, "-c", code], cwd=folder, env=active, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"the example of {name} fails: {done.stderr.strip().splitlines()[-1:]}", seen
    return "", seen


def first_example(page: str, pattern: str) -> str:
    """The first block of a page that has a text, as a program that compares values with those that the page shows."""
    blocks = Page(GUIDE / f"{page}.md").blocks("python")
    lines = []
    for statement, shown in statements(next(block for block in blocks if re.search(pattern, block))):
        code = ast.unparse(statement)
        lines.append(f"assert (found := repr({code})) == {shown!r}, found" if shown else code)
    return "\n".join(lines)


if __name__ == "__main__":
    main()
