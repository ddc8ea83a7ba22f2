"""``perceptag explain`` for models that score whole phrases."""

from __future__ import annotations

from perceptag.cli.table import Table, render
from perceptag.errors import SettingError
from perceptag.models.chunker.explain import ChunkExplanation, PhraseReason


def show_chunks(explanation: ChunkExplanation, token: int | None, top: int) -> str:
    """The sentence as the first layer sees it, then each phrase; or only the phrase that token number `token` is in."""
    if token is not None and token > len(explanation.tokens):
        raise SettingError(f"--token: expected a number from 1 to {len(explanation.tokens)}, found {token}")
    chosen = [p for p in explanation.phrases if token is None or p.start < token <= p.end]
    return "\n".join([_show_words(explanation), *(_show_phrase(p, top) for p in chosen)])


def _show_words(explanation: ChunkExplanation) -> str:
    table = Table(["", "token", "label", "begin", "inside"], numbers=(0, 3, 4))
    for t, (word, label) in enumerate(zip(explanation.words, explanation.labels, strict=True), 1):
        table.add(str(t), word.token, label, f"{word.begin:+.2f}", f"{word.inside:+.2f}")
    return render(table, f"score {explanation.score:.2f}; words above 0 may begin or continue a phrase")


def _show_phrase(phrase: PhraseReason, top: int) -> str:
    scores = ", ".join(f"{label} {score:+.2f}" for label, score in phrase.scores.items())
    table = Table(["", "what", phrase.label or "phrase"], numbers=(2,))
    for kind, shares in (("feature", phrase.features), ("like", phrase.support_vectors)):
        for i, share in enumerate(shares[: top or None]):
            table.add(kind if i == 0 else "", share.name, f"{share.value:+.2f}")
    return render(table, f"{phrase.text}: {scores}")
