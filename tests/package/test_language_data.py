"""How `models/` prepares the data of other languages, and what a distribution has in it."""

from __future__ import annotations

from pathlib import Path

from models import distribution
from perceptag.building.language_file import read_language


def test_every_language_file_is_sound_and_is_distributed_or_says_why_not() -> None:
    known = distribution.languages()
    for path in sorted(distribution.LANGUAGES.glob("*.toml")):
        text = path.read_text("utf-8")
        assert path.stem in known or "not for a distribution" in text
        assert f'output = "{path.stem}.pipeline"' in text
        assert f'treebank = "data/{path.stem}"' in text
    assert set(known) <= {path.stem for path in distribution.LANGUAGES.glob("*.toml")}


def test_a_language_file_of_the_repository_is_read_where_its_data_are(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "vi"
    folder.mkdir(parents=True)
    (tmp_path / "vi.toml").write_bytes((distribution.LANGUAGES / "vi.toml").read_bytes())
    assert read_language(str(tmp_path / "vi.toml")).treebank == str(folder)
