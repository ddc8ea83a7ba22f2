"""Names of lists of tags in JSON lines, Parquet and records of other tools, the likeliest labels first."""

from __future__ import annotations

TAGS = ("labels", "ner_tags", "ner_labels", "tags", "label", "bio_tags", "iob_tags", "ner", "bio", "iob")
OTHER_TAGS = ("pos_tags", "upos", "xpos", "pos", "upos_tags", "xpos_tags", "chunk_tags")  # if there are no others

# Names that pipelines give to columns too. There the labels are in the last column, which may be another one.
OF_LAYERS = ("ner", "bio", "iob")
LABEL_COLUMNS = ("label", *(name for name in TAGS if name not in ("labels", "label", *OF_LAYERS)))
