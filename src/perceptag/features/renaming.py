"""Rename columns in templates: a recipe says ``pos``, the data may call that column ``c1`` or ``xpos``."""

from __future__ import annotations

import re
from collections.abc import Mapping


def rename_column(template: str, names: Mapping[str, str]) -> str:
    """Return the template with its columns renamed.

    >>> rename_column("form[0] pos[-1] pos.prefix1[0]", {"pos": "c1"})
    'form[0] c1[-1] c1.prefix1[0]'
    """
    return re.sub(r"(?<![\w.:-])\w[\w:-]*(?=[.\[])", lambda match: names.get(match[0], match[0]), template)
