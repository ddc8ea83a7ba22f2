"""Agreement of the two people who have read most sentences together."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from perceptag.project.project import Project
from perceptag.workbench.learning.agreement import agreement


def agreed(project: Project) -> dict[str, Any] | None:
    """Return how far two people agree; None if nobody has read what another labelled."""
    pairs: dict[tuple[str, str], list[tuple[list[str], list[str]]]] = defaultdict(list)
    for one in project.readings():
        pairs[one.first, one.second].append((one.labels, one.reading))
    if not pairs:
        return None
    between = max(pairs, key=lambda names: (len(pairs[names]), names))
    found = agreement(pairs[between], project.kind)
    if found is None:
        return None
    shown = {name: getattr(found, name) for name in ("kappa", "f1", "observed", "tokens", "sentences")}
    confusions = [{"first": a, "second": b, "count": n} for a, b, n in found.confusions[:20]]
    return {**shown, "between": list(between), "confusions": confusions}
