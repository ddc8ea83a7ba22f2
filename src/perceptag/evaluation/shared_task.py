"""Compare two words that belong together as the CoNLL 2018 shared task does (conll18_ud_eval.py).

UPOS, XPOS   the tags
UFeats       those features that Universal Dependencies define for all languages, in any order
AllTags      UPOS, XPOS and UFeats, as far as there are any
Lemmas       the lemmas; a word whose gold lemma is "_" counts as right
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Columns = Mapping[str, Sequence[str]]  # labels of words, by column

UNIVERSAL = frozenset(
    (
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case"),
        *(
            "Definite",
            "Degree",
            "VerbForm",
            "Mood",
            "Tense",
            "Aspect",
            "Voice",
            "Evident",
            "Polarity",
            "Person",
            "Polite",
        ),
    )
)
METRICS = {  # the columns that are compared, if there are any of them
    "UPOS": ("upos",),
    "XPOS": ("xpos",),
    "UFeats": ("feats",),
    "AllTags": ("upos", "xpos", "feats"),
    "Lemmas": ("lemma",),
}


def compared(columns: Columns) -> dict[str, list[str]]:
    """Return what is compared of words, by metric; metrics without any column are left out.

    >>> compared({"upos": ["NOUN"], "feats": ["Typo=Yes|Number=Sing"]})
    {'UPOS': ['NOUN'], 'UFeats': ['Number=Sing'], 'AllTags': ['NOUN Number=Sing']}
    """
    known = {name: list(map(universal, values)) if name == "feats" else values for name, values in columns.items()}
    return {
        metric: list(map(" ".join, zip(*(known[name] for name in used), strict=True)))
        for metric, needed in METRICS.items()
        if (used := [name for name in needed if name in known])
    }


def universal(features: str) -> str:
    """Return the universal features of a word in alphabetical order.

    >>> universal("Typo=Yes|Number=Plur|Case=Nom")
    'Case=Nom|Number=Plur'
    """
    return "|".join(sorted(f for f in features.split("|") if f.partition("=")[0] in UNIVERSAL))


def is_right(metric: str, gold: str, found: str) -> bool:
    """Return whether what was found of a word is right."""
    return gold == found or (metric == "Lemmas" and gold == "_")
