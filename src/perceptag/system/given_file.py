"""The name of a file, with what the user says about its content."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from perceptag.errors import SettingError

UNLABELLED = ("O", "missing")
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a file cannot say itself."""

    encoding: str = ""  # empty or "auto": UTF-8, or UTF-16 if a byte order mark says so
    tokenizer: str = ""  # a model, for texts without tokens; empty: the installed English one
    unlabelled: str = "O"  # the labels of texts without spans: O, or missing
    label_names: tuple[str, ...] = ()  # of labels that are numbers

    def __post_init__(self) -> None:
        if self.encoding and self.encoding != AUTO:
            try:
                "".encode(codecs.lookup(self.encoding).name)  # fails also for codecs that are not of text
            except (LookupError, ValueError):
                raise SettingError(
                    f"--encoding: expected auto, utf-8, latin-1, cp1252, utf-16 or another encoding, "
                    f"found {self.encoding!r}"
                ) from None
        if self.unlabelled not in UNLABELLED:
            raise SettingError(f"--unlabelled: expected {' or '.join(UNLABELLED)}, found {self.unlabelled!r}")


class GivenFile(str):
    """A path that is read as the user says."""

    facts: FileFacts

    def __new__(cls, path: str, facts: FileFacts) -> GivenFile:
        """Return the path with these facts."""
        made = super().__new__(cls, path)
        made.facts = facts
        return made

    def __reduce__(self) -> tuple[type[GivenFile], tuple[str, FileFacts]]:
        return GivenFile, (str(self), self.facts)


NO_FACTS = FileFacts()


def facts_of(source: object) -> FileFacts:
    """Return what the user says about a file."""
    return source.facts if isinstance(source, GivenFile) else NO_FACTS
