"""What a project says: its sentences, their history, what to train on, and what comes next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from sqlite3 import Connection
from typing import Any, Concatenate, ParamSpec, TypeVar

from perceptag.project import queries, second_opinions, training_log
from perceptag.project.database import Database
from perceptag.project.open_project import OpenProject
from perceptag.project.records import (
    Comment,
    Entry,
    LabelledSentence,
    Revision,
    SecondOpinions,
    SecondReading,
    SentenceCounts,
    Unlabelled,
)
from perceptag.project.revision_steps import last_of

Given = ParamSpec("Given")
Result = TypeVar("Result")


class ReadProject(OpenProject):
    """A project that is read. Any thread may do that."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._log = training_log.TrainingLog()
        self._log_lock = threading.Lock()

    def _read(
        self, query: Callable[Concatenate[Connection, Given], Result], *args: Given.args, **named: Given.kwargs
    ) -> Result:
        with self._database.reading() as connection:
            return query(connection, *args, **named)

    def sentence(self, number: int) -> Entry:
        """A sentence as it is now."""
        return self._read(queries.entry_of, number)

    def entries(self, numbers: Iterable[int]) -> list[Entry]:
        """Some sentences, in this order."""
        return self._read(queries.entries_of, numbers)

    def find(
        self, offset: int = 0, limit: int = 100, *, order: str = "position", **conditions: Any
    ) -> tuple[int, list[Entry]]:
        """How many sentences fit some conditions, those of `queries.Filter`, and some of these sentences."""
        with self._database.reading() as connection:
            total, numbers = queries.Filter(kind=self.kind, **conditions).find(connection, order, limit, offset)
            return total, queries.entries_of(connection, numbers)

    def find_ids(self, order: str = "position", **conditions: Any) -> list[int]:
        """The numbers of all sentences that fit."""
        return self._read(queries.Filter(kind=self.kind, **conditions).find, order, -1, 0)[1]

    def counts(self) -> SentenceCounts:
        """How many sentences there are of each sort."""
        return self._read(training_log.counts)

    def history(self, sentence: int | None = None, before: int | None = None, limit: int = 100) -> list[Revision]:
        """Revisions, the newest first; of all sentences or of one."""
        return self._read(queries.history, sentence, before, limit)

    def comments(self, sentence: int) -> list[Comment]:
        """The comments on a sentence, the oldest first."""
        return self._read(queries.comments_of, sentence)

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
        """Sentences that are not labelled or skipped, with numbers above `after`."""
        return self._read(training_log.pool, after, limit)

    def readings(self) -> list[SecondReading]:
        """Sentences that a second person has read, with both labellings."""
        return self._read(training_log.readings)

    def second_opinions(self) -> list[SecondOpinions]:
        """Sentences that several people have labelled, with what each said and what was decided."""
        return self._read(second_opinions.second_opinions)

    def decided(self) -> set[int]:
        """The sentences whose labels were decided."""
        return self._read(second_opinions.decided)

    def next_of(self, strategy: str, exclude: Collection[int] = (), limit: int = 1, who: str = "") -> list[int]:
        """The next sentences: unlabelled ones (random, order), drafts, or those to read a second time."""
        return self._read(training_log.next_of, strategy, exclude, limit, who)
