"""The exceptions of perceptag.

    PerceptagError
    ├── DataError       a file or a sentence that cannot be used; the message names file and line
    ├── SettingError    an argument, recipe key or value that cannot be used; the message says what is allowed
    │   ├── NotOfferedError       something that models of this kind cannot do; the message says which models can
    │   └── CodeNotAllowedError   code of the user that is neither given nor allowed to be imported
    ├── ModelError      a model file that is damaged, foreign or from a newer version
    └── ProjectError    a project file that is damaged, foreign, in use, or from a newer version
        └── ConflictError   the sentence was changed meanwhile; nothing was written

All of them mean that the input is wrong, not the program. The command line prints the message without a
traceback and exits with status 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class LostLabel(str):
    """A note on something in a file that is not taken over; ``--quiet`` does not hide it."""

    __slots__ = ()


class FileWarning(UserWarning):
    """A file is not what the user says, and is read as it is."""


class PerceptagError(ValueError):
    """Base class of all errors raised on purpose."""


class DataError(PerceptagError):
    """Input data that cannot be used.

    `where` is what a reader needs to find the place: usually ``file:line``, or ``sentence 3``.
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


class AlreadyImportedError(DataError):
    """A file whose content is in the project already."""


class SettingError(PerceptagError):
    """An argument or a recipe key whose name or value is not acceptable."""


class NotOfferedError(SettingError):
    """An operation that this kind of model does not offer."""

    @classmethod
    def by(cls, model: str, what: str, offered_by: str) -> NotOfferedError:
        """Return the error for something that only some models can do, always in the same form.

        >>> print(NotOfferedError.by("a model of learner 'guided'", "n-best lists", "models of every other learner"))
        n-best lists: not offered by a model of learner 'guided'; offered by models of every other learner
        """
        return cls(f"{what}: not offered by {model}; offered by {offered_by}")


class CodeNotAllowedError(SettingError):
    """A recipe or a model names code of the user, and the user has neither given it nor allowed its import."""

    on_command_line = ""  # the message in the words of the command line, to which no function can be given

    @classmethod
    def by(cls, what: str, argument: str) -> CodeNotAllowedError:
        """Return the error for user code; in Python it may be given as `argument`.

        >>> print(CodeNotAllowedError.by("the attribute 'x=my:f'", "attributes={'x': f}"))
        the attribute 'x=my:f' is code of your own: allow_code=True imports it; or give it as attributes={'x': f}
        """
        error = cls(f"{what} is code of your own: allow_code=True imports it; or give it as {argument}")
        error.on_command_line = f"{what} is code of your own: --allow-code imports it"
        return error


def for_command_line(error: BaseException) -> str:
    """Return the message of an error as the command line shows it."""
    return error.on_command_line if isinstance(error, CodeNotAllowedError) else str(error)


def at_place(error: PerceptagError, where: str) -> PerceptagError:
    """Prefix the message of an error with its place, such as a model file."""
    placed = type(error)(f"{where}: {error}")
    if isinstance(error, CodeNotAllowedError) and isinstance(placed, CodeNotAllowedError):
        placed.on_command_line = f"{where}: {error.on_command_line}"
    return placed


class ModelError(PerceptagError):
    """A model file that cannot be loaded, or that training cannot continue from."""


class ProjectError(PerceptagError):
    """A project file that cannot be opened, read or written."""


class StorageError(ProjectError):
    """The disk of a project cannot be read or written: it is full, read-only or broken. Trying again may help."""


class ConflictError(ProjectError):
    """A sentence, or the guidelines, have changed since the caller read them; nothing was written.

    `entry` is the sentence as it is now (`perceptag.project.records.Entry`); None for guidelines.
    """

    def __init__(self, message: str, entry: object) -> None:
        super().__init__(message)
        self.entry = entry


@contextmanager
def reading_model(what: str) -> Iterator[None]:
    """Turn a ValueError of the core or a text decoder into a ModelError.

    Put it around that one call only: any other error is a bug of perceptag, and must not look like a bad file.
    """
    try:
        yield
    except (ModelError, SettingError):
        raise
    except ValueError as error:
        raise ModelError(f"the model file is damaged: {what}: {error}") from error


def not_utf8(error: UnicodeDecodeError) -> str:
    """Describe why bytes are not text.

    >>> not_utf8(UnicodeDecodeError("utf-8", b"a\\xff", 1, 2, ""))
    'expected text in UTF-8, found the byte 0xFF'
    """
    return f"expected text in UTF-8, found the byte 0x{error.object[error.start]:02X}"


def brief(value: object, most: int = 60) -> str:
    """Return a value as messages show it: its repr, cut to `most` characters, or its type if it has no repr.

    >>> brief("a"), brief(list(range(9)), 10), brief(10**5000)
    ("'a'", '[0, 1, 2, ', 'a value of type int that cannot be written')
    """
    try:
        return repr(value)[:most]
    except Exception:
        return f"a value of type {type(value).__name__} that cannot be written"


def nearest(word: object, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the known word nearest to `word`, or an empty string.

    Dashes at the beginning are not compared: they make options alike that have nothing in common.

    >>> nearest("epoch", ["epochs", "order"]), nearest("--model", ["--dev"])
    ("; did you mean 'epochs'?", '')
    """
    import difflib  # only a mistake needs it

    by_letters = {name.lstrip("-"): name for name in known}
    close = difflib.get_close_matches(word.lstrip("-"), by_letters, n=1) if isinstance(word, str) else []
    close = [by_letters[name] for name in close]
    return f"; did you mean {close[0]!r}?" if close else ""


def reason(error: Exception) -> str:
    """Return the message of the operating system, without number and path."""
    return getattr(error, "strerror", None) or str(error)
