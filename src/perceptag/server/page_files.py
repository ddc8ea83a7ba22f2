"""The files of the page: a table made at start from the package, so that no path of a request reaches the disk."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "page"
INDEX = "index.html"
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file, ready to be sent."""

    data: bytes
    media_type: str
    tag: str  # changes with the bytes


def page_files(folder: Path = FOLDER) -> dict[str, PageFile]:
    """Return all files of the page by the path that a browser asks for; ``/`` is the page itself."""
    found: dict[str, PageFile] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in MEDIA_TYPES:
            data = path.read_bytes()
            tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
            name = path.relative_to(folder).as_posix()
            found["/" if name == INDEX else f"/{name}"] = PageFile(data, MEDIA_TYPES[path.suffix], tag)
    return found
