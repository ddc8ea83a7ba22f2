// Search in a lattice that is normalised at every token, as a maximum-entropy tagger's is:
//
//   log P(y | x) = Σ_t log P(y_t | y_{t-2}, y_{t-1}, x, t),   P(. | v, u, x, t) = softmax of the scores after v, u
//
// A state is what the next label may depend on: the last label, or the last two in models of second order. With
// beam = 0 every state is kept and the search is exact; otherwise only the best `beam` states at each token are kept,
// and the search is approximate. Labellings that come to the same state share it, so a state holds its n best ways
// there.
//
// Order: the higher probability first; of equal ones the labelling that is smaller when both are read from the last
// label to the first, as in nbest.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/lattice.hpp"
#include "perceptag/core/weights.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/rival.hpp"

namespace perceptag {

// What labellings may be chosen. Probabilities are those of the model without limits: nothing is normalised again.
struct Limits {
    std::vector<std::uint8_t> allowed;  // [L+1, L] transitions, or empty: all
    std::vector<std::uint8_t> last;     // [L] last labels, or empty: all
    const TagDictionary* dictionary = nullptr;
    int without_t = -1, without_label = -1;  // a label that is not taken at a token
};

// The n best labellings with log P. If the beam leaves none that the limits allow, the search runs again
// without a beam; if there is still none, without the dictionary, and at last without any limits but `without`.
NBest local_nbest(const Lattice& lattice, const Sequence& x, const Limits& limits, int beam, int n);

// The rivals of a labelling: those of `local_nbest` with `without` for each token. One search is made for all. Those of
// single tokens begin in its column before their token, and end where their column has the same states as its own, all
// better or worse by one amount: the same choices follow. Amounts are compared up to 1e-9, so ways whose log P is
// closer than that may change places.
Rivals local_rivals(const Lattice& lattice, const Sequence& x, const Limits& limits, int beam, Labelling labels);

// log P(labels | x).
double local_score(const Lattice& lattice, Labelling labels);

// P(y_{t-1} = u, y_t = y | x) for every token and pair of labels: [T, (L+1), L], u = L standing for the start. Exact
// with beam = 0, else with the most probable states alone. Sums over u are the probabilities of single labels.
std::vector<double> local_pairs(const Lattice& lattice, int beam);

}  // namespace perceptag
