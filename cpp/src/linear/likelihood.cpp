#include "perceptag/linear/likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kParts = 32;  // of a chunk: as many threads can work on it
constexpr std::size_t kRowsAtATime = 4096;

// gradient[row] −= Σ of the marginals of the tokens where the row fires, for `n` rows of all labels
PERCEPTAG_CLONES void subtract_dense(const std::uint32_t* rows, const std::uint32_t* begin, std::size_t n,
                                     const std::uint32_t* tokens, const double* marginals, std::size_t width,
                                     double* gradient) {
    for (std::size_t k = 0; k < n; ++k) {
        double* to = gradient + rows[k] * width;
        for (std::size_t i = begin[k]; i < begin[k + 1]; ++i) {
            const double* p = marginals + tokens[i] * width;
            for (std::size_t c = 0; c < width; ++c) to[c] -= p[c];
        }
    }
}

void subtract_compact(const Block& block, const std::uint32_t* rows, const std::uint32_t* begin, std::size_t n,
                      const std::uint32_t* tokens, const double* marginals, std::size_t width, double* gradient) {
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = begin[k]; i < begin[k + 1]; ++i) {
            const double* p = marginals + tokens[i] * width;
            block.for_each(rows[k], [=](const Block::Entry& one) { gradient[one.place] -= p[one.code]; });
        }
    }
}

// The same for a feature that counts more or less than 1, whatever its rows.
void subtract_amounts(const Block& block, std::size_t row, std::span<const std::uint32_t> tokens, const float* amounts,
                      const double* marginals, std::size_t width, double* gradient) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const double* p = marginals + tokens[i] * width;
        block.for_each(row, [=](const Block::Entry& one) { gradient[one.place] -= amounts[i] * p[one.code]; });
    }
}

// Cuts sequences into at most `parts` runs of about as many tokens each; `tokens` [n+1]: where each begins.
std::vector<std::size_t> cut(const std::vector<std::size_t>& tokens, std::size_t parts) {
    std::vector<std::size_t> cuts{0};
    for (std::size_t i = 1; i < tokens.size(); ++i)
        if (tokens[i] * parts >= tokens.back() * cuts.size()) cuts.push_back(i);
    return cuts;
}

// Whether a weight of a plain block may move: not if support leaves it at zero or a constraint forbids it.
bool is_free(const Block& block, std::size_t i) { return !block.is_fixed(i) && std::isfinite(block.get(i)); }

}  // namespace

void LogLikelihood::add(const Sequence& x, const Lattice& lattice, double log_z, const ForwardBackward& posterior) {
    const double log_p = lattice.score(x.labels) - log_z;
    if (!std::isfinite(log_p)) throw std::invalid_argument("the model forbids a labelling of the training data");
    value += log_p;
    const std::size_t L = lattice.L;
    const double* p = posterior.node().data();
    for (std::size_t t = 0; t < x.labels.size(); ++t, p += L)
        if (std::max_element(p, p + L) - p != x.labels[t]) {
            ++wrong;
            break;
        }
}

Likelihood::Likelihood(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary, std::size_t held,
                       std::span<const std::int64_t> shards)
    : corpus_(corpus), dictionary_(dictionary), L_(weights.L()), first_(block_offsets(weights)) {
    count_gold(weights);
    make_chunks(weights, held, shards);
}

void Likelihood::count_gold(const Weights& weights) {
    // Added at tick 1, sums are exact counts; float32 weights would be exact only up to 2^24.
    Weights counter = weights;
    for (int b = 0; b < kBlocks; ++b) {
        Block& block = counter.block(b);
        block.sum.assign(block.size(), 0.0);
    }
    counter.set_ticks(1);
    for (const Sequence& x : corpus_.sequences) counter.add(x, x.labels, 1);
    for (int b = 0; b < kBlocks; ++b)
        counts_.insert(counts_.end(), counter.block(b).sum.begin(), counter.block(b).sum.end());
    clear_fixed(weights, counts_);
}

void Likelihood::clear_fixed(const Weights& weights, std::span<double> gradient) const {
    for (const int b : {kPlainEdges, kPlainTrigrams})
        for (std::size_t i = 0; i < weights.block(b).size(); ++i)
            if (!is_free(weights.block(b), i)) gradient[first_[b] + i] = 0;
}

void Likelihood::make_chunks(const Weights& weights, std::size_t held, std::span<const std::int64_t> shards) {
    std::size_t per_token = 1;
    for (int order = 0; order < kOrders; ++order)
        if (weights.block(order).rows) per_token += width(order);
    for (std::size_t i = 0; i < corpus_.sequences.size(); ++i) {
        const std::size_t T = corpus_.sequences[i].T;
        while (ends_.size() < shards.size() && std::cmp_equal(shards[ends_.size()], i)) ends_.push_back(chunks_.size());
        const bool is_first = chunks_.size() == (ends_.empty() ? 0 : ends_.back());  // of its shard
        if (is_first || (chunks_.back().tokens.back() + T) * per_token > held) chunks_.push_back({i, i, {}, {0}, {}});
        chunks_.back().last = i + 1;
        chunks_.back().tokens.push_back(chunks_.back().tokens.back() + T);
    }
    ends_.resize(shards.size() + 1, chunks_.size());
    std::size_t most = 0;
    for (Chunk& chunk : chunks_) {
        most = std::max(most, chunk.tokens.back());
        chunk.parts = cut(chunk.tokens, kParts);
        for (int order = 0; order < kOrders; ++order)
            if (weights.block(order).rows) chunk.at[order] = find_occurrences(chunk, order, weights.block(order).rows);
    }
    for (int order = 0; order < kOrders; ++order)
        if (weights.block(order).rows) marginals_[order].resize(most * width(order));
}

Likelihood::Occurrences Likelihood::find_occurrences(const Chunk& chunk, int order, std::size_t rows) const {
    std::vector<std::uint32_t> next(rows, 0);
    for (std::size_t i = chunk.first; i < chunk.last; ++i)
        for (const std::int32_t row : corpus_.sequences[i].rows[order]) ++next[row];
    Occurrences found;
    found.begin.push_back(0);
    for (std::uint32_t r = 0; r < rows; ++r) {
        if (!next[r]) continue;
        found.rows.push_back(r);
        found.begin.push_back(found.begin.back() + next[r]);
        next[r] = found.begin.end()[-2];
    }
    found.tokens.resize(found.begin.back());
    const auto is_counted = [&](const Sequence& x) { return !x.amounts[order].empty(); };
    const auto some = std::span(corpus_.sequences).subspan(chunk.first, chunk.last - chunk.first);
    if (std::ranges::any_of(some, is_counted)) found.amounts.resize(found.tokens.size());
    for (std::size_t i = chunk.first; i < chunk.last; ++i) {
        const Sequence& x = corpus_.sequences[i];
        for (int t = 0; t < x.T; ++t)
            x.for_each(order, t, [&](std::int32_t row, float amount) {
                if (!found.amounts.empty()) found.amounts[next[row]] = amount;
                found.tokens[next[row]++] = to_uint32(chunk.tokens[i - chunk.first] + t);
            });
    }
    return found;
}

LogLikelihood Likelihood::evaluate(const Weights& weights, int threads, std::span<double> gradient) {
    const Potentials plain(weights, 1.0);
    LogLikelihood total;
    std::vector<double> own(ends_.size() > 1 ? gradient.size() : 0);  // of one shard, if there are several
    std::size_t i = 0;
    for (const std::size_t end : ends_) {
        LogLikelihood found;
        std::fill(own.begin(), own.end(), 0.0);
        for (; i < end; ++i) {
            const std::span<double> to = own.empty() ? gradient : std::span(own);
            evaluate_chunk(weights, plain, chunks_[i], threads, to, found);
        }
        total.value += found.value;
        total.wrong += found.wrong;
        for (std::size_t k = 0; k < own.size(); ++k) gradient[k] += own[k];
    }
    clear_fixed(weights, gradient);
    return total;
}

void Likelihood::evaluate_chunk(const Weights& weights, const Potentials& plain, const Chunk& chunk, int threads,
                                std::span<double> gradient, LogLikelihood& total) {
    std::vector<Part> parts(chunk.parts.size() - 1);
    const auto run = [&](std::size_t i, Worker& worker) { run_part(weights, plain, chunk, i, worker, parts[i]); };
    parallel_for(parts.size(), threads, run, 1);
    for (int order = 0; order < kOrders; ++order)
        if (weights.block(order).rows) subtract_rows(weights.block(order), chunk, order, threads, gradient);
    for (const Part& part : parts) {
        total.value += part.likelihood.value;
        total.wrong += part.likelihood.wrong;
        for (std::size_t i = 0; i < part.edges.size(); ++i) gradient[first_[kPlainEdges] + i] -= part.edges[i];
        for (std::size_t i = 0; i < part.trigrams.size(); ++i) gradient[first_[kPlainTrigrams] + i] -= part.trigrams[i];
    }
}

void Likelihood::run_part(const Weights& weights, const Potentials& plain, const Chunk& chunk, std::size_t number,
                          Worker& worker, Part& part) {
    part.edges.assign(weights.block(kPlainEdges).size(), 0.0);
    part.trigrams.assign(weights.block(kPlainTrigrams).size(), 0.0);
    ForwardBackward posterior;
    for (std::size_t i = chunk.parts[number]; i < chunk.parts[number + 1]; ++i) {
        const Sequence& x = corpus_.sequences[chunk.first + i];
        weights.lattice(x, dictionary_, worker.lattice);
        const double log_z = posterior.run(worker.lattice, plain, 1.0);
        part.likelihood.add(x, worker.lattice, log_z, posterior);
        if (!part.edges.empty()) posterior.add_edges(part.edges.data(), 0);
        if (!part.trigrams.empty()) posterior.add_trigrams(part.trigrams.data(), 0);
        for (int order = 0; order < kOrders; ++order) {
            if (marginals_[order].empty()) continue;
            double* to = marginals_[order].data() + chunk.tokens[i] * width(order);
            if (order == 0) {
                std::copy(posterior.node().begin(), posterior.node().end(), to);
                continue;
            }
            std::fill_n(to, x.T * width(order), 0.0);
            if (order == 1)
                posterior.add_edges(to, width(1));
            else
                posterior.add_trigrams(to, width(2));
        }
    }
}

void Likelihood::subtract_rows(const Block& block, const Chunk& chunk, int order, int threads,
                               std::span<double> gradient) {
    const Occurrences& at = chunk.at[order];
    const std::size_t n = at.rows.size(), runs = (n + kRowsAtATime - 1) / kRowsAtATime;
    const auto work = [&](std::size_t run) {
        const std::size_t k = run * kRowsAtATime, count = std::min(kRowsAtATime, n - k);
        const std::uint32_t *rows = at.rows.data() + k, *begin = at.begin.data() + k;
        const double* marginals = marginals_[order].data();
        double* to = gradient.data() + first_[order];
        if (!at.amounts.empty())
            for (std::size_t r = 0; r < count; ++r)
                subtract_amounts(block, rows[r], std::span(at.tokens).subspan(begin[r], begin[r + 1] - begin[r]),
                                 at.amounts.data() + begin[r], marginals, width(order), to);
        else if (block.is_dense())
            subtract_dense(rows, begin, count, at.tokens.data(), marginals, width(order), to);
        else
            subtract_compact(block, rows, begin, count, at.tokens.data(), marginals, width(order), to);
    };
    parallel_for(runs, threads, work, 1);
}

}  // namespace perceptag
