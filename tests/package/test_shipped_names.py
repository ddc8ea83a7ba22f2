"""Names in the corpus that comes with the package."""

from __future__ import annotations

from collections import defaultdict

from shipped_corpus import CORPUS, DOCUMENTS, TOKENS, Document, spans

# Mentions with two classes in one document, on purpose: the document's first name, the mention, the classes.
AMBIGUOUS_WITHIN = {
    ("Whitlock Instruments Inc.", "Brandt", "ORG PER"),
    ("Leeds", "Ripon", "LOC ORG"),
    ("Florence Adeyemi", "Florence", "LOC PER"),
    ("Verona Chamber Orchestra", "Verona", "LOC ORG"),
    ("Charlotte Weiss", "Adelaide", "LOC PER"),
    ("Santos", "Santos", "LOC ORG"),
    ("Kent", "Kent", "ORG PER"),
    ("Morgan Larder", "Morgan", "ORG PER"),
    ("GENEVA", "Georgia", "LOC PER"),
    ("Malmo", "Malmo", "LOC ORG"),
    ("Malmo", "Tampere", "LOC ORG"),
    ("Thornbury", "Thornbury", "LOC PER"),
    ("Limerick", "Cardiff", "ORG PER"),
    ("Limerick", "Limerick", "LOC ORG"),
    ("Chile", "Santiago", "LOC PER"),
    ("Kestrel Power Corp.", "Marlow", "LOC PER"),
    ("Houston", "Houston", "ORG PER"),
    ("Aldermoor", "Aldermoor", "LOC PER"),
    ("Halden", "Lincoln", "LOC ORG"),
    ("Dutch", "Austin", "ORG PER"),
    ("Chile", "Okonjo", "MISC PER"),
    ("Martin", "Martin", "MISC PER"),
    ("Kingsley", "Kingsley", "LOC ORG PER"),
    ("Torvik", "Torvik", "LOC ORG"),
    ("Dunmore Airlines", "Dunmore", "ORG PER"),
    ("WELLINGTON", "Nelson", "LOC PER"),
    ("Teddy Marsden", "Marsden", "ORG PER"),
}
# Part of a person's full name, but on its own it is always the town or the club in that document.
TOWN_NOT_PERSON = {"Victoria", "Sydney"}


def mentions(document: Document) -> list[tuple[str, str]]:
    return [
        (" ".join(token.form for token in sentence[start:end]), kind)
        for sentence in document
        for start, end, kind in spans(sentence, "ner")
    ]


def classes(document: Document) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for name, kind in mentions(document):
        found[name].add(kind)
    return found


def test_a_name_keeps_its_class_within_a_document() -> None:
    seen = set()
    for document in DOCUMENTS:
        first = mentions(document)[0][0]
        found = classes(document)
        for name, kinds in found.items():
            if len(kinds) > 1:
                assert " " not in name, f"full name under two classes: {name} {kinds}"
                seen.add((first, name, " ".join(sorted(kinds))))
    assert seen == AMBIGUOUS_WITHIN


def test_surnames_follow_full_names() -> None:
    """A person with a full name is also PER by surname or given name, unless the name means another one there."""
    for document in DOCUMENTS:
        found = classes(document)
        people = {name for name, kinds in found.items() if kinds == {"PER"} and " " in name}
        parts = {part for name in people for part in name.split()}
        listed = {name for first, name, _ in AMBIGUOUS_WITHIN if first == mentions(document)[0][0]}
        for part in (parts & set(found)) - listed - TOWN_NOT_PERSON:
            assert found[part] == {"PER"}, part


def test_names_come_back() -> None:
    """In every document some name recurs, whole or in part."""
    for document in DOCUMENTS:
        names = [name for name, _ in mentions(document)]
        assert any(
            a == b or set(a.split()) & set(b.split()) - {"of"} for i, a in enumerate(names) for b in names[:i]
        ), names


def test_enough_names_are_ambiguous() -> None:
    kinds: dict[str, set[str]] = defaultdict(set)
    for name, kind in (m for document in DOCUMENTS for m in mentions(document)):
        kinds[name].add(kind)
    assert sum(len(k) > 1 for k in kinds.values()) >= 30
    tokens: dict[str, set[str]] = defaultdict(set)
    for token in TOKENS:
        if token.ner != "O" and token.pos == "NNP":
            tokens[token.form].add(token.ner[2:])
    assert sum(len(k) > 1 for k in tokens.values()) >= 55


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
