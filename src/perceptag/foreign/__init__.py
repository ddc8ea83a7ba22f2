"""Files of other annotation tools: Label Studio, doccano, Prodigy, spaCy and brat.

    bytes of a file ─▶ records ─▶ texts with spans of characters ─▶ tokens with labels
    json_records      label_studio, doccano, prodigy, spacy, brat  fitting

    sentences ─▶ texts with spans of characters ─▶ a file
                 marking                           writing

Nothing is moved or dropped without a word: a span that does not fit the tokens is reported with its place, and its
sentence stays without labels, with all other spans as a draft.
"""
