"""Files of other annotation tools: Label Studio, doccano, Prodigy, spaCy and brat.

    bytes of a file ─▶ records ─▶ texts with spans of characters ─▶ tokens with labels
    json_records      label_studio, doccano, prodigy, spacy, brat  fitting

    sentences ─▶ texts with spans of characters ─▶ a file
                 marking                           write_export

Nothing is moved or dropped silently: a span that does not fit the tokens is reported with its offsets, and its
sentence stays unlabelled, with all other spans as a draft.
"""
