"""How many names `en` finds in running text that is cut into documents by several rules.

    PERCEPTAG_DATA=DIR python -m benchmarks.english_documents

A name is right if its type and its first and last characters are. Dev data: the best passes were chosen by it.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import perceptag
from perceptag.evaluation.chunks import Counts
from perceptag.labels.schemes import spans
from perceptag.text import Sentence, read_columns, read_conllu
from perceptag.text.tokens import Token
from perceptag.text.treebank import GoldSentence, read_treebank

Name = tuple[int, int, str]  # first and last character, type
RULES = ("mark", "50", "blank-line", "1")  # what ends a document of running text; the text has no marks


def main() -> None:
    """Print the scores of names by rule."""
    data = Path(os.environ["PERCEPTAG_DATA"])
    bank = read_treebank(read_conllu(data / "ewt/en_ewt-ud-dev.conllu"))
    names = list(read_columns(data / "uner/en_ewt.dev", ("form", "ner")))
    english = perceptag.load("en")
    gold, given = _gold(bank.sentences, names), _from_tokens(english, bank.sentences)
    found = {rule: _from_text(english, bank.passage().text, rule) for rule in RULES}
    shown = {"gold tokens": given} | {f"raw text, documents: {rule}": some for rule, some in found.items()}
    for what, some in shown.items():
        counts = Counts(len(some & gold), len(some), len(gold))
        print(f"names, {what}: precision {counts.precision:.2f}, recall {counts.recall:.2f}, F1 {counts.f1:.2f}")
    for rule in RULES[1:]:
        print(f"documents: {rule}: {len(found[rule] ^ found['mark'])} of {len(found['mark'])} spans differ from mark")


def _gold(bank: list[GoldSentence], names: list[Sentence]) -> set[Name]:
    """The gold names. Both corpora have the same sentences in another order; a few words differ, and have no names."""
    known = {tuple(s.tokens): s.columns["ner"] for s in names}
    words = [tuple(word.replace(" ", "_") for word in s.sentence.columns["form"]) for s in bank]
    missing = sum(w not in known for w in words)
    print(f"{missing} of {len(words)} sentences are not among those with names")
    return _placed(bank, [known.get(w, ["O"] * len(w)) for w in words])


def _from_text(english: perceptag.Pipeline, text: str, rule: str) -> set[Name]:
    documents = english.stream(io.StringIO(text), documents=rule, confidence=False)
    return {(s.start_char, s.end_char, s.label) for document in documents for s in document.spans}


def _from_tokens(english: perceptag.Pipeline, bank: list[GoldSentence]) -> set[Name]:
    words = [Sentence({"form": s.sentence.columns["form"]}, starts_document=s.sentence.starts_document) for s in bank]
    return _placed(bank, [s.columns["ner"] for s in english.tag(words)])


def _placed(bank: list[GoldSentence], labels: list[list[str]]) -> set[Name]:
    """The names with their places in the text of the treebank."""
    found, place = set(), 0
    for sentence, mine in zip(bank, labels, strict=True):
        places = [piece for token in sentence.tokens for piece in _pieces(place, token)]
        for span in spans(mine, "IOB2"):
            found.add((places[span.start][0], places[span.end - 1][1], span.label))
        place += len(sentence.text)
    return found


def _pieces(place: int, token: Token) -> list[tuple[int, int]]:
    """The places of the words of a token; the whole token for each where they do not spell it."""
    start, end, words = place + token.start, place + token.end, token.words
    if len(words) == 1 or sum(map(len, words)) != end - start:
        return [(start, end)] * len(words)
    ends = [start + sum(map(len, words[: i + 1])) for i in range(len(words))]
    return list(zip([start, *ends], ends, strict=False))


if __name__ == "__main__":
    main()
