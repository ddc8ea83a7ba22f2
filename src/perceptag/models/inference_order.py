"""The order in which a bidirectional tagger labels a sequence, step by step."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Choice:
    """A token that could be labelled next, with the label and score of its best action."""

    position: int
    token: str
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class InferenceStep:
    """One step: the token that was labelled, the labelled spans after it, and the next best choice.

    The label is the best at that moment; another hypothesis in the beam may still overtake it.
    """

    position: int
    token: str
    label: str
    score: float  # of the action: the sum of the weights of its features
    spans: tuple[tuple[int, int], ...]  # half-open, in tokens
    runner_up: Choice | None  # None: it was the only candidate


@dataclass(frozen=True, slots=True)
class InferenceOrder:
    """A labelled sequence and the steps that led to it. Labels are those inside the model."""

    tokens: tuple[str, ...]
    labels: tuple[str, ...]
    steps: tuple[InferenceStep, ...]

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return asdict(self)

    def render(self) -> str:
        """A table for people: one line for each step, with labelled spans in brackets.

        >>> step = InferenceStep(1, "dog", "NN", 3.0, ((1, 2),), Choice(0, "the", "DT", 2.0))
        >>> print(InferenceOrder(("the", "dog"), ("DT", "NN"), (step,)).render())
        step  token  label  score  runner-up    spans
           1  dog    NN      3.00  the/DT 2.00  the [dog]
        """
        rows = [("step", "token", "label", "score", "runner-up", "spans")]
        for number, step in enumerate(self.steps, start=1):
            other = step.runner_up
            final = self.labels[step.position]
            rows.append(
                (
                    f"{number:4d}",
                    step.token,
                    step.label if step.label == final else f"{step.label} (later {final})",
                    f"{step.score:5.2f}",
                    f"{other.token}/{other.label} {other.score:.2f}" if other else "",
                    self._bracketed(step.spans),
                )
            )
        widths = [max(len(row[k]) for row in rows) for k in range(5)]
        lines = ("  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[5]]) for row in rows)
        return "\n".join(line.rstrip() for line in lines)

    def _bracketed(self, spans: tuple[tuple[int, int], ...]) -> str:
        words = list(self.tokens)
        for start, end in spans:
            words[start] = "[" + words[start]
            words[end - 1] += "]"
        return " ".join(words)
