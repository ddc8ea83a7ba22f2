"""A project file that is open: the file itself, its settings, labels, events and versions."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection
from types import TracebackType
from typing import Any, TypeVar

from perceptag.errors import ProjectError, SettingError, brief
from perceptag.project import guidelines, importing, rebuilding
from perceptag.project.database import Database, backup_of, damaged, make_private, naming_faults, refuse_foreign
from perceptag.project.guidelines import Guidelines, GuidelineVersion
from perceptag.project.project_labels import LabelNames, checked_kind, checked_name
from perceptag.project.records import Event, LabelEntry, Version, checked, dump
from perceptag.project.revision_steps import add_event, events_of
from perceptag.system.output_files import followed
from perceptag.system.platform.open_files import sync_folder
from perceptag.text.lines import checked_path

DAY = 24 * 3600.0

Any_ = TypeVar("Any_", bound="OpenProject")


class OpenProject:
    """The file of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._is_changed = False
        database.diagnose = lambda: next(iter(self.check()), "")
        with database.reading() as connection:
            if wrong := next(rebuilding.broken_chains(connection), ""):
                raise ProjectError(damaged(database.path, wrong))
            made = events_of(connection, "made")
            self._settings = {e.data["name"]: e.data["value"] for e in events_of(connection, "setting")}
            labels = [LabelEntry(event.data["name"], event.data["key"]) for event in events_of(connection, "label")]
        if not made:
            raise ProjectError(damaged(database.path, "it does not say what it is for"))
        self.kind: str = made[0].data["kind"]
        self.column: str = made[0].data["column"]
        self.seed: int = made[0].data["seed"]
        self._names = LabelNames(self.kind, labels)

    # --- the file ---

    @classmethod
    def create(
        cls: type[Any_],
        path: str | os.PathLike[str],
        *,
        kind: str,
        labels: Iterable[str] = (),
        column: str = "label",
        settings: Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> Any_:
        """Make a project for spans or for tags. `seed` decides the random order; without it, chance does."""
        checked_kind(kind)
        if isinstance(labels, str):
            raise SettingError(f"labels: expected a list of names, found {brief(labels)}")
        names = [checked_name(name) for name in labels]
        chosen = secrets.randbits(62) if seed is None else seed
        if not isinstance(chosen, int) or not 0 <= chosen < 1 << 63:
            raise SettingError(f"seed: expected a number from 0 to 2**63 - 1, found {brief(seed)}")
        made = {"kind": kind, "column": checked_name(column), "seed": chosen}
        given = [{"name": checked(name, "name", 200), "value": value} for name, value in (settings or {}).items()]
        for one in given:
            _check_data(one)

        def fill(connection: Connection) -> None:
            add_event(connection, "made", "", made)
            known = LabelNames(kind)
            for name in dict.fromkeys(names):
                known.add(known.new_entry(name))
                importing.add_label(connection, known.entries[-1], "")
            for one in given:
                add_event(connection, "setting", "", one)

        database = Database.create(followed(checked_path(path, "path")), fill)
        try:
            project = cls(database)
        except BaseException:
            database.close()
            raise
        project._is_changed = True
        return project

    @classmethod
    def open(cls: type[Any_], path: str | os.PathLike[str]) -> Any_:
        """Open a project; refuse one that is damaged or open elsewhere."""
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
        return backup_of(self.path)

    def close(self) -> None:
        """Make a copy if anything has changed, and let others open the project."""
        try:
            if self._is_changed:
                self.backup(self.backup_path)
        finally:
            self._database.close()

    def abandon(self) -> None:
        """Close and remove a project that was made just now and could not be filled; there is no copy of it."""
        self._database.close()
        self.path.unlink(missing_ok=True)

    def __enter__(self: Any_) -> Any_:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def backup(self, target: str | os.PathLike[str]) -> None:
        """Write a copy of the project; `target` is the old copy or the new one, whatever happens."""
        path = Path(checked_path(target, "target"))
        refuse_other(self._database, path)
        if path != self.backup_path:
            if path.is_file() and path.stat().st_size:
                refuse_foreign(path)
            back_up(self._database, path)
            return
        self._is_changed = False  # before the copy: what is written while it is made may not be in it
        try:
            back_up(self._database, path)
        except BaseException:
            self._is_changed = True
            raise

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
        with self._writing() as connection:
            rebuilding.rebuild(connection)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Write in one transaction."""
        with self._database.writing() as connection:
            yield connection
        self._is_changed = True

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
        with self._writing() as connection:
            for entry in self._names.entries:
                if entry.name == name:
                    return entry
            entry = self._names.new_entry(name, key)
            importing.add_label(connection, entry, who)
        self._names.add(entry)
        return entry

    def guidelines(self, version: int | None = None) -> Guidelines:
        """How to label, and what each label means: the newest version, or an earlier one."""
        with self._database.reading() as connection:
            return guidelines.version_of(connection, version)

    def guideline_history(self) -> list[GuidelineVersion]:
        """When each version of the guidelines was written, and by whom; the oldest first."""
        with self._database.reading() as connection:
            return guidelines.history_of(connection)

    def write_guidelines(
        self, text: str, labels: Mapping[str, Mapping[str, Any]] | None = None, *, base: int, who: str = ""
    ) -> Guidelines:
        """Write the next version; the last one must still be `base`, else `ConflictError`.

        `labels` has ``{"description": …, "examples": […]}`` for each label that is described.
        """
        checked(text, "text", guidelines.TEXT_CHARACTERS)
        described = guidelines.checked_descriptions(labels or {}, [entry.name for entry in self.labels()])
        with self._writing() as connection:
            return guidelines.write(connection, text, described, base, who)

    def record(self, kind: str, who: str, data: Any) -> Event:
        """Write down something that happened."""
        _check_data(data)
        with self._writing() as connection:
            return add_event(connection, kind, who, data)

    def events(self, kind: str) -> list[Event]:
        """What was recorded of a kind, the oldest first."""
        with self._database.reading() as connection:
            return events_of(connection, kind)

    def add_version(self, digest: str, upto: int, *, seconds: float = 0.0, sentences: int = 0) -> Version:
        """Record that a model was trained from the log up to a revision; it can be trained again from that."""
        about = {"digest": digest, "upto": upto, "seconds": seconds, "sentences": sentences}
        event = self.record("version", "", about)
        with self._database.reading() as connection:
            (number,) = connection.execute(
                "SELECT count(*) FROM event WHERE kind = 'version' AND id <= ?", (event.id,)
            ).fetchone()
        return _version(event, number)

    def versions(self) -> list[Version]:
        """The models that were trained, numbered from 1."""
        return [_version(event, number) for number, event in enumerate(self.events("version"), 1)]


def _check_data(data: Any) -> None:
    try:
        dump(data).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise SettingError(f"data: expected values that JSON can hold: {error}: {brief(data)}") from None


def _version(event: Event, number: int) -> Version:
    about = event.data
    return Version(number, about["digest"], about["upto"], event.at, about["seconds"], about["sentences"])


_BEGIN = "SELECT chain FROM event WHERE id = 1"


def back_up(database: Database, target: Path) -> None:
    """Write a copy to `target`, in place of an older one."""
    path = followed(str(target))
    if path == database.path:
        raise ProjectError(f"{target}: expected a file for the copy, found the project itself")
    temporary = path.with_name(f"{path.name}.new")
    with naming_faults(path):
        temporary.unlink(missing_ok=True)
    try:
        _copy(database.path, temporary)
        with naming_faults(path):
            _sync(temporary)
            temporary.replace(path)
            sync_folder(path.parent)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def refuse_other(database: Database, target: Path) -> None:
    """Refuse to write over the copy of another project, which may be all that is left of it."""
    with database.reading() as connection:
        own = connection.execute(_BEGIN).fetchone()
    if _begin_of(target) not in (None, own):
        raise ProjectError(
            f"{target}: expected the copy of {database.path.name}, found that of another project; move it away"
        )


def _begin_of(path: Path) -> object:
    """The digest of the first event of a project, which no other has; None if there is no project."""
    with suppress(sqlite3.Error, OSError, ValueError):
        connection = sqlite3.connect(f"{path.resolve(strict=True).as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            return connection.execute(_BEGIN).fetchone()
        finally:
            connection.close()
    return None


def _copy(path: Path, target: Path) -> None:
    with naming_faults(target):
        make_private(target)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            connection.execute("VACUUM INTO ?", (str(target),))
        finally:
            connection.close()


def _sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())
