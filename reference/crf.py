"""The conditional random field over dictionaries and small lattices, by its definitions.

Lafferty, McCallum and Pereira (2001), "Conditional Random Fields: Probabilistic Models for Segmenting and Labeling
Sequence Data", ICML; Sutton and McCallum (2012), "An Introduction to Conditional Random Fields", section 4.

    p(y | x) = exp(Phi(x, y) . w) / Z(x)                      `distribution`, `log_likelihood`
    d log p(y | x) / dw = Phi(x, y) - E_p[Phi(x, y')]         `gradient`, over every labelling
    alpha_t(u, y), beta_t(u, y), log Z                        `forward`, `backward`, in logarithms, over pairs of labels
    p(y_{t-2} = v, y_{t-1} = u, y_t = y)                      `triple_marginals`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp, inf, log

from reference.lattice import Lattice
from reference.perceptron import Input, Labels, LocalFeature, global_features

Weights = Mapping[LocalFeature, float]
Pair = tuple[int, int]
Triple = tuple[int, int, int]


def log_sum(terms: Iterable[float]) -> float:
    """Return the log of the sum of exp(term), minus infinity if there are no terms."""
    values = [term for term in terms if term > -inf]
    top = max(values, default=-inf)
    return top + log(sum(exp(value - top) for value in values)) if values else -inf


# --- by definition, over all labellings ---


def distribution(w: Weights, x: Input, labellings: Sequence[Labels]) -> list[float]:
    """Return p(y | x) of each possible labelling."""
    scores = [sum(w.get(f, 0.0) * float(n) for f, n in global_features(x, y).items()) for y in labellings]
    log_z = log_sum(scores)
    return [exp(score - log_z) for score in scores]


def log_likelihood(w: Weights, x: Input, gold: Labels, labellings: Sequence[Labels]) -> float:
    """log p(gold | x)."""
    return log(distribution(w, x, labellings)[labellings.index(gold)])


def gradient(
    w: Weights,
    x: Input,
    gold: Labels,
    labellings: Sequence[Labels],
    has_weight: Callable[[LocalFeature], bool] = bool,
) -> dict[LocalFeature, float]:
    """Return Phi(x, gold) minus its expectation, for the features that have a weight."""
    total = {feature: float(count) for feature, count in global_features(x, gold).items()}
    for y, p in zip(labellings, distribution(w, x, labellings), strict=True):
        for feature, count in global_features(x, y).items():
            total[feature] = total.get(feature, 0.0) - p * float(count)
    return {feature: value for feature, value in total.items() if has_weight(feature)}


# --- forward-backward in logarithms; a state is the last two labels; the start is label number L ---


def forward(x: Lattice) -> list[dict[Pair, float]]:
    """alpha[t][u, y]: log of the sum over all labellings of 0..t that end in u y."""
    start = x.L
    alpha: list[dict[Pair, float]] = [{(start, start): 0.0}]
    for t in range(x.T):
        into: dict[Pair, list[float]] = {}
        for (v, u), before in alpha[-1].items():
            for y in range(x.L):
                into.setdefault((u, y), []).append(before + sum(x.step(t, v, u, y)))
        alpha.append({state: log_sum(terms) for state, terms in into.items()})
    return alpha[1:]


def backward(x: Lattice) -> list[dict[Pair, float]]:
    """beta[t][u, y]: log of the sum over all ways to continue after u y at t-1 and t."""
    beta: list[dict[Pair, float]] = [dict.fromkeys(states(x, x.T - 1), 0.0)]
    for t in range(x.T - 1, 0, -1):
        after = beta[0]
        beta.insert(
            0,
            {(v, u): log_sum(sum(x.step(t, v, u, y)) + after[u, y] for y in range(x.L)) for v, u in states(x, t - 1)},
        )
    return beta


def states(x: Lattice, t: int) -> list[Pair]:
    """Return the possible pairs of labels at t-1 and t."""
    return [(u, y) for u in (range(x.L) if t > 0 else (x.L,)) for y in range(x.L)]


def log_partition(x: Lattice) -> float:
    """log Z: minus infinity if every labelling is forbidden."""
    return log_sum(forward(x)[-1].values()) if x.T else 0.0


def triple_marginals(x: Lattice) -> list[dict[Triple, float]]:
    """p(y_{t-2} = v, y_{t-1} = u, y_t = y) at every position; the start label comes before the sequence."""
    alpha, beta, log_z = forward(x), backward(x), log_partition(x)
    found: list[dict[Triple, float]] = []
    for t in range(x.T):
        before = alpha[t - 1] if t else {(x.L, x.L): 0.0}
        found.append(
            {
                (v, u, y): exp(a + sum(x.step(t, v, u, y)) + beta[t][u, y] - log_z)
                for (v, u), a in before.items()
                for y in range(x.L)
            }
        )
    return found


def node_marginals(x: Lattice) -> list[list[float]]:
    """p(y_t = y): [T][L]."""
    return [[sum(p for (_, _, b), p in at.items() if b == y) for y in range(x.L)] for at in triple_marginals(x)]
