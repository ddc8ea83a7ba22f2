"""How good are predicted labels? Chunks as conlleval counts them, accuracy, intervals, comparisons.

    gold, predicted ─▶ chunks.py       correct, predicted and gold chunks, per sentence and per type
                    ─▶ resampling.py   bootstrap intervals and randomisation tests over sentences
                    ─▶ scoring.py      evaluate(): one system, gives a Report (report.py)
                       comparison.py   compare(): two systems, gives a Comparison
                       confusions.py   which label is taken for which

All scores are in per cent.
"""

from perceptag.evaluation.chunks import Counts
from perceptag.evaluation.comparison import Comparison, compare
from perceptag.evaluation.report import Report
from perceptag.evaluation.scoring import evaluate, top_confusions

__all__ = ["Comparison", "Counts", "Report", "compare", "evaluate", "top_confusions"]
