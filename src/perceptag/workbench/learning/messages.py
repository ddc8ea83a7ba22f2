"""The protocol between the server and the process that learns: requests one way, events the other, pickled in pipes."""

from __future__ import annotations

import dataclasses
import pickle
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple

from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence

_SIZE = struct.Struct("<Q")


def write_object(stream: IO[bytes], value: object) -> None:
    """Write an object, with its size before it."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    stream.write(_SIZE.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_object(stream: IO[bytes]) -> Any:
    """Return the next object; raise EOFError at the end, also if the last object is cut short."""
    (size,) = _SIZE.unpack(_read(stream, _SIZE.size))
    return pickle.loads(_read(stream, size))


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


# --- requests ---


@dataclass(frozen=True, slots=True)
class Setup:
    """The first request: what is to be learned, and how."""

    kind: str
    recipe: Recipe
    seed: int = 0
    start: str = ""  # a model whose labels are a column: a file or a name, with ":layer" for a layer
    columns: tuple[str, ...] = ()  # of the project that the recipe looks at; a sentence may lack some
    memory: int = 4 << 30  # bytes that the process may use


@dataclass(frozen=True, slots=True)
class AddTexts:
    """Sentences of the project that are new to the process."""

    texts: Sequence[Text]


class Label(NamedTuple):
    """The labels of a sentence; its first label has the number `order` in the log."""

    order: int
    labels: Sequence[str]
    in_sample: bool


@dataclass(frozen=True, slots=True)
class Update:
    """What has changed in the labels since the last update. `upto`: the last revision that it contains."""

    upto: int
    labelled: dict[int, Label] = field(default_factory=dict)  # new or changed ones by sentence
    unlabelled: Sequence[int] = ()  # sentences that have lost their labels
    left_out: frozenset[int] = frozenset()  # all sentences that do not belong to the pool, besides labelled ones


Request = Setup | AddTexts | Update

# --- events ---


@dataclass(frozen=True, slots=True)
class TrainingStarted:
    """Training has begun."""

    upto: int
    sentences: int


@dataclass(frozen=True, slots=True)
class Trained:
    """A new model of the labels up to a revision."""

    upto: int
    data: bytes = field(repr=False)  # of a model file
    digest: str
    sentences: int
    seconds: float  # of training


@dataclass(frozen=True, slots=True)
class Forgotten:
    """There is no model any more: so few labels are left as of a revision that nothing can be learned."""

    upto: int


class PoolScore(NamedTuple):
    """How sure the model is of a sentence: of its weakest token."""

    id: int
    margin: float
    confidence: float | None


@dataclass(frozen=True, slots=True)
class PoolScored:
    """A slice of the pool under the model of a revision. `left`: how many sentences are still to be scored."""

    upto: int
    scores: list[PoolScore] = field(repr=False)
    changed: int  # words whose labels differ from those when a sentence was last scored
    left: int


@dataclass(frozen=True, slots=True)
class Progressed:
    """How good the model is, as JSON values; parts that have not been computed again are missing."""

    upto: int
    parts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LearningFailed:
    """Something went wrong; the process continues with the next label."""

    message: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The process had ended and was started again with all labels."""

    reason: str


Event = TrainingStarted | Trained | Forgotten | PoolScored | Progressed | LearningFailed | Restarted


MISSING = "_"  # the value of a column that a sentence does not have
COLUMN = "label"  # of the labels, if the project does not call it otherwise


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence without its labels."""

    id: int
    tokens: Sequence[str]
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)  # further ones, by name

    def sentence(self) -> Sentence:
        """Return it as models read it."""
        further = {name: list(values) for name, values in self.columns.items() if name != "form"}
        return Sentence({"form": list(self.tokens), **further}, source=f"sentence {self.id}")

    def filled(self, names: Iterable[str]) -> Text:
        """Return it with all these columns: another file of the project may have had more of them."""
        more = {name: [MISSING] * len(self.tokens) for name in names if name not in self.columns}
        return dataclasses.replace(self, columns={**self.columns, **more}) if more else self


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled sentence. `order` is the number of its first label in the log: training takes examples in this order.

    `in_sample`: it is in the random sample, by which models are judged.
    """

    text: Text
    labels: Sequence[str]
    order: int
    in_sample: bool = False

    def sentence(self, column: str = COLUMN) -> Sentence:
        """Return it as training reads it: the labels are the last column."""
        found = self.text.sentence()
        found.columns.pop(column, None)
        found.columns[column] = list(self.labels)
        return found


def in_order(examples: Iterable[Example]) -> list[Example]:
    """Return examples in the order of training."""
    return sorted(examples, key=lambda example: (example.order, example.text.id))
