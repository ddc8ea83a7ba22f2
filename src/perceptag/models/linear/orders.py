"""Passes in several orders: each has weights of its own, on any number of threads, and the model is their mean.

The averaged weights of one training depend on the order of its examples by chance. The mean over some orders does so
less, and is a model of the same size. A model is a function of data, recipe and the number of orders: each order is
learned by itself, so it does not matter who learns it, or when.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from perceptag import _core
from perceptag.errors import SettingError
from perceptag.learn.learner import Errors
from perceptag.models.linear.vectors import pack_weights, restore_weights
from perceptag.models.model import Arrays
from perceptag.recipe.recipe import Recipe, uses
from perceptag.system.cores import thread_map

LearnOrder = Callable[[int, _core.Weights], Errors]  # the number of the order, and its weights


def number_of_orders(recipe: Recipe) -> int:
    """Return the number of orders, 1 if the learner does not know them; refuse settings that do not go with several."""
    orders = int(recipe.own["orders"]) if uses(recipe, "orders") else 1
    if orders > 1:
        _check(recipe)
    return orders


def _check(recipe: Recipe) -> None:
    if not recipe.shuffle:
        raise SettingError("orders: expected 1 with shuffle = false, which has one order")
    if recipe.weights == "voted":
        raise SettingError("orders: expected 1 with weights = 'voted': the vectors of several orders cannot vote")
    for key, what in (("bpm", "whose runs have orders of their own"), ("nonlocal.functions", "which are Python")):
        if uses(recipe, key) and recipe.own[key]:
            raise SettingError(f"orders: expected 1 with {key}, {what}")


class OrderedPasses:
    """The passes of a trainer whose recipe has several orders. `weights` are the mean after each pass."""

    def __init__(self, weights: _core.Weights, orders: int, threads: int) -> None:
        self.weights, self.orders, self._threads = weights, orders, threads

    @cached_property
    def own(self) -> list[_core.Weights]:
        """The weights of each order, which begin as `weights` are before the first pass."""
        return [_core.copy_weights(self.weights) for _ in range(self.orders)]

    def learn(self, learn_order: LearnOrder) -> Errors:
        """Run one pass in each order; return the mean numbers of errors, rounded down."""
        n, own = self.orders, self.own
        found = thread_map(lambda k: learn_order(k, own[k]), range(n), self._threads)
        _core.set_mean(self.weights, own)
        return Errors(sum(e.sequences for e in found) // n, sum(e.labels for e in found) // n)

    def state(self) -> Arrays:
        """All weights, their sums and the clocks, for a checkpoint."""
        return {
            f"order.{k}.{name}": array for k, own in enumerate(self.own) for name, array in pack_weights(own).items()
        }

    def restore(self, state: Arrays) -> None:
        """Continue from a checkpoint."""
        for k, own in enumerate(self.own):
            restore_weights(own, part_of(state, f"order.{k}."))


def part_of(arrays: Arrays, prefix: str) -> Arrays:
    """Return the arrays whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def ordered_passes(recipe: Recipe, weights: _core.Weights, threads: int) -> OrderedPasses | None:
    """Return the passes of a recipe with several orders, else None."""
    orders = number_of_orders(recipe)
    return OrderedPasses(weights, orders, threads) if orders > 1 else None
