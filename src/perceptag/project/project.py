"""A project: sentences, the labels that people give them, and every change, in one file.

>>> import tempfile, pathlib
>>> folder = tempfile.TemporaryDirectory()
>>> project = Project.create(pathlib.Path(folder.name) / "news.ptag", kind="spans", labels=["PER", "LOC"])
>>> project.import_file(b"Anna\\nleft\\nRome\\n\\nShe\\nslept\\n", name="news.txt").sentences
2
>>> project.label(1, ["B-PER", "O", "B-LOC"], base=0, key="a", who="anna").id
1
>>> project.sentence(1).labels, project.sentence(2).status
(['B-PER', 'O', 'B-LOC'], 'new')
>>> project.undo("anna", key="b").sentences
[1]
>>> project.sentence(1).labels is None
True
>>> project.close()
>>> folder.cleanup()
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from perceptag.errors import ProjectError, SettingError, brief
from perceptag.project import changes, exporting, importing, queries, rebuilding, sampling, training_log, undoing
from perceptag.project.backup import back_up
from perceptag.project.database import Database, damaged
from perceptag.project.files import Wanted, read_file
from perceptag.project.label_names import LabelNames, checked_kind, checked_name
from perceptag.project.records import (
    Comment,
    Counts,
    Entry,
    Event,
    Imported,
    LabelEntry,
    Labelled,
    Marked,
    Reading,
    Revision,
    SourceInfo,
    Undone,
    Unlabelled,
    Version,
)
from perceptag.project.values import checked, dump
from perceptag.project.writing import add_event, current_of, events_of, last_of
from perceptag.system.writing import Target, followed
from perceptag.text.lines import Source, checked_path

DAY = 24 * 3600.0


class Project:
    """An open project. Any thread may use it; only one process at a time has it open."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._log = training_log.TrainingLog()
        self._log_lock = threading.Lock()
        self._is_changed = False
        with database.reading() as connection:
            if wrong := next(rebuilding.broken_chains(connection), ""):
                raise ProjectError(damaged(database.path, wrong))
            made = events_of(connection, "made")
            self._settings = {e.data["name"]: e.data["value"] for e in events_of(connection, "setting")}
            labels = [LabelEntry(**event.data) for event in events_of(connection, "label")]
        if not made:
            raise ProjectError(damaged(database.path, "it does not say what it is for"))
        self.kind: str = made[0].data["kind"]
        self.column: str = made[0].data["column"]
        self.seed: int = made[0].data["seed"]
        self._names = LabelNames(self.kind, labels)

    # --- the file ---

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        kind: str,
        labels: Iterable[str] = (),
        column: str = "label",
        settings: Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> Project:
        """Make a project for spans or for tags. `seed` decides the random order; without it, chance does."""
        checked_kind(kind)
        names = [checked_name(name) for name in labels]
        chosen = secrets.randbits(62) if seed is None else seed
        made = {"kind": kind, "column": checked_name(column), "seed": chosen}
        database = Database.create(followed(checked_path(path, "path")))
        try:
            with database.writing() as connection:
                add_event(connection, "made", "", made)
            project = cls(database)
        except BaseException:
            database.close()
            database.path.unlink(missing_ok=True)
            raise
        for name in names:
            project.add_label(name)
        for name, value in (settings or {}).items():
            project.set_setting(name, value)
        return project

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Project:
        """Open a project, if it is whole and nobody else has it open."""
        database = Database.open(followed(checked_path(path, "path")))
        try:
            return cls(database)
        except BaseException:
            database.close()
            raise

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    @property
    def backup_path(self) -> Path:
        """Where the copy is that is made at the end and once a day."""
        return self.path.with_name(f"{self.path.name}.backup")

    def close(self) -> None:
        """Make a copy if anything has changed, and let others open the project."""
        try:
            if self._is_changed:
                self.backup(self.backup_path)
        finally:
            self._database.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def backup(self, target: str | os.PathLike[str]) -> None:
        """Write a copy of the project; `target` is the old copy or the new one, whatever happens."""
        path = Path(checked_path(target, "target"))
        back_up(self._database, path)
        if path == self.backup_path:
            self._is_changed = False

    def backup_if_due(self) -> bool:
        """Make the daily copy if there is none of the last 24 hours; return whether one was made."""
        try:
            age = time.time() - self.backup_path.stat().st_mtime
        except OSError:
            age = DAY
        if 0 <= age < DAY:
            return False
        self.backup(self.backup_path)
        return True

    def check(self) -> list[str]:
        """Read everything and say what is wrong; an empty list means that all is well."""
        with self._database.reading() as connection:
            return list(rebuilding.findings(connection))

    def rebuild(self) -> None:
        """Make everything that follows from the revisions again."""
        with self._database.writing() as connection:
            rebuilding.rebuild(connection)

    # --- settings, labels, events ---

    @property
    def settings(self) -> dict[str, Any]:
        """The settings."""
        return dict(self._settings)

    def set_setting(self, name: str, value: Any, who: str = "") -> None:
        """Change a setting; its value is anything that JSON can hold."""
        self.record("setting", who, {"name": checked(name, "name", 200), "value": value})
        self._settings[name] = value

    def labels(self) -> list[LabelEntry]:
        """The labels that annotators choose from."""
        return list(self._names.entries)

    def add_label(self, name: str, key: str = "", who: str = "") -> LabelEntry:
        """Add a label; one that is there already is returned as it is."""
        checked_name(name)
        with self._database.writing() as connection:
            for entry in self._names.entries:
                if entry.name == name:
                    return entry
            entry = self._names.new_entry(name, key)
            importing.add_label(connection, entry, who)
        self._names.add(entry)
        self._is_changed = True
        return entry

    def record(self, kind: str, who: str, data: Any) -> Event:
        """Write down something that happened."""
        try:
            dump(data).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise SettingError(f"data: expected values that JSON can hold: {error}: {brief(data)}") from None
        with self._database.writing() as connection:
            event = add_event(connection, kind, who, data)
        self._is_changed = True
        return event

    def events(self, kind: str) -> list[Event]:
        """What was recorded of a kind, the oldest first."""
        with self._database.reading() as connection:
            return events_of(connection, kind)

    def add_version(
        self,
        digest: str,
        upto: int,
        *,
        seconds: float = 0.0,
        sentences: int = 0,
        recipe: str = "",
        estimate: Any = None,
        data: Mapping[str, Any] | None = None,
    ) -> Version:
        """Write down a model that was trained from the log up to a revision."""
        about = {
            "digest": digest, "upto": upto, "seconds": seconds, "sentences": sentences, "recipe": recipe,
            "estimate": estimate, "data": dict(data or {}),
        }  # fmt: skip
        return _version(self.record("version", "", about), len(self.versions()))

    def versions(self) -> list[Version]:
        """The models that were trained, numbered from 1."""
        return [_version(event, number) for number, event in enumerate(self.events("version"), 1)]

    # --- files in and out ---

    def import_file(
        self,
        source: Source | bytes,
        *,
        name: str = "",
        format: str | None = None,  # noqa: A002
        columns: Sequence[str] | None = None,
        label: str | None = None,
        comment: str = "",
        tokenizer: Any = None,
        again: bool = False,
        who: str = "",
    ) -> Imported:
        """Add the sentences of a file, all of them or none: columns, CoNLL-U, JSON lines, or text with a tokeniser.

        `columns` and `comment` are those of `perceptag.text.columns.read_columns`; `label` is the column with the
        labels. A file that is in the project already is refused unless `again`.
        """
        wanted = Wanted(name, format, columns, comment, tokenizer)
        found = importing.incoming(read_file(source, wanted), self.kind, self.column, label)
        return self.import_sentences(found, again=again, who=who)

    def import_sentences(self, found: importing.Incoming, *, again: bool = False, who: str = "") -> Imported:
        """Add sentences that somebody has read."""
        with self._database.writing() as connection:
            if not again:
                importing.refuse_again(connection, found.sha256, found.name)
            imported, added = importing.store(connection, found, self.seed, who, self._names)
        for entry in added:
            self._names.add(entry)
        self._is_changed = True
        return imported

    def sources(self) -> list[SourceInfo]:
        """The files that were imported."""
        with self._database.reading() as connection:
            return queries.sources_of(connection)

    def export(
        self,
        target: Target,
        *,
        format: str | None = None,
        status: str = "labelled",
        source: int | None = None,  # noqa: A002
    ) -> int:
        """Write labelled sentences, or all, to a file; return how many.

        A whole source in its own format is the file that was imported, byte for byte, but for labels that have changed.
        """
        with self._database.reading() as connection:
            return exporting.export(connection, target, format, status, source, self.column)

    # --- reading ---

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
        wanted = queries.Filter(self.kind)
        wanted.status(status)
        wanted.flagged(flagged)
        wanted.label(label)
        wanted.text(text)
        wanted.source(source)
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
        wanted = queries.Filter(self.kind)
        wanted.status(status)
        wanted.flagged(flagged)
        wanted.label(label)
        wanted.text(text)
        wanted.source(source)
        with self._database.reading() as connection:
            return wanted.find(connection, "position", -1, 0)[1]

    def matches(
        self, words: Sequence[str], *, ignore_case: bool = False, status: str | None = None, limit: int = 1000
    ) -> tuple[int, list[tuple[int, int]]]:
        """How often these words stand next to each other, and (sentence, first token) of some of the places."""
        with self._database.reading() as connection:
            return queries.matches(connection, words, ignore_case=ignore_case, status=status, limit=limit)

    def counts(self) -> Counts:
        """How many sentences there are of each sort."""
        with self._database.reading() as connection:
            return sampling.counts(connection)

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

    def log(self, upto: int | None = None) -> list[Labelled]:
        """The sentences to train on, now or as of a revision, in the order in which they first had labels."""
        with self._log_lock, self._database.reading() as connection:
            if upto is None or upto >= last_of(connection, "revision")[0]:
                return self._log.now(connection)
            return training_log.TrainingLog().upto(connection, upto)

    def pool(self, after: int = 0, limit: int | None = None) -> list[Unlabelled]:
        """Sentences that are not labelled, skipped or sealed, with numbers above `after`."""
        with self._database.reading() as connection:
            return training_log.pool(connection, after, limit)

    def readings(self) -> list[Reading]:
        """Sentences that a second person has read, with both labellings."""
        with self._database.reading() as connection:
            return training_log.readings(connection)

    def next_random(self, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next sentences of the random order that nobody has labelled."""
        return self._next("random", exclude, limit)

    def next_in_order(self, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next sentences in the order of the files that nobody has labelled."""
        return self._next("order", exclude, limit)

    def next_drafts(self, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next sentences that have a draft and no labels."""
        return self._next("draft", exclude, limit)

    def next_sealed(self, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next sentences of the sealed set that nobody has labelled."""
        return self._next("sealed", exclude, limit)

    def next_second(self, who: str, exclude: Collection[int] = (), limit: int = 1) -> list[int]:
        """The next sentences that somebody else has labelled and this person has not read."""
        return self._next("second", exclude, limit, who)

    def _next(self, strategy: str, exclude: Collection[int], limit: int, who: str = "") -> list[int]:
        with self._database.reading() as connection:
            return sampling.next_of(connection, strategy, exclude, limit, who)

    def sealed_entries(self) -> list[Entry]:
        """The sealed set."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT sentence FROM current WHERE sealed = 1 ORDER BY sentence").fetchall()
            return queries.entries_of(connection, [number for (number,) in rows])

    # --- writing ---

    def label(
        self,
        sentence: int,
        labels: Sequence[str],
        *,
        base: int,
        key: str,
        who: str,
        seconds: float = 0.0,
        actions: int = 0,
        source: str = "edited",
        model: str = "",
        proposal: Sequence[str] | None = None,
        reading: bool = False,
    ) -> Revision:
        """Give a sentence labels. It must still be at revision `base`, else `ConflictError`.

        The same key again returns the same revision and writes nothing. With `reading`, the labels are those of a
        second reader, and the sentence keeps its own.
        """
        with self._database.writing() as connection:
            self._check(connection, sentence, labels)
            if None in labels:
                raise SettingError(f"labels: sentence {sentence}: expected a label for each token, found None")
            new = changes.Labelling(
                dump(list(labels)), base, float(seconds), int(actions), source, model, changes.proposal_text(proposal)
            )
            write = changes.read_again if reading else changes.label
            row = write(connection, sentence, new, who, key)
        self._is_changed = True
        return queries.revision_from(row)

    def _check(self, connection: Any, sentence: int, labels: Sequence[str | None]) -> None:
        current_of(connection, sentence)
        self._names.check(labels, len(queries.entry_of(connection, sentence).tokens), sentence)

    def draft(self, items: Iterable[tuple[int, int, Sequence[str | None]]], *, key: str, who: str) -> Marked:
        """Change several sentences as one step; an item is a sentence, its base revision and its labels.

        A sentence without labels gets a draft, in which None says nothing about a token; a labelled one gets new
        labels. Sentences that have changed since their base are left out, and are returned as conflicts.
        """
        given = list(items)
        with self._database.writing() as connection:
            for sentence, _, labels in given:
                self._check(connection, sentence, labels)
            rows = [(n, base, dump(list(labels)), None not in labels) for n, base, labels in given]
            marked = changes.draft(connection, rows, who, key)
        self._is_changed = True
        return marked

    def skip(self, sentence: int, base: int, key: str, who: str) -> Revision:
        """Set a sentence aside: it is not offered again, and not trained on."""
        with self._database.writing() as connection:
            row = changes.skip(connection, sentence, base, who, key)
        self._is_changed = True
        return queries.revision_from(row)

    def unskip(self, sentence: int, base: int, key: str, who: str) -> Revision:
        """Take a sentence back, with the labels that it had."""
        with self._database.writing() as connection:
            row = changes.unskip(connection, sentence, base, who, key)
        self._is_changed = True
        return queries.revision_from(row)

    def flag(self, sentence: int, on: bool, key: str, who: str) -> Revision:
        """Set or remove the flag of a sentence."""
        with self._database.writing() as connection:
            row = changes.flag(connection, sentence, on, who, key)
        self._is_changed = True
        return queries.revision_from(row)

    def comment(self, sentence: int, text: str, key: str, who: str) -> Revision:
        """Add a comment to a sentence."""
        with self._database.writing() as connection:
            row = changes.comment(connection, sentence, text, who, key)
        self._is_changed = True
        return queries.revision_from(row)

    def seal(self, count: int, who: str = "") -> int:
        """Set sentences apart at random, for ever, until there are `count`; return how many there are now."""
        with self._database.writing() as connection:
            (there,) = connection.execute("SELECT count(*) FROM current WHERE sealed = 1").fetchone()
            chosen = sampling.sealable(connection, max(0, count - there))
            there += changes.seal(connection, chosen, who)
        self._is_changed = True
        return int(there)

    def undo(self, who: str, key: str, step: int = 0) -> Undone | None:
        """Undo the last step of a person that is not undone, or the step that is named; None if there is none.

        It is a `ConflictError` if somebody has changed a sentence of the step since.
        """
        with self._database.writing() as connection:
            undone = undoing.undo(connection, who, key, step)
        self._is_changed = True
        return undone

    def redo(self, who: str, key: str) -> Undone | None:
        """Do again what the person undid last; None if there is nothing."""
        with self._database.writing() as connection:
            undone = undoing.redo(connection, who, key)
        self._is_changed = True
        return undone


def _version(event: Event, number: int) -> Version:
    about = event.data
    return Version(
        number, about["digest"], about["upto"], event.at, about["seconds"], about["sentences"], about["recipe"],
        about["estimate"], about["data"],
    )  # fmt: skip
