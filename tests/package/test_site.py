"""The site: its navigation has every page, tutorials are run as they say, and broken links are found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from accessible import improved
from check import main, not_found, problems
from excerpts import text_of
from pictures import dark_twin
from run_page import MismatchError, Runner, digest_of_code, filled, run_page
from shell import Shell
from verbs import reference

ROOT = Path(__file__).parents[2]
PAGE = "<html><body id='top'><a href='{}'>x</a><img src='{}'></body></html>"


def test_every_page_is_in_one_part_of_the_navigation() -> None:
    pytest.importorskip("tomllib")
    from navigation import names, parts

    listed = [name for part in parts() for name in names(part)]
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    expected = {str(page.relative_to(ROOT).with_suffix("")) for page in pages} - {"README", "DESCRIPTION"}
    assert len(listed) == len(set(listed))
    assert expected <= set(listed)
    assert all((ROOT / f"{name}.md").exists() for name in listed)


def test_what_people_search_for_is_at_the_top_of_the_right_page() -> None:
    pytest.importorskip("tomllib")
    from navigation import searched

    assert {"named entity recognition", "POS tagging", "CRF"} <= set(searched())
    for words, page in searched().items():
        top = (ROOT / f"{page}.md").read_text("utf-8").partition("\n## ")[0]
        assert words.lower() in " ".join(top.lower().split()), f"{page}: {words}"


def test_the_check_finds_words_that_lead_elsewhere() -> None:
    index = 'Search.setIndex({"docnames": ["a", "b"], "indexentries": {"crf": [[1, "i", true], [0, "x", false]]}})'
    assert list(not_found(index, {"CRF": "b"})) == []
    for words, page in (("CRF", "a"), ("NER", "b")):
        (told,) = not_found(index, {words: page})
        assert told.startswith(f"search: {words}: expected {page} first")


@pytest.mark.filterwarnings("default")  # of other libraries
def test_the_index_of_the_search_prefers_the_right_page(tmp_path: Path) -> None:
    """Two small pages, built with the extension of the site."""
    pytest.importorskip("myst_parser")
    from sphinx.application import Sphinx

    from navigation import add_searched

    (tmp_path / "docs" / "papers").mkdir(parents=True)
    (tmp_path / "docs" / "papers" / "rivals.md").write_text("# Rivals\n\nConditional random fields.\n", "utf-8")
    (tmp_path / "README.md").write_text("# CRF\n\nAnother page.\n\n[x](docs/papers/rivals.md)\n", "utf-8")
    settings = {"extensions": ["myst_parser"], "root_doc": "README", "myst_enable_extensions": ["colon_fence"]}
    app = Sphinx(tmp_path, None, tmp_path / "out", tmp_path / "trees", "html", settings, status=None)
    app.connect("source-read", add_searched)
    app.build()
    index = (tmp_path / "out" / "searchindex.js").read_text("utf-8")
    assert list(not_found(index, {"CRF": "docs/papers/rivals"})) == []
    assert list(not_found(index, {"CRF": "README"})) != []


def test_every_option_of_the_command_line_is_in_the_reference() -> None:
    text = reference()
    assert ":::{program} perceptag train\n" in text
    assert "perceptag train --train FILE --model OUT [OPTIONS]\n" in text
    assert ":::{option} --model OUT, -m OUT\nWhere to write the model. Required.\n:::" in text
    assert (
        ":::{option} --layer-folds K\nFolds of the training data for `--layer`. From 2 to 1000. Default: `5`.\n" in text
    )
    assert "`perceptag train --recipe tokenize`" in text  # not the option alone, inside the command


@pytest.mark.parametrize(
    ("link", "picture", "complaint"),
    [
        ("other.html", "x.svg", "other.html: there is no such file"),
        ("#nowhere", "x.svg", "#nowhere: there is no such anchor"),
        ("#top", "y.svg", "y.svg: there is no such file"),
        ("#top", "https://example.org/y.svg", "https://example.org/y.svg: loaded from the network"),
    ],
)
def test_the_check_finds_what_is_broken(tmp_path: Path, link: str, picture: str, complaint: str) -> None:
    (tmp_path / "x.svg").write_text("<svg/>", "utf-8")
    page = tmp_path / "page.html"
    page.write_text(PAGE.format("https://example.org", "x.svg"), "utf-8")
    assert main(tmp_path) == 0
    bad = tmp_path / "bad.html"
    bad.write_text(PAGE.format(link, picture), "utf-8")
    assert list(problems(tmp_path)) == [f"bad.html: {complaint}"]
    assert main(tmp_path) == 1


def test_the_check_finds_fonts_from_the_network(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@font-face { src: url('//fonts.example.org/a.woff') }", "utf-8")
    assert list(problems(tmp_path)) == ["a.css: //fonts.example.org/a.woff: loaded from the network"]


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    monkeypatch.chdir(tmp_path)
    with closing(Shell()) as shell:
        yield Runner(shell)


def test_commands_share_a_shell_and_show_what_they_printed(runner: Runner) -> None:
    said = "$ a=7\n$ cat > x.txt <<'END'\n> one $a\n> END\n$ cat x.txt; echo $a.$a >&2\none …\n7.…\n"
    assert runner.run("", said).code == said.replace("…", "$a", 1).replace("…", "7")
    with pytest.raises(MismatchError, match="expected:\n8\n\nfound:\n7"):
        runner.run("", "$ echo $a\n8\n")
    with pytest.raises(MismatchError, match="expected exit status 0, found 1"):
        runner.run("", "$ false | cat\n")
    with pytest.raises(MismatchError, match="expected a prompt"):
        runner.run("", "perceptag demo\n")


def test_python_shows_its_values_and_what_it_prints(runner: Runner, tmp_path: Path) -> None:
    assert runner.run("python", "# mine.py\nx = 3\n").code == "# mine.py\nx = 3\n"
    assert (tmp_path / "mine.py").read_text("utf-8") == "# mine.py\nx = 3\n"
    shown = runner.run("python", "y = 2\n(y, 'a' * 3)  # → (2, …)\n[y]\n# → …\nprint(y)\n")
    assert shown.code == "y = 2\n(y, 'a' * 3)  # → (2, 'aaa')\n[y]\n# → [2]\nprint(y)\n"
    assert shown.printed == "2\n"
    with pytest.raises(MismatchError, match="expected: 3\nfound: 2"):
        runner.run("python", "y  # → 3\n")


def test_lines_that_a_page_leaves_out_stay_out() -> None:
    assert filled("a\n…\nd …\n", "a\nb\nc\nd e\n") == "a\n…\nd e\n"
    assert filled("…\n", "a\nb\n") == "…\n"
    assert filled("something else\n", "a\n") == "something else\n"


def test_a_page_that_fails_names_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    not_run = "<!-- not run: it needs a machine of its own -->\n```\n$ false\n```\n"
    page.write_text(f"# Title\n\n{not_run}\n```python\n1 / 0\n```\n", "utf-8")
    with pytest.raises(SystemExit, match=r"page\.md:8: ZeroDivisionError"):
        run_page(page)


def test_pictures_have_dark_twins() -> None:
    images = ROOT / "docs" / "images"
    assert dark_twin(images / "page.webp") == images / "page-dark.webp"
    assert dark_twin(images / "page-dark.webp") is None


def test_lines_of_code_may_be_broken_but_not_those_of_tables() -> None:
    pytest.importorskip("sphinx")
    from sessions import wraps

    assert wraps("$ curl -s http://127.0.0.1:8765/v1/tag")
    assert not wraps(" check   result\n ────────────────\n text     passed\n")
    assert not wraps("words ──▶ labels")


def test_pages_are_made_accessible() -> None:
    signature = '<span class="sig-paren">(</span>\n\n<dl>\n<dd>a</dd>\n</dl>\n'
    assert improved(signature).count("<dl>") == 0
    assert (
        improved('<aside class="toc-drawer no-toc">') == '<aside aria-label="On this page" class="toc-drawer no-toc">'
    )
    assert improved('<th class="head text-right"><p></p></th>') == '<td class="head text-right"></td>'


def test_code_leads_to_the_reference() -> None:
    pytest.importorskip("sphinx")
    from crosslinks import place_of

    ids = frozenset(["perceptag.Tagger", "perceptag.Tagger.fit", "perceptag.load", "perceptag.Span"])
    assert place_of("perceptag train --from MODEL", ids) == ("docs/guide/cli-reference", "train")
    assert place_of("Tagger.fit(X, y)", ids) == ("docs/guide/api-reference", "perceptag.Tagger.fit")
    assert place_of("perceptag.load", ids) == ("docs/guide/api-reference", "perceptag.load")
    for code in ("load", "perceptag VERB", "Tagger.nothing", "Span", "make docs"):
        assert place_of(code, ids) is None


def test_the_search_has_the_text_of_a_page_section_by_section() -> None:
    page = """<nav>not this</nav><article role="main" id="m"><section id="a"><h1>Tag &amp; score<a class="headerlink"
    href="#a">¶</a></h1><script>let x = "<b>";</script><p>Two   <em>words</em>.</p></section></article><p>nor"""
    text = '<article role="main" id="m"><section id="a">Tag &amp; score Two words. </section></article>'
    assert text_of(page) == text
    assert text_of("<p>a page without text</p>") == ""


def test_pages_run_again_when_a_model_that_ships_has_changed(tmp_path: Path) -> None:
    model = tmp_path / "models" / "perceptag-en" / "en.model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"old")
    before = digest_of_code(tmp_path)
    digest_of_code.cache_clear()
    assert digest_of_code(tmp_path) == before
    model.write_bytes(b"new")
    digest_of_code.cache_clear()
    assert digest_of_code(tmp_path) != before
