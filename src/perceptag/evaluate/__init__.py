"""How good are predicted labels? Chunks as conlleval counts them, accuracy, intervals, comparisons.

    gold, predicted ─▶ chunks.py       correct, predicted and gold chunks, per sentence and per type
                    ─▶ resampling.py   bootstrap intervals and randomisation tests over sentences
                    ─▶ scoring.py      evaluate(): one system, gives a Report (report.py)
                       comparison.py   compare(): two systems, gives a Comparison
                       confusions.py   which label is taken for which

All scores are in per cent.
"""

from perceptag.evaluate.chunks import Counts
from perceptag.evaluate.comparison import Comparison, compare
from perceptag.evaluate.confusions import top_confusions
from perceptag.evaluate.report import Report
from perceptag.evaluate.scoring import evaluate

__all__ = ["Comparison", "Counts", "Report", "compare", "evaluate", "top_confusions"]
