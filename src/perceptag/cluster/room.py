"""How many processes are worth their start, and fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perceptag.system.memory import available
from perceptag.text.sentence import Sentence

FEW = 10_000  # tokens: trainings on fewer take less time than it takes to start a process
OF_A_PROCESS = 128 << 20  # bytes
OF_A_TOKEN = 10 << 10  # bytes: its sentence, its features and their weights; a rough upper bound


def processes_for(train: Sequence[Sentence], wanted: int, note: Callable[[str], None]) -> int:
    """How many processes should train on such data at the same time: 1 if others than this one do not pay."""
    tokens = sum(map(len, train))
    if wanted < 2 or tokens < FEW:
        return 1
    fit = max(1, available() // (OF_A_PROCESS + OF_A_TOKEN * tokens))
    if fit < wanted:
        note(f"note: {fit} of {wanted} trainings at a time, since memory is short")
    return min(wanted, fit)
