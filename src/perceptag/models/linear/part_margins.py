"""Margins of the parts of labels: by how much each part of a label wins.

The margin of a part at a token is the score of the best labelling whose label there has the part, minus that of the
best labelling whose label there does not have it. It is at least the margin of the whole label, since labels that share
the part are not rivals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perceptag.arrays import Ints, np
from perceptag.labels.label_parts import LabelParts
from perceptag.models.margins import LIMIT, PartScore

if TYPE_CHECKING:
    from perceptag.models.margins import Scores


def part_margins(parts: LabelParts, scores: Scores, ids: Ints) -> list[list[PartScore]]:
    """Return the parts of the label of each token.

    `scores` [tokens, L] has the score of the best labelling with each label at each token.
    """
    having: dict[int, list[bool]] = {}  # part -> which labels have it
    for label in range(parts.labels):
        for part in parts.of(label)[1:]:
            having.setdefault(part, [False] * parts.labels)[label] = True
    masks = {part: np.array(flags) for part, flags in having.items()}
    return [
        [
            PartScore(parts.names[part - parts.labels], _wins(row[masks[part]], row[~masks[part]]))
            for part in parts.of(label)[1:]
        ]
        for row, label in zip(scores.astype(np.float64), ids.tolist(), strict=True)
    ]


def _wins(mine: Scores, others: Scores) -> float:
    return float(np.clip(mine.max(initial=-np.inf) - others.max(initial=-LIMIT), -LIMIT, LIMIT))
