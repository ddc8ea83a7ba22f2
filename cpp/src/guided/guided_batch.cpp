#include <algorithm>

#include "perceptag/core/parallel.hpp"
#include "perceptag/guided/guided.hpp"

namespace perceptag {
namespace {

// Returns the token that was labelled last, or -1.
int run(GuidedSearch& search, const Sequence& x, LabelsOut labels) {
    int last = -1;
    search.start(x);
    for (int token; (token = search.choose()) >= 0; last = token) search.accept(token);
    search.labels(labels);
    return last;
}

}  // namespace

std::vector<std::int32_t> guided_decode(const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
                                        const TagDictionary* dictionary, int threads) {
    const std::vector<std::size_t> begin = corpus.starts();
    std::vector<std::int32_t> labels(begin.back());
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i) {
        GuidedSearch search(weights, rules, dictionary);
        const Sequence& x = corpus.sequences[i];
        run(search, x, std::span(labels).subspan(begin[i], x.T));
    });
    return labels;
}

GuidedScores guided_scores(const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
                           const TagDictionary* dictionary, int threads) {
    const std::size_t L = weights.words.L();
    const std::vector<std::size_t> begin = corpus.starts();
    GuidedScores found{std::vector<std::int32_t>(begin.back()), std::vector<float>(begin.back() * L)};
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i) {
        GuidedSearch search(weights, rules, dictionary);
        const Sequence& x = corpus.sequences[i];
        const int last = run(search, x, std::span(found.labels).subspan(begin[i], x.T));
        if (last < 0) return;
        for (const Action& action : search.actions(last)) {
            const std::size_t token = begin[i] + action.token;
            std::ranges::copy(search.scores(action), found.scores.data() + token * L);
        }
    });
    return found;
}

std::vector<NBest> guided_nbest(const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
                                const TagDictionary* dictionary, int n, int threads) {
    std::vector<NBest> lists(corpus.sequences.size());
    parallel_for(lists.size(), threads, [&](std::size_t i) {
        GuidedSearch search(weights, rules, dictionary);
        std::vector<std::int32_t> labels(corpus.sequences[i].T);
        run(search, corpus.sequences[i], labels);
        lists[i] = search.nbest(n);
    });
    return lists;
}

namespace {

// Scratch memory of one thread.
struct Encoded {
    Sequence x;
    LookupScratch lookup;
};

}  // namespace

std::vector<std::int32_t> guided_tag(const FeatureIndex& index, const GuidedWeights& weights, const GuidedRules& rules,
                                     const TagDictionary* dictionary, const Batch& batch, int threads) {
    std::vector<std::int32_t> labels(batch.begin.back());
    parallel_for(batch.size(), threads, [&](std::size_t i, Encoded& memory) {
        Sequence& x = memory.x;
        index.find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], memory.lookup, x);
        batch.attach(i, x);
        GuidedSearch search(weights, rules, dictionary);
        run(search, x, batch.part(labels, i));
    });
    return labels;
}

}  // namespace perceptag
