"""*Mark all*: give the same words the same label everywhere; shown first, then changed in one step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.errors import brief, nearest
from perceptag.labels.schemes import Span, spans, spans_to_labels
from perceptag.project.records import SKIPPED, Entry
from perceptag.server.access import Person
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.request_body import BodyKey
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.bench import BenchEndpoints
from perceptag.workbench.parameters import KEY, LABEL_CHARACTERS, LARGEST, MATCHES, WORDS, required

SCOPES = {"unlabelled": "new", "labelled": "labelled", "all": None}
LOOKED_AT = 20_000  # places; of more, the first ones are counted
MARK = KEY | {
    "words": BodyKey(list, f"a list of 1 to {WORDS} words", None,
                 lambda v: 1 <= len(v) <= WORDS and all(map(is_word, v))),
    "label": BodyKey(str, "the name of a label", None, lambda text: len(text) <= LABEL_CHARACTERS),
    "scope": BodyKey(str, f"one of {', '.join(SCOPES)}", "unlabelled", lambda text: text in SCOPES),
    "ignore_case": BodyKey(bool, "true or false", False),
    "preview": BodyKey(bool, "true or false", False),
    "targets": BodyKey(list, "a list of objects with id, start and revision", None, lambda v: all(map(is_target, v))),
}  # fmt: skip


def places(tokens: Sequence[str], words: Sequence[str], ignore_case: bool) -> Iterator[int]:
    """Yield where words begin; places do not overlap."""
    wanted = [word.casefold() for word in words] if ignore_case else list(words)
    found = [token.casefold() for token in tokens] if ignore_case else list(tokens)
    t = 0
    while t + len(wanted) <= len(found):
        if found[t : t + len(wanted)] == wanted:
            yield t
            t += len(wanted)
        else:
            t += 1


def pieces(label: str, length: int, kind: str) -> list[str]:
    """Return the labels of words that are one span, or all have one tag."""
    if kind == "tags" or label == "O":
        return [label] * length
    return [f"B-{label}"] + [f"I-{label}"] * (length - 1)


def marked(labels: Sequence[str], starts: Sequence[int], length: int, label: str, kind: str) -> list[str]:
    """Return labels in which the words from each start are one span with a label. A span that they cut is gone."""
    if kind == "tags":
        found = list(labels)
        for start in starts:
            found[start : start + length] = pieces(label, length, kind)
        return found
    owner = {t: start for start in starts for t in range(start, start + length)}  # of words in two places, the last
    new = [Span(s, s + length, label) for s in dict.fromkeys(starts) if {owner[s], owner[s + length - 1]} == {s}]
    kept = [s for s in spans(labels, "IOB2") if not any(t in owner for t in range(s.start, s.end))]
    return spans_to_labels(sorted([*kept, *(new if label != "O" else [])], key=lambda s: s.start), len(labels), "IOB2")


def drafted(
    draft: Sequence[str | None] | None, size: int, starts: Sequence[int], length: int, label: str, kind: str
) -> list[Any]:
    """Return a draft in which the words from each start have a label, and what was said of others stays."""
    found: list[str | None] = list(draft) if draft is not None else [None] * size
    for start in starts:
        found[start : start + length] = pieces(label, length, kind)
        for t in range(start + length, size):  # the rest of a span that is cut
            if kind == "tags" or not (found[t] or "").startswith("I-"):
                break
            found[t] = None
    return found


def label_at(given: Sequence[str | None] | None, start: int, length: int, kind: str) -> str | None:
    """Return what labels or a draft say of some words: their label, or None if they are not one span."""
    if given is None or None in given[start : start + length]:
        return None
    here = list(given[start : start + length])
    if kind == "tags":
        return here[0] if len(set(here)) == 1 else None
    if set(here) == {"O"}:
        return "O"
    first = max(start - 1, 0)  # whether a span begins or ends here, its neighbours tell
    around = ["O" if label is None else label for label in given[first : start + length + 1]]
    place = (start - first, start - first + length)
    return next((s.label for s in spans(around, "IOB2") if (s.start, s.end) == place), None)


def is_word(value: object) -> bool:
    """Return whether this may be a token: text, of which no half of a pair of surrogates is one."""
    return isinstance(value, str) and value != "" and not any("\ud800" <= c <= "\udfff" for c in value)


def is_target(value: object) -> bool:
    """Return whether this names a place and the revision that it was seen in."""
    names = ("id", "start", "revision")
    return isinstance(value, dict) and set(value) == set(names) and all(_is_number(value[name]) for name in names)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


class MarkAllRoutes(BenchEndpoints):
    """Gives the same words the same label everywhere."""

    @endpoint("POST /v1/project/mark-all")
    async def mark(self, request: Request) -> Response:
        """Show where words occur, or give them a label there."""
        keys, person = await self.bench.body(request, MARK)
        required(keys, "words", "label")
        self._check_label(keys["label"])
        if keys["preview"] or keys["targets"] is None:
            return json_reply(await self.bench.read(lambda: self.preview(keys)))
        required(keys, "key")
        if len(keys["targets"]) > MATCHES:
            raise too_much("targets", MATCHES, len(keys["targets"]))

        def work() -> dict[str, Any]:
            reply = self.apply(keys, person)
            self.bench.loop.changed()  # here: the learner is told even if the client is gone
            return reply

        return json_reply(await self.bench.write(work))

    def _check_label(self, label: str) -> None:
        known = [one.name for one in self.bench.project.labels()]
        if label not in known and label != "O":
            expected = f"expected one of {', '.join(known[:20])}"
            raise HttpProblem(422, f"label: {expected}; found {brief(label)}{nearest(label, known)}")

    # --- what would change ---

    def preview(self, keys: dict[str, Any]) -> dict[str, Any]:
        """Return the places, with what is said and what the model says there."""
        total, shown = 0, list[tuple[Entry, int]]()
        for entry, start in self._places(keys):
            total += 1
            if len(shown) < MATCHES:
                shown.append((entry, start))
        entries = {entry.id: entry for entry, _ in shown}
        proposals = dict(zip(entries, self.bench.proposals(list(entries.values()), nbest=1), strict=True))
        size = len(keys["words"])
        matches = [self._match(entry, start, size, proposals[entry.id]) for entry, start in shown]
        return {"total": total, "matches": matches}

    def _places(self, keys: dict[str, Any]) -> Iterator[tuple[Entry, int]]:
        project, words, ignore_case = self.bench.project, keys["words"], keys["ignore_case"]
        _, found = project.matches(words, ignore_case=ignore_case, status=SCOPES[keys["scope"]], limit=LOOKED_AT)
        for entry in project.entries(dict.fromkeys(number for number, _ in found)):
            if entry.status == SKIPPED:
                continue
            for start in places(entry.tokens, words, ignore_case):
                said = entry.labels if entry.labels is not None else entry.draft
                if label_at(said, start, len(words), project.kind) != keys["label"]:
                    yield entry, start

    def _match(self, entry: Entry, start: int, size: int, proposal: Any) -> dict[str, Any]:
        kind = self.bench.project.kind
        sure = proposal.confidence[start : start + size] if proposal and proposal.confidence else None
        return {
            "id": entry.id,
            "start": start,
            "end": start + size,
            "tokens": entry.tokens,
            "revision": entry.revision,
            "status": entry.status,
            "label_now": label_at(entry.labels, start, size, kind),
            "label_proposed": label_at(proposal.labels, start, size, kind) if proposal else None,
            "confidence": min(sure) if sure else None,
        }

    # --- the change ---

    def apply(self, keys: dict[str, Any], person: Person) -> dict[str, Any]:
        """Change all targets in one step, except those that have changed since they were shown."""
        asked: dict[int, list[dict[str, int]]] = defaultdict(list)
        for target in keys["targets"]:
            asked[target["id"]].append(target)
        bases = {number: targets[0]["revision"] for number, targets in asked.items()}
        done = self.bench.project.marked_before(bases, key=keys["key"], who=person.name)
        if done is None:
            entries = self.bench.project.entries(list(asked))
            items = [found for entry in entries if (found := self._new(entry, asked[entry.id], keys)) is not None]
            done = self.bench.project.draft(items, key=keys["key"], who=person.name)
            for number in done.changed:
                self.bench.events.tell("saved", id=number, revision=done.step, who=person.name)
        left = [number for number in asked if number not in set(done.changed)]
        return {"step": done.step, "changed": len(done.changed), "conflicts": left}

    def _new(self, entry: Entry, targets: list[dict[str, int]], keys: dict[str, Any]) -> Any:
        """Return what a sentence becomes; None if it is not as it was shown."""
        if entry.status == SKIPPED:  # it is never shown
            return None
        starts, size = [target["start"] for target in targets], len(keys["words"])
        for target, start in zip(targets, starts, strict=True):
            here = entry.tokens[start : start + size]
            if target["revision"] != entry.revision or list(places(here, keys["words"], keys["ignore_case"])) != [0]:
                return None
        what = (starts, size, keys["label"], self.bench.project.kind)
        if entry.labels is not None:
            return entry.id, entry.revision, marked(entry.labels, *what)
        return entry.id, entry.revision, drafted(entry.draft, len(entry.tokens), *what)
