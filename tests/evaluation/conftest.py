"""Data and fixtures that the tests in this folder share."""

from __future__ import annotations

import random

import pytest

from evaluated import Corpus, valid_corpus


@pytest.fixture(scope="module")
def gold() -> Corpus:
    return valid_corpus(random.Random(4), "IOB2", 300)[0]
