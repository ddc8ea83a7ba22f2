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

from collections.abc import Callable, Sequence
from sqlite3 import Connection
from typing import Any

from perceptag.errors import SettingError
from perceptag.project import exporting, importing, label_changes, queries
from perceptag.project.database import Database
from perceptag.project.read_project import ReadProject
from perceptag.project.records import Imported, Revision, SourceInfo, Undone, dump
from perceptag.project.revision_steps import RevisionRow
from perceptag.project.source_files import ReadOptions, read_file
from perceptag.system.output_files import Target
from perceptag.text.lines import Source


class Project(ReadProject):
    """An open project. Any thread may use it; only one process at a time has it open."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._passed: label_changes.Passed = {}

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
        wanted = ReadOptions(name, format, columns, comment, tokenizer)
        found = importing.incoming(read_file(source, wanted), self.kind, self.column, label)
        return self.import_sentences(found, again=again, who=who)

    def import_sentences(self, found: importing.Incoming, *, again: bool = False, who: str = "") -> Imported:
        """Add the sentences of a file that has been read."""
        with self._writing() as connection:
            if not again:
                importing.refuse_again(connection, found.sha256, found.name)
            imported, added = importing.store(connection, found, self.seed, who, self._names)
        for entry in added:
            self._names.add(entry)
        return imported

    def sources(self) -> list[SourceInfo]:
        """The files that were imported."""
        with self._database.reading() as connection:
            return queries.sources_of(connection)

    def export(
        self,
        target: Target,
        *,
        format: str | None = None,  # noqa: A002
        status: str = "labelled",
        source: int | None = None,
        overwrite: bool = False,
        note: Callable[[str], object] = str,
    ) -> int:
        """Write labelled sentences, or all, to a file; return how many.

        An existing file is replaced only if it has the same format, or if `overwrite` is true. Column files and Parquet
        get the columns that all sentences have. `note` is told what the format has no place for.

        A whole source in its own format is the file that was imported, byte for byte, but for labels that have changed.
        """
        with self._database.reading() as connection:
            exporting.refuse_own_file(target, self.path, queries.sources_of(connection))
            return exporting.export(connection, target, format, status, source, self.column, overwrite, note)

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
        second reader, and the sentence keeps its own; another person must have labelled it, else `ConflictError`.
        """
        with self._writing() as connection:
            self._check(connection, sentence, labels)
            if None in labels:
                raise SettingError(f"labels: sentence {sentence}: expected a label for each token, found None")
            new = label_changes.NewLabels(
                dump(list(labels)),
                base,
                float(seconds),
                int(actions),
                source,
                model,
                label_changes.proposal_text(proposal),
            )
            write = label_changes.read_by_another if reading else label_changes.label
            row = write(connection, sentence, new, who, key)
        return queries.revision_from(row)

    def _check(self, connection: Connection, sentence: int, labels: Sequence[str | None]) -> None:
        self._names.check(labels, len(queries.entry_of(connection, sentence).tokens), sentence)

    def skip(self, sentence: int, base: int, key: str, who: str) -> Revision:
        """Set a sentence aside: it is not offered again, and not trained on."""
        return self._changed(label_changes.skip, sentence, base, who, key)

    def unskip(self, sentence: int, base: int, key: str, who: str) -> Revision:
        """Take a sentence back, with the labels that it had."""
        return self._changed(label_changes.unskip, sentence, base, who, key)

    def flag(self, sentence: int, on: bool, key: str, who: str) -> Revision:
        """Set or remove the flag of a sentence."""
        return self._changed(label_changes.flag, sentence, on, who, key)

    def comment(self, sentence: int, text: str, key: str, who: str) -> Revision:
        """Add a comment to a sentence."""
        return self._changed(label_changes.comment, sentence, text, who, key)

    def _changed(self, change: Callable[..., RevisionRow], *given: object) -> Revision:
        with self._writing() as connection:
            row = change(connection, *given)
        return queries.revision_from(row)

    def undo(self, who: str, key: str, step: int = 0) -> Undone | None:
        """Undo the last step of a person that is not undone, or the step that is named; None if there is none.

        It is a `ConflictError` if another person has changed a sentence of the step since; the next undo then
        passes over that step, until nothing stands in its way.
        """
        with self._writing() as connection:
            return label_changes.undo(connection, who, key, self._passed, step)

    def redo(self, who: str, key: str) -> Undone | None:
        """Do again what the person undid last; None if there is nothing."""
        with self._writing() as connection:
            return label_changes.redo(connection, who, key)
