"""Sentences that several people have labelled, and what was decided about them.

A second reader says what the labels should be (a revision of the kind `reading`), and the sentence keeps its own. A
decision is a revision of the kind `label` whose source is `decided`: it gives the sentence its labels, also where they
stay the same, and is undone like every other one.
"""

from __future__ import annotations

import sqlite3

from perceptag.project.records import Opinion, SecondOpinions, load
from perceptag.project.revision_steps import RevisionRow, row_of

DECIDED = "decided"  # the source of labels that somebody has chosen from what others said
_READ_TWICE = """
SELECT r.sentence, r.id, r.who, r.labels, c.revision, c.state, t.tokens FROM revision r JOIN step s ON s.id = r.step
JOIN current c ON c.sentence = r.sentence JOIN sentence t ON t.id = r.sentence
WHERE r.kind = 'reading' AND s.undone = 0 AND c.status = 'labelled' ORDER BY r.id
"""
_DECIDED = """
SELECT c.sentence FROM current c JOIN revision r ON r.id = c.state
WHERE c.status = 'labelled' AND r.source = 'decided'
"""


def decided(connection: sqlite3.Connection) -> set[int]:
    """The sentences whose labels were decided."""
    return {number for (number,) in connection.execute(_DECIDED)}


def second_opinions(connection: sqlite3.Connection) -> list[SecondOpinions]:
    """All sentences with labels of several people, by number: what each said last, and what was decided."""
    found: dict[int, SecondOpinions] = {}
    for sentence, revision, who, labels, current, state, tokens in connection.execute(_READ_TWICE):
        if sentence not in found:
            given = row_of(connection, state)
            first = _before_decisions(connection, given)
            chosen = _opinion(given) if given.source == DECIDED else None
            found[sentence] = SecondOpinions(sentence, load(tokens), current, [_opinion(first)], chosen)
        opinions = found[sentence].opinions
        opinions[1:] = [one for one in opinions[1:] if one.who != who]
        if who != opinions[0].who:  # who has read a sentence may have changed its labels later
            opinions.append(Opinion(who, load(labels), revision))
    return [found[number] for number in sorted(found) if len(found[number].opinions) > 1]


def _before_decisions(connection: sqlite3.Connection, row: RevisionRow) -> RevisionRow:
    """The labels that were decided about: those before the first of the last decisions."""
    while row.source == DECIDED and (before := row_of(connection, row.before)).labels is not None:
        row = before
    return row


def _opinion(row: RevisionRow) -> Opinion:
    return Opinion(row.who, load(row.labels), row.id)
