"""The log of a server: lines of JSON on standard error. They never hold text of a user."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from typing import Any


def log(**entry: Any) -> None:
    """Write a line of the log. If that fails, e.g. on a full disk, the server continues without the line."""
    with suppress(OSError):
        print(json.dumps({"time": round(time.time(), 3), **entry}), file=sys.stderr, flush=True)
