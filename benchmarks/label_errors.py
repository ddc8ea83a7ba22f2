"""How many label errors `perceptag check --suspects` finds: some labels are spoilt, and the first finds are counted.

    PERCEPTAG_DATA=folder python -m benchmarks.label_errors [--seeds 1,2,3] [--corpus names|web|tags] [--recipe NAME]

The first 7,000 sentences of CoNLL-2003 (names), of UNER (names in web text) and of EWT (tags). In 300 sentences one
label or span is spoilt, in ways that take turns. A suggestion is a hit if it has a token in common with what was spoilt
in its sentence, and each spoilt place counts once. The corpora have errors of their own, which count as false alarms.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from perceptag.inspecting.suspects import Suspect, suspects
from perceptag.labels.schemes import Span, convert, spans, spans_to_labels
from perceptag.text import Sentence, read_columns, read_conllu

SENTENCES, SPOILT, FIRST = 7000, 300, (100, 300)
LABEL = "label"


@dataclass(frozen=True)
class Spoilt:
    """What was done to a sentence, and to which tokens."""

    way: str
    start: int
    end: int
    labels: list[str]


Way = Callable[[random.Random, Sentence, Sequence[str]], "Spoilt | None"]  # the last: all types, or all labels


# --- spans ---


def other_type(rng: random.Random, sentence: Sentence, types: Sequence[str]) -> Spoilt | None:
    found = spans(sentence.columns[LABEL])
    if not found:
        return None
    span = rng.choice(found)
    new = Span(span.start, span.end, rng.choice([kind for kind in types if kind != span.label]))
    return _of_spans("type", sentence, found, span, new)


def no_span(rng: random.Random, sentence: Sentence, types: Sequence[str]) -> Spoilt | None:
    del types
    found = spans(sentence.columns[LABEL])
    return _of_spans("missing", sentence, found, rng.choice(found), None) if found else None


def other_border(rng: random.Random, sentence: Sentence, types: Sequence[str]) -> Spoilt | None:
    del types
    found = spans(sentence.columns[LABEL])
    if not found:
        return None
    span = rng.choice(found)
    taken = {t for other in found if other != span for t in range(other.start, other.end)}
    moved = [Span(span.start + a, span.end + b, span.label) for a, b in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    possible = [
        new
        for new in moved
        if 0 <= new.start < new.end <= len(sentence) and taken.isdisjoint(range(new.start, new.end))
    ]
    return _of_spans("border", sentence, found, span, rng.choice(possible)) if possible else None


def new_span(rng: random.Random, sentence: Sentence, types: Sequence[str]) -> Spoilt | None:
    found, labels = spans(sentence.columns[LABEL]), sentence.columns[LABEL]
    free = [t for t, label in enumerate(labels) if label == "O"]
    if not free:
        return None
    t = rng.choice(free)
    return _of_spans("spurious", sentence, found, None, Span(t, t + 1, rng.choice(types)))


def any_label(rng: random.Random, sentence: Sentence, types: Sequence[str]) -> Spoilt | None:
    """Another label at any token, as by a slip of the hand; spans may be cut in two."""
    t, given = rng.randrange(len(sentence)), sentence.columns[LABEL]
    label = rng.choice([y for y in ["O", *(f"{tag}-{kind}" for tag in "BI" for kind in types)] if y != given[t]])
    labels = spans_to_labels(spans([*given[:t], label, *given[t + 1 :]]), len(given), "IOB2")
    return None if labels == given else Spoilt("token", t, t + 1, labels)


def _of_spans(way: str, sentence: Sentence, found: Sequence[Span], old: Span | None, new: Span | None) -> Spoilt:
    changed = [span for span in (old, new) if span]
    kept = [span for span in found if span != old] + ([new] if new else [])
    labels = spans_to_labels(kept, len(sentence), "IOB2")
    return Spoilt(way, min(span.start for span in changed), max(span.end for span in changed), labels)


OF_SPANS: tuple[Way, ...] = (other_type, no_span, other_border, new_span, any_label)


# --- tags ---


def random_tag(rng: random.Random, sentence: Sentence, labels: Sequence[str]) -> Spoilt | None:
    return _tag("random tag", rng, sentence, labels)


def frequent_tag(rng: random.Random, sentence: Sentence, labels: Sequence[str]) -> Spoilt | None:
    """One of the eight most frequent tags."""
    return _tag("frequent tag", rng, sentence, labels[:8])


def _tag(way: str, rng: random.Random, sentence: Sentence, labels: Sequence[str]) -> Spoilt:
    t, given = rng.randrange(len(sentence)), sentence.columns[LABEL]
    label = rng.choice([y for y in labels if y != given[t]])
    return Spoilt(way, t, t + 1, [*given[:t], label, *given[t + 1 :]])


# --- runs ---


def names(data: Path) -> list[Sentence]:
    read = list(read_columns(data / "conll2003" / "eng.train", ["form", "pos", "chunk", "ner"]))[:SENTENCES]
    labels = [convert(s.columns["ner"], "IOB2", "IOB1") for s in read]
    return [replace(s, columns={"form": s.tokens, LABEL: y}) for s, y in zip(read, labels, strict=True)]


def web_names(data: Path) -> list[Sentence]:
    read = list(read_columns(data / "uner" / "en_ewt.train", ["form", LABEL]))[:SENTENCES]
    return [replace(s, columns={"form": s.tokens, LABEL: s.columns[LABEL]}) for s in read]


def tags(data: Path) -> list[Sentence]:
    read = list(read_conllu(data / "ewt" / "en_ewt-ud-train.conllu"))[:SENTENCES]
    return [replace(s, columns={"form": s.tokens, LABEL: s.columns["xpos"]}) for s in read]


CORPORA: dict[str, tuple[Callable[[Path], list[Sentence]], tuple[Way, ...]]] = {
    "names": (names, OF_SPANS),
    "web": (web_names, OF_SPANS),
    "tags": (tags, (random_tag, frequent_tag)),
}


def values(sentences: Sequence[Sentence], of_spans: bool) -> list[str]:
    """All types of spans, or all labels, the most frequent first."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        labels = sentence.columns[LABEL]
        counts.update([span.label for span in spans(labels)] if of_spans else labels)
    return [value for value, _ in counts.most_common()]


def spoil(
    sentences: Sequence[Sentence], ways: Sequence[Way], number: int, seed: int
) -> tuple[list[Sentence], dict[int, Spoilt]]:
    """The sentences with one place spoilt in some of them, and what was done, by the number of the sentence."""
    rng = random.Random(seed)
    known = values(sentences, ways[0] is other_type)
    changed, done = list(sentences), dict[int, Spoilt]()
    for i in rng.sample(range(len(sentences)), len(sentences)):
        if len(done) == number:
            break
        found = ways[len(done) % len(ways)](rng, sentences[i], known)
        if found:
            done[i] = found
            changed[i] = replace(sentences[i], columns={**sentences[i].columns, LABEL: found.labels})
    return changed, done


def hits(found: Sequence[Suspect], spoilt: dict[int, Spoilt]) -> Counter[str]:
    """How many spoilt places some suggestions have found, by the way they were spoilt."""
    seen = {
        s.sentence for s in found if (place := spoilt.get(s.sentence)) and s.start < place.end and place.start < s.end
    }
    return Counter(spoilt[i].way for i in seen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--corpus", choices=list(CORPORA), action="append")
    parser.add_argument("--recipe", default="")
    given = parser.parse_args()
    data = Path(os.environ.get("PERCEPTAG_DATA", "data"))
    first = " | ".join(f"in the first {n}" for n in FIRST)
    print(f"| corpus | seed | suggestions | {first} | CPU s |\n|{'---|' * (len(FIRST) + 4)}", flush=True)
    for corpus in given.corpus or CORPORA:
        read, ways = CORPORA[corpus]
        sentences = read(data)
        for seed in map(int, given.seeds.split(",")):
            changed, spoilt = spoil(sentences, ways, SPOILT, seed)
            started = time.process_time()
            found = suspects(changed, LABEL, recipe=given.recipe, limit=max(FIRST))
            seconds = time.process_time() - started
            found_in = [hits(found.suspects[:n], spoilt) for n in FIRST]
            cells = [f"{sum(h.values())} ({', '.join(f'{w} {h[w]}' for w in sorted(h))})" for h in found_in]
            print(f"| {corpus} | {seed} | {found.total} | {' | '.join(cells)} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
