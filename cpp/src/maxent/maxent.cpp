#include "perceptag/maxent/maxent.hpp"

#include <algorithm>
#include <cmath>

#include "perceptag/core/parallel.hpp"

namespace perceptag {
namespace {

// Visits (y, i) for each label y and the parameter i that a row has for it after the labels `before`.
template <class Visit>
void visit_row(const Block& block, std::size_t offset, std::size_t row, std::size_t before, std::size_t L,
               Visit visit) {
    block.for_each(row, before * L, L, [&](const Block::Entry& one) {
        if (!block.is_fixed(one.place)) visit(one.code - before * L, offset + one.place);
    });
}

// Visits the parameters of an event. `owns(number)`: whether to visit a row, or a history of a plain transition.
template <class Owns, class Visit>
void visit_event(const Weights& layout, const Offsets& at, const Sequence& x, int t, Owns owns, Visit visit) {
    const std::size_t L = layout.L();
    for (int b = 0; b < kBlocks; ++b) {
        const Block& block = layout.block(b);
        if (!block.rows) continue;
        const std::size_t before = history_code(x.labels, t, order_of(b), layout.L());
        if (is_plain(b)) {
            if (owns(before)) visit_row(block, at[b], 0, before, L, visit);
            continue;
        }
        for (const std::int32_t row : x.at(order_of(b), t))
            if (owns(row)) visit_row(block, at[b], row, before, L, visit);
    }
}

void score_event(const Weights& layout, const Offsets& at, const Sequence& x, int t, const double* w, double* scores) {
    std::fill(scores, scores + layout.L(), 0.0);
    const auto all = [](std::size_t) { return true; };
    visit_event(layout, at, x, t, all, [&](std::size_t y, std::size_t i) { scores[y] += w[i]; });
}

// Turns scores[L] into probabilities; returns the logarithm of the sum of exp(score).
double normalise(double* scores, std::size_t L) {
    const double top = *std::max_element(scores, scores + L);
    double total = 0;
    for (std::size_t y = 0; y < L; ++y) total += scores[y] = std::exp(scores[y] - top);
    for (std::size_t y = 0; y < L; ++y) scores[y] /= total;
    return top + std::log(total);
}

// Events are taken a block of sequences at a time, so that their probabilities stay in the cache.
constexpr std::size_t kEvents = 4096;
// Neighbouring rows share cache lines, so threads own runs of them.
constexpr std::size_t kRun = 16;

struct Events {
    std::span<const Sequence> sequences;
    std::vector<std::size_t> starts;  // where the events of each begin, and where the last end
    std::vector<double> p;            // [events, L] the probability of each label
    std::vector<double> log_p;        // [events] of the gold label
    std::vector<std::uint8_t> wrong;  // [events]
};

Events next_events(const Corpus& corpus, std::size_t first, std::size_t L) {
    Events events;
    events.starts.push_back(0);
    std::size_t last = first;
    while (last < corpus.sequences.size() && (last == first || events.starts.back() < kEvents))
        events.starts.push_back(events.starts.back() + (corpus.sequences[last++].T));
    events.sequences = std::span(corpus.sequences).subspan(first, last - first);
    events.p.resize(events.starts.back() * L);
    events.log_p.resize(events.starts.back());
    events.wrong.resize(events.starts.back());
    return events;
}

void find_probabilities(const Weights& layout, const Offsets& at, const double* w, int threads, Events& events) {
    const std::size_t L = layout.L();
    parallel_for(events.sequences.size(), threads, [&](std::size_t k) {
        const Sequence& x = events.sequences[k];
        for (int t = 0; t < x.T; ++t) {
            const std::size_t e = events.starts[k] + t;
            double* row = events.p.data() + e * L;
            score_event(layout, at, x, t, w, row);
            const std::int32_t gold = x.labels[t];
            const double score = row[gold];
            events.wrong[e] = std::max_element(row, row + L) - row != gold;
            events.log_p[e] = score - normalise(row, L);
        }
    });
}

// Each thread goes through all events and adds to the rows that it owns: every sum is formed in the same order.
void add_expected(const Weights& layout, const Offsets& at, const Events& events, int threads, double* expected) {
    const std::size_t L = layout.L(), owners = std::max(1, threads);
    const auto add = [&](std::size_t owner) {
        const auto owns = [&](std::size_t row) { return owners == 1 || row / kRun % owners == owner; };
        const double* p = events.p.data();
        for (const Sequence& x : events.sequences)
            for (int t = 0; t < x.T; ++t, p += L)
                visit_event(layout, at, x, t, owns, [&](std::size_t y, std::size_t i) { expected[i] += p[y]; });
    };
    parallel_for(owners, threads, add, 1);
}

}  // namespace

std::size_t parameters(const Weights& layout) { return block_offsets(layout).back(); }

Evaluation evaluate(const Weights& layout, const Corpus& corpus, std::span<const double> w, int threads) {
    const Offsets at = block_offsets(layout);
    Evaluation result;
    result.expected.assign(at.back(), 0.0);
    for (std::size_t first = 0; first < corpus.sequences.size();) {
        Events events = next_events(corpus, first, layout.L());
        find_probabilities(layout, at, w.data(), threads, events);
        add_expected(layout, at, events, threads, result.expected.data());
        for (const double value : events.log_p) result.log_likelihood += value;
        result.wrong.insert(result.wrong.end(), events.wrong.begin(), events.wrong.end());
        first += events.sequences.size();
    }
    return result;
}

double largest_score(const Weights& layout, const Corpus& corpus, std::span<const double> w) {
    const Offsets at = block_offsets(layout);
    std::vector<double> scores(layout.L());
    double largest = 0;
    for (const Sequence& x : corpus.sequences)
        for (int t = 0; t < x.T; ++t) {
            score_event(layout, at, x, t, w.data(), scores.data());
            largest = std::max(largest, *std::max_element(scores.begin(), scores.end()));
        }
    return largest;
}

}  // namespace perceptag
