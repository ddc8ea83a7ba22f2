"""Small models of every learner, each trained once for all the tests that only use it."""

from __future__ import annotations

from functools import cache
from itertools import islice

from command_line import CORPUS
from learner_settings import EVERY
from perceptag import Sentence, Tagger
from perceptag.text import read_columns

TRAIN = 40  # of the sentences of `chunked`; the others are dev data


@cache
def chunked() -> tuple[Sentence, ...]:
    """Return real sentences with chunks as labels."""
    read = islice(read_columns(CORPUS / "train.txt", ["form", "pos", "label", "ner"]), 60)
    return tuple(
        Sentence({c: s.columns[c] for c in ("form", "pos", "label")}, starts_document=s.starts_document) for s in read
    )


def trained(name: str, *, dev: bool = False) -> Tagger:
    """Return the tagger of a learner of `EVERY`; tests share it, so they change nothing but its number of threads."""
    return _fitted(name, dev).set_params(threads=1)


@cache
def _fitted(name: str, dev: bool) -> Tagger:
    sentences = list(chunked())
    return Tagger(**EVERY[name]).fit(sentences[:TRAIN], dev=sentences[TRAIN:] if dev else None)
