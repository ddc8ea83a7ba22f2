"""Early update: correct a sentence once, at the first error the beam cannot recover from.

Read first: reference/guided.py; machinery: models/guided/; tables: reproduce/shen2007.py

Collins and Roark (2004), "Incremental Parsing with the Perceptron Algorithm", ACL 2004 [P04-1015]: the
non-aggressive learning that Shen, Satta and Joshi (2007), section 3, compare guided learning with, Table 3.

    label the next token, whatever is on top                        search.accept(i)
    if gold is among the hypotheses of the span, continue           not gold_is_lost(search, i)
    otherwise, or at the end if gold is not on top:                 not top_is_gold(search, i)
      w += f(gold) - f(best), over the whole span; next sentence    weights.add(x, action, ±1)

From left to right the span is the prefix of the sentence, from right to left its suffix. In both directions the
paper says that learning does not converge; it leaves open what an update is then. Here it is the same: all actions of
the span that lost the gold labelling.
"""

from __future__ import annotations

from perceptag._core import GuidedSearch, GuidedWeights, Sequence


def top_is_gold(search: GuidedSearch, i: int) -> bool:
    """p.S.T = p.G: whether the best hypothesis of the span around token i is the gold one."""
    return search.gold_state(i) == 0


def gold_is_lost(search: GuidedSearch, i: int) -> bool:
    """Return whether no hypothesis of the span around token i is the gold one."""
    return search.gold_state(i) < 0


def learn_sequence(weights: GuidedWeights, search: GuidedSearch, x: Sequence) -> int:
    """Label one sequence until the beam loses the gold labelling; return 1 if there was an update."""
    search.start(x)
    while (i := search.choose()) >= 0:
        search.accept(i)
        at_the_end = search.choose() < 0
        if gold_is_lost(search, i) or (at_the_end and not top_is_gold(search, i)):
            for wrong in search.actions(i):
                weights.add(x, search.with_gold(wrong), +1)
                weights.add(x, wrong, -1)
            return 1
    return 0
