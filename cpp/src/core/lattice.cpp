#include "perceptag/core/lattice.hpp"

namespace perceptag {

double Lattice::score(Labelling labels) const {
    const std::size_t l = L;
    double total = 0;
    for (int t = 0; t < T; ++t) {
        const std::size_t y = labels[t];
        const std::size_t u = t > 0 ? labels[t - 1] : 0;
        total += node[t * l + y];
        if (has_edges()) total += edge(t)[u * l + y];
        if (order == 2) total += trigram(t, t > 1 ? labels[t - 2] : 0)[u * l + y];
    }
    if (has_spans())
        span_labels->for_each(labels, 0, T,
                              [&](int start, int length, int kind) { total += span_score(start, length, kind); });
    return total;
}

}  // namespace perceptag
