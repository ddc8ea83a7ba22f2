#include "perceptag/linear/rivals.hpp"

#include <algorithm>
#include <cmath>

#include "perceptag/search/max_marginals.hpp"
#include "perceptag/search/viterbi.hpp"

namespace perceptag {
namespace {

// The cost of the best labelling that does not have a label.
float cost_without(const float* costs, int L, std::int32_t label) {
    float best = kForbiddenScore;
    for (int y = 0; y < L; ++y)
        if (y != label) best = std::max(best, costs[y]);
    return best;
}

// One search for each token: the pruning of the second order makes that faster, unless there are many of them.
std::vector<std::vector<std::int32_t>> one_by_one(const Weights& weights, const Sequence& x, Labelling labels,
                                                  const TagDictionary* dictionary, Worker& worker) {
    std::vector<std::vector<std::int32_t>> found(x.T);
    for (int t = 0; t < x.T; ++t) {
        found[t].resize(x.T);
        const double score = viterbi_without(weights, x, t, labels[t], dictionary, worker, found[t]);
        if (!is_found(score)) found[t].clear();
    }
    return found;
}

constexpr int kLong = 40;  // tokens

}  // namespace

std::vector<std::vector<std::int32_t>> rivals(const Weights& weights, const Sequence& x, Labelling labels,
                                              const TagDictionary* dictionary, Worker& worker) {
    if (weights.order() == 2 && x.T < kLong) return one_by_one(weights, x, labels, dictionary, worker);
    std::vector<std::vector<std::int32_t>> found(x.T);
    const std::size_t L = weights.L();
    std::vector<float> costs(x.T * L);
    Lattice& lattice = worker.lattice;
    const double best = with_fallback(dictionary, [&](const TagDictionary* used) {
        weights.lattice(x, used, lattice);
        return max_marginals(lattice, costs.data());
    });
    if (!is_found(best)) return found;
    const std::vector<float> node = lattice.node;
    const auto slack = static_cast<float>(1e-3 + 1e-5 * std::abs(best));  // for rounding; more labels do no harm
    for (int t = 0; t < x.T; ++t) {
        const std::size_t here = t * L;
        const float least = cost_without(costs.data() + here, lattice.L, labels[t]) - slack;
        if (least == kForbiddenScore) continue;
        for (std::size_t i = 0; i < node.size(); ++i) lattice.node[i] = costs[i] >= least ? node[i] : kForbiddenScore;
        lattice.node[here + labels[t]] = kForbiddenScore;
        found[t].resize(x.T);
        if (!is_found(viterbi(lattice, worker, found[t]))) found[t].clear();
    }
    return found;
}

}  // namespace perceptag
