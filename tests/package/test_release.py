"""What a release is made of: one version, wheels for every CPU, workflows with few rights, a page without links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import perceptag

try:
    import tomllib
except ImportError:
    import tomli as tomllib  # type: ignore[no-redef]

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))
in_a_clone = pytest.mark.skipif(not WORKFLOWS, reason="a source distribution has no workflows")


def test_there_is_one_version() -> None:
    assert PROJECT["project"]["version"] == perceptag.__version__
    assert f"\nversion: {perceptag.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_wheels_are_built_for_the_versions_of_python_that_are_promised() -> None:
    promised = re.findall(r":: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert PROJECT["tool"]["cibuildwheel"]["build"] == [f"cp{version.replace('.', '')}-*" for version in promised]
    assert PROJECT["project"]["requires-python"] == f">={promised[0]}"


GUIDES_OF_EXTRAS = {"serve": "server", "annotate": "server", "spacy": "spacy", "from-sklearn-crfsuite": "sklearn"}
GUIDES_OF_EXTRAS |= {"tables": "pandas polars arrow spark", "formats": "arrow zstd", "scale": "ray arrow"}


def test_no_flag_names_a_cpu() -> None:
    text = (ROOT / "CMakeLists.txt").read_text("utf-8")
    assert not re.findall(r"-march|-mtune|-mcpu|-mavx\w*|-xHost|/arch", text)
    assert "-ffp-contract=off" in text


@in_a_clone
@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_few_rights_and_fixed_versions(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "\npermissions:\n  contents: read\n" in text
    assert set(re.findall(r"^ +([\w-]+): write", text, re.M)) <= {"id-token"}
    uses = re.findall(r"uses: (\S+) # v\d+\.\d+\.\d+$", text, re.M)  # by commit; the comment says which release
    assert len(uses) == text.count("uses: ")
    assert uses and all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", one) for one in uses)
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")
    assert "secrets." not in text
