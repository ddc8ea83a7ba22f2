"""Write constraints-hashed.txt: what perceptag needs to be installed, with the SHA-256 of every file of each version.

``make hashes`` runs it in the environment of ``make setup``. Versions are those of constraints.txt; the packages that
are installed here say what they need, and the default index of pip has the hashes. ``pip install --require-hashes -r
constraints-hashed.txt`` then installs these files and no others.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
import urllib.request
from collections.abc import Iterable
from html import unescape
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "constraints-hashed.txt"
EXTRAS = ("server",)  # of perceptag, as deploy/Dockerfile installs it
BUILD = ("scikit-build-core", "nanobind", "cmake", "ninja")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")  # that the file is for, whichever of them writes it
JSON, HTML = "application/vnd.pypi.simple.v1+json", "text/html"
_LINK = re.compile(r'<a href="([^"#]+)#sha256=([0-9a-f]{64})"')
HEAD = """\
# Written by `make hashes` from constraints.txt: what perceptag needs, with the hashes of all files of each version.
# `pip install --require-hashes -r constraints-hashed.txt` installs these files and no others (Python 3.11 or newer).
"""


def main() -> None:
    """Write the file."""
    pinned = pins((ROOT / "constraints.txt").read_text("utf-8"))
    lines = [HEAD]
    for name, why in needed().items():
        for requirement in pinned[name]:
            (version,) = (one.version for one in requirement.specifier)
            marker = f" ; {requirement.marker}" if requirement.marker else ""
            hashes = sorted(set(hashes_of(name, version)))
            if not hashes:
                raise SystemExit(f"{name}=={version}: the index has no file of this version")
            lines.append(f"{name}=={version}{marker} \\\n")
            lines += [f"    --hash=sha256:{one} \\\n" for one in hashes[:-1]]
            lines.append(f"    --hash=sha256:{hashes[-1]}\n    # needed by {', '.join(sorted(why))}\n")
    TARGET.write_text("".join(lines), "utf-8")
    print(f"wrote {TARGET.name}")


def pins(text: str) -> dict[str, list[Requirement]]:
    """Return the lines of constraints.txt by the names of their packages."""
    found: dict[str, list[Requirement]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            requirement = Requirement(line)
            found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def needed() -> dict[str, set[str]]:
    """Return the packages that perceptag, its extras and its build need, each with what needs it, sorted by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    roots = {"perceptag": project["dependencies"], "the build": BUILD}
    roots |= {f"perceptag[{extra}]": project["optional-dependencies"][extra] for extra in EXTRAS}
    found: dict[str, set[str]] = {}
    waiting = [(name, who) for who, listed in roots.items() for name in wanted(listed)]
    while waiting:
        name, who = waiting.pop()
        is_new = name not in found
        found.setdefault(name, set()).add(who)
        if is_new:
            waiting += [(other, name) for other in wanted(importlib.metadata.requires(name) or ())]
    return dict(sorted(found.items()))


def wanted(listed: Iterable[str]) -> list[str]:
    """Return the names of the requirements that hold on this system for one of PYTHONS, without extras."""
    requirements = [Requirement(one) for one in listed]
    versions = [{"extra": "", "python_version": one, "python_full_version": f"{one}.0"} for one in PYTHONS]
    return [canonicalize_name(r.name) for r in requirements if not r.marker or any(map(r.marker.evaluate, versions))]


def hashes_of(name: str, version: str) -> list[str]:
    """Return the SHA-256 of all files of a version that the index has."""
    from pip._internal.models.index import PyPI  # what pip asks if nothing else is configured

    request = urllib.request.Request(f"{PyPI.simple_url}/{name}/", headers={"Accept": f"{JSON}, {HTML};q=0.1"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        data, kind = reply.read(), reply.headers.get_content_type()
    return [digest for file, digest in files_in(data, kind) if version_of(file) == version]


def files_in(data: bytes, kind: str) -> list[tuple[str, str]]:
    """Return the names of the files on a page of an index, and their hashes."""
    if kind == JSON:
        return [(one["filename"], one["hashes"]["sha256"]) for one in json.loads(data)["files"]]
    return [(unescape(link).rpartition("/")[2], digest) for link, digest in _LINK.findall(data.decode())]


def version_of(file: str) -> str:
    """Return the version in the name of a wheel or a source distribution; "" for anything else."""
    try:
        parsed = parse_wheel_filename(file) if file.endswith(".whl") else parse_sdist_filename(file)
    except (InvalidWheelFilename, InvalidSdistFilename):
        return ""
    return str(parsed[1])


if __name__ == "__main__":
    main()
