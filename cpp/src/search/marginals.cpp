#include "perceptag/search/marginals.hpp"

#include <algorithm>
#include <limits>

namespace perceptag {
namespace {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();

template <class Run>
void run_with_or_without(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, Worker& worker,
                         Run run) {
    weights.lattice(x, dictionary, worker.lattice);
    if (run(worker.lattice) > kLogZero || !dictionary) return;
    weights.lattice(x, nullptr, worker.lattice);
    run(worker.lattice);
}

}  // namespace

std::vector<double> marginals(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                              double scale, bool pairs, int threads) {
    const auto L = static_cast<std::size_t>(weights.L());
    const std::size_t width = pairs ? (L + 1) * L : L;
    std::vector<std::size_t> begin{0};
    for (const Sequence& x : corpus.sequences) begin.push_back(begin.back() + static_cast<std::size_t>(x.T) * width);
    std::vector<double> result(begin.back(), 0.0);
    const Potentials plain(weights, scale);
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, Worker& worker) {
        ForwardBackward posterior;
        run_with_or_without(weights, corpus.sequences[i], dictionary, worker,
                            [&](const Lattice& x) { return posterior.run(x, plain, scale); });
        double* to = result.data() + begin[i];
        if (pairs)
            posterior.add_edges(to, width);
        else
            std::copy(posterior.node().begin(), posterior.node().end(), to);
    });
    return result;
}

std::vector<double> event_probabilities(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                                        double scale, const Events& events, int threads) {
    const std::size_t n = events.sequence.size(), L = static_cast<std::size_t>(weights.L());
    std::vector<std::size_t> runs;  // where another sequence begins
    for (std::size_t i = 0; i < n; ++i)
        if (i == 0 || events.sequence[i] != events.sequence[i - 1]) runs.push_back(i);
    runs.push_back(n);
    std::vector<double> result(n);
    parallel_for(runs.size() - 1, threads, [&](std::size_t run, Worker& worker) {
        ForwardBackward posterior;
        const Sequence& x = corpus.sequences[static_cast<std::size_t>(events.sequence[runs[run]])];
        run_with_or_without(weights, x, dictionary, worker,
                            [&](const Lattice& lattice) { return posterior.run_in_logs(lattice, scale); });
        std::vector<Mask> masks;
        for (std::size_t i = runs[run]; i < runs[run + 1]; ++i) {
            masks.clear();
            for (std::int32_t k = events.begin[i]; k < events.begin[i + 1]; ++k) {
                const auto table = static_cast<std::size_t>(events.masks[static_cast<std::size_t>(k)]);
                masks.push_back({events.first[i] + k - events.begin[i], events.tables.data() + table * (L + 1) * L});
            }
            result[i] = posterior.probability(masks);
        }
    });
    return result;
}

}  // namespace perceptag
