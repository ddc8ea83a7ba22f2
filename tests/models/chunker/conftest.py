"""What the files of tests in this folder work on."""

from __future__ import annotations

import pytest

from chunker_toys import corpus, train


@pytest.fixture(scope="module")
def sentences():
    return corpus("train")[:150]


@pytest.fixture(scope="module")
def training(sentences):
    return train(sentences, corpus("dev"))


@pytest.fixture(scope="module")
def model(training):
    return training.model()


@pytest.fixture(scope="module")
def unseen():
    return corpus("test")
