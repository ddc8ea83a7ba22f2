"""The n best labellings of a sequence on their way into a file.

    columns  a block for each candidate, the best first, under a line with its number and score, as CRF++ writes:
             ``# 0 17.250000``
    conllu   a sentence for each candidate, with the comments ``# nbest = 0`` and ``# score = 17.250000``
    jsonl    ``"nbest": [{"labels": [...], "score": 17.25}, ...]`` in the object of the sentence, whose labels are
             those of the best candidate

Where the model takes whole documents as sequences, a block holds all sentences of a document, and in the other
formats every sentence has its part of the document's labellings, with the document's score. Only the first
candidate carries the mark of a document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from perceptag.numeric.arrays import cut, offsets
from perceptag.text import Sentence
from perceptag.text.conllu import with_comments
from perceptag.text.jsonl import with_entry

NBest = Sequence[tuple[list[str], float]]  # labellings with scores, the best first
Put = Callable[[str], None]
AddLabels = Callable[[Sentence, list[str]], Sentence]


def candidates(
    sequence: Sequence[Sentence], best: NBest, add_labels: AddLabels, format_: str, write_stdout: Put
) -> Iterator[Sentence]:
    """The sentences to write for a sequence of sentences; `put` writes a line before what comes next."""
    begin = offsets([len(sentence) for sentence in sequence])
    parts = [(cut(labels, begin), score) for labels, score in best]
    if format_ == "jsonl":
        for i, sentence in enumerate(sequence):
            listed = [{"labels": labels[i], "score": score} for labels, score in parts]
            yield with_entry(add_labels(sentence, parts[0][0][i]), "nbest", listed)
        return
    for k, (labels, score) in enumerate(parts):
        if format_ == "columns":
            write_stdout(f"# {k} {score:.6f}\n")
        for i, sentence in enumerate(sequence):
            starts = sentence.starts_document and k == 0
            copied = replace(sentence, columns=dict(sentence.columns), starts_document=starts)
            labelled = add_labels(copied, labels[i])
            if format_ == "conllu":
                labelled = with_comments(labelled, [f"# nbest = {k}", f"# score = {score:.6f}"])
            yield labelled
