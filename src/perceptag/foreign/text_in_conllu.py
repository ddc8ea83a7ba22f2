"""Write the text of sentences into CoNLL-U: ``# text``, and the white space after each word in misc."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from perceptag.foreign.marking import known_text
from perceptag.text.conllu import with_comments, with_feature
from perceptag.text.conllu_spaces import escape
from perceptag.text.sentence import Sentence
from perceptag.text.token_formats import form_of


def with_text(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield sentences of JSON lines that know their text with comments and misc for it; others stay as they are.

    A sentence is yielded when the next one is known, which may follow it without a space.
    """
    for sentence, after in pairwise(chain(sentences, [None])):
        assert sentence is not None, "only the last one has none after it"
        known = known_text(sentence)
        if known is None:
            yield sentence
            continue
        text, words = known
        gaps: list[str | None] = [text[end:start] for (_, end), (start, _) in pairwise(words)]
        gaps.append("" if after and not after.starts_document and _touch(sentence, after) else None)
        no_space = ["No" if gap == "" else None for gap in gaps]
        others = [escape(gap) if gap not in (None, "", " ") else None for gap in gaps]
        made = with_feature(with_feature(sentence, "SpaceAfter", no_space), "SpacesAfter", others)
        yield with_comments(made, [f"# text = {form_of(text.rstrip())}"])


def _touch(sentence: Sentence, after: Sentence) -> bool:
    """Return whether nothing stands between two sentences of a text."""
    ends, starts = (getattr(s.layout, "record", None) or {} for s in (sentence, after))
    return bool(starts.get("offsets")) and ends["offsets"][-1][1] == starts["offsets"][0][0]
