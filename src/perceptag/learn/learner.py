"""The declaration of a learner, from which settings, checks and documentation are derived; what a loop gets in a pass.

    LEARNER = Learner(
        name="gentle",                    # learner = "gentle" in a recipe
        kind="linear",                    # the kind of model that it makes: perceptag.models.kinds
        epoch=learn_epoch,                # one pass over the data
        source="Author (2020), figure 1",
        settings=(Setting("gentle.rate", 1.0, "the size of a step", above=0),),
        real_steps=True,                  # weights are not whole numbers
    )

The following is derived from it: the keys of recipes with their defaults, ranges and messages, which settings are
refused, the tables of the documentation, the trainer that runs the loop, and the tests that every learner must pass.

A loop gets its settings as keyword arguments, so its signature shows what it uses, and mypy checks it.
`Learner.arguments` looks at the signature: a setting that neither `epoch` nor `state` takes belongs to the kind of
model (the search, the features), and the trainer of that kind reads it from the recipe.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from perceptag.errors import SettingError, brief

if TYPE_CHECKING:
    from perceptag import _core
    from perceptag._core import Labels
    from perceptag.arrays import Floats, Longs
    from perceptag.learn.latent import Latent


@dataclass(slots=True)
class Errors:
    """The number of wrong sequences and of wrong labels in a pass, under the weights before each update."""

    sequences: int = 0
    labels: int = 0

    def count(self, gold: Labels, guess: Labels) -> None:
        """Compare the guess for one sequence with its gold labelling."""
        if guess != gold:
            self.sequences += 1
            self.labels += differing(gold, guess)

    def add(self, sequences: int, labels: int) -> None:
        """Add what a pass in C++ has counted."""
        self.sequences += sequences
        self.labels += labels


def differing(a: Labels, b: Labels) -> int:
    """Return at how many tokens two labellings differ."""
    return int((a.numpy() != b.numpy()).sum())


MOST = 2**31 - 1
PART = 256  # sequences that are learned in C++ before Python has a say
Value = bool | int | float | str | tuple[str, ...]
NOT_NUMBERS: dict[type, str] = {bool: "true, false", tuple: "a list", str: "text"}

# Settings of all recipes that some learners do not use. A learner declares which of them it uses.
COMMON = frozenset(
    (
        *("tolerance", "templates", "attributes", "gazetteer", "tag_dictionary", "constrain"),
        *("classes", "class_templates"),
    )
)


@dataclass(frozen=True)
class Setting:
    """A key of recipes: its default, what it may be, and what it means. The type is that of the default.

    Where several learners share a setting, all of them list the same object (`perceptag.learn.settings`).
    """

    key: str  # as recipes write it: "online.c" is the key c of the table [online]
    default: Value
    text: str  # one line that explains it
    least: float | None = None  # the smallest number allowed
    above: float | None = None  # or: only numbers above this one are allowed
    most: float = MOST
    smallest: float = 0.0  # the smallest number allowed besides 0, if 0 has a meaning of its own
    choices: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()  # names that loops may have for it; default: the last part of the key
    in_steps: bool = False  # counted in updates: multiplied by the size of an update before the loop gets it
    negative_means: str = ""  # the key of the setting whose value replaces a negative value
    indispensable: bool = False  # refused if the learner does not use it, even if the user did not set it

    @property
    def name(self) -> str:
        """The Python name: ``online_c``.

        >>> Setting("online.c", 1.0, "").name
        'online_c'
        """
        return python_name(self.key)

    def parameter(self, function: Callable[..., Any] | None) -> str:
        """Return the name of its parameter in a function; empty if the function does not take it.

        >>> Setting("gentle.rate", 1.0, "").parameter(lambda this, rate: None)
        'rate'
        """
        taken = inspect.signature(function).parameters if function else {}
        return next((name for name in self.arguments or (self.key.rpartition(".")[2],) if name in taken), "")

    @property
    def limits(self) -> str:
        """The allowed values, in words.

        >>> Setting("beam", 3, "", least=1, most=1000).limits, Setting("c", 1.0, "", above=0).limits
        ('1 to 1000', 'above 0')
        """
        if self.choices:
            return ", ".join(self.choices)
        if type(self.default) in NOT_NUMBERS:
            return NOT_NUMBERS[type(self.default)]
        if self.above is not None:
            return f"above {self.above:g}"
        if self.least is None:
            return "any number"
        return f"from {self.least:g}" if self.most == MOST else f"{self.least:g} to {self.most:g}"


def python_name(key: str) -> str:
    """Return the name of a key in Python.

    >>> python_name("labels.keep")
    'labels_keep'
    """
    return key.replace(".", "_").replace("-", "_")


class State(Protocol):
    """State of a learner besides the weights, kept from pass to pass and in checkpoints."""

    def arrays(self) -> dict[str, Floats]:
        """Return the state as vectors of float64."""

    def restore(self, arrays: Mapping[str, Floats], /) -> None:
        """Continue from a checkpoint; names and lengths have been compared with those of `arrays`."""


@dataclass(frozen=True)
class Learner:
    """A learner and all that perceptag must know about it."""

    name: str
    kind: str  # of model; it decides the arguments of the loop
    epoch: Callable[..., Errors] | None  # one pass; None where the trainer of the kind has an optimiser instead
    source: str  # who published it, to the figure or equation
    settings: tuple[Setting, ...] = ()
    uses: frozenset[str] = COMMON  # those settings in `COMMON` that it uses
    weights: tuple[str, ...] = ("averaged", "last")  # which weights may become the model, the default first
    real_steps: bool = False  # weights are not whole numbers, so they are rounded before they become a model
    probabilistic: bool = False  # scores are logarithms of probabilities, up to a constant
    state: Callable[..., State] | None = None  # called with the weights before the first pass, and with settings
    check: Callable[[Mapping[str, Any]], None] | None = None  # refuses settings that contradict each other
    partial: bool = False  # its loop takes gold labellings from `Pass.gold`, so that tokens may lack labels
    native: Callable[..., Errors] | None = None  # the same pass in C++; for `linear`, no label is missing
    problem: str = ""  # which of several views of the data the loop is given, where its kind has several

    def __post_init__(self) -> None:
        """Refuse values of the wrong type."""
        where = f"learner {self.name!r}"
        for what, value in (("name", self.name), ("kind", self.kind), ("source", self.source)):
            if not isinstance(value, str) or not value.strip():
                raise SettingError(f"Learner: {what}: expected a string, found {brief(value)}")
        for what, function in (
            ("epoch", self.epoch),
            ("native", self.native),
            ("state", self.state),
            ("check", self.check),
        ):
            if function is not None and not callable(function):
                raise SettingError(f"{where}: {what}: expected a function, found {brief(function)}")
        if not isinstance(self.settings, tuple) or not all(isinstance(s, Setting) for s in self.settings):
            raise SettingError(f"{where}: settings: expected a tuple of Setting, found {brief(self.settings)}")
        for setting in self.settings:
            if not isinstance(setting.default, (bool, int, float, str, tuple)):
                raise SettingError(
                    f"{where}: setting {setting.key!r}: expected a default that is a number, a string, a boolean or a "
                    f"tuple of strings, found {brief(setting.default)}"
                )

    def arguments(self, function: Callable[..., Any], settings: Mapping[str, Any], step: float = 1.0) -> dict[str, Any]:
        """Return the settings that `epoch` or `state` takes, as its keyword arguments; `settings` are values by key."""
        found = {}
        for setting in self.settings:
            if name := setting.parameter(function):
                value = settings[setting.key]
                if setting.negative_means and value < 0:
                    value = settings[setting.negative_means]
                found[name] = value * step if setting.in_steps else value
        return found


@dataclass
class Pass:
    """One pass over the training data: what the loop of a learner of kind ``linear`` is given."""

    weights: _core.Weights  # w
    sequences: Sequence[_core.Sequence]  # x with x.labels, in the order of this pass
    dictionary: _core.TagDictionary | None = None  # which labels words may have; for every search
    number: int = 1  # of the pass, counted from 1
    seen: int = 0  # how many sequences came before these, earlier passes included
    step: float = 1.0  # the size of an update, for weights kept in finer units than one
    state: Any = None  # made by the learner's `state`
    errors: Errors = field(default_factory=Errors)  # what `count` has counted
    latent: Mapping[int, Latent] = field(default_factory=dict)  # sequences that lack labels, by the id of the object

    def gold(self, x: _core.Sequence) -> _core.Labels:
        """Return the gold labelling; missing labels are filled in by the best labelling under the weights."""
        latent = self.latent.get(id(x))
        return x.labels if latent is None else latent.gold(self.weights)

    def agrees(self, x: _core.Sequence, y: _core.Labels) -> bool:
        """Return whether a labelling agrees with the labels that are known."""
        latent = self.latent.get(id(x))
        return bool(y == x.labels) if latent is None else latent.agrees(y)

    def parts(self) -> Iterator[Sequence[_core.Sequence]]:
        """Yield the sequences in parts, so that a pass in C++ can be interrupted between two of them."""
        for start in range(0, len(self.sequences), PART):
            yield self.sequences[start : start + PART]

    def count(self, x: _core.Sequence, guess: _core.Labels, gold: _core.Labels | None = None) -> None:
        """Compare the guess for a sequence with its gold labelling, before or after the weights have moved."""
        self.errors.count(x.labels if gold is None else gold, guess)


def pass_order(n: int, epoch: int, shuffle: bool, seed: int, order: int = 0) -> list[int]:
    """Return the order of n examples: as in the file, or shuffled; seed and pass determine the order.

    `order`: which of several orders, counted from 0.
    """
    return shuffled(n, seed, epoch, *[order] * (order > 0)) if shuffle else list(range(n))


def shuffled(n: int, seed: int, number: int, *shard: int) -> list[int]:
    """Return the permutation for a seed and a number: 1, 2, … for passes, -1, -2, … for runs before the first pass.

    Each `shard`, counted from 1, has permutations of its own; so has each order beyond the first.
    """
    order: list[int] = permutation(n, seed, number, *shard).tolist()
    return order


def permutation(n: int, seed: int, number: int, *shard: int) -> Longs:
    """Return `shuffled` as an array, which takes less memory."""
    import numpy as np  # here, because loops are also imported where nothing is trained

    return np.random.default_rng([seed, abs(number), number < 0, *shard]).permutation(n)
