"""Why a sentence got its labels, whatever kind of model gave them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Protocol


class Explained(Protocol):
    """What explanations of all kinds of models have in common."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the sentence."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Their labels, as the training data writes them: those that the model gives when it tags."""

    @property
    def score(self) -> float:
        """The score of the labels."""

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """One feature at one token: its weight for the chosen label and for the rival."""

    feature: str
    weight: float
    rival_weight: float


@dataclass(frozen=True, slots=True)
class TokenExplanation:
    """One token: its label, the rival, and what each feature gives to both. Labels are those inside the model."""

    token: str
    label: str
    score: float  # sum of the contributions
    rival: str | None  # None: no other label is possible here
    rival_labels: tuple[str, ...]  # the labels of its sentence in the best labelling that has the rival
    margin: float | None
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class NonLocalContribution:
    """One feature of the whole document: its value, and its contribution to the score, which is value times weight."""

    feature: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A labelled sentence, explained token by token."""

    tokens: tuple[str, ...]
    labels: tuple[str, ...]  # as the training data writes them
    score: float  # the sum over its tokens
    details: tuple[TokenExplanation, ...]
    nonlocal_contributions: tuple[
        NonLocalContribution, ...
    ] = ()  # of the document, if the model has non-local features

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return asdict(self)
