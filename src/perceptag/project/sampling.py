"""The random order, the random sample that it gives, and which sentences come next.

Each sentence has a fixed rank that looks random. The random sample of a source are its labelled sentences whose rank is
below that of every sentence that is still open: neither labelled, nor skipped, nor sealed. These are the first ones of
a random order, so they are a random sample, whatever else was labelled and why. A source whose sentences somebody
else has chosen, such as another annotation tool, has no such order, and nothing of it is in the sample.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from perceptag.project.records import LABELLED, SKIPPED, STATUSES, SentenceCounts
from perceptag.project.values import load

NO_END = 1 << 63  # above every rank
SAMPLED = "sampled"  # a fact of a source: false if its sentences were chosen elsewhere
_OPEN = "status = 'new' AND sealed = 0"
_ORDERS = {
    "random": (_OPEN, "rank, sentence"),
    "order": (_OPEN, "sentence"),
    "draft": (f"{_OPEN} AND drafted = 1", "rank, sentence"),
    "sealed": ("status = 'new' AND sealed = 1", "rank, sentence"),
    "second": (
        "status = 'labelled' AND sealed = 0 AND who NOT IN ('', :who) AND NOT EXISTS (SELECT 1 FROM revision r "
        "JOIN step s ON s.id = r.step WHERE r.kind = 'reading' AND r.sentence = current.sentence AND r.who = :who "
        "AND s.undone = 0)",
        "rank, sentence",
    ),
}


def thresholds(connection: sqlite3.Connection) -> dict[int, int]:
    """For each source the rank below which everything is labelled, skipped or sealed; 0 if it is not a sample."""
    least = f"SELECT min(rank) FROM current WHERE source = ? AND {_OPEN}"
    without = not_sampled(connection)
    sources = [number for (number,) in connection.execute("SELECT id FROM source") if number not in without]
    found = {number: connection.execute(least, (number,)).fetchone()[0] for number in sources}
    return without | {number: NO_END if rank is None else rank for number, rank in found.items()}


def not_sampled(connection: sqlite3.Connection) -> dict[int, int]:
    """The rank 0, below which there is nothing, for each source whose sentences were chosen elsewhere."""
    rows = connection.execute("SELECT id, facts FROM source")
    return {number: 0 for number, facts in rows if not load(facts).get(SAMPLED, True)}


def next_of(
    connection: sqlite3.Connection, strategy: str, exclude: Collection[int], limit: int, who: str = ""
) -> list[int]:
    """The next sentences of an order, without some."""
    condition, order = _ORDERS[strategy]
    rows = connection.execute(f"SELECT sentence FROM current WHERE {condition} ORDER BY {order}", {"who": who})
    left_out = set(exclude)
    found: list[int] = []
    for (number,) in rows:
        if len(found) >= limit:
            break
        if number not in left_out:
            found.append(number)
    return found


def sealable(connection: sqlite3.Connection, count: int) -> list[int]:
    """Sentences for the sealed set: untouched ones, the last of the random order.

    The first ones stay, because proposals for them may have been seen already.
    """
    rows = connection.execute(
        f"SELECT sentence FROM current WHERE {_OPEN} AND revision = 0 ORDER BY rank DESC, sentence LIMIT ?", (count,)
    )
    return [number for (number,) in rows]


def counts(connection: sqlite3.Connection) -> SentenceCounts:
    """How many sentences there are of each sort. The open ones, which may be many, are not counted one by one."""

    def number(condition: str) -> int:
        return int(connection.execute(f"SELECT count(*) FROM current WHERE {condition}").fetchone()[0])

    (sentences,) = connection.execute("SELECT coalesce(sum(sentences), 0) FROM source").fetchone()
    sealed = {status: number(f"status = '{status}' AND sealed = 1") for status in STATUSES}
    labelled, skipped = (number(f"status = '{status}' AND sealed = 0") for status in (LABELLED, SKIPPED))
    return SentenceCounts(
        sentences=sentences,
        labelled=labelled,
        skipped=skipped,
        left=sentences - labelled - skipped - sum(sealed.values()),
        drafts=number("drafted = 1 AND sealed = 0"),
        flagged=number("flagged = 1"),
        sealed=sum(sealed.values()),
        sealed_labelled=sealed[LABELLED],
        random=_sample_size(connection),
    )


def _sample_size(connection: sqlite3.Connection) -> int:
    number = "SELECT count(*) FROM current WHERE source = ? AND status = 'labelled' AND sealed = 0 AND rank < ?"
    return sum(
        connection.execute(number, (source, min(rank, NO_END - 1))).fetchone()[0]
        for source, rank in thresholds(connection).items()
    )
