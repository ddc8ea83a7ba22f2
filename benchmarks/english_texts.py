"""Texts of several sentences in nine kinds, written for `benchmarks.english`: names and sentences of raw text."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import perceptag
from benchmarks.english_sentences import Example, parse

FILE = Path(__file__).with_name("english_texts.txt")
SEPARATOR, END = "---", "¦"


class Text(NamedTuple):
    """A text with its names, and the characters that begin its sentences, without the first one."""

    example: Example
    starts: frozenset[int]


class Found(NamedTuple):
    """What a model gets right and wrong: names as they are in the text, and places where a sentence begins."""

    missed: list[str]
    invented: list[str]
    joined: list[str]
    cut: list[str]


def read() -> list[Text]:
    """Read the texts of the file."""
    texts = []
    for part in FILE.read_text("utf-8").split("\n## ")[1:]:
        kind, _, rest = part.partition("\n")
        texts += [read_text(kind, text.strip("\n")) for text in rest.split(f"\n{SEPARATOR}\n")]
    return texts


def read_text(kind: str, marked: str) -> Text:
    """Return a text without its marks.

    >>> read_text("news", "Hi [Al](PER).¦ Bye.")
    Text(example=Example(kind='news', text='Hi Al. Bye.', names=frozenset({(3, 5, 'PER')})), starts=frozenset({7}))
    """
    before, starts = "", set()
    for sentence in marked.split(END):
        space = len(sentence) - len(sentence.lstrip())
        starts.add(len(parse(kind, before).text) + space)
        before += sentence
    return Text(parse(kind, before), frozenset(starts - {0}))


def compare(model: perceptag.Pipeline, text: Text) -> Found:
    """Tag a text, and list what is wrong."""
    document, whole, gold = model(text.example.text), text.example.text, text.example.names
    names = {(span.start_char, span.end_char, span.label) for span in document.spans if span.layer == "ner"}
    starts = {sentence.tokens[0].start for sentence in document.sentences} - {0}

    def spelt(some: Iterable[tuple[int, int, str]]) -> list[str]:
        return [f"{whole[begin:end]} ({label})" for begin, end, label in sorted(some)]

    def around(places: Iterable[int]) -> list[str]:
        return [whole[max(0, place - 15) : place + 15] for place in sorted(places)]

    return Found(spelt(gold - names), spelt(names - gold), around(text.starts - starts), around(starts - text.starts))


def show(models: dict[str, perceptag.Pipeline]) -> None:
    """Print for each kind how many names and sentence starts are right, and how many are wrong."""
    texts = read()
    compared = {name: [compare(model, text) for text in texts] for name, model in models.items()}
    print(f"\n{len(texts)} texts of our own, raw: right of all names + wrong spans; right of all breaks + wrong breaks")
    print(f"{'':18}" + "".join(f"{name:>44}" for name in models))
    for kind in (*dict.fromkeys(text.example.kind for text in texts), ""):
        chosen = [i for i, text in enumerate(texts) if kind in ("", text.example.kind)]
        cells = [_counted([(texts[i], found[i]) for i in chosen]) for found in compared.values()]
        print(f"{kind or 'all':18}" + "".join(f"{cell:>44}" for cell in cells))


def _counted(pairs: list[tuple[Text, Found]]) -> str:
    names = sum(len(text.example.names) for text, _ in pairs)
    breaks = sum(len(text.starts) for text, _ in pairs)
    missed, invented, joined, cut = (sum(map(len, some)) for some in zip(*(found for _, found in pairs), strict=True))
    right = f"{names - missed} of {names} ({100 * (names - missed) / names:.0f} %) + {invented}"
    return f"{right}; {breaks - joined} of {breaks} + {cut}"


def main() -> None:
    """Print the counts, and every error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="en", help="a file or the name of an installed model")
    model = perceptag.load(parser.parse_args().model)
    show({"en": model})
    for text in read():
        for what, some in compare(model, text)._asdict().items():
            if some:
                print(f"{text.example.kind}: {what}: {'; '.join(map(repr, some))}")


if __name__ == "__main__":
    main()
