#include "perceptag/core/lattice.hpp"

#include <algorithm>

#include "perceptag/core/worker.hpp"
#include "perceptag/search/viterbi1.hpp"
#include "perceptag/search/viterbi2.hpp"

namespace perceptag {
double Lattice::score(const std::int32_t* labels) const {
    const std::size_t l = L;
    double total = 0;
    for (int t = 0; t < T; ++t) {
        const std::size_t y = labels[t];
        const std::size_t u = t > 0 ? labels[t - 1] : 0;
        total += node[t * l + y];
        if (has_edges()) total += edge(t)[u * l + y];
        if (order == 2) total += trigram(t, t > 1 ? labels[t - 2] : 0)[u * l + y];
    }
    return total;
}

double viterbi(const Lattice& x, Worker& worker, std::int32_t* labels) {
    if (x.T == 0) return 0;
    const std::size_t T = x.T, L = x.L;
    if (x.order == 0) {
        for (std::size_t t = 0; t < T; ++t) {
            const float* node = x.nodes(t);
            labels[t] = static_cast<std::int32_t>(std::max_element(node, node + L) - node);
        }
    } else if (x.order == 1) {
        viterbi1(x, worker, labels);
    } else {
        viterbi2(x, worker, labels);
    }
    return x.score(labels);
}

}  // namespace perceptag
