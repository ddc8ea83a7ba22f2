// The log-likelihood of a corpus under a conditional random field, and its gradient.
//
//   log p(y | x) = score(y) − log Z(x)          d/dw = Φ(x, y) − Σ_y' p(y' | x) Φ(x, y')
//
// Lafferty, McCallum and Pereira (2001), "Conditional Random Fields", ICML.
//
// Results are the same bits at any number of threads: a chunk of the corpus is cut into parts by its size alone, each
// part is summed by itself, and the gradient of a feature is summed by one thread over the tokens where it fires,
// which an index from rows to tokens gives.
//
// A corpus may consist of several shards. Then the expected counts of each shard are summed by themselves, and these
// sums are added in the order of the shards, so that each shard can be evaluated somewhere else.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/weights.hpp"
#include "perceptag/search/forward_backward.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

struct LogLikelihood {
    double value = 0;
    std::int64_t wrong = 0;  // sequences with a token whose most probable label is not the gold one

    // Adds log p(labels | x), after forward-backward over the lattice of x. Throws if the labels are forbidden.
    void add(const Sequence& x, const Lattice& lattice, double log_z, const ForwardBackward& posterior);
};

class Likelihood {
  public:
    // Corpus and dictionary must outlive this. `weights` gives the layout of all that are evaluated later. At most
    // `held` marginals are in memory at a time, or those of one sequence. `shards`: the first sequence of each shard
    // but the first one.
    Likelihood(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary, std::size_t held,
               std::span<const std::int64_t> shards);

    // The number of weights of all blocks, one block after the other: the length of a gradient.
    std::size_t size() const { return counts_.size(); }
    bool fits(const Weights& weights) const {
        return weights.L() == L_ && block_offsets(weights) == first_ && !weights.block(0).is_lined();
    }
    // Σ Φ(x, y) over the gold labellings, whole numbers; 0 for weights that never move.
    const std::vector<double>& gold() const { return counts_; }
    // Subtracts the expected counts from the gradient; that of weights which never move becomes 0.
    LogLikelihood evaluate(const Weights& weights, int threads, std::span<double> gradient);

  private:
    // The tokens of a chunk where each row fires.
    struct Occurrences {
        std::vector<std::uint32_t> rows, begin, tokens;
        std::vector<float> amounts;  // of each token, or empty if all are 1
    };
    // Consecutive sequences whose marginals are held in memory together.
    struct Chunk {
        std::size_t first, last;             // sequences
        std::vector<std::size_t> parts;      // the first sequence of each part, and the end
        std::vector<std::size_t> tokens{0};  // where each sequence begins within the chunk, and the end
        std::array<Occurrences, kOrders> at;
    };
    // What one thread sums up.
    struct Part {
        LogLikelihood likelihood;
        std::vector<double> edges, trigrams;  // expected counts of plain transitions
    };

    void count_gold(const Weights& weights);
    void make_chunks(const Weights& weights, std::size_t held, std::span<const std::int64_t> shards);
    void evaluate_chunk(const Weights& weights, const Potentials& plain, const Chunk& chunk, int threads,
                        std::span<double> gradient, LogLikelihood& total);
    void clear_fixed(const Weights& weights, std::span<double> gradient) const;
    Occurrences find_occurrences(const Chunk& chunk, int order, std::size_t rows) const;
    void run_part(const Weights& weights, const Potentials& plain, const Chunk& chunk, std::size_t number,
                  Worker& worker, Part& part);
    void subtract_rows(const Block& block, const Chunk& chunk, int order, int threads, std::span<double> gradient);
    std::size_t width(int order) const { return combinations(order, L_); }  // of the marginals of one token

    const Corpus& corpus_;
    const TagDictionary* dictionary_;
    int L_;
    Offsets first_;
    std::vector<double> counts_;
    std::vector<Chunk> chunks_;
    std::vector<std::size_t> ends_;                       // of each shard: how many chunks there are up to its end
    std::array<std::vector<double>, kOrders> marginals_;  // of one chunk: [tokens, (L+1)^order · L]
};

}  // namespace perceptag
