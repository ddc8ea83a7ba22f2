"""What the files of tests in this folder work on."""

from __future__ import annotations

import random

import pytest

from evaluated import Corpus, valid_corpus


@pytest.fixture(scope="module")
def gold() -> Corpus:
    return valid_corpus(random.Random(4), "IOB2", 300)[0]
