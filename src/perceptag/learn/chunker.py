"""Learning by recognition feedback: all functions of the chunker together, from what recognition got wrong.

Carreras, Màrquez & Padró (2003), "Learning a Perceptron-Based Named Entity Chunker via Online Recognition
Feedback", CoNLL, section 3.1.

    for each pass, for each sentence x with gold phrases y*      here
      ŷ = NEch(x)                                                seen = layers.recognise(x)
      missed, (s,e)_k in y* \\ ŷ:
        if w_B·φ_w(s) <= 0:        w_B += φ_w(s)                 words.add(word(s), BEGIN, +step)
        for s < i <= e with w_I·φ_w(i) <= 0:  w_I += φ_w(i)      words.add(word(i), INSIDE, +step)
        if all of these were > 0:  w_k += φ_p(s,e)               phrases.add(phrase(s, e), k, +step)
      over-predicted, (s,e)_k in ŷ \\ y*:
        w_k -= φ_p(s,e)                                          phrases.add(phrase(s, e), k, -step)
        if not gold_B(s):          w_B -= φ_w(s)                 words.add(word(s), BEGIN, -step)
        for s < i <= e with not gold_I(i):    w_I -= φ_w(i)      words.add(word(i), INSIDE, -step)

Words that a layer lets through wrongly, but that end up in no phrase, are left alone on purpose.

What the paper leaves open: every condition looks at the scores that recognition saw, before any function has
moved; gold_I(i) holds for the words of a phrase after its first one, which is what BI* asks of them
(`inside_first` lets it hold for the first as well); φ_p has the left context that the phrase was scored with.

The final functions are votes of all vectors on the way (section 3.2), weighted by the number of decisions that each
survived. Both functions of words decide about every word, all functions of phrases about every candidate, so
each layer needs one clock: tick().
"""

from __future__ import annotations

from collections.abc import Iterable

from perceptag import _core
from perceptag.models.chunker.encoder import Phrase
from perceptag.models.chunker.model import BEGIN, INSIDE, Functions, Layers


def learn_epoch(
    layers: Layers,
    functions: Functions,
    examples: Iterable[tuple[_core.ChunkSentence, frozenset[Phrase]]],
    inside_first: bool = False,
    step: int = 1,
) -> int:
    """Run one pass over sentences with their gold phrases; return the number of sentences with an error.

    `functions` are those that `layers` recognise with. `step` is the size of a move, for coefficients kept in finer
    units than one.
    """
    words, phrases = functions
    mistakes = 0
    for x, gold in examples:
        seen = layers.recognise(x)
        words.tick(len(x))
        phrases.tick(seen.candidates)
        predicted = frozenset(seen.phrases)
        if predicted != gold:
            mistakes += 1
            give_feedback(layers, functions, x, seen, gold, predicted, inside_first, step)
    return mistakes


def give_feedback(
    layers: Layers,
    functions: Functions,
    x: _core.ChunkSentence,
    seen: _core.Recognition,
    gold: frozenset[Phrase],
    predicted: frozenset[Phrase],
    inside_first: bool,
    step: int = 1,
) -> None:
    """Move the functions that are to blame."""
    words, phrases = functions
    begin, inside = seen.begin, seen.inside

    for s, e, k in sorted(gold - predicted):  # missed
        if begin[s] <= 0:
            words.add(layers.features.word(x, s), BEGIN, +step)
        blocked = [i for i in range(s + 1, e + 1) if inside[i] <= 0]
        for i in blocked:
            words.add(layers.features.word(x, i), INSIDE, +step)
        if begin[s] > 0 and not blocked:
            phrases.add(layers.instance(x, seen, s, e), k, +step)

    gold_begin = {s for s, _, _ in gold}
    gold_inside = {i for s, e, _ in gold for i in range(s if inside_first else s + 1, e + 1)}
    for s, e, k in sorted(predicted - gold):  # over-predicted
        phrases.add(layers.instance(x, seen, s, e), k, -step)
        if s not in gold_begin:
            words.add(layers.features.word(x, s), BEGIN, -step)
        for i in range(s + 1, e + 1):
            if i not in gold_inside:
                words.add(layers.features.word(x, i), INSIDE, -step)
