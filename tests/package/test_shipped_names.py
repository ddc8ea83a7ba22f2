"""Names in the corpus that comes with the package."""

from __future__ import annotations

from collections import defaultdict

from shipped_corpus import CORPUS, DOCUMENTS, Document, spans


def mentions(document: Document) -> list[tuple[str, str]]:
    return [
        (" ".join(token.form for token in sentence[start:end]), kind)
        for sentence in document
        for start, end, kind in spans(sentence, "ner")
    ]


def test_evaluation_splits_have_new_and_known_names() -> None:
    known = {name for document in CORPUS["train"] for name, _ in mentions(document)}
    for split in ("dev", "test"):
        names = {name for document in CORPUS[split] for name, _ in mentions(document)}
        assert len(names - known) / len(names) >= 0.5, split
        assert len(names & known) >= 5, split


def test_splits_share_no_sentence_and_no_document() -> None:
    homes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for split, documents in CORPUS.items():
        for document in documents:
            for sentence in document:
                homes[tuple(token.form for token in sentence)].add(split)
    assert [forms for forms, splits in homes.items() if len(splits) > 1] == []
    assert len({tuple(t.form for s in d for t in s) for d in DOCUMENTS}) == len(DOCUMENTS)
