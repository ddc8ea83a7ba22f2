"""Exports of other annotation tools: Label Studio, doccano and Prodigy.

    bytes of a file ─▶ records ─▶ texts with spans of characters ─▶ tokens with labels
    json_records      label_studio, doccano, prodigy               fitting

Nothing is moved or dropped without a word: a span that does not fit the tokens is reported with its place, and its
sentence stays without labels, with all other spans as a draft.
"""
