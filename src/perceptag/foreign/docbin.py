"""DocBin files of spaCy: read by spaCy, if it is installed."""

from __future__ import annotations

from perceptag.errors import DataError, SettingError
from perceptag.foreign.json_records import Record

NAME, TITLE = "docbin", "DocBin of spaCy"
MAGIC = b"x\x9c"  # zlib; no text in UTF-8 begins so


def records_of(data: bytes, name: str) -> list[Record]:
    """Return the documents of a DocBin as `Doc.to_json` writes them."""
    try:
        import spacy
        from spacy.tokens import DocBin
    except ImportError:
        raise SettingError(
            f"{name}: this looks like a DocBin of spaCy, which only spaCy can read: pip install 'perceptag[spacy]'"
        ) from None
    try:
        docs = list(DocBin().from_bytes(data).get_docs(spacy.blank("xx").vocab))
    except Exception as error:
        raise DataError(f"expected a DocBin of spaCy: {error}", name) from None
    return [Record(f"{name}, document {number}", doc.to_json()) for number, doc in enumerate(docs, 1)]
