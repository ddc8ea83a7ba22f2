"""What a project says: its sentences, their history, what to train on, and what comes next."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence

from perceptag.project import queries, training_log
from perceptag.project.database import Database
from perceptag.project.open_project import OpenProject
from perceptag.project.records import (
    Comment,
    Entry,
    LabelledSentence,
    Revision,
    SecondReading,
    SentenceCounts,
    Unlabelled,
)
from perceptag.project.revision_steps import last_of


class ReadProject(OpenProject):
    """A project that is read. Any thread may do that."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._log = training_log.TrainingLog()
        self._log_lock = threading.Lock()

    def sentence(self, number: int) -> Entry:
        """A sentence as it is now."""
        with self._database.reading() as connection:
            return queries.entry_of(connection, number)

    def entries(self, numbers: Iterable[int]) -> list[Entry]:
        """Some sentences, in this order."""
        with self._database.reading() as connection:
            return queries.entries_of(connection, numbers)

    def find(
        self,
        offset: int = 0,
        limit: int = 100,
        *,
        status: str | None = None,
        flagged: bool | None = None,
        label: str | None = None,
        text: str | None = None,
        source: int | None = None,
        order: str = "position",
    ) -> tuple[int, list[Entry]]:
        """How many sentences fit, and some of them. `text` is looked for without regard to small and large letters."""
        wanted = queries.Filter.of(self.kind, status, flagged, label, text, source)
        with self._database.reading() as connection:
            total, numbers = wanted.find(connection, order, limit, offset)
            return total, queries.entries_of(connection, numbers)

    def find_ids(
        self,
        *,
        status: str | None = None,
        flagged: bool | None = None,
        label: str | None = None,
        text: str | None = None,
        source: int | None = None,
    ) -> list[int]:
        """The numbers of all sentences that fit."""
        wanted = queries.Filter.of(self.kind, status, flagged, label, text, source)
        with self._database.reading() as connection:
            return wanted.find(connection, "position", -1, 0)[1]

    def matches(
        self, words: Sequence[str], *, ignore_case: bool = False, status: str | None = None, limit: int = 1000
    ) -> tuple[int, list[tuple[int, int]]]:
        """How often these words stand next to each other, and (sentence, first token) of some of the places."""
        with self._database.reading() as connection:
            return queries.matches(connection, words, ignore_case=ignore_case, status=status, limit=limit)

    def with_tokens(self, wanted: Iterable[Sequence[str]], after: int = 0) -> dict[tuple[str, ...], list[int]]:
        """The sentences, sealed ones too, that have exactly these tokens; only those with numbers above `after`."""
        with self._database.reading() as connection:
            return queries.with_tokens(connection, wanted, after)

    def counts(self) -> SentenceCounts:
        """How many sentences there are of each sort."""
        with self._database.reading() as connection:
            return training_log.counts(connection)

    def history(self, sentence: int | None = None, before: int | None = None, limit: int = 100) -> list[Revision]:
        """Revisions, the newest first; of all sentences or of one."""
        with self._database.reading() as connection:
            return queries.history(connection, sentence, before, limit)

    def comments(self, sentence: int) -> list[Comment]:
        """The comments on a sentence, the oldest first."""
        with self._database.reading() as connection:
            return queries.comments_of(connection, sentence)

    @property
    def last_revision(self) -> int:
        """The number of the newest revision; 0 if there is none."""
        with self._database.reading() as connection:
            return last_of(connection, "revision")[0]

    # --- learning ---

    def log(self, upto: int | None = None) -> list[LabelledSentence]:
        """The sentences to train on, now or as of a revision, in the order in which they first had labels."""
        with self._log_lock, self._database.reading() as connection:
            if upto is None or upto >= last_of(connection, "revision")[0]:
                return self._log.now(connection)
            return training_log.TrainingLog().upto(connection, upto)

    def pool(self, after: int = 0, limit: int | None = None) -> list[Unlabelled]:
        """Sentences that are not labelled, skipped or sealed, with numbers above `after`."""
        with self._database.reading() as connection:
            return training_log.pool(connection, after, limit)

    def readings(self) -> list[SecondReading]:
        """Sentences that a second person has read, with both labellings."""
        with self._database.reading() as connection:
            return training_log.readings(connection)

    def next_random(self, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next unlabelled sentences of the random order."""
        return self._next("random", exclude, limit)

    def next_in_order(self, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next unlabelled sentences in the order of the files."""
        return self._next("order", exclude, limit)

    def next_drafts(self, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next sentences that have a draft and no labels."""
        return self._next("draft", exclude, limit)

    def next_sealed(self, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next unlabelled sentences of the sealed set."""
        return self._next("sealed", exclude, limit)

    def next_second(self, who: str, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next sentences that another person has labelled and this person has not read."""
        return self._next("second", exclude, limit, who)

    def _next(self, strategy: str, exclude: Collection[int], limit: int, who: str = "") -> list[int]:
        with self._database.reading() as connection:
            return training_log.next_of(connection, strategy, exclude, limit, who)

    def sealed_entries(self) -> list[Entry]:
        """The sealed set."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT sentence FROM current WHERE sealed = 1 ORDER BY sentence").fetchall()
            return queries.entries_of(connection, [number for (number,) in rows])
