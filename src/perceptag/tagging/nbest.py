"""Write the n best labellings of a sequence to a file.

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
from dataclasses import dataclass, replace

from perceptag.numeric.arrays import cut, offsets
from perceptag.text import Sentence
from perceptag.text.columns import ColumnLayout
from perceptag.text.format import Format
from perceptag.text.label_column import LabelColumn

NBest = Sequence[tuple[list[str], float]]  # labellings with scores, the best first


@dataclass(frozen=True, slots=True)
class CandidateWriter:
    """Makes the sentences that are written for the n best labellings of a sequence."""

    labels: LabelColumn
    format_: Format
    put: Callable[[str], None]  # writes a line before the next sentence

    def candidates(self, sequence: Sequence[Sentence], best: NBest) -> Iterator[Sentence]:
        """The sentences to write for a sequence of sentences."""
        begin = offsets([len(sentence) for sentence in sequence])
        parts = [(cut(labels, begin), score) for labels, score in best]
        if self.format_.with_entry:
            for i, sentence in enumerate(sequence):
                listed = [{"labels": labels[i], "score": score} for labels, score in parts]
                yield self.format_.with_entry(self.labels.add(sentence, parts[0][0][i]), "nbest", listed)
            return
        for k, (labels, score) in enumerate(parts):
            if self.format_.with_comments is None:
                self.put(f"# {k} {score:.6f}\n")
            for sentence, own in zip(sequence, labels, strict=True):
                yield self._labelled(sentence, own, k, score)

    def _labelled(self, sentence: Sentence, labels: list[str], k: int, score: float) -> Sentence:
        """A copy of the sentence with the labels of candidate k."""
        starts = sentence.starts_document and k == 0
        copied = replace(sentence, columns=dict(sentence.columns), starts_document=starts)
        if isinstance(sentence.layout, ColumnLayout):
            copied.layout = sentence.layout.without_blank_lines()  # a line with its score stands before a labelling
        labelled = self.labels.add(copied, labels)
        if self.format_.with_comments is None:
            return labelled
        return self.format_.with_comments(labelled, [f"# nbest = {k}", f"# score = {score:.6f}"])
