"""Hashes of what is installed, and what is said to be in wheels and images (CycloneDX)."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HASHED = (ROOT / "constraints-hashed.txt").read_text("utf-8")


def script(name: str) -> ModuleType:
    """A program of .ci as a module."""
    spec = importlib.util.spec_from_file_location(f"ci_{name}", ROOT / ".ci" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for it
    spec.loader.exec_module(module)
    return module


hashes, sbom = script("hashes"), script("sbom")


def test_hashed_versions_are_those_of_the_constraints() -> None:
    pinned = hashes.pins((ROOT / "constraints.txt").read_text("utf-8"))
    listed = sbom.read_pinned(HASHED)
    assert len(listed) > 20
    for one in listed:
        versions = {str(requirement.specifier): str(requirement.marker or "") for requirement in pinned[one.name]}
        assert versions[f"=={one.version}"] == one.marker
        assert one.hashes and one.needed_by
    assert "://" not in HASHED


@pytest.mark.skipif(sys.version_info < (3, 11), reason="it holds for Python 3.11 and newer")
def test_all_that_a_server_needs_has_hashes() -> None:
    listed = {one.name: set(one.needed_by) for one in sbom.read_pinned(HASHED)}
    assert hashes.needed() == listed


def test_pages_of_an_index_are_read_in_both_forms() -> None:
    digest, other = "a" * 64, "b" * 64
    page = f'<a href="https://x/some_name-1.0-py3-none-any.whl#sha256={digest}" data-x="">some</a>'
    page += (
        f'<a href="https://x/some-name-1.0.tar.gz#sha256={other}">some</a><a href="https://x/some-name-1.0.zip">old</a>'
    )
    found = hashes.files_in(page.encode(), "text/html")
    assert found == [("some_name-1.0-py3-none-any.whl", digest), ("some-name-1.0.tar.gz", other)]
    files = [{"filename": name, "hashes": {"sha256": one}} for name, one in found]
    assert hashes.files_in(json.dumps({"files": files}).encode(), hashes.JSON) == found
    assert [hashes.version_of(name) for name, _ in found] == ["1.0", "1.0"]
    assert hashes.version_of("some-name.exe") == ""


def written(folder: Path) -> list[dict[str, Any]]:
    """The descriptions of a wheel and of the image."""
    wheel = folder / "perceptag-0.0.0-cp311-cp311-linux_x86_64.whl"
    wheel.write_bytes(b"a wheel")
    return [json.loads(path.read_text("utf-8")) for path in sbom.write_all(wheel, folder)]


def test_every_reference_leads_somewhere(tmp_path: Path) -> None:
    for about in written(tmp_path):
        assert (about["bomFormat"], about["specVersion"]) == ("CycloneDX", "1.6")
        assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", about["serialNumber"])
        refs = [one["bom-ref"] for one in [about["metadata"]["component"], *about["components"]]]
        assert len(set(refs)) == len(refs)
        linked = [ref for link in about["dependencies"] for ref in (link["ref"], *link["dependsOn"])]
        assert set(linked) <= set(refs)
        for one in about["components"]:
            assert one["name"] and (one["type"] == "container" or one["purl"].startswith(("pkg:pypi/", "pkg:npm/")))


def test_the_wheel_names_what_is_in_it_and_what_it_needs(tmp_path: Path) -> None:
    wheel, _ = written(tmp_path)
    scopes = {one["name"]: one["scope"] for one in wheel["components"]}
    assert scopes["numpy"] == scopes["rich"] == scopes["mdurl"] == scopes["htm"] == scopes["nanobind"] == "required"
    assert scopes["starlette"] == scopes["idna"] == "optional"
    assert scopes["cmake"] == scopes["pathspec"] == "excluded"
    library = next(one for one in wheel["components"] if one["name"] == "htm")
    sums = (sbom.VENDORED / "SHA256SUMS").read_text("utf-8")
    assert library["hashes"][0]["content"] in sums
    assert library["licenses"] == [{"expression": "Apache-2.0 AND MIT"}]
    depends = {link["ref"]: link["dependsOn"] for link in wheel["dependencies"]}
    rich = next(ref for ref in depends if ref.startswith("pkg:pypi/rich@"))
    assert [ref.split("@")[0] for ref in depends[rich]] == ["pkg:pypi/markdown-it-py", "pkg:pypi/pygments"]


def test_the_image_has_its_base_and_the_models(tmp_path: Path) -> None:
    _, image = written(tmp_path)
    names = [one["name"] for one in image["components"]]
    assert {"perceptag", "perceptag-en", "numpy", "starlette"} <= set(names)
    assert names.count("numpy") == 1
    base = next(one for one in image["components"] if one["type"] == "container")
    assert f"ARG PYTHON={base['name']}\n" in (ROOT / "deploy" / "Dockerfile").read_text("utf-8")


def test_the_same_content_has_the_same_description(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    second.mkdir()
    assert written(first) == written(second)
