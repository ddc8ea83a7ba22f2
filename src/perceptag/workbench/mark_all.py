"""``mark-all``: what would change, and the change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from perceptag.errors import brief, nearest
from perceptag.project.records import SKIPPED, Entry
from perceptag.server.problems import Problem, too_much
from perceptag.server.reading import Key
from perceptag.server.roles import Person
from perceptag.server.routes import json_reply
from perceptag.workbench.asking import KEY, LABEL_CHARACTERS, LARGEST, MATCHES, WORDS, required
from perceptag.workbench.bench import Bench
from perceptag.workbench.marking import drafted, label_at, marked, places

SCOPES = {"unlabelled": "new", "labelled": "labelled", "all": None}
LOOKED_AT = 20_000  # places; of more, the first ones are counted
MARK = KEY | {
    "words": Key(list, f"a list of 1 to {WORDS} words", None,
                 lambda v: 1 <= len(v) <= WORDS and all(map(is_word, v))),
    "label": Key(str, "the name of a label", None, lambda text: len(text) <= LABEL_CHARACTERS),
    "scope": Key(str, f"one of {', '.join(SCOPES)}", "unlabelled", lambda text: text in SCOPES),
    "ignore_case": Key(bool, "true or false", False),
    "preview": Key(bool, "true or false", False),
    "targets": Key(list, "a list of objects with id, start and revision", None, lambda v: all(map(is_target, v))),
}  # fmt: skip


def is_word(value: object) -> bool:
    """Return whether this may be a token: text, of which no half of a pair of surrogates is one."""
    return isinstance(value, str) and value != "" and not any("\ud800" <= c <= "\udfff" for c in value)


def is_target(value: object) -> bool:
    """Return whether this names a place and the revision that it was seen in."""
    names = ("id", "start", "revision")
    return isinstance(value, dict) and set(value) == set(names) and all(_is_number(value[name]) for name in names)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


class MarkAll:
    """Gives the same words the same label everywhere."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def listed(self) -> list[Route]:
        """Return the addresses."""
        return [Route("/v1/project/mark-all", self.mark, methods=["POST"])]

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
            self.bench.loop.changed()  # here, so that the learner hears of it even if nobody waits any more
            return reply

        return json_reply(await self.bench.write(work))

    def _check_label(self, label: str) -> None:
        known = [one.name for one in self.bench.project.labels()]
        if label not in known and label != "O":
            expected = f"expected one of {', '.join(known[:20])}"
            raise Problem(422, f"label: {expected}; found {brief(label)}{nearest(label, known)}")

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
        """Change all targets in one step, but those that somebody has changed since they were shown."""
        asked: dict[int, list[dict[str, int]]] = defaultdict(list)
        for target in keys["targets"]:
            asked[target["id"]].append(target)
        bases = {number: targets[0]["revision"] for number, targets in asked.items()}
        done = self.bench.project.marked_before(bases, key=keys["key"], who=person.name)
        if done is None:
            entries = self.bench.project.entries(list(asked))
            if sealed := next((entry.id for entry in entries if entry.sealed), None):
                raise Problem(422, f"targets: expected sentences that are not sealed, found {sealed}")
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
        kind, size = self.bench.project.kind, len(keys["words"])
        labels, draft = entry.labels, entry.draft
        for target in targets:
            start = target["start"]
            here = entry.tokens[start : start + size]
            if target["revision"] != entry.revision or list(places(here, keys["words"], keys["ignore_case"])) != [0]:
                return None
            if labels is not None:
                labels = marked(labels, start, size, keys["label"], kind)
            else:
                draft = drafted(draft, len(entry.tokens), start, size, keys["label"], kind)
        return entry.id, entry.revision, labels if labels is not None else draft
