"""Labels by endings: what a word that is not in the tag dictionary may be, by the words that end as it does.

The longest ending that enough words have decides. A word takes the labels that these words were seen with. A label that
training did not see has no word; an ending gets it if it was seen with all parts of that label.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import chain

from perceptag.arrays import Ints

LONGEST = 4  # characters


def endings_of(word: str) -> Iterator[str]:
    """Yield the endings of a word, the longest first.

    >>> list(endings_of("Házban")), list(endings_of("és"))
    (['zban', 'ban', 'an', 'n'], ['és', 's'])
    """
    lower = word.lower()
    return (lower[-length:] for length in range(min(LONGEST, len(lower)), 0, -1))


def learn_endings(
    forms: Sequence[Sequence[Hashable]],
    labels: Ints,
    closed: Collection[str],
    common: int,
    unseen: Mapping[int, frozenset[int]] | None = None,
    parts: Sequence[frozenset[int]] = (),
) -> dict[str, set[int]]:
    """Return the labels of each ending that at least `common` words have; closed words do not count.

    `unseen` has the parts of labels that no word has, `parts` those of every label.
    """
    seen: dict[str, set[int]] = {}
    for word, label in zip(chain.from_iterable(forms), labels.tolist(), strict=True):
        seen.setdefault(str(word), set()).add(label)
    words: dict[str, list[set[int]]] = {}
    for word, own in seen.items():
        for ending in endings_of(word) if word not in closed else ():
            words.setdefault(ending, []).append(own)
    found = {ending: set[int]().union(*own) for ending, own in words.items() if len(own) >= common}
    for own in found.values() if unseen else ():
        known = frozenset[int]().union(*(parts[y] for y in own))
        own.update(y for y, wanted in (unseen or {}).items() if wanted <= known)
    return found
