"""White space in the column misc of CoNLL-U, as UDPipe writes it.

SpaceAfter=No        nothing follows the token
SpacesAfter=\\s\\s     what follows it, if it is not one space; SpacesBefore: what stands before the first token
SpacesInToken=10\\s0  the token itself, if it has white space that the column form cannot hold
"""

from __future__ import annotations

import re

_ESCAPES = {" ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r", "|": "\\p", "\\": "\\\\"}
_CHARACTERS = {escape[1]: character for character, escape in _ESCAPES.items()}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_TO_ESCAPE = re.compile(r"[ \t\n\r|\\]")


def escape(text: str) -> str:
    r"""Write white space so that misc can hold it.

    >>> escape("a b\n")
    'a\\sb\\n'
    """
    return _TO_ESCAPE.sub(lambda match: _ESCAPES[match[0]], text)


def unescape(text: str) -> str:
    r"""Read what `escape` has written; any other character after a backslash is itself.

    >>> unescape(r"\s\n\p")
    ' \n|'
    """
    return _ESCAPED.sub(lambda match: _CHARACTERS.get(match[1], match[1]), text)


def features_of(misc: str) -> dict[str, str]:
    """Return the names and values in a column misc.

    >>> features_of("SpaceAfter=No|X=1"), features_of("_")
    ({'SpaceAfter': 'No', 'X': '1'}, {})
    """
    pairs = (entry.partition("=") for entry in misc.split("|"))
    return {name: value for name, equals, value in pairs if equals}
