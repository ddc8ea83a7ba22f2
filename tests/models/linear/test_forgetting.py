"""Endless text: a tagger forgets its words again and again, and their memory goes back to the system."""

from __future__ import annotations

import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from perceptag import Tagger
from perceptag.features import fixed_encoder
from toys import make_recipe, random_corpus

MOST = 5000
STATUS = Path("/proc/self/status")


def mapped() -> int:
    """How many bytes of data the process has mapped."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024


@pytest.mark.skipif(not STATUS.exists(), reason="needs the status files of Linux")
def test_memory_of_forgotten_words_is_given_back(monkeypatch):
    monkeypatch.setattr(fixed_encoder, "MAX_TYPES", MOST)
    tagger = Tagger(make_recipe(templates=("form[-2..2]", "suffix3[0]"), epochs=1)).fit(random_corpus(0))
    numbers = count()
    seen: list[weakref.ref] = []
    sizes = []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(30):
            batches = [[[f"w{next(numbers)}" for _ in range(1000)]] for _ in range(6)]
            list(pool.map(tagger.predict, batches))
            sizes.append(mapped())
            seen += [weakref.ref(tagger.ready_model.encoder.current_types().lexicons["form"])]
    assert len({id(ref) for ref in seen}) > 10
    assert sum(ref() is not None for ref in seen) <= 2  # those in use, and those of the predictors
    assert max(sizes) < 1.1 * max(sizes[:8])


def test_words_are_kept_up_to_the_limit(monkeypatch):
    tagger = Tagger(make_recipe(templates=("form[0]",), epochs=1)).fit(random_corpus(0))
    encoder = tagger.ready_model.encoder
    tagger.predict([[f"w{i}" for i in range(20)]])
    known = encoder.current_types()
    assert known.most() >= 20
    monkeypatch.setattr(fixed_encoder, "MAX_TYPES", known.most())
    assert encoder.current_types() is known
    monkeypatch.setattr(fixed_encoder, "MAX_TYPES", known.most() - 1)
    fresh = encoder.current_types()
    assert fresh is not known and fresh.most() < known.most()
