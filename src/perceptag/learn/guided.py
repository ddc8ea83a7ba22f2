"""Guided learning: the order of inference is learned together with the weights.

Read first: reference/guided.py; machinery: models/guided/; tables: reproduce/shen2007.py

Shen, Satta and Joshi (2007), "Guided Learning for Bidirectional Sequence Classification", ACL 2007 [P07-1096],
section 2.3, Algorithm 2; the search of Algorithm 1 is native (`_core.GuidedSearch`).

    for each pass, for each (x, y)                         one pass is one call of `learn_epoch`
      P = {}, Q = the candidates of x                      search.start(x)
      while Q is not empty:
        p = argmax over Q of U(p.S.T.A)                    i = search.choose()
        if p.S.T = p.G:  move p from Q to P                top_is_gold(search, i): search.accept(i)
        else:
          promote(w, p.G.A)                                weights.add(x, right, +1)
          demote(w, p.S.T.A)                               weights.add(x, wrong, -1)
          make Q again with the new weights                search.rescore(right, wrong)
    return the average of the weights                      weights.tick(), weights.averaged()

A candidate is named by its token i. The loop runs in Python: its three calls for each step of the search cost 0.2
microseconds, about 3 per cent of the training time (feature set E, B = 3).

Departures and resolutions:
- `rescore` makes only those candidates again whose features the update may have changed; the outcome is the same.
- Scores of accepted spans are not computed again: the gold labelling must stay on top of them.
- The average counts one vector for each sentence, as in Collins (2002); it is kept lazily and is exact.
- The margin tau, for which the paper gives no formula, is taken off the score of every action that gives its token
  the gold label, so such an action must win by more than tau. If only the gold hypothesis lost tau, it would be at a
  disadvantage against hypotheses that do the same at this token, and no update could correct that.
- Words in the same context with different gold labels cannot be separated, so the number of updates of a sentence is
  limited (`update_cap`).
"""

from __future__ import annotations

from collections.abc import Iterable

from perceptag._core import GuidedSearch, GuidedWeights, Sequence
from perceptag.learn import early_update
from perceptag.learn.early_update import top_is_gold
from perceptag.learn.learner import COMMON, Errors, Learner, Setting
from perceptag.learn.settings import MAX_BEAM


def update_cap(length: int) -> int:
    """Return the maximal number of updates for one sentence."""
    return 20 * length + 50


def learn_epoch(
    weights: GuidedWeights, search: GuidedSearch, sequences: Iterable[Sequence], aggressive: bool = True
) -> Errors:
    """Run one pass; the sequences that needed an update are counted. Not aggressive: early update."""
    learn = learn_sequence if aggressive else early_update.learn_sequence
    errors = Errors()
    for x in sequences:
        errors.sequences += learn(weights, search, x) > 0
        weights.tick()
    return errors


def learn_sequence(weights: GuidedWeights, search: GuidedSearch, x: Sequence) -> int:
    """Label one sequence, correcting every wrong action until it is right; return the number of updates."""
    updates, cap = 0, update_cap(len(x))
    search.start(x)
    while (i := search.choose()) >= 0:
        if top_is_gold(search, i):
            search.accept(i)
        elif updates == cap:
            break
        else:
            wrong = search.top_action(i)
            right = search.with_gold(wrong)
            weights.add(x, right, +1)
            weights.add(x, wrong, -1)
            search.rescore(right, wrong)
            updates += 1
    return updates


LEARNER = Learner(
    name="guided",
    kind="guided",
    epoch=learn_epoch,
    source="Shen, Satta and Joshi (2007), section 2.3, algorithm 2; not aggressive: Collins and Roark (2004)",
    settings=(
        Setting("beam", 3, "how many states each span keeps", least=1, most=MAX_BEAM),
        Setting(
            "direction",
            "both",
            "label the easiest token first, or the leftmost, or the rightmost",
            choices=("both", "left-to-right", "right-to-left"),
        ),
        Setting("aggressive", True, "correct a mistake until it is right, or once and leave the sentence"),
        Setting("tau", 0, "the margin by which a gold action must win in training", least=0),
    ),
    uses=COMMON - {"tolerance"},
)
