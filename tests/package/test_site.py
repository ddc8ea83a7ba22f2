"""The site: its navigation has every page, tutorials are run as they say, and broken links are found."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def test_every_option_of_the_command_line_is_in_the_reference() -> None:
    text = reference()
    assert ":::{program} perceptag train\n" in text
    assert "perceptag train --train FILE --model OUT [OPTIONS]\n" in text
    assert ":::{option} --model OUT, -m OUT\nWhere to write the model. Required.\n:::" in text
    assert (
        ":::{option} --layer-folds K\nFolds of the training data for `--layer`. From 2 to 1000. Default: `5`.\n" in text
    )
    assert "`perceptag train --recipe tokenize`" in text  # not the option alone, inside the command
