#include "perceptag/linear/adagrad.hpp"

#include <algorithm>
#include <cmath>

#include "perceptag/search/worker.hpp"

namespace perceptag {
namespace {

// A gradient of which few numbers are not zero.
struct SparseGradient {
    std::vector<double> values;        // of all weights
    std::vector<std::uint8_t> is_set;  // whether a weight is among `places`
    std::vector<std::size_t> places;

    explicit SparseGradient(std::size_t n) : values(n, 0.0), is_set(n, 0) {}
    void add(std::size_t i, double value) {
        values[i] += value;
        if (!is_set[i]) places.push_back(i);
        is_set[i] = 1;
    }
    void clear() {
        for (const std::size_t i : places) values[i] = 0, is_set[i] = 0;
        places.clear();
    }
};

// What is seen minus what is expected, for the weights of one sequence.
void add_difference(const Weights& weights, const Offsets& first, const Sequence& x, const ForwardBackward& posterior,
                    std::vector<double>& expected, SparseGradient& out) {
    for (int b = 0; b < kBlocks; ++b) {
        const Block& block = weights.block(b);
        if (!block.rows) continue;
        const bool plain = is_plain(b);
        const int order = order_of(b);
        const std::size_t stride = plain ? 0 : block.width;
        expected.assign(plain ? block.width : x.T * block.width, 0.0);
        if (order == 0)
            std::copy(posterior.node().begin(), posterior.node().end(), expected.begin());
        else if (order == 1)
            posterior.add_edges(expected.data(), stride);
        else
            posterior.add_trigrams(expected.data(), stride);
        for (int t = 0; t < x.T; ++t) {
            const std::uint32_t gold = label_code(x.labels, t, order, weights.L());
            if (plain) {
                expected[gold] -= 1;
                continue;
            }
            double* p = expected.data() + t * stride;
            p[gold] -= 1;
            x.for_each(order, t, [&](std::int32_t row, double amount) {
                block.for_each(row,
                               [&](const Block::Entry& one) { out.add(first[b] + one.place, -amount * p[one.code]); });
            });
        }
        if (plain)
            for (std::size_t i = 0; i < block.width; ++i)
                if (is_free(block, i)) out.add(first[b] + i, -expected[i]);
    }
}

double toward_zero(double w, double by) { return w > 0 ? std::max(0.0, w - by) : std::min(0.0, w + by); }

void take_step(Weights& weights, const Offsets& first, const SparseGradient& gradient, const AdaGrad& step,
               std::span<const double> touches, std::span<double> squares) {
    for (const std::size_t k : gradient.places) {
        int b = 0;
        while (k >= first[b + 1]) ++b;
        Block& block = weights.block(b);
        const std::size_t i = k - first[b];
        const double w = block.get(i), g = gradient.values[k] - w * step.precision / touches[k];
        squares[k] += g * g;
        if (squares[k] == 0) continue;
        const double size = step.rate / std::sqrt(squares[k]);
        const auto moved = static_cast<float>(toward_zero(w + size * g, size * step.l1 / touches[k]));
        block.sum[i] += weights.ticks() * (moved - w);
        block.set(i, moved);
    }
}

}  // namespace

std::vector<double> count_touches(const Weights& weights, const Corpus& corpus) {
    const Offsets first = block_offsets(weights);
    std::vector<double> touches(first.back(), static_cast<double>(corpus.sequences.size()));
    for (int order = 0; order < kOrders; ++order) {
        const Block& block = weights.block(order);
        std::vector<std::size_t> count(block.rows, 0), last(block.rows, corpus.sequences.size());
        for (std::size_t n = 0; n < corpus.sequences.size(); ++n)
            for (const std::int32_t row : corpus.sequences[n].rows[order]) {
                const std::size_t r = row;
                count[r] += last[r] != n;
                last[r] = n;
            }
        for (std::size_t r = 0; r < block.rows; ++r)
            block.for_each(r, [&](const Block::Entry& one) {
                touches[first[order] + one.place] = std::max(1.0, static_cast<double>(count[r]));
            });
    }
    return touches;
}

LogLikelihood adagrad_pass(Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                           std::span<const std::int32_t> order, const AdaGrad& step, std::span<const double> touches,
                           std::span<double> squares) {
    const Offsets first = block_offsets(weights);
    Worker worker;
    ForwardBackward posterior;
    SparseGradient gradient(first.back());
    std::vector<double> expected;
    LogLikelihood total;
    for (const std::int32_t n : order) {
        const Sequence& x = corpus.sequences[n];
        const Potentials plain(weights, 1.0);
        weights.lattice(x, dictionary, worker.lattice);
        const double log_z = posterior.run(worker.lattice, plain, 1.0);
        total.add(x, worker.lattice, log_z, posterior);
        add_difference(weights, first, x, posterior, expected, gradient);
        take_step(weights, first, gradient, step, touches, squares);
        gradient.clear();
        weights.tick();
    }
    return total;
}

}  // namespace perceptag
