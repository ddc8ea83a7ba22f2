"""The site: its navigation has every page, tutorials are run as they say, and broken links are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from markdown import Page as MarkdownPage
from verbs import reference

ROOT = Path(__file__).parents[2]


def test_every_page_is_in_one_part_of_the_navigation() -> None:
    pytest.importorskip("tomllib")
    from navigation import names, parts

    listed = [name for part in parts() for name in names(part)]
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    expected = {str(page.relative_to(ROOT).with_suffix("")) for page in pages} - {"README", "DESCRIPTION"}
    assert len(listed) == len(set(listed))
    assert expected <= set(listed)
    assert all((ROOT / f"{name}.md").exists() for name in listed)


def test_pages_that_moved_lead_to_a_section_that_is_there() -> None:
    pytest.importorskip("tomllib")
    from moved import leading, moved

    for old, new in moved().items():
        page, _, anchor = new.partition("#")
        assert not (ROOT / f"{old}.md").exists(), old
        assert not anchor or anchor in MarkdownPage(ROOT / f"{page}.md").anchors(), f"{old}: {new}"
    html = leading("docs/guide/errors", "docs/guide/evaluation#errors")
    assert '<a href="evaluation.html#errors">' in html
    assert 'location.replace("evaluation.html" + (location.hash || "#errors"))' in html
    assert '<a href="../guide/spacy.html">' in leading("docs/tutorials/from-spacy", "docs/guide/spacy")


def test_every_option_of_the_command_line_is_in_the_reference() -> None:
    text = reference()
    assert ":::{program} perceptag train\n" in text
    assert "perceptag train --train FILE --model OUT [OPTIONS]\n" in text
    assert ":::{option} --model OUT, -m OUT\nWhere to write the model. Required.\n:::" in text
    assert (
        ":::{option} --layer-folds K\nFolds of the training data for `--layer`. From 2 to 1000. Default: `5`.\n" in text
    )
    assert "`perceptag train --recipe tokenize`" in text  # not the option alone, inside the command
