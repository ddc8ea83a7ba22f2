"""Disagreements between people who labelled the same sentence.

Agreement is counted before and after decisions. Before: what the first person and each reader said. After: the same,
but both have what was decided where somebody has decided. A decision is a label whose source is `decided`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.project.records import Opinion, SecondOpinions
from perceptag.server.access import require
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.bench import BenchEndpoints
from perceptag.workbench.learning.agreement import Labels, agreement, by_label
from perceptag.workbench.parameters import LARGEST, number, one_of, read_parameters

DISAGREEMENTS = {
    "kind": one_of("people", "decided", default="people"),
    "offset": number(0, LARGEST, 0),
    "limit": number(1, 500, 100),
}


def between_people(found: Iterable[SecondOpinions], settled: bool) -> list[dict[str, Any]]:
    """Return the sentences about which people disagree, or those about which somebody has decided."""
    if settled:
        return [_entry(one) for one in found if one.decided is not None and one.is_settled]
    return [_entry(one) for one in found if not one.is_settled]


def _entry(one: SecondOpinions) -> dict[str, Any]:
    sides = [_side(opinion) for opinion in one.opinions]
    return {
        "id": one.sentence_id,
        "revision": one.revision,
        "tokens": one.tokens,
        "sides": sides,
        "decided": None if one.decided is None else _side(one.decided),
    }


def _side(opinion: Opinion) -> dict[str, Any]:
    return {"who": opinion.who or None, "labels": opinion.labels}


Pair = tuple[Labels, Labels]


def agreements(found: Sequence[SecondOpinions], kind: str) -> dict[str, Any] | None:
    """Return the agreement of people before and after decisions; None if no sentence was read twice."""
    before = [(one.opinions[0].labels, other.labels) for one in found for other in one.opinions[1:]]
    after = [_after(one, other) for one in found for other in one.opinions[1:]]
    if not before:
        return None
    return {
        "people": sorted({opinion.who for one in found for opinion in one.opinions if opinion.who}),
        "sentences": len(found),
        "before": _figures(before, kind),
        "after": _figures(after, kind),
        "labels": _label_figures(before, after, kind),
        "with_decided": _with_decided(found, kind),
    }


def person_agreements(found: Sequence[SecondOpinions], kind: str) -> dict[str, dict[str, Any]]:
    """Return for each person the agreement with others about the same sentences, as they were first labelled."""
    pairs: dict[str, list[Pair]] = {}
    for one in found:
        first, *others = one.opinions
        for other in others:
            for who in {first.who, other.who} - {""}:
                pairs.setdefault(who, []).append((first.labels, other.labels))
    return {who: {"sentences": len(some), **_figures(some, kind)} for who, some in pairs.items()}


def _after(one: SecondOpinions, other: Opinion) -> Pair:
    if one.decided is not None and one.is_settled:
        return one.decided.labels, one.decided.labels
    return one.opinions[0].labels, other.labels


def _figures(pairs: Sequence[Pair], kind: str) -> dict[str, Any]:
    found = agreement(pairs, kind)
    names = ("kappa", "f1", "observed")
    return {name: getattr(found, name) if found else None for name in names}


def _label_figures(before: Sequence[Pair], after: Sequence[Pair], kind: str) -> list[dict[str, Any]]:
    then = {one.label: one for one in by_label(after, kind)}
    found = []
    for one in by_label(before, kind):
        later = then.get(one.label)  # a decision may have taken the last one away
        counts = {"label": one.label, "given": one.first + one.second, "both": one.both}
        now = {"f1": later.f1, "kappa": later.kappa} if later else {"f1": None, "kappa": None}
        found.append({**counts, "before": {"f1": one.f1, "kappa": one.kappa}, "after": now})
    return found


def _with_decided(found: Sequence[SecondOpinions], kind: str) -> list[dict[str, Any]]:
    """Compare what each person said with what was decided."""
    pairs: dict[str, list[Pair]] = {}
    for one in found:
        for opinion in one.opinions:
            if one.decided is not None and opinion.who:
                pairs.setdefault(opinion.who, []).append((opinion.labels, one.decided.labels))
    return [{"who": who, "sentences": len(some), **_figures(some, kind)} for who, some in sorted(pairs.items())]


class DisagreementRoutes(BenchEndpoints):
    """Shows what is to be decided."""

    @endpoint("GET /v1/project/disagreements")
    async def disagreements(self, request: Request) -> Response:
        """List disagreements, and the agreement of people before and after decisions."""
        require(request, "read")
        asked = read_parameters(request, DISAGREEMENTS)
        return json_reply(await self.bench.read(lambda: self._disagreements(**asked)))

    def _disagreements(self, kind: str, offset: int, limit: int) -> dict[str, Any]:
        read_twice = self.bench.project.second_opinions()
        lists = {
            "people": between_people(read_twice, settled=False),
            "decided": between_people(read_twice, settled=True),
        }
        return {
            "kind": kind,
            "total": len(lists[kind]),
            "counts": {name: len(items) for name, items in lists.items()},
            "items": lists[kind][offset : offset + limit],
            "agreement": agreements(read_twice, self.bench.project.kind),
        }
