"""Random lattices, each in the form of the reference and in that of the native core."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from perceptag import _core
from reference import lattice as reference

# How scores are drawn: many ties, few ties, and real numbers that float32 adds without rounding. All sums are exact.
EXACT = {
    "ties": lambda rng, shape: rng.integers(-1, 2, shape),
    "whole": lambda rng, shape: rng.integers(-1000, 1001, shape),
    "eighths": lambda rng, shape: np.round(rng.normal(0, 20, shape) * 8) / 8,
}


def real(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    return rng.normal(0, 20, shape)


class Case(NamedTuple):
    reference: reference.Lattice
    native: _core.Lattice


def make(L: int, node: Any, edge: Any = None, trigram: Any = None, observed: bool = False) -> Case:
    """Tables are [T, L], [L+1, L], [L+1, L+1, L]; edges and trigrams of an observed lattice have T of these."""
    T = len(node)
    tables = [None if table is None else np.asarray(table, np.float32) for table in (edge, trigram)]
    nested = [None if table is None else table.tolist() for table in tables]
    node = np.asarray(node, np.float32).reshape(T, L)
    build = reference.Lattice if observed else reference.plain
    order = 2 if trigram is not None else 1 if edge is not None else 0
    flat = [np.zeros(0, np.float32) if table is None else table.ravel() for table in tables]
    if observed and T > 0:
        if edge is not None:
            flat[0] = np.concatenate([tables[0][0, L], tables[0][1:, :L].ravel()])
        if trigram is not None:
            start = [tables[1][0, L, L], *(tables[1][1:2, L, :L].reshape(-1, L))]
            flat[1] = np.concatenate([*start, tables[1][2:, :L, :L].ravel()])
    return Case(build(L, node.tolist(), *nested), _core.Lattice(T, L, order, node.ravel(), *flat, observed))


def random_case(rng: np.random.Generator, T: int, L: int, order: int, observed: bool, draw: Any, forbid: bool) -> Case:
    def scores(*shape: int) -> Any:
        drawn = np.asarray(draw(rng, shape), np.float32)
        return np.where(rng.random(shape) < 0.15, -np.inf, drawn) if forbid else drawn

    times = (T,) if observed else ()
    edge = scores(*times, L + 1, L) if order > 0 else None
    trigram = scores(*times, L + 1, L + 1, L) if order > 1 else None
    return make(L, scores(T, L), edge, trigram, observed)


def random_cases(seed: int, rounds: int, draw: Any) -> Iterator[Case]:
    """Yield lattices of every order and kind with 0 to 6 tokens and 1 to 4 labels."""
    rng = np.random.default_rng(seed)
    for order, observed, forbid, _ in product(range(3), (False, True), (False, True), range(rounds)):
        yield random_case(rng, int(rng.integers(7)), int(rng.integers(1, 5)), order, observed, draw, forbid)
