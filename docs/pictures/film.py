"""film.svg: in which order guided learning (Shen, Satta and Joshi 2007) labels the words of a sentence.

Each column is a frame of the film: the words that have labels so far, and the one that gets its label now.
"""

from __future__ import annotations

from drawing import box, picture, words
from news import sentence, sentences

from perceptag import Tagger

_LEFT, _TOP, _ROW = 76, 62, 30


def draw() -> dict[str, str]:
    """The files, by their names."""
    tagger = Tagger("shen-pos", labels_column="pos", epochs=5).fit(sentences("train"))
    order = tagger.inference_order(sentence("dev", "Austin already").columns["form"])
    width = (400 - _LEFT - 8) / len(order.steps)
    parts = [words(200, 20, "Which word is labelled first?", "bold", "middle"), words(8, 48, "step", "small soft")]
    parts += [words(8, _TOP + 19 + _ROW * t, token) for t, token in enumerate(order.tokens)]
    labelled: set[int] = set()
    for i, step in enumerate(order.steps):
        x = _LEFT + i * width
        parts.append(words(x + width / 2 - 1, 48, str(i + 1), "small soft", "middle"))
        for t in range(len(order.tokens)):
            look = "full" if t == step.position else "done" if t in labelled else "box"
            parts.append(box(x, _TOP + _ROW * t, width - 3, _ROW - 3, look))
        place = _TOP + 18 + _ROW * step.position
        parts.append(words(x + width / 2 - 1, place, step.label, "small on bold", "middle"))
        labelled.add(step.position)
    low = _TOP + _ROW * len(order.tokens) + 18
    parts.append(words(8, low, "Full: the word gets its label in this step.", "small soft"))
    parts.append(words(8, low + 16, "Pale: it has a label, which its neighbours can use.", "small soft"))
    title = "The order of labelling: " + ", ".join(f"{i + 1}. {step.token}" for i, step in enumerate(order.steps))
    return {"images/film.svg": picture(title, low + 28, parts)}
