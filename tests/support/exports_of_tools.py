"""One labelled sentence as the tools of others export it, and as tables."""

from __future__ import annotations

import json

TEXT = "Anna lives in Oslo"
TOKENS = TEXT.split()
LABELS = ["B-PER", "O", "O", "B-LOC"]
PAIRS = [[0, 4, "PER"], [14, 18, "LOC"]]
DICTS = [{"start": a, "end": b, "label": y} for a, b, y in PAIRS]
NAMED = [{"text": TEXT[a:b], "label": y} for a, b, y in PAIRS]

RECORDS = {
    "doccano": {"id": 1, "text": TEXT, "label": PAIRS},
    "doccano, objects": {
        "text": TEXT,
        "entities": [{"start_offset": a, "end_offset": b, "label": y} for a, b, y in PAIRS],
    },
    "doccano, another name": {"id": 1, "data": TEXT, "labels": PAIRS, "meta": {"source": 3}},
    "doccano, annotations": {
        "text": TEXT,
        "annotations": [{"id": n, "start_offset": a, "end_offset": b, "label": y} for n, (a, b, y) in enumerate(PAIRS)],
    },
    "label studio, completions": {"id": 7, "data": {"text": TEXT}, "completions": [{"id": 1, "result": [
        {"type": "labels", "value": {"start": a, "end": b, "labels": [y]}} for a, b, y in PAIRS]}]},
    "label studio, minimal": {"text": TEXT, "annotator": 1, "annotation_id": 3, "ner": [
        {"start": a, "end": b, "text": TEXT[a:b], "labels": [y]} for a, b, y in PAIRS]},
    "a pair": [TEXT, {"entities": PAIRS}],
    "spans": {"text": TEXT, "entities": DICTS},
    "spans with the label first": {"text": TEXT, "entities": [[y, a, b] for a, b, y in PAIRS]},
    "spans with types": {"text": TEXT, "entities": [{"start": a, "end": b, "type": y} for a, b, y in PAIRS]},
    "prodigy": {"text": TEXT, "spans": DICTS, "answer": "accept"},
    "label studio": {"data": {"text": TEXT}, "annotations": [{"result": [
        {"type": "labels", "value": {"start": a, "end": b, "labels": [y]}} for a, b, y in PAIRS]}]},
    "mentions": {"text": TEXT, "entities": NAMED},
    "mentions by type": {"text": TEXT, "entities": {"PER": ["Anna"], "LOC": ["Oslo"]}},
    "numbers": {"tokens": TOKENS, "ner_tags": [1, 0, 0, 2]},
    "words": {"words": TOKENS, "tags": LABELS},
    "spacy 3": {"text": TEXT, "ents": DICTS, "tokens": [
        {"id": n, "start": TEXT.index(w), "end": TEXT.index(w) + len(w)} for n, w in enumerate(TOKENS)]},
}  # fmt: skip
NAMES = ("O", "B-PER", "B-LOC")
TABLES = {
    "one word": "Word,Tag\nAnna,B-PER\nlives,O\nin,O\nOslo,B-LOC\n",
    "kaggle": "Sentence #,Word,POS,Tag\nSentence: 1,Anna,NNP,B-PER\n,lives,VBZ,O\n,in,IN,O\n,Oslo,NNP,B-LOC\n",
    "repeated": "sentence_id;token;label\n1;Anna;B-PER\n1;lives;O\n1;in;O\n1;Oslo;B-LOC\n",
    "tabs": "token\tner\nAnna\tB-PER\nlives\tO\nin\tO\nOslo\tB-LOC\n",
    "spans": f"text,start,end,label\n{TEXT},0,4,PER\n{TEXT},14,18,LOC\n",
    "python": f"text,entities\n{TEXT},\"[(0, 4, 'PER'), (14, 18, 'LOC')]\"\n",
    "names": f"text,entities\n{TEXT},\"[{{'text': 'Anna', 'label': 'PER'}}, {{'text': 'Oslo', 'label': 'LOC'}}]\"\n",
    "json": f"text;spans\n{TEXT};{json.dumps([{**one, 'id': None} for one in DICTS])}\n",
    "tags": f"Sentence #,Sentence,POS,Tag\nSentence: 1,{TEXT},\"['A', 'B', 'C', 'D']\",\"{LABELS}\"\n",
    "tags by spaces": f"sentence,tags\n{TEXT},{' '.join(LABELS)}\n",
}
