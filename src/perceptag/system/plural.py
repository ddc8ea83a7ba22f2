"""Numbers of things, in the singular or the plural."""

from __future__ import annotations


def plural(count: int, what: str, form: str = "") -> str:
    """Return a number with its noun; `form` is how the number is written, such as ``","``.

    >>> plural(1, "sentence"), plural(0, "token"), plural(2, "pass"), plural(1200, "more feature", ",")
    ('1 sentence', '0 tokens', '2 passes', '1,200 more features')
    """
    ending = "" if count == 1 else "es" if what.endswith(("s", "ch", "sh", "x")) else "s"
    return f"{count:{form}} {what}{ending}"
