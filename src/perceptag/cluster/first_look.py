"""Survey spread data for the recipe ``auto``: workers count in parts, and the driver adds the counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from perceptag.cluster.sources import Source
from perceptag.cluster.survey import Progress, in_order
from perceptag.engines.calls import Call, Engine
from perceptag.errors import PerceptagError
from perceptag.recipe.auto import check_words
from perceptag.recipe.survey import Survey, SurveyCounts, count


class LookWorker:
    """Counts what a survey needs."""

    def __init__(self, source: Source, column: str) -> None:
        self._source, self._column = source, column

    def count(self, number: int) -> SurveyCounts:
        """Count in a part."""
        try:
            return self._count(number)
        except PerceptagError:
            return self._count(number, exact=True)  # for the message

    def _count(self, number: int, exact: bool = False) -> SurveyCounts:
        sentences = self._source.read(number, exact)
        check_words(sentences)
        return count(sentences, self._column)


def look(engine: Engine, source: Source, column: str, keep: Sequence[str], progress: Progress) -> Survey:
    """Survey all parts. `column` has the labels; of spans only the types in `keep` count."""
    expecting = source.expecting(tuple(source.first().columns))
    crew = engine.crew(partial(LookWorker, expecting, column))
    try:
        calls = [Call(number, "count", (number,)) for number in range(len(source.parts))]
        counts, tokens = SurveyCounts(), 0
        for number, found in enumerate(in_order(crew.run(calls)), 1):
            counts.add(found)
            tokens += sum(found.labels.values())
            progress("first look", number, len(calls), tokens)
    finally:
        crew.close()
    return counts.survey(column, keep)
