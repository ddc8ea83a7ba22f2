"""Files to be tagged in parts, and what they become alone."""

from __future__ import annotations

from command_line import CORPUS
from perceptag.errors import PerceptagError
from perceptag.tagging.job import TagFileOptions
from perceptag.tagging.tag_file import open_pipeline, tag_file

_PARTS = (CORPUS / "dev.txt").read_text("utf-8").split("\n\n")
SENTENCES = [
    [line.split()[0] for line in part.split("\n")] for part in _PARTS if part.strip() and "DOCSTART" not in part
]
WORDS = "".join("\n".join(words) + "\n\n" for words in SENTENCES[:14])


def alone(model, path, target, **options):
    """What the file becomes when it is tagged alone, or the error."""
    try:
        tag_file(open_pipeline(str(model), allow_code=False), str(path), str(target), TagFileOptions(**options))
    except PerceptagError as error:
        return str(error)
    return target.read_bytes()


def folder_of(files):
    """A folder's files with their bytes, without the journal and the file of success."""
    return {
        str(path.relative_to(files)): path.read_bytes()
        for path in sorted(files.rglob("*"))
        if path.is_file() and path.name not in ("_parts.jsonl", "_SUCCESS.json")
    }
