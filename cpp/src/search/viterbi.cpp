#include "perceptag/search/viterbi.hpp"

#include <algorithm>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/search/viterbi1.hpp"
#include "perceptag/search/viterbi2.hpp"

namespace perceptag {

double viterbi(const Lattice& x, Worker& worker, LabelsOut labels) {
    if (x.T == 0) return 0;
    if (x.has_spans()) {
        worker.lengths.viterbi(x, labels);
        return x.score(labels);
    }
    const std::size_t T = x.T, L = x.L;
    if (x.order == 0) {
        for (std::size_t t = 0; t < T; ++t) {
            const float* node = x.nodes(t);
            labels[t] = to_int32(std::max_element(node, node + L) - node);
        }
    } else if (x.order == 1) {
        viterbi1(x, worker, labels);
    } else {
        viterbi2(x, worker, labels);
    }
    return x.score(labels);
}

double viterbi(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, Worker& worker,
               LabelsOut labels) {
    return with_fallback(dictionary, [&](const TagDictionary* used) {
        weights.lattice(x, used, worker.lattice);
        return viterbi(worker.lattice, worker, labels);
    });
}

std::vector<std::int32_t> decode(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                                 int threads) {
    const std::vector<std::size_t> begin = corpus.starts();
    std::vector<std::int32_t> labels(begin.back());
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, Worker& worker) {
        const Sequence& x = corpus.sequences[i];
        viterbi(weights, x, dictionary, worker, std::span(labels).subspan(begin[i], x.T));
    });
    return labels;
}

std::vector<std::int32_t> tag(const FeatureIndex& index, const Weights& weights, const TagDictionary* dictionary,
                              const Batch& batch, int threads) {
    std::vector<std::int32_t> labels(batch.begin.back());
    parallel_for(batch.size(), threads, [&](std::size_t i, Worker& worker) {
        Sequence& x = worker.sequence;
        index.find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], worker.lookup, x);
        batch.attach(i, x);
        viterbi(weights, x, dictionary, worker, batch.part(labels, i));
    });
    return labels;
}

}  // namespace perceptag
