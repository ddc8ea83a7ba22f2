"""Objects through a pipe."""

from __future__ import annotations

import io

import pytest

from perceptag.workbench.learning.messages import read_object, write_object


def test_objects_come_out_as_they_went_in():
    stream = io.BytesIO()
    for value in ({"a": [1, 2]}, b"x" * 100_000, None):
        write_object(stream, value)
    stream.seek(0)
    assert [read_object(stream) for _ in range(3)] == [{"a": [1, 2]}, b"x" * 100_000, None]
    with pytest.raises(EOFError):
        read_object(stream)


@pytest.mark.parametrize("length", [1, 7, 8, 12])
def test_an_object_that_is_cut_short_is_the_end(length):
    stream = io.BytesIO()
    write_object(stream, list(range(100)))
    with pytest.raises(EOFError):
        read_object(io.BytesIO(stream.getvalue()[:length]))
