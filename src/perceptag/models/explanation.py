"""Explanations of labels, for every kind of model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from perceptag.arrays import whole_number
from perceptag.features.plain_words import in_plain_words
from perceptag.system.plural import plural
from perceptag.system.table import Table, render
from perceptag.system.visible import visible_lines
from perceptag.text.feature_lists import readable

TOP = 8  # features that are listed for each token
LONGEST_COMPARED = 1_000  # tokens: in longer sequences labels are not compared with rivals


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

    def render(self, token: int | None = None, *, top: int = TOP, terminal: bool = False, raw: bool = False) -> str:
        """The text that `perceptag explain` prints.

        `token`: only this one, counted from 1; `top`: how many features to list, 0 for all; `terminal`: with colours,
        and in the width of the terminal; `raw`: features by their names, not in plain words.
        """

    def html(self, token: int | None = None) -> str:
        """The same for notebooks."""


class Tabled:
    """Shows an explanation as tables: the first one of all tokens, the others of what contributed to their labels."""

    __slots__ = ()

    def _said(self, token: int | None) -> str:
        """Return one sentence about a token, if there is one to say."""
        del token
        return ""

    def _tables(self, token: int | None, top: int, raw: bool = False) -> list[tuple[str, Table]]:
        raise NotImplementedError

    def render(self, token: int | None = None, *, top: int = TOP, terminal: bool = False, raw: bool = False) -> str:
        """Return all tables as text; of one token, counted from 1, a sentence first."""
        tables = [render(table, title, terminal=terminal) for title, table in self._tables(token, top, raw)]
        said = self._said(token)
        return "\n".join([visible_lines(said) + "\n", *tables] if said else tables)

    def html(self, token: int | None = None) -> str:
        """Return the same with bars, for notebooks; without a token, what follows the first table is folded."""
        from perceptag.system.html import folded_html, lines_html, tables_html  # only notebooks ask for it

        first, *others = self._tables(token, TOP)
        said = self._said(token)
        head = lines_html([said]) if said else ""
        return head + tables_html([first]) + (folded_html(others) if token is None else tables_html(others))

    def _repr_html_(self) -> str:
        return self.html()


@dataclass(frozen=True, slots=True)
class Contribution:
    """One feature at one token: its weight for the chosen label and for the rival."""

    feature: str
    weight: float
    rival_weight: float
    meaning: str = ""  # of features that look at word classes or lists: "like Paris, London, Tokyo"

    @property
    def title(self) -> str:
        """What people read: plain words if there are any, else the name of the feature."""
        return self.in_words or self.feature

    @property
    def in_words(self) -> str:
        """The feature in plain words; empty if none are known."""
        return in_plain_words(self.feature) or self.meaning


@dataclass(frozen=True, slots=True)
class TokenExplanation:
    """One token: its label, the rival, and what each feature gives to both. Labels are those inside the model."""

    token: str
    label: str
    score: float  # sum of the contributions
    rival: str | None  # None: no other label is possible here, or the sequence is longer than LONGEST_COMPARED
    rival_labels: tuple[str, ...]  # of its sentence, in the best labelling that has the rival; empty without one
    margin: float | None
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class NonLocalContribution:
    """One feature of the whole document: its value, and its contribution to the score, which is value times weight."""

    feature: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Explanation(Tabled):
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

    def _said(self, token: int | None) -> str:
        """Return what a token is, and the feature that speaks most for it."""
        if token is None:
            return ""
        detail = self.details[token - 1]
        said = f"{readable(detail.token)} is {detail.label}"
        best = max(detail.contributions, key=lambda c: c.weight - c.rival_weight, default=None)
        if detail.rival is not None:
            said += f" rather than {detail.rival}"
        if best is not None and best.weight > best.rival_weight:
            said += f", above all because: {best.title}"
        return f"{said}."

    def _tables(self, token: int | None, top: int, raw: bool = False) -> list[tuple[str, Table]]:
        numbers = range(1, len(self.tokens) + 1)
        top = whole_number("top", top or 0, 0)
        chosen = numbers if token is None else [whole_number("token", token, 1, len(numbers))]
        tables = [(f"score {self.score:.2f}", self._overview())]
        tables += [
            (f"token {t}: {readable(self.tokens[t - 1])}", _of_token(self.details[t - 1], top, raw)) for t in chosen
        ]
        if self.nonlocal_contributions:
            tables.append(("non-local features of the document", _of_document(self.nonlocal_contributions, top)))
        return tables

    def _overview(self) -> Table:
        table = Table(["", "token", "label", "rival", "margin"], numbers=(0, 4))
        for t, d in enumerate(self.details, 1):
            table.add(str(t), readable(d.token), d.label, d.rival or "", "" if d.margin is None else f"{d.margin:.2f}")
        return table


def _of_token(detail: TokenExplanation, top: int, raw: bool) -> Table:
    """What each feature contributes to the label of a token and to the rival."""
    table = Table(["feature", detail.label, detail.rival or "-", "difference"], numbers=(1, 2, 3), bars=3)
    listed = detail.contributions[: top or None]
    names = named_features(listed, raw=raw)
    for name, c in zip(names, listed, strict=True):
        table.add(name, f"{c.weight:.2f}", f"{c.rival_weight:.2f}", f"{c.weight - c.rival_weight:+.2f}")
    rest = detail.contributions[len(listed) :]
    if rest:
        a, b = sum(c.weight for c in rest), sum(c.rival_weight for c in rest)
        table.add(plural(len(rest), "more feature"), f"{a:.2f}", f"{b:.2f}", f"{a - b:+.2f}")
    if detail.margin is not None:
        here = sum(c.weight - c.rival_weight for c in detail.contributions)
        table.add("at other tokens, whose labels differ too", "", "", f"{detail.margin - here:+.2f}")
        table.add("margin", "", "", f"{detail.margin:+.2f}")
    return table


def named_features(listed: Sequence[Contribution], *, raw: bool = False) -> list[str]:
    """Features in plain words, each with its name where two have the same words; `raw`: only their names."""
    if raw:
        return [c.feature for c in listed]
    times = Counter(c.title for c in listed)
    return [f"{c.title} ({c.feature})" if times[c.title] > 1 else c.title for c in listed]


def _of_document(contributions: Sequence[NonLocalContribution], top: int) -> Table:
    """What the non-local features of the document contribute."""
    table = Table(["feature", "value", "contribution"], numbers=(1, 2), bars=2)
    listed = contributions[: top or None]
    for c in listed:
        table.add(c.feature, f"{c.value:g}", f"{c.contribution:+.2f}")
    rest = contributions[len(listed) :]
    if rest:
        table.add(plural(len(rest), "more feature"), "", f"{sum(c.contribution for c in rest):+.2f}")
    return table
