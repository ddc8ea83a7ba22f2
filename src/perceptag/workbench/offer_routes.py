"""``next``: which sentences are offered.

random      the unlabelled sentence that comes first in the random order of the project
uncertain   what the newest model is least sure of; near-duplicates are left out
mixed       uncertain ones, and one in five at random, since only those may judge the model
order       as they come in the file
second      labelled by another person, to be read again without seeing the labels
drafts      with labels of some words, as they came in the file
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from starlette.requests import Request
from starlette.responses import Response

from perceptag.project.records import NEW
from perceptag.server.access import require
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.bench import BenchEndpoints
from perceptag.workbench.parameters import number, numbers, one_of, read_parameters, tab_of

MOST = 50  # sentences that are offered at once
STRATEGIES = ("mixed", "random", "uncertain", "order", "second", "drafts")
NEXT = {
    "k": number(1, MOST, 5),
    "strategy": one_of(*STRATEGIES, default="mixed"),
    "exclude": numbers(1_000),  # what the page has already
}
COLD, SEEN = 50, 5  # sentences at random before a model chooses; fewer if each label was seen so often

Offer = tuple[int, str]  # a sentence, and why


class OfferRoutes(BenchEndpoints):
    """Chooses sentences."""

    @endpoint("GET /v1/project/next")
    async def next(self, request: Request) -> Response:
        """Offer some sentences."""
        person = require(request, "annotate")
        asked = read_parameters(request, NEXT)
        tab = tab_of(request)

        def work() -> list[dict[str, object]]:
            offers = self.offers(asked["strategy"], asked["k"], tab, person.name, set(asked["exclude"]))
            entries = self.bench.project.entries([number for number, _ in offers])
            return self.bench.items(entries, [kind for _, kind in offers])

        return json_reply({"sentences": await self.bench.read(work)})

    def offers(self, strategy: str, k: int, tab: str, who: str, exclude: set[int]) -> list[Offer]:
        """Choose sentences and keep them for a tab: new ones first, then those that it was offered before.

        A page excludes all that it has. Other sentences that are kept for it are those of an earlier order, or of the
        page before it was loaded again: they come in their turn, or else the random sample would end at them.
        """
        leases = self.bench.leases
        with leases.lock:
            others, own = leases.others(tab, who), set() if leases.is_listening(tab) else leases.own(tab)
            draw = self._drawing(strategy, who)
            found = draw(k, others | own | exclude)
            if len(found) < k:
                found += draw(k - len(found), others | exclude | {number for number, _ in found})
            leases.take([number for number, _ in found], tab, who)
        return found

    def _drawing(self, strategy: str, who: str) -> Callable[[int, set[int]], list[Offer]]:
        project = self.bench.project
        ways: dict[str, Callable[[int, set[int]], list[Offer]]] = {
            "mixed": self._mixed,
            "random": self._random,
            "uncertain": self._uncertain,
            "order": lambda k, without: _because("asked", project.next_of("order", without, k)),
            "second": lambda k, without: _because("second", project.next_of("second", without, k, who)),
            "drafts": lambda k, without: _because("draft", project.next_of("drafts", without, k)),
        }
        return ways[strategy]

    def _random(self, k: int, without: set[int]) -> list[Offer]:
        return _because("random", self.bench.project.next_of("random", without, k)) if k > 0 else []

    def _uncertain(self, k: int, without: set[int]) -> list[Offer]:
        chosen, gone = self._uncertain_and_new(k, without)
        return _because("uncertain", chosen) + self._random(k - len(chosen), without | gone)

    def _uncertain_and_new(self, k: int, without: set[int]) -> tuple[list[int], set[int]]:
        """Choose without what was labelled a moment ago, of which the loop may not know; return all that it named."""
        found: list[int] = []
        gone: set[int] = set()
        while named := self.bench.loop.chosen(k - len(found), without | gone) if len(found) < k else []:
            gone.update(named)
            found += [entry.id for entry in self.bench.project.entries(named) if entry.status == NEW]
        return found, gone

    def _mixed(self, k: int, without: set[int]) -> list[Offer]:
        """Draw one in five at random, counted by what is labelled and what is being labelled."""
        if self.is_cold():
            return self._random(k, without)
        share = self.bench.loop.shown_settings()["random_share"]
        begin = self.bench.project.counts().labelled + len(without)
        found: list[Offer] = []
        for n in range(begin, begin + k):
            gone = without | {number for number, _ in found}
            if int((n + 1) * share) > int(n * share):
                found += self._random(1, gone)
            else:
                found += self._uncertain(1, gone)
        return found

    def is_cold(self) -> bool:
        """Return whether too little is labelled for a model to choose."""
        labelled = self.bench.project.counts().labelled
        if labelled >= COLD:
            return False
        return labelled < COLD // 5 or not self.bench.loop.has_seen_all(SEEN)


def _because(kind: str, sentences: Iterable[int]) -> list[Offer]:
    return [(number, kind) for number in sentences]
