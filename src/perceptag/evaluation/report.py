"""The result of an evaluation, as values and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perceptag.evaluation.chunks import Counts
from perceptag.evaluation.reliability import Reliability
from perceptag.labels.schemes import type_name
from perceptag.system.plural import plural

if TYPE_CHECKING:
    from perceptag.system.table import Table

_MEANING = {
    "conlleval": "a label that continues nothing opens a chunk",
    "scheme": "as conlleval, but IOBES chunks end at E and S and start at B and S",
    "discard": "chunks not written as the scheme demands are dropped",
    "strict": "labels that break the scheme are refused",
}


@dataclass(frozen=True, slots=True)
class Report:
    """The result of `evaluate`. All scores are in per cent.

    `chunks` counts spans. It and `per_type` are None if the labels are not spans; then precision, recall and f1 are
    None too, and the main score is the accuracy. `known` and `unknown` count tokens (`predicted` and `gold`
    are both their number), so that ``report.unknown.recall`` is the accuracy on unknown words.
    """

    sentences: int
    tokens: int
    correct_tokens: int
    chunks: Counts | None
    per_type: dict[str, Counts] | None
    known: Counts | None
    unknown: Counts | None
    gold_scheme: str
    predicted_scheme: str
    repair: str
    gold_violations: int
    predicted_violations: int
    interval: tuple[float, float] | None
    bootstrap: int
    seed: int
    notes: tuple[str, ...] = ()
    reliability: Reliability | None = None  # of the confidence, if it was asked for

    @property
    def accuracy(self) -> float:
        return 100 * self.correct_tokens / self.tokens

    @property
    def precision(self) -> float | None:
        return self.chunks.precision if self.chunks else None

    @property
    def recall(self) -> float | None:
        return self.chunks.recall if self.chunks else None

    @property
    def f1(self) -> float | None:
        return self.chunks.f1 if self.chunks else None

    @property
    def main_score(self) -> tuple[str, float]:
        """The name and the value of the score to watch: f1 of spans, else accuracy."""
        return ("f1", self.chunks.f1) if self.chunks else ("accuracy", self.accuracy)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values. Scores that do not apply to the labels are None."""
        name, value = self.main_score
        scores = {
            "accuracy": self.accuracy,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }
        return scores | {
            "main_score": name,
            "score": value,
            "interval": list(self.interval) if self.interval else None,
            "bootstrap": self.bootstrap,
            "seed": self.seed,
            "known_accuracy": self.known.recall if self.known and self.known.gold else None,
            "unknown_accuracy": self.unknown.recall if self.unknown and self.unknown.gold else None,
            "known_tokens": self.known.gold if self.known else None,
            "unknown_tokens": self.unknown.gold if self.unknown else None,
            "sentences": self.sentences,
            "tokens": self.tokens,
            "correct_tokens": self.correct_tokens,
            "chunks": _counts_dict(self.chunks) if self.chunks else None,
            "per_type": {k: _counts_dict(c) for k, c in self.per_type.items()} if self.per_type is not None else None,
            "scheme": {"gold": self.gold_scheme, "predicted": self.predicted_scheme},
            "repair": self.repair,
            "violations": {"gold": self.gold_violations, "predicted": self.predicted_violations},
            "notes": list(self.notes),
            **({"reliability": self.reliability.to_dict()} if self.reliability else {}),
        }

    def render(self) -> str:
        """Return the report as text: first the lines of conlleval, then how the figures were computed."""
        reliability = [self.reliability.render()] if self.reliability else []
        return "\n".join([*self._conlleval_lines(), *self._method_lines(), *reliability])

    def __str__(self) -> str:
        return self.render()

    def _repr_html_(self) -> str:
        """Return the main figures as an HTML table with a note on their computation, for notebooks."""
        from perceptag.system.html import lines_html, tables_html  # only notebooks ask for it

        return tables_html([("", self._table())] if self.chunks else []) + lines_html(self._lines_below())

    def render_for_terminal(self) -> str:
        """Return the main figures as a table with a note on their computation, in the width of the terminal."""
        from perceptag.system.table import in_terminal_width, render
        from perceptag.system.visible import visible_lines

        table = [render(self._table(), terminal=True)] if self.chunks else []
        reliability = [self.reliability.render()] if self.reliability else []
        below = visible_lines("\n".join([*self._lines_below(), *reliability]))
        return "\n".join([*table, in_terminal_width(below)])

    def _table(self) -> Table:
        from perceptag.system.table import Table

        table = Table(["", "precision", "recall", "F1", "gold", "found"], numbers=(1, 2, 3, 4, 5))
        for name, c in {"all": self.chunks, **(self.per_type or {})}.items():
            assert c
            scores = (f"{s:.2f}" for s in (c.precision, c.recall, c.f1))
            table.add(type_name(name), *scores, str(c.gold), str(c.predicted))
        return table

    def _lines_below(self) -> list[str]:
        return [f"accuracy {self.accuracy:.2f} % of {plural(self.tokens, 'token')}", *self._method_lines()]

    def _conlleval_lines(self) -> list[str]:
        if self.chunks is None or self.per_type is None:
            return [f"processed {self.tokens} tokens.", f"accuracy: {self.accuracy:6.2f}%"]
        c = self.chunks
        head = f"processed {self.tokens} tokens with {c.gold} phrases; "
        head += f"found: {c.predicted} phrases; correct: {c.correct}."
        lines = [head, f"accuracy: {self.accuracy:6.2f}%; {_scores(c)}"]
        return lines + [f"{kind:>17}: {_scores(c)}  {c.predicted}" for kind, c in self.per_type.items()]

    def _method_lines(self) -> list[str]:
        schemes = f"gold {self.gold_scheme}, predicted {self.predicted_scheme} (tokens are compared in the latter)"
        lines = [f"scheme: {schemes if self.gold_scheme != self.predicted_scheme else self.gold_scheme}"]
        if self.chunks:
            lines.append(f"repair: {self.repair} ({_MEANING[self.repair]})")
            found = f"{self.gold_violations} in gold, {self.predicted_violations} in predicted"
            lines.append(f"invalid transitions: {found}")
        if self.interval:
            name = "FB1" if self.chunks else "accuracy"
            how = f"{self.bootstrap} bootstrap samples of {plural(self.sentences, 'sentence')}, seed {self.seed}"
            lines.append(f"95 % interval of {name}: {self.interval[0]:.2f} to {self.interval[1]:.2f} ({how})")
        for name, part in (("known", self.known), ("unknown", self.unknown)):
            if part and part.gold:
                lines.append(f"accuracy on {name} words: {part.recall:6.2f}% of {part.gold} tokens")
        return lines + [f"note: {note}" for note in self.notes]


def _scores(c: Counts) -> str:
    return f"precision: {c.precision:6.2f}%; recall: {c.recall:6.2f}%; FB1: {c.f1:6.2f}"


def _counts_dict(c: Counts) -> dict[str, float]:
    scores = {"precision": c.precision, "recall": c.recall, "f1": c.f1}
    return scores | {"correct": c.correct, "predicted": c.predicted, "gold": c.gold}
