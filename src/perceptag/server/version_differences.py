"""How the labels of two versions of a model differ on a text, as counts: nothing of the text is in them.

Tokens are compared where labels are not spans, and else entities. Both are found again by their places, so versions
with different tokenisers can be compared, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from perceptag.labels.schemes import spans, type_name
from perceptag.server.request_body import Asked
from perceptag.system.label_colours import kind_of

NONE = "none"  # a token or entity that only the other version has
OTHER = "other"  # a label that is not in the list of its model, such as a lemma: it may be text of a user
Place = tuple[int, ...]


def version_differences(stable: Asked, canary: Asked) -> dict[str, Any]:
    """Tag the sentences of a request with two versions; return how many labels were compared, and differ by pair."""
    old, new = _labels_by_place(stable), _labels_by_place(canary)
    known_old, known_new = _known(stable), _known(canary)
    places = old.keys() | new.keys()
    pairs = Counter(
        (_shown(old.get(place), known_old), _shown(new.get(place), known_new))
        for place in places
        if old.get(place) != new.get(place)
    )
    return {
        "model": stable.served.name,
        "stable": stable.served.digest,
        "canary": canary.served.digest,
        "layer": stable.opened.top.name,
        "compared": len(places),
        "pairs": [[*pair, number] for pair, number in sorted(pairs.items())],
    }


def _labels_by_place(asked: Asked) -> Mapping[Place, str]:
    opened, sentences = asked.opened, asked.sentences
    opened.add_lower(sentences)
    labels = opened.top.ready.tag(sentences)
    if opened.top.scheme == "none":
        return {_place(asked, i, t, t + 1): label for i, own in enumerate(labels) for t, label in enumerate(own)}
    return {
        _place(asked, i, span.start, span.end): type_name(span.label)
        for i, own in enumerate(labels)
        for span in spans(own, opened.top.scheme)
    }


def _place(asked: Asked, sentence: int, start: int, end: int) -> Place:
    """Return where tokens are: by characters in running text, else by their numbers."""
    if asked.offsets is None:
        return sentence, start, end
    places = asked.offsets[sentence]
    return places[start][0], places[end - 1][1]


def _known(asked: Asked) -> Collection[str]:
    layers = {layer["name"]: layer["labels"] for layer in asked.served.about["layers"]}
    labels = layers[asked.opened.top.name]
    return set(labels) if asked.opened.top.scheme == "none" else set(map(kind_of, labels))


def _shown(label: str | None, known: Collection[str]) -> str:
    if label is None:
        return NONE
    return label if label in known else OTHER
