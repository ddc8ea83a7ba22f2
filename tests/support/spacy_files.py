"""Files of spaCy in the formats that perceptag reads, written by spaCy itself.

python tests/support/spacy_files.py FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TEXTS = [
    (
        "Anna Berg lives in Oslo. She works for Statoil 😀 in Zürich.",
        [("Anna Berg", "PER"), ("Oslo", "LOC"), ("Statoil", "ORG"), ("Zürich", "LOC")],
    ),
    ("Nothing to see here.", []),
]


def write_all(folder: Path) -> None:
    """Write documents as JSON and as a DocBin."""
    import spacy
    from spacy.tokens import DocBin

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    docs = []
    for text, names in TEXTS:
        doc = nlp(text)
        doc.ents = [doc.char_span(text.index(w), text.index(w) + len(w), label=label) for w, label in names]
        docs.append(doc)
    lines = "".join(json.dumps(doc.to_json(), ensure_ascii=False) + "\n" for doc in docs)
    (folder / "spacy-docs.jsonl").write_text(lines, "utf-8")
    DocBin(attrs=["ENT_IOB", "ENT_TYPE", "SENT_START", "SPACY"], docs=docs).to_disk(folder / "spacy-docs.spacy")


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
