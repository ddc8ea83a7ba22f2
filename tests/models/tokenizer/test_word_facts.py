"""What plain text and lists of abbreviations tell of a word, as numbers of ranges."""

from __future__ import annotations

from collections import Counter

from perceptag.models.tokenizer.word_facts import LISTED, WordCounts


def number(stopped: int, plain: int, continued: int, *listed: str) -> int:
    """What is known of an abbreviation with so many stops behind it, some of them within a sentence."""
    counts = (Counter({"dr": count}) for count in (stopped, continued, plain))
    return WordCounts(*counts, listed=set(listed)).abbreviation("dr")


def test_the_more_often_a_word_has_a_stop_within_a_sentence_the_higher_is_its_number() -> None:
    found = [
        number(10, plain, continued)
        for plain in (190, 30, 5, 0)  # 5, 25, 67 and 100 % of it have a stop
        for continued in (0, 1, 5)  # 0, 10 and 50 % of these stops are within a sentence
    ]
    assert found == list(range(1, 13))


def test_few_stops_tell_nothing_and_a_list_counts_in_addition() -> None:
    assert (number(3, 0, 3), number(4, 0, 4)) == (0, 12)
    assert (number(0, 0, 0, "dr"), number(10, 0, 5, "dr"), number(10, 0, 5, "mr")) == (LISTED, LISTED + 12, 12)


def test_what_stands_behind_a_stop_says_whether_the_sentence_goes_on() -> None:
    counts = WordCounts()
    for line in ("See dr. Berg now.", "He is a dr. and rich.", "Ask a dr., please.", "Dr. 5 is out, dr", "It is dr."):
        counts.add(line)
    assert (counts.stopped["dr"], counts.continued["dr"], counts.plain["dr"]) == (4, 3, 1)
