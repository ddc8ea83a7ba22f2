"""What a release is made of: one version, wheels for every CPU, workflows with few rights, a page without links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import perceptag
from markdown import Page

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


def test_the_citation_has_the_date_of_the_changelog() -> None:
    dated = re.search(r"^date-released: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    [newest] = re.findall(r"^## (\d\S*) \(", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[:1]
    release = newest if ".dev" in perceptag.__version__ else perceptag.__version__
    assert dated
    assert f"\n## {release} ({dated[1]})\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_wheels_are_built_for_the_versions_of_python_that_are_promised() -> None:
    promised = re.findall(r":: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert PROJECT["tool"]["cibuildwheel"]["build"] == [f"cp{version.replace('.', '')}-*" for version in promised]
    assert PROJECT["project"]["requires-python"] == f">={promised[0]}"


EXTRAS = PROJECT["project"]["optional-dependencies"]
GUIDES_OF_EXTRAS = {"serve": "server", "annotate": "server", "spacy": "spacy", "from-sklearn-crfsuite": "sklearn"}
GUIDES_OF_EXTRAS |= {"tables": "pandas polars arrow spark", "formats": "arrow zstd", "scale": "ray arrow"}


@pytest.mark.parametrize("guide", GUIDES_OF_EXTRAS)
def test_guides_name_their_extras_and_show_how_to_install_them(guide: str) -> None:
    text = (ROOT / "docs" / "guide" / f"{guide}.md").read_text("utf-8")
    expected = set(GUIDES_OF_EXTRAS[guide].split())
    installed = {name for names in re.findall(r"pip install '\.\[([\w,]+)\]'", text) for name in names.split(",")}
    assert installed and installed <= expected <= set(EXTRAS)
    assert expected <= installed | set(re.findall(r"`(\w+)`", text))


def test_the_extra_all_has_every_extra_of_the_table() -> None:
    page = (ROOT / "docs" / "guide" / "quickstart.md").read_text("utf-8")
    rows = page.partition("| extra |")[2].partition("\n\n")[0].splitlines()[2:]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named - {"all"} == set(EXTRAS["all"][0].partition("[")[2].rstrip("]").split(","))


def test_no_flag_names_a_cpu() -> None:
    text = (ROOT / "CMakeLists.txt").read_text("utf-8")
    assert not re.findall(r"-march|-mtune|-mcpu|-mavx\w*|-xHost|/arch", text)
    assert "-ffp-contract=off" in text


def test_the_page_on_an_index_has_no_links_into_the_repository() -> None:
    page = ROOT / PROJECT["project"]["readme"]
    assert all(link.startswith("https://") for link in Page(page).links())
    assert "![" not in page.read_text("utf-8")


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


@in_a_clone
def test_issue_templates_ask_for_the_doctor() -> None:
    templates = sorted(ROOT.glob(".github/ISSUE_TEMPLATE/[!c]*.yml"))
    assert [path.stem for path in templates] == ["bug", "feature", "question"]
    assert all("perceptag doctor" in path.read_text("utf-8") for path in templates)
