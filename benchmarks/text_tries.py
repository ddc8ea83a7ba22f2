"""What plain text and lists of names give `ner`: gains of F1 over several seeds.

    python -m benchmarks.text_resources --data FOLDER --out FOLDER
    python -m benchmarks.text_tries --data FOLDER --text FOLDER --out FILE.jsonl --only "UNER; BTC" \\
        --tries "base; classes 1; classes 3, names~"
    python -m benchmarks.text_tries --data FOLDER --text FOLDER --out FILE.jsonl --table

A try is a list of parts with commas between them (see `PARTS`). Training and table are those of `benchmarks.tries`,
with the dropout of the recipe: ten passes, one margin, averaged weights, nothing chosen, dev data are only measured.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.defaults import Corpus
from benchmarks.text_resources import SIZES, Matrix
from benchmarks.tries import data_of, options, run_all
from benchmarks.unlabelled import LISTS as SMALL
from benchmarks.unlabelled import SHARES
from perceptag import Sentence, WordClasses

DROPOUT = 0.1
NAMES = ("first", "last", "loc", "org", "company")
CAPITALS = ("capital", "seldom_capital", "sometimes_capital", "often_capital")
SMALL_KEPT = ("country", "nation", "state")  # of the lists of `benchmarks.unlabelled`; the others are in the large ones
CLASS_FILES = ("1", "2", "3", "means", "1+means", "2+means", "3+means", "news")
FIRST = [  # the templates of `ner` for the first clustering alone
    template
    for size in SIZES
    for template in (f"class{size}[-2..2]", f"class{size}[-1] class{size}[0]", f"class{size}[0] class{size}[1]")
]
PROTOTYPES, SIMILAR = 40, 0.5  # words for each label; the least cosine


@dataclass(frozen=True)
class Resources:
    """What `benchmarks.text_resources` has made, and the data folder."""

    folder: Path
    data: Path

    def classes(self, name: str) -> dict[str, Any]:
        """Return the setting of a class file."""
        return {"classes": str(self.folder / f"{name}.classes")}

    def lists(self, names: tuple[str, ...], mark: str = "", called: str = "") -> dict[str, Any]:
        """Return lists as a setting; `mark` is ~ for matches in any case, `called` comes before their names."""
        return {"add_gazetteer": [f"{called}{name}{mark}={self._list(name)}" for name in names]}

    def _list(self, name: str) -> Path:
        path = self.folder / f"lists/{name}.txt"
        if not path.exists():
            files = [self.data / f"lists/{file}.txt" for file in SMALL[name]]
            lines = {line.strip() for file in files for line in file.read_text().splitlines()}
            path.write_text("".join(f"{line}\n" for line in sorted(lines - {""})))
        return path

    def by_length(self, mark: str = "") -> dict[str, Any]:
        """Return lists of phrases with one word, two, and more."""
        found = []
        for name in (*NAMES, *SMALL_KEPT):
            parts = defaultdict[int, list[str]](list)
            for line in self._list(name).read_text().splitlines():
                parts[min(len(line.split()), 3)].append(line)
            for length, lines in parts.items():
                path = self.folder / f"lists/{name}-{length}.txt"
                path.write_text("".join(f"{line}\n" for line in lines))
                found.append(f"{name}{length}{mark}={path}")
        return {"add_gazetteer": found}

    @cached_property
    def vectors(self) -> Matrix:
        """The vectors of the words of the class files."""
        found: Matrix = np.load(self.folder / "vectors.npz")["vectors"]
        return found

    @cached_property
    def words(self) -> WordClasses:
        """Classes that know which vector a word has."""
        return WordClasses.load(self.folder / "1.classes")

    def counted(self) -> dict[str, Any]:
        """Return the share of capitals in steps, by the counts of words in a class file; first words count too."""
        seen, upper = Counter[str](), Counter[str]()
        for word, n in zip(self.words.words, self.words.counts.tolist(), strict=True):
            seen[word.lower()] += n
            upper[word.lower()] += n * word[:1].isupper()
        shares = {word: str(sum(upper[word] / n > border for border in SHARES)) for word, n in seen.items()}
        return {"attributes": {"share": lambda word: shares.get(word.lower())}, "add": ["share[-1..1]"]}

    def binned(self) -> dict[str, Any]:
        """Return dimensions in which a vector is large, after Guo, Che, Wang and Liu (2014): `3+`, `17-`."""
        values = self.vectors
        above = np.nanmean(np.where(values > 0, values, np.nan), axis=0)
        below = np.nanmean(np.where(values < 0, values, np.nan), axis=0)

        def bins(word: str) -> list[str] | None:
            row = self.words.row(word)
            if row is None:
                return None
            vector = values[row]
            return [f"{i}+" for i in np.flatnonzero(vector > above)] + [f"{i}-" for i in np.flatnonzero(vector < below)]

        return {"attributes": {"bins": bins}, "add": ["bins[-1..1]"]}

    def prototypes(self, train: list[Sentence], label: str) -> dict[str, Any]:
        """Return the typical words of labels that a word is similar to, after Guo, Che, Wang and Liu (2014)."""
        chosen = sorted({word for some in typical(train, label).values() for word in some} & {*self.words.words})
        known = self.vectors[[self.words.words.index(word) for word in chosen]]

        def similar(word: str) -> list[str] | None:
            row = self.words.row(word)
            if row is None:
                return None
            return [chosen[i] for i in np.flatnonzero(known @ self.vectors[row] > SIMILAR)]

        return {"attributes": {"like": similar}, "add": ["like[-1..1]"]}


def typical(train: list[Sentence], label: str) -> dict[str, list[str]]:
    """Return the words with the highest normalised mutual information with each label, of those seen twice or more."""
    pairs = Counter((w, y) for s in train for w, y in zip(s.tokens, s.columns[label], strict=True))
    words, labels = Counter[str](), Counter[str]()
    for (word, y), n in pairs.items():
        words[word] += n
        labels[y] += n
    total = words.total()
    scored = defaultdict[str, list[tuple[float, str]]](list)
    for (word, y), n in pairs.items():
        if n > 1:
            score = math.log(n * total / (words[word] * labels[y])) / -math.log(n / total)
            scored[y].append((-score, word))
    return {y: [word for _, word in sorted(some)[:PROTOTYPES]] for y, some in scored.items()}


def _templates(*added: str) -> Callable[[Resources], dict[str, Any]]:
    return lambda _: {"add": list(added)}


PARTS: dict[str, Callable[[Resources], dict[str, Any]]] = {
    "base": lambda _: {},
    **{f"classes {name}": partial(Resources.classes, name=name) for name in CLASS_FILES},
    "narrow": lambda _: {"without": ["classes"], "add": ["classN[-1..1]"]},  # instead of the templates of the recipe
    "centre": lambda _: {"without": ["classes"], "add": ["classN[0]"]},
    "singles": lambda _: {"without": ["classes"], "add": ["classN[-2..2]"]},
    "one more": lambda _: {"without": ["classes"], "add": [*FIRST, *(f"class{size + 1}[0]" for size in SIZES)]},
    "two more": lambda _: {
        "without": ["classes"],
        "add": [*FIRST, *(f"class{s + n}[0]" for s in SIZES for n in (1, 2))],
    },
    "means more": lambda _: {"without": ["classes"], "add": [*FIRST, *(f"class{size - 1}[0]" for size in SIZES)]},
    "counted": Resources.counted,
    "binned": Resources.binned,
    "names": lambda r: r.lists((*NAMES, *SMALL_KEPT)),
    "names~": lambda r: r.lists((*NAMES, *SMALL_KEPT), "~"),
    "any names~": lambda r: r.lists((*NAMES, *SMALL_KEPT), "~", "any_"),  # together with `names`
    "lengths": Resources.by_length,
    "lengths~": lambda r: r.by_length("~"),
    "capitals": lambda r: r.lists(CAPITALS, "~"),
    "bilu": _templates("gazetteer_bilu[-1..1]"),
    "bilu shape": _templates("gazetteer_bilu[0] shortshape[0]"),
    "shape": _templates("gazetteer[0] shortshape[0]"),
    "pairs": _templates("gazetteer[-1] gazetteer[0]", "gazetteer[0] gazetteer[1]"),
    "window": _templates("gazetteer[-2]", "gazetteer[2]"),
}
LABELLED = "prototypes"  # the part that needs training data


def settings(parts: str, resources: Resources, corpus: Corpus) -> dict[str, Any]:
    """Return the settings of a try."""
    found: dict[str, Any] = {"dropout": DROPOUT}
    for name in map(str.strip, parts.split(",")):
        if name == LABELLED:
            assert corpus.columns
            part = resources.prototypes(data_of(corpus, resources.data)[0], corpus.columns[-1])
        else:
            part = PARTS[name](resources)
        for key, value in part.items():
            found[key] = found[key] + value if isinstance(found.get(key), list) else value
    return found


def main() -> None:
    """Run what is missing, and print the table."""
    parser = options(__doc__)
    parser.add_argument("--text", type=Path, required=True)
    given = parser.parse_args()
    resources = Resources(given.text, given.data)
    run_all(given, lambda name, corpus, _: settings(name, resources, corpus))


if __name__ == "__main__":
    main()
