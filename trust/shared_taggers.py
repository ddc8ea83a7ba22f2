"""Taggers shared by threads of Python, for the thread sanitizer: tag, load another one, swap, tag on."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from trust import samples

KINDS = samples.kinds()


@pytest.mark.parametrize("name", KINDS)
def test_eight_threads_share_a_tagger(name: str) -> None:
    inputs = samples.unlabelled([*samples.sentences(10), *samples.short(samples.sentences(130)[10:], 2)])
    shared = [samples.load(KINDS[name]).set_params(threads=2)]
    expected = shared[0].predict(inputs)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            shared[0] = samples.load(KINDS[name]).set_params(threads=2)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(found == expected for found in pool.map(lambda _: shared[0].predict(inputs), range(24)))
    finally:
        stop.set()
        swapper.join()
