"""Explanations from Python: of a text, of a word or span of a document, as the command and the server give them."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import succeed
from pipelines import TEXT, over_documents, whole

SEVERAL = f"{TEXT} Harwick lost. Harwick won."
both = pytest.mark.parametrize("pipeline", [whole, over_documents])


@both
def test_a_word_is_explained_as_the_command_does(pipeline, tmp_path: Path) -> None:
    nlp = pipeline()
    nlp.save(tmp_path / "en.model")
    doc = nlp(SEVERAL)
    number, sentence = next((n, s) for n, s in enumerate(doc, 1) if "Harwick" in [w.text for w in s.words])
    token = [word.text for word in sentence.words].index("Harwick") + 1
    told = doc.explain("Harwick").render(top=3)
    words = ("explain", "-m", tmp_path / "en.model", "--token", token, "--top", 3)
    assert succeed(*words, "--sentence", number, stdin=SEVERAL.encode()).out == told
    assert told.startswith("Harwick is ") and " rather than " in told.splitlines()[0]


@both
def test_a_text_is_explained_sentence_by_sentence(pipeline) -> None:
    nlp = pipeline()
    doc, why = nlp(SEVERAL), nlp.explain(SEVERAL)
    assert [one.labels for one in why.explanations] == [tuple(w.ner for w in s.words) for s in doc]
    below = nlp.explain(SEVERAL, layer=nlp.names[0])
    assert [one.labels for one in below.explanations] == [tuple(w.labels[nlp.names[0]] for w in s.words) for s in doc]
    assert repr(why) == "\n".join(one.render() for one in why.explanations)
    assert why._repr_html_().count("<details>") == len(doc.words)


def test_documents_of_many_texts_are_explained_as_alone() -> None:
    nlp = over_documents()
    assert repr([*nlp.pipe([TEXT, "Harwick lost."])][1].explain()) == repr(nlp.explain("Harwick lost."))


def test_a_span_is_explained_by_its_first_word() -> None:
    doc = whole()(TEXT)
    span = next(span for span in doc.spans if " " in span.text)
    assert doc.explain(span.text).token == span.start + 1
    html = doc.explain(span.text)._repr_html_()
    assert f"{span.text.split()[0]} is " in html and "<details>" not in html
