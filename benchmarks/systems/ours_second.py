"""perceptag of second order: the same templates and label trigrams, exact Viterbi."""

from benchmarks.systems.ours import Perceptag

SYSTEM = Perceptag(order=2)
