"""White space in the MISC column of CoNLL-U, in UDPipe's notation.

SpaceAfter=No        nothing follows the token
SpacesAfter=\\s\\s     what follows it, if it is not one space; SpacesBefore: what stands before the first token
SpacesInToken=10\\s0  the token itself, if it has white space that the column form cannot hold

Treebanks also write any character as the number of its code point: SpacesAfter=\\u00A0.
"""

from __future__ import annotations

import re

_ESCAPES = {" ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r", "|": "\\p", "\\": "\\\\"}
_CHARACTERS = {escape[1]: character for character, escape in _ESCAPES.items()}
_ESCAPED = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_NOT_TEXT = range(0xD800, 0xE000)  # surrogates
_TO_ESCAPE = re.compile(r"[ \t\n\r|\\]")


def escape(text: str) -> str:
    r"""Write white space so that misc can hold it.

    >>> escape("a b\n")
    'a\\sb\\n'
    """
    return _TO_ESCAPE.sub(lambda match: _ESCAPES[match[0]], text)


def unescape(text: str) -> str:
    r"""Read what `escape` has written, and characters given by their numbers, as treebanks have them (``\u00A0``).

    Any other character after a backslash is itself.

    >>> unescape(r"\s\n\p"), unescape(r"\u2003")
    (' \n|', '\u2003')
    """
    return _ESCAPED.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    if match[1] is None:
        return _CHARACTERS.get(match[2], match[2])
    number = int(match[1], 16)
    return match[0][1:] if number == 0 or number in _NOT_TEXT else chr(number)


def features_of(misc: str) -> dict[str, str]:
    """Return the names and values in a column misc.

    >>> features_of("SpaceAfter=No|X=1"), features_of("_")
    ({'SpaceAfter': 'No', 'X': '1'}, {})
    """
    pairs = (entry.partition("=") for entry in misc.split("|"))
    return {name: value for name, equals, value in pairs if equals}
