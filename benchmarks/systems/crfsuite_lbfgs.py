"""python-crfsuite as a conditional random field, trained by L-BFGS: often better than `ap`, and slower to train."""

from benchmarks.systems.crfsuite import CrfSuite

# The prior is that of the recipe `crf`.
SYSTEM = CrfSuite("lbfgs", {"c1": 0.0, "c2": 0.05})
