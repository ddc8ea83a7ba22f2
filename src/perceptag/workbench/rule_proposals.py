"""Rules of the user in the workbench: what they say of a sentence is proposed, with or without a model.

Forced spans replace spans of the model that share words with them, forbidden spans are left out, and suggested spans
are proposed where nothing else is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from perceptag.errors import SettingError
from perceptag.labels.schemes import Span, spans, spans_to_labels
from perceptag.project.project import Project
from perceptag.project.records import Entry
from perceptag.rules.rules import Rules
from perceptag.rules.spans import RuleSpan
from perceptag.workbench.proposing import Proposal, as_sentence, with_draft


def rules_of(path: str, kind: str) -> Rules:
    """Load the rules that a project begins with; refuse those that it cannot use."""
    if kind != "spans":
        raise SettingError("--rules: expected a project that marks spans (--labels), since rules mark spans")
    return Rules.load(path)


def rules_in(project: Project) -> Rules | None:
    """Return the rules of a project, if it has some."""
    path = project.settings.get("rules")
    return rules_of(path, project.kind) if path else None


def with_rules(
    rules: Rules, known: Collection[str], entries: Sequence[Entry], proposals: Sequence[Proposal | None]
) -> list[Proposal | None]:
    """Return proposals that keep to the rules. `known`: the labels of the project; spans of others are not proposed."""
    sentences = [as_sentence(entry.tokens, entry.columns, rules.columns) for entry in entries]
    said = [[span for span in some if span.label in known] for some in rules.constraints(sentences)]
    return [_ruled(*both) if both[1] or both[2] else None for both in zip(entries, proposals, said, strict=True)]


def _ruled(entry: Entry, proposal: Proposal | None, said: Sequence[RuleSpan]) -> Proposal:
    size = len(entry.tokens)
    labels = _labels(proposal.labels if proposal else ["O"] * size, said, entry)
    names = {(span.start, span.end, span.label): span.rule for span in said if span.say != "forbid"}
    if proposal is None:
        marked: list[tuple[Span, float | None]] = [(span, None) for span in spans(labels, "IOB2")]
        return Proposal(labels, marked, None, None, [{"labels": labels, "score": None}], 0, names)
    sure = {(span.start, span.end, span.label): confidence for span, confidence in proposal.spans}
    marked = [(span, sure.get((span.start, span.end, span.label))) for span in spans(labels, "IOB2")]
    listed = {tuple(_labels(one["labels"], said, entry)): one["score"] for one in reversed(proposal.nbest)}
    nbest = [{"labels": [*found], "score": score} for found, score in reversed(listed.items())]
    return replace(proposal, labels=labels, spans=marked, nbest=nbest, rules=names)


def _labels(labels: Sequence[str], said: Sequence[RuleSpan], entry: Entry) -> list[str]:
    """Return labels that keep to the rules; what a draft says is kept, too."""
    forbidden = {(span.start, span.end, span.label) for span in said if span.say == "forbid"}
    forced = [Span(span.start, span.end, span.label) for span in said if span.say == "force"]
    found = [one for one in spans(labels, "IOB2") if (one.start, one.end, one.label) not in forbidden]
    found = [*forced, *(one for one in found if not _is_on_any(one, forced))]
    for span in said:
        one = Span(span.start, span.end, span.label)
        is_wanted = span.say in ("suggest", "feature") and (span.start, span.end, span.label) not in forbidden
        if is_wanted and not _is_on_any(one, found):
            found.append(one)
    written = spans_to_labels(sorted(found, key=lambda one: one.start), len(entry.tokens), "IOB2")
    return with_draft(written, entry.draft, "IOB2") if entry.draft else written


def _is_on_any(one: Span, others: Sequence[Span]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in others)
