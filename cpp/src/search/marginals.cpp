#include "perceptag/search/marginals.hpp"

#include <algorithm>

#include "perceptag/core/parallel.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

std::vector<double> marginals(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                              double scale, bool pairs, int threads) {
    const std::size_t L = weights.L();
    const std::size_t width = combinations(pairs, L);
    const std::vector<std::size_t> begin = corpus.starts(width);
    std::vector<double> result(begin.back(), 0.0);
    const Potentials plain(weights, scale);
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, Worker& worker) {
        ForwardBackward posterior;
        with_fallback(dictionary, [&](const TagDictionary* used) {
            weights.lattice(corpus.sequences[i], used, worker.lattice);
            return posterior.run(worker.lattice, plain, scale);
        });
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
    const std::size_t n = events.sequence.size(), L = weights.L();
    std::vector<std::size_t> runs;  // where another sequence begins
    for (std::size_t i = 0; i < n; ++i)
        if (i == 0 || events.sequence[i] != events.sequence[i - 1]) runs.push_back(i);
    runs.push_back(n);
    std::vector<double> result(n);
    parallel_for(runs.size() - 1, threads, [&](std::size_t run, Worker& worker) {
        ForwardBackward posterior;
        const Sequence& x = corpus.sequences[events.sequence[runs[run]]];
        with_fallback(dictionary, [&](const TagDictionary* used) {
            weights.lattice(x, used, worker.lattice);
            return posterior.run_in_logs(worker.lattice, scale);
        });
        std::vector<Mask> masks;
        for (std::size_t i = runs[run]; i < runs[run + 1]; ++i) {
            masks.clear();
            for (std::int32_t k = events.begin[i]; k < events.begin[i + 1]; ++k) {
                const std::size_t table = events.masks[k];
                masks.push_back({events.first[i] + k - events.begin[i], events.tables.data() + table * (L + 1) * L});
            }
            result[i] = posterior.probability(masks);
        }
    });
    return result;
}

}  // namespace perceptag
