"""What notebooks show: tables, figures and marked text, with everything escaped."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from perceptag import Pipeline, Tagger
from perceptag.pipeline.document import Document, DocumentSentence, DocumentSpan
from perceptag.system.html import marked_html, tables_html
from perceptag.system.table import Table

X, Y = [["<b>", "dog"], ["a", "cat"]], [["B-NP", "I-NP"], ["O", "B-NP"]]


class Reader(HTMLParser):
    """The text of a page; tags must be closed in the order in which they were opened."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.tags: set[str] = set()
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + " "


def test_tables_are_escaped() -> None:
    table = Table(["a & b", "n"], numbers=(1,))
    table.add("<script>", "1")
    page = Reader(tables_html([("a title", table)]))
    assert page.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert page.text.split() == ["a", "title", "a", "&", "b", "n", "<script>", "1"]


@pytest.mark.parametrize("recipe", ["chunk", "guided"])
def test_explanations_show_the_tables_of_render(recipe: str) -> None:
    tagger = Tagger("chunk", epochs=2) if recipe == "chunk" else Tagger("shen-pos", epochs=1)
    found = tagger.fit(X, Y).explain(X[0])
    page = Reader(found._repr_html_())
    assert "b" not in page.tags
    assert page.text.split() == [w for w in found.render().split() if set(w) != {"─"}]


def test_a_tagger_shows_what_it_is() -> None:
    untrained = Tagger("chunk", epochs=3)
    assert Reader(untrained._repr_html_()).text.strip() == repr(untrained)
    shown = untrained.fit(X, Y, dev=(X, Y))._repr_html_()
    page = Reader(shown)
    for expected in ("chunk", "1 kinds of spans: NP", "2 sentences, 4 tokens", "F1", "features", "dev F1, %"):
        assert expected in page.text
    assert shown.count("<circle") == 2 * 3  # a point for each pass, of averaged and of last weights
    assert "wrong, %" in Tagger("chunk", epochs=3).fit(X, Y)._repr_html_()


def test_a_pipeline_shows_its_layers() -> None:
    below = Tagger("collins-pos", epochs=1, labels_column="pos").fit(X, [["DT", "NN"], ["DT", "NN"]])
    page = Reader(Pipeline({"pos": below, "np": Tagger("chunk", epochs=1).fit(X, Y)})._repr_html_())
    assert "2: DT NN" in page.text and "NP" in page.text
    assert page.text.split().count("sentences,") == 2


def test_spans_are_marked_in_the_text() -> None:
    spans = [DocumentSpan("ner", "LOC", 1, 2, 13, 17, "Rome", 0.9), DocumentSpan("np", "NP", 1, 2, 13, 17, "Rome")]
    document = Document("in <Rome>", [DocumentSentence("in <Rome>", 9, 18, [], spans)], 9)
    page = document._repr_html_()
    assert 'title="ner, confidence 0.90">Rome' in page
    assert page.count("<mark") == 1
    assert Reader(page).text.split() == ["in", "<", "Rome", "LOC", ">"]
    assert Reader(marked_html("", [])).text == ""
