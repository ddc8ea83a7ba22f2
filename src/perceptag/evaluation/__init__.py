"""Evaluate predicted labels: chunks as in conlleval, accuracy, intervals, comparisons.

    gold, predicted ─▶ chunks.py       correct, predicted and gold chunks, per sentence and per type
                    ─▶ resampling.py   bootstrap intervals and randomisation tests over sentences
                    ─▶ scoring.py      evaluate(): one system, gives a Report (report.py); top_confusions()
                       comparison.py   compare(): two systems, gives a Comparison

All scores are in per cent.
"""

from perceptag.evaluation.chunks import Counts
from perceptag.evaluation.comparison import Comparison, compare
from perceptag.evaluation.report import Report
from perceptag.evaluation.scoring import evaluate, top_confusions

__all__ = ["Comparison", "Counts", "Report", "compare", "evaluate", "top_confusions"]
