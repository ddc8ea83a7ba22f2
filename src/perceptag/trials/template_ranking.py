"""Rank templates without training: how much of the present model's errors would each explain?

McCallum (2003), "Efficiently inducing features of conditional random fields", UAI: rank candidates by the gain of the
likelihood if the candidate alone gets a weight, at the tokens that the present model gets wrong or nearly wrong. A
perceptron has no likelihood, so the loss is squared here, and tokens at most `WINDOW` away from an error stand for
those that are nearly wrong. The rest is the same idea:

    r_t(y) = [gold label of t is y] - [predicted label of t is y]       what is left to explain at token t
    w(v,y) = sum of r_t(y) over tokens with value v / (their number + RIDGE)     of the other folds
    gain   = sum of r_t(y)^2 - (r_t(y) - w(v_t,y))^2                    over the tokens of this fold

Predictions are those of models that were trained without the fold of the token. A correct token has r = 0: it counts
against values that are as frequent where the model is right. The weights of a fold come from the other folds, so rare
values that only fit by chance lose. The score is the gain of all folds as a share of the sum of all r^2, in per cent.
`reference.template_gain` is the slow, obvious version.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from perceptag.arrays import Floats, Ints, Longs, np
from perceptag.features.attributes import Attribute, as_values, compose
from perceptag.features.dataset import SequenceReader, computed_columns
from perceptag.features.document_columns import NumberedValues
from perceptag.features.template import Field, Template
from perceptag.system.cores import thread_map
from perceptag.text.sentence import Sentence

RIDGE = 1.0  # tokens without error that every value is given: a value seen once gets half the weight
WINDOW = 2  # tokens on either side of an error that count, too
NONE = -1  # the field has no value, so the template does not fire


@dataclass(frozen=True, slots=True)
class Residuals:
    """What is left to explain: gold minus predicted labels, with the mean over several runs."""

    near: Longs  # [n] the tokens that count: wrong ones and those near them
    folds: Longs  # [n] the fold of each
    places: Longs  # [entries] where in `near` each entry is that is not 0
    labels: Longs  # [entries]
    amounts: Floats  # [entries]
    total: float  # the sum of their squares


def residuals(
    gold: Sequence[str], wrong: Sequence[tuple[int, str]], runs: int, folds: Longs, names: Sequence[str]
) -> Residuals:
    """Make residuals of the errors of some runs: pairs of a token and the label that it was given."""
    number = {name: i for i, name in enumerate(names)}
    found: dict[tuple[int, int], int] = {}
    for token, label in wrong:
        for name, sign in ((gold[token], 1), (label, -1)):
            key = token, number[name]
            found[key] = found.get(key, 0) + sign
    entries = np.array(sorted(found), np.int64).reshape(-1, 2)
    amounts = np.array([found[key] for key in sorted(found)], np.float64) / runs
    around = (entries[:, :1] + np.arange(-WINDOW, WINDOW + 1)).ravel()
    near = np.unique(around[(around >= 0) & (around < len(gold))])
    places = np.searchsorted(near, entries[:, 0])
    return Residuals(near, folds[near], places, entries[:, 1], amounts, float((amounts**2).sum()))


def gain(values: Longs, left: Residuals) -> float:
    """Return the share of the residuals that a template explains, in per cent; negative if it misleads.

    `values`: the number of its value at each token of `left.near`, or `NONE`.
    """
    fires = values[left.places] != NONE
    if not fires.any():
        return 0.0
    places = left.places[fires]
    known, value = np.unique(values, return_inverse=True)
    folds, labels = int(left.folds.max()) + 1, int(left.labels.max()) + 1
    cells, cell = np.unique(value.ravel()[places] * labels + left.labels[fires], return_inverse=True)
    sums = _sums(left.folds[places], cell.ravel(), folds, len(cells), left.amounts[fires])
    counts = _sums(left.folds, value.ravel(), folds, len(known))[:, cells // labels]
    weights = (sums.sum(axis=0) - sums) / (counts.sum(axis=0) - counts + RIDGE)
    return 100 * float((2 * weights * sums - weights**2 * counts).sum()) / left.total


def _sums(rows: Longs, columns: Longs, height: int, width: int, amounts: Floats | None = None) -> Floats:
    """A table with the sums of amounts, or counts, of each row and column."""
    found = np.bincount(rows * width + columns, weights=amounts, minlength=height * width)
    return found.reshape(height, width).astype(np.float64)


class TemplateValues:
    """Numbers for the values of templates at all tokens of some sentences.

    A field with several values counts as one value: all of them together.
    """

    def __init__(
        self, sentences: Sequence[Sentence], columns: Iterable[str], unit: str, attributes: Mapping[str, Attribute]
    ) -> None:
        reader = SequenceReader(list(columns), computed_columns(None), unit)
        self._columns, self._attributes = reader.values(sentences), attributes
        begin = np.asarray(reader.units(sentences), np.int64)
        lengths = np.diff(begin)
        self._first, self._end = np.repeat(begin[:-1], lengths), np.repeat(begin[1:], lengths)
        self._values: dict[str, tuple[list[Hashable], Ints]] = {}  # distinct values of columns, and their numbers
        self._fields: dict[Field, tuple[Longs, int]] = {}

    def of(self, template: Template, tokens: Longs | None = None) -> Longs:
        """Return the number of the value of a template at some tokens, or at all of them; `NONE` if it has none."""
        numbers, size = np.zeros(len(self._first) if tokens is None else len(tokens), np.int64), 1
        fires = np.ones(len(numbers), bool)
        for field in template.fields:
            every, more = self._of_field(field)
            other = every if tokens is None else every[tokens]
            fires &= other != NONE
            if size * more > 2**62:  # numbers of many fields would be too large
                distinct, numbers = np.unique(numbers, return_inverse=True)
                numbers, size = numbers.ravel(), len(distinct)
            numbers, size = numbers * more + other, size * more
        found: Longs = np.where(fires, numbers, NONE)
        return found

    def has(self, template: Template) -> bool:
        """Return whether all columns of a template are here."""
        return all(field.column in self._columns for field in template.fields)

    def prepare(self, templates: Iterable[Template]) -> None:
        """Number the values of all fields, so that several threads can ask for templates."""
        for template in templates:
            for field in template.fields:
                self._of_field(field)

    def _of_field(self, field: Field) -> tuple[Longs, int]:
        """The numbers of a field's values, and a limit that is above all of them."""
        if field not in self._fields:
            found, size = self._unshifted(field)
            if field.offset:
                found = self._shifted(found, size, field.offset)
            self._fields[field] = found, size + 2 * abs(field.offset)
        return self._fields[field]

    def _unshifted(self, field: Field) -> tuple[Longs, int]:
        values, numbers = self._column(field.column)
        attribute, known, table = compose(field.attributes, self._attributes), dict[Hashable, int](), []
        for value in values:
            parts = value if isinstance(value, tuple) else (value,)
            key = tuple(sorted({found for part in parts for found in as_values(attribute(part))}))
            table.append(known.setdefault(key, len(known)) if key else NONE)
        return np.array(table, np.int64)[numbers], len(known)

    def _column(self, name: str) -> tuple[list[Hashable], Ints]:
        if name not in self._values:
            column = self._columns[name]
            if isinstance(column, NumberedValues):
                self._values[name] = list(column.values), column.numbers
            else:
                known: dict[Hashable, int] = {}
                numbers = [known.setdefault(value, len(known)) for value in chain.from_iterable(column)]
                self._values[name] = list(known), np.array(numbers, np.int32)
        return self._values[name]

    def _shifted(self, numbers: Longs, size: int, offset: int) -> Longs:
        """The numbers `offset` tokens away; each distance outside a sequence has a number of its own."""
        place = np.arange(len(numbers)) + offset
        inside = numbers[np.clip(place, 0, max(0, len(numbers) - 1))]
        outside = np.where(place < self._first, self._first - place, place - self._end + 1) + size - 1
        outside += np.where(place < self._first, 0, abs(offset))
        found: Longs = np.where((place < self._first) | (place >= self._end), outside, inside)
        return found


def rank(
    templates: Sequence[Template], values: TemplateValues, left: Residuals, threads: int = 1
) -> list[tuple[float, Template]]:
    """Return all templates with their gains, the best first; of equal ones the first comes first."""
    values.prepare(templates)
    gains = thread_map(partial(_gain_of, values, left), templates, threads)
    return sorted(zip(gains, templates, strict=True), key=lambda pair: -pair[0])


def _gain_of(values: TemplateValues, left: Residuals, template: Template) -> float:
    return gain(values.of(template, left.near), left)


def features_of(values: Longs) -> frozenset[int]:
    """Return a fingerprint for each feature of a template: that of the tokens at which it fires.

    Equal fingerprints are features that fire at the same tokens, whatever their templates look at.
    """
    known, number = np.unique(values, return_inverse=True)
    marks = np.random.default_rng(0).integers(2**63, size=len(values), dtype=np.uint64)
    sums = np.zeros(len(known), np.uint64)
    np.add.at(sums, number.ravel(), marks)  # modulo 2^64
    return frozenset(sums[known != NONE].tolist())
