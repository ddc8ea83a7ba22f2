"""Run passes over shards on workers: the driver assigns the parts of a pass and mixes the changes.

A worker that is one mixing behind is sent what the mixing has changed. Any other one asks for all weights.
"""

from __future__ import annotations

from collections.abc import Sequence

from perceptag import _core
from perceptag.cluster.model_plan import Values, Whole
from perceptag.cluster.shard_worker import LearnedPart, Turn
from perceptag.cluster.shared import Shared
from perceptag.cluster.units import Shard
from perceptag.engines.calls import Call, Crew
from perceptag.learn.costs import UNIT as UNIT_OF_REAL_STEPS
from perceptag.learn.counting import Errors
from perceptag.learn.shards import UNIT, rule_now
from perceptag.models.linear.blocks import BLOCKS
from perceptag.models.linear.mixing import LearnPart
from perceptag.numeric.arrays import ranges
from perceptag.recipe.recipe import Recipe


class SpreadPasses:
    """The passes of a trainer whose data are with the workers of a crew."""

    def __init__(
        self,
        crew: Crew,
        shards: Sequence[Shard],
        recipe: Recipe,
        weights: _core.Weights,
        presence: _core.Presence,
        known: tuple[object, object, object],
    ) -> None:
        """`known`: vocabulary, features and plan, as the crew shares them."""
        self._crew, self._recipe, self._weights, self._presence = crew, recipe, weights, presence
        self._shards = shards
        self._known = known
        self._unit = UNIT_OF_REAL_STEPS if recipe.declaration.real_steps else UNIT
        self._mixing = 0
        self._values: object = None  # what the last mixing has changed

    def learn(self, epoch: int, mistakes: Sequence[int], learn_part: LearnPart) -> Errors:
        """Run one pass; `mistakes`: those of the passes before."""
        del learn_part  # the workers have their own
        rule, mixes = rule_now(self._recipe.own["mix"], mistakes), self._recipe.own["mixes"]
        errors = Errors()
        for number in range(mixes):
            done = self._learn_parts(epoch, number, mixes)
            for learned in done:
                errors.add(learned.errors.sequences, learned.errors.labels)
            self._mix([learned.changes for learned in done], rule)
        return errors

    def forget(self) -> None:
        """Send all weights again, because others have moved them."""
        self._mixing, self._values = self._mixing + 2, None

    def _learn_parts(self, epoch: int, number: int, mixes: int) -> list[LearnedPart]:
        """One part of every shard that has one."""
        turn = Turn(epoch, number, self._mixing)
        having = [shard for shard in self._shards if ranges(self._sequences(shard), mixes)[number]]
        found = self._run(having, turn, None)
        behind = [shard for shard in having if found[shard.number] is None]
        if behind:
            found |= self._run(behind, turn, self._share_all())
        return [learned for learned in found.values() if learned is not None]

    def _sequences(self, shard: Shard) -> int:
        return shard.units if self._recipe.unit == "document" else shard.sentences

    def _run(self, shards: Sequence[Shard], turn: Turn, whole: object) -> dict[int, LearnedPart | None]:
        calls = [
            Call(shard.number, "learn", (shard, turn, *self._known, self._values, whole), prefers=shard.number)
            for shard in shards
        ]
        return dict(sorted(self._crew.run(calls)))

    def _share_all(self) -> object:
        weights = self._weights
        made: Whole = [weights.get(block)[0] for block in BLOCKS]
        return self._crew.share(Shared(f"weights {self._mixing}", lambda: made))

    def _mix(self, changes: list[_core.ShardChanges], rule: str) -> None:
        _core.mix(self._weights, changes, rule, len(self._shards), self._unit, self._presence)
        made: Values = _core.mixed_values(self._weights, changes)
        self._mixing += 1
        self._values = self._crew.share(Shared(f"values {self._mixing}", lambda: made))
