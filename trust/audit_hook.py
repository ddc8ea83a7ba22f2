"""A separate process that loads models and recipes under an audit hook and reports what the interpreter did meanwhile.

Its standard input is one JSON object: `warm` (good files, which cause all late imports), `watched`, and `controls`,
files that name the code of the canary. At the end these are loaded again, this time with code allowed: the hook must
then see the canary, or it could not have seen it before.
"""

from __future__ import annotations

import difflib  # noqa: F401 - messages import it late, to suggest a name
import json
import os
import sys
from typing import Any

from perceptag import Pipeline, Tagger
from perceptag.recipe import recipe

PIPELINE = ".pipeline"
CANARY = "trust_canary"  # a module that nothing has imported
INPUTS = [{"form": ["the", "dog"], "pos": ["DT", "NN"]}]
LABELS = [["B-NP", "I-NP"]]

Event = tuple[str, str]


class Watch:
    """What happens between `begin` and `end`."""

    def __init__(self) -> None:
        self.seen: list[Event] = []
        self.is_on = False
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.is_on:
            if event == "open" and _writes(*arguments[1:3]):
                event = "open for writing"
            self.seen.append((event, str(arguments[0]) if arguments else ""))

    def during(self, path: str, **how: bool) -> list[Event]:
        """Use a file and return what happened, except that the file itself was opened."""
        sys.modules.pop(CANARY, None)
        self.seen = []
        self.is_on = True
        use(path, **how)
        self.is_on = False
        return [(event, what) for event, what in self.seen if (event, what) != ("open", path)]


def _writes(mode: str | None, flags: int) -> bool:
    return mode not in ("r", "rb") if mode is not None else flags & os.O_ACCMODE != os.O_RDONLY


def use(path: str, *, allow_code: bool = False) -> None:
    """Load a model and tag, or load a recipe and train; a refusal is fine."""
    try:
        if path.endswith(".toml"):
            tagger = Tagger(recipe.load(path), allow_code=allow_code, epochs=1)
            tagger.fit(INPUTS, LABELS)
        elif path.endswith(PIPELINE):
            _use_pipeline(Pipeline.load(path, allow_code=allow_code))
        else:
            Tagger.load(path, allow_code=allow_code).predict(INPUTS)
    except (ValueError, MemoryError):
        return


def _use_pipeline(pipeline: Pipeline) -> None:
    if pipeline.tokenizer is not None:
        pipeline("The dog didn't bark.")
    pipeline.tag(INPUTS)


def main() -> None:
    """Warm up, watch, and show that the hook works."""
    job = json.load(sys.stdin)
    for path in job["warm"]:
        use(path)
    watch = Watch()
    found = []
    for path in job["watched"]:
        found.append(watch.during(path))
        if CANARY in sys.modules:
            found[-1].append(("import", CANARY))
    controls = [watch.during(path, allow_code=True) for path in job["controls"]]
    print(json.dumps({"found": found, "controls": controls}))


if __name__ == "__main__":
    main()
