"""A perceptron over structures of any kind: you say what the candidates are, and which features they have.

Collins (2002), "Discriminative Training Methods for Hidden Markov Models", EMNLP 2002 [W02-1001], figure 2:

    Inputs: examples (x_i, y_i); initialization: alpha = 0            fit(X, y)
    for t = 1 ... T, i = 1 ... n:
      z_i = argmax over z in GEN(x_i) of Phi(x_i, z) . alpha          best(x, alpha)
      if z_i != y_i:
        alpha = alpha + Phi(x_i, y_i) - Phi(x_i, z_i)                 move(y, +1); move(z, -1)

The model is the average of all alpha (section 2.5). This class is for small problems and for ideas: it looks at every
candidate. For labels of tokens use `perceptag.Tagger`, which searches all labellings without looking at each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from numbers import Integral
from typing import Any

from perceptag.errors import DataError, SettingError, brief

Features = Mapping[Hashable, float]


class GlobalLinearModel:
    """Learns which candidate is right, from examples of right ones.

    Parameters
    ----------
    gen : GEN, a function that returns all candidates of an input; of equal scores the first one wins
    phi : Phi, a function of an input and a candidate that returns a dictionary: how often each feature occurs
    epochs : T, how many times `fit` goes through the examples
    averaged : whether the weights are the average over all steps, or the last ones

    >>> model = GlobalLinearModel(gen=lambda x: [x, x[::-1]], phi=lambda x, y: {("first", y[0]): 1})
    >>> model.fit(["ba", "ca"], ["ab", "ac"]).predict(["da"])
    ['ad']
    """

    def __init__(
        self,
        gen: Callable[[Any], Iterable[Any]],
        phi: Callable[[Any, Any], Features],
        *,
        epochs: int = 10,
        averaged: bool = True,
    ) -> None:
        for name, function in (("gen", gen), ("phi", phi)):
            if not callable(function):
                raise SettingError(f"{name}: expected a function, found {brief(function)}")
        self.gen = gen
        self.phi = phi
        self.epochs = epochs
        self.averaged = averaged

    def fit(self, X: Sequence[Any], y: Sequence[Any]) -> GlobalLinearModel:
        """Learn from inputs and their right candidates. `updates_` counts the mistakes of each pass."""
        examples = _pairs(X, y)
        given: object = self.epochs
        if not isinstance(given, Integral) or isinstance(given, bool) or given < 1:
            raise SettingError(f"epochs: expected a number from 1, found {brief(given)}")
        alpha: dict[Hashable, float] = {}
        late: dict[Hashable, float] = {}  # the sum of all changes, each times the number of steps before it
        steps, self.updates_ = 0, []
        for _ in range(self.epochs):
            mistakes = 0
            for x, right in examples:
                guess = self._best(x, alpha)
                if guess != right:
                    mistakes += 1
                    for sign, candidate in ((1, self._checked(x, right)), (-1, guess)):
                        for feature, count in self._features(x, candidate).items():
                            alpha[feature] = alpha.get(feature, 0) + sign * count
                            late[feature] = late.get(feature, 0) + sign * count * steps
                steps += 1
            self.updates_.append(mistakes)
        self.weights_ = {f: w - late[f] / steps for f, w in alpha.items()} if self.averaged and steps else alpha
        return self

    def predict(self, X: Iterable[Any]) -> list[Any]:
        """Return the best candidate of each input."""
        return [self._best(x, self._weights()) for x in _listed("X", X)]

    def score(self, X: Sequence[Any], y: Sequence[Any]) -> float:
        """Return the share of inputs whose best candidate is the right one."""
        examples = _pairs(X, y)
        if not examples:
            raise DataError("X and y: expected at least one example, found none")
        return sum(bool(self._best(x, self._weights()) == right) for x, right in examples) / len(examples)

    def rank(self, x: Any) -> list[tuple[Any, float]]:
        """Return all candidates of an input with their scores, the best first."""
        scored = [(candidate, self._score(x, candidate, self._weights())) for candidate in self._candidates(x)]
        return sorted(scored, key=lambda pair: -pair[1])

    def _best(self, x: Any, alpha: Features) -> Any:
        candidates = self._candidates(x)
        if not candidates:
            raise DataError(f"gen({brief(x)}): expected at least one candidate, found none")
        return max(candidates, key=lambda candidate: self._score(x, candidate, alpha))

    def _candidates(self, x: Any) -> list[Any]:
        found = self.gen(x)
        if not isinstance(found, Iterable):
            raise DataError(f"gen({brief(x)}): expected a list of candidates, found {brief(found)}")
        return list(found)

    def _features(self, x: Any, candidate: Any) -> Features:
        found = self.phi(x, candidate)
        if not isinstance(found, Mapping):
            raise DataError(f"phi({brief(x)}, {brief(candidate)}): expected a dictionary, found {brief(found)}")
        return found

    def _score(self, x: Any, candidate: Any, alpha: Features) -> float:
        return sum(count * alpha.get(feature, 0) for feature, count in self._features(x, candidate).items())

    def _checked(self, x: Any, right: Any) -> Any:
        """Refuse an example whose right candidate cannot be found: it would be a mistake in every pass."""
        if right not in self._candidates(x):
            raise DataError(f"gen({brief(x)}): expected {brief(right)} among the candidates; it is the right one")
        return right

    def _weights(self) -> Features:
        if not hasattr(self, "weights_"):
            raise SettingError("this model has no weights yet: call fit() first")
        return self.weights_


def _pairs(X: object, y: object) -> list[tuple[Any, Any]]:
    """Return inputs with their right candidates."""
    inputs, right = _listed("X", X), _listed("y", y)
    if len(inputs) != len(right):
        raise DataError(f"X and y: expected the same length, found {len(inputs)} and {len(right)}")
    return list(zip(inputs, right, strict=True))


def _listed(name: str, values: object) -> list[Any]:
    if isinstance(values, (str, bytes, Mapping, Set)) or not isinstance(values, Iterable):
        raise DataError(f"{name}: expected a list, found {brief(values)}")
    return list(values)
