"""Write what is in a wheel and in the image of deploy/Dockerfile, and what they need: CycloneDX 1.6, as JSON.

``make wheel`` writes ``dist/WHEEL.cdx.json`` and ``dist/image.cdx.json``. What is needed has the versions and hashes of
constraints-hashed.txt. The packages of the system in the image are not listed; they are those of its base image.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
VENDORED = ROOT / "src" / "perceptag" / "server" / "page" / "vendor"
BUILD = "the build"
IMAGE = ("perceptag", "perceptag[server]", BUILD)  # what deploy/Dockerfile installs or builds with
_PIN = re.compile(r"([\w.-]+)==(\S+)(?: ; (.+?))? \\$")
_LIBRARY = re.compile(r"file \S+ of (\w+) ([\d.]+)")


@dataclass
class Pinned:
    """A package in constraints-hashed.txt."""

    name: str
    version: str
    marker: str
    hashes: list[str] = field(default_factory=list)
    needed_by: list[str] = field(default_factory=list)

    @property
    def ref(self) -> str:
        """Its name in the file."""
        return f"pkg:pypi/{self.name}@{self.version}"


def read_pinned(text: str) -> list[Pinned]:
    """Return the packages of constraints-hashed.txt."""
    found: list[Pinned] = []
    for line in text.splitlines():
        if pin := _PIN.match(line):
            found.append(Pinned(pin[1], pin[2], pin[3] or ""))
        elif line.startswith("    --hash=sha256:"):
            found[-1].hashes.append(line.split(":")[1].split()[0])
        elif line.startswith("    # needed by "):
            found[-1].needed_by = line.removeprefix("    # needed by ").split(", ")
    return found


def of_wheel(wheel: Path, pinned: list[Pinned], version: str) -> dict[str, Any]:
    """Return the description of a wheel."""
    data = wheel.read_bytes()
    root = _own("perceptag", version, "MIT") | {"hashes": [_sha256(hashlib.sha256(data).hexdigest())]}
    root["properties"] = [{"name": "file", "value": wheel.name}]
    return _described(root, pinned, [_vendored(), _built_in(pinned)])


def of_image(pinned: list[Pinned], version: str, base: str) -> dict[str, Any]:
    """Return the description of the image."""
    root: dict[str, Any] = {"type": "container", "name": "perceptag", "version": version, "bom-ref": "image"}
    english = _own("perceptag-en", _version(ROOT / "models" / "perceptag-en" / "pyproject.toml"), "CC-BY-SA-4.0")
    base_image = {"type": "container", "name": base, "bom-ref": f"base {base}"}
    inside = [one for one in pinned if _is_reached(one, pinned, IMAGE) and "<" not in one.marker]
    return _described(root, inside, [base_image, _own("perceptag", version, "MIT"), english, _vendored()])


def _described(root: dict[str, Any], pinned: list[Pinned], more: list[dict[str, Any]]) -> dict[str, Any]:
    components = [*more, *(_component(one, pinned) for one in pinned if one.ref not in {m["bom-ref"] for m in more})]
    refs = [one.ref for one in pinned if any(who.startswith("perceptag") for who in one.needed_by)]
    links = [{"ref": root["bom-ref"], "dependsOn": sorted({*refs, *(one["bom-ref"] for one in more)})}]
    links += [
        {"ref": one.ref, "dependsOn": sorted(other.ref for other in pinned if one.name in other.needed_by)}
        for one in pinned
    ]
    body = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": root},
        "components": components,
        "dependencies": links,
    }
    name = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(body, sort_keys=True))  # the same content has the same name
    return {"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", **body, "serialNumber": f"urn:uuid:{name}"}


def _component(one: Pinned, pinned: list[Pinned]) -> dict[str, Any]:
    required = _is_reached(one, pinned, ("perceptag",))
    built = not required and not _is_reached(one, pinned, tuple({w for p in pinned for w in p.needed_by} - {BUILD}))
    about: dict[str, Any] = {
        "type": "library",
        "name": one.name,
        "version": one.version,
        "bom-ref": one.ref,
        "purl": one.ref,
        "scope": "excluded" if built else "required" if required else "optional",
        "externalReferences": [
            {"type": "distribution", "url": one.ref, "hashes": [_sha256(digest)]} for digest in one.hashes
        ],
    }
    if one.marker:
        about["properties"] = [{"name": "marker", "value": one.marker}]
    return about


def _is_reached(one: Pinned, pinned: list[Pinned], roots: tuple[str, ...]) -> bool:
    """Return whether a package is needed by one of the roots, directly or not."""
    seen: set[str] = set()
    waiting = list(one.needed_by)
    while waiting:
        name = waiting.pop()
        if name in roots and (name == BUILD or name.startswith("perceptag")):
            return True
        if name not in seen:
            seen.add(name)
            waiting += [who for other in pinned if other.name == name for who in other.needed_by]
    return False


def _own(name: str, version: str, licence: str) -> dict[str, Any]:
    ref = f"pkg:pypi/{name}@{version}"
    about = {"type": "library", "name": name, "version": version, "bom-ref": ref, "purl": ref}
    return {**about, "licenses": [{"license": {"id": licence}}]}


def _vendored() -> dict[str, Any]:
    """Return the library of the page, which is in the wheel as its authors publish it."""
    found = _LIBRARY.search((VENDORED / "README.txt").read_text("utf-8"))
    if found is None:
        raise SystemExit(f"{VENDORED / 'README.txt'}: expected the name and the version of the library")
    ref = f"pkg:npm/{found[1]}@{found[2]}"
    digest = hashlib.sha256((VENDORED / "htm-preact.js").read_bytes()).hexdigest()
    return {
        "type": "library",
        "name": found[1],
        "version": found[2],
        "description": "htm and Preact in one file: perceptag/server/page/vendor/htm-preact.js",
        "bom-ref": ref,
        "purl": ref,
        "scope": "required",
        "hashes": [_sha256(digest)],
        "licenses": [{"expression": "Apache-2.0 AND MIT"}],
    }


def _built_in(pinned: list[Pinned]) -> dict[str, Any]:
    """Return nanobind: part of it is compiled into the extension."""
    (one,) = (one for one in pinned if one.name == "nanobind")
    return {**_component(one, pinned), "scope": "required", "licenses": [{"license": {"id": "BSD-3-Clause"}}]}


def _sha256(digest: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": digest}


def _version(project: Path) -> str:
    found = re.search(r'^version = "(.+)"$', project.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise SystemExit(f"{project}: expected a version")
    return found[1]


def write_all(wheel: Path, target: Path) -> list[Path]:
    """Describe a wheel and the image; return both files."""
    pinned, version = (
        read_pinned((ROOT / "constraints-hashed.txt").read_text("utf-8")),
        _version(ROOT / "pyproject.toml"),
    )
    (base,) = set(re.findall(r"^ARG PYTHON=(\S+)$", (ROOT / "deploy" / "Dockerfile").read_text("utf-8"), re.MULTILINE))
    made = {
        f"{wheel.name}.cdx.json": of_wheel(wheel, pinned, version),
        "image.cdx.json": of_image(pinned, version, base),
    }
    for name, about in made.items():
        (target / name).write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    return [target / name for name in made]


if __name__ == "__main__":
    for made in write_all(Path(sys.argv[1]), Path(sys.argv[1]).parent):
        print(f"wrote {made}")
