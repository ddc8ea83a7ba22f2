#include "perceptag/search/constrained_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/search/max_marginals.hpp"
#include "perceptag/search/viterbi.hpp"

namespace perceptag {
namespace {

// Scratch memory of one thread.
struct StateWorker {
    Worker worker;
    Lattice lattice;  // of labels; that of states is the worker's
    Lattice lengths;  // of labels with lengths, where whole spans have scores
};

// Allowed pairs of labels, [L+1, L], as pairs of states.
std::vector<std::uint8_t> spread(std::span<const std::int32_t> label, const std::uint8_t* allowed, std::size_t L) {
    const std::size_t S = label.size();
    std::vector<std::uint8_t> out((S + 1) * S);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t before = i / S, u = before < S ? label[before] : L;
        out[i] = allowed[u * L + label[i % S]];
    }
    return out;
}

// How labels make chunks; where whole spans have scores, labels with lengths (length_states.hpp).
class Chunks {
  public:
    explicit Chunks(const ConstrainedSearch& search) : pairs_(&search.pairs) {
        if (search.weights.span_labels().empty()) return;
        lengths_.set(search.weights.span_labels());
        const ChunkPairs& from = search.pairs;
        const std::size_t L = from.kind.size();
        own_.are_chunks = from.are_chunks;
        for (const std::int32_t y : lengths_.labels()) own_.kind.push_back(from.kind[y]);
        own_.begins = spread(lengths_.labels(), from.begins.data(), L);
        own_.joined = spread(lengths_.labels(), from.joined.data(), L);
        pairs_ = &own_;
    }
    Chunks(const Chunks&) = delete;
    Chunks& operator=(const Chunks&) = delete;

    const ChunkPairs& pairs() const { return *pairs_; }
    // The label of each state.
    std::vector<std::int32_t> labels(const SpanStates& states) const {
        std::vector<std::int32_t> found(states.labels().begin(), states.labels().end());
        if (lengths_.size() > 0) lengths_.read_labels(found);
        return found;
    }

  private:
    LengthStates lengths_;
    ChunkPairs own_;
    const ChunkPairs* pairs_;
};

// out[y] -= log Σ exp(out), out[y] = what all scores of label y at t after u and v add up to
void log_probabilities(const Lattice& x, std::size_t t, std::size_t v, std::size_t u, float* out) {
    const std::size_t L = x.L;
    const float* edge = x.has_edges() ? x.edge(t) + u * L : nullptr;
    const float* trigram = x.order == 2 ? x.trigram(t, v) + u * L : nullptr;
    for (std::size_t y = 0; y < L; ++y)
        out[y] = x.nodes(t)[y] + (edge ? edge[y] : 0.0F) + (trigram ? trigram[y] : 0.0F);
    const double top = *std::max_element(out, out + L);
    double total = 0;
    for (std::size_t y = 0; y < L; ++y) total += std::exp(out[y] - top);
    const double log_z = top + std::log(total);
    for (std::size_t y = 0; y < L; ++y) out[y] = static_cast<float>(out[y] - log_z);
}

// The lattice whose sums are the logarithms of probabilities, normalised at every token.
void normalise(Lattice& x) {
    const std::size_t L = x.L, T = x.T;
    const bool pairs = x.order == 2;
    std::vector<float> found(pairs ? observed_trigram_at(T, 0, L) : observed_edge_at(T, L));
    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t v = 0; v < (pairs && t > 1 ? L : 1); ++v)
            for (std::size_t u = 0; u < (t > 0 ? L : 1); ++u)
                log_probabilities(
                    x, t, v, u, found.data() + (pairs ? observed_trigram_at(t, v, L) : observed_edge_at(t, L)) + u * L);
    std::ranges::fill(x.node, 0.0F);
    x.plain_edge = x.plain_trigram = nullptr;
    x.observed_edge.clear();
    x.observed_trigram.clear();
    (pairs ? x.observed_trigram : x.observed_edge) = std::move(found);
    x.order = pairs ? 2 : 1;
    x.edge_bounds = nullptr;
    x.bounds = nullptr;
}

// What limits forbid costs minus infinity.
void limit(const Limits& limits, Lattice& x) {
    const std::size_t L = x.L, T = x.T;
    if (!limits.last.empty() && x.T > 0)
        for (std::size_t y = 0; y < L; ++y)
            if (!limits.last[y]) x.nodes(x.T - 1)[y] = kForbiddenScore;
    if (limits.allowed.empty()) return;
    if (x.observed_edge.empty()) x.observed_edge.assign(observed_edge_at(T, L), 0.0F);
    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t i = 0; i < (t > 0 ? L : 1) * L; ++i)
            if (!limits.allowed[first_edge(t, L) + i]) x.observed_edge[observed_edge_at(t, L) + i] = kForbiddenScore;
}

void forbid(const TagDictionary& dictionary, const Sequence& x, Lattice& out) {
    for (std::size_t t = 0; t < x.closed.size(); ++t)
        for (int y = 0; x.closed[t] >= 0 && y < out.L; ++y)
            if (!dictionary.allowed[x.closed[t]][y]) out.nodes(t)[y] = kForbiddenScore;
}

void fill(const ConstrainedSearch& search, const Sequence& x, const TagDictionary* used, Lattice& out) {
    search.weights.lattice(x, search.local ? nullptr : used, out);
    if (!search.local) return;
    normalise(out);
    limit(*search.local, out);
    if (used) forbid(*used, x, out);
}

// What `run` finds in the lattice of the states of a sequence. Without rules about it, that is the lattice of labels,
// or of labels with lengths.
template <class Run>
auto on_states(const ConstrainedSearch& search, const Sequence& x, SpanStates& states, StateWorker& own, Run run) {
    return with_fallback(search.dictionary, [&](const TagDictionary* used) {
        fill(search, x, used, own.lattice);
        if (own.lattice.has_spans()) {
            own.worker.lengths.expand(own.lattice, own.lengths);
            std::swap(own.lattice, own.lengths);
        }
        if (!states.has_rules()) return run(std::as_const(own.lattice));
        states.expand(own.lattice, own.worker.lattice);
        return run(std::as_const(own.worker.lattice));
    });
}

void read_labels(std::span<const std::int32_t> label, std::span<std::int32_t> states) {
    for (std::int32_t& state : states) state = label[state];
}

}  // namespace

std::vector<std::int32_t> ConstrainedSearch::decode(const Corpus& corpus, int threads) const {
    const Chunks chunks(*this);
    const std::vector<std::size_t> begin = corpus.starts();
    std::vector<std::int32_t> labels(begin.back());
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, StateWorker& own) {
        const Sequence& x = corpus.sequences[i];
        SpanStates states(chunks.pairs(), rules[i], x.T);
        const auto mine = std::span(labels).subspan(begin[i], x.T);
        const double score = on_states(*this, x, states, own,
                                       [&](const Lattice& lattice) { return viterbi(lattice, own.worker, mine); });
        if (is_found(score))
            read_labels(chunks.labels(states), mine);
        else
            std::ranges::fill(mine, -1);
    });
    return labels;
}

std::vector<NBest> ConstrainedSearch::nbest(const Corpus& corpus, int n, int threads) const {
    const Chunks chunks(*this);
    std::vector<NBest> found(corpus.sequences.size());
    const auto work = [&](std::size_t i, StateWorker& own) {
        const Sequence& x = corpus.sequences[i];
        SpanStates states(chunks.pairs(), rules[i], x.T);
        found[i] = on_states(*this, x, states, own,
                             [&](const Lattice& lattice) { return perceptag::nbest(lattice, n, own.worker); });
        read_labels(chunks.labels(states), found[i].labels);
    };
    parallel_for(found.size(), threads, work, 1);
    return found;
}

std::vector<float> ConstrainedSearch::max_marginals(const Corpus& corpus, int threads) const {
    const Chunks chunks(*this);
    const std::size_t L = weights.L();
    const std::vector<std::size_t> begin = corpus.starts(L);
    std::vector<float> found(begin.back(), 0.0F);
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, StateWorker& own) {
        const Sequence& x = corpus.sequences[i];
        SpanStates states(chunks.pairs(), rules[i], x.T);
        const std::vector<std::int32_t> label = chunks.labels(states);
        const std::size_t S = states.size(), T = x.T;
        std::vector<float> scores(T * S);
        const double best = on_states(*this, x, states, own, [&](const Lattice& lattice) {
            return perceptag::max_marginals(lattice, scores.data());
        });
        if (!is_found(best)) return;
        float* out = found.data() + begin[i];
        std::fill_n(out, T * L, kForbiddenScore);
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t s = 0; s < S; ++s) {
                float& to = out[t * L + label[s]];
                to = std::max(to, scores[t * S + s]);
            }
    });
    return found;
}

std::vector<double> ConstrainedSearch::marginals(const Corpus& corpus, double scale, bool pairs_of_labels,
                                                 int threads) const {
    const Chunks chunks(*this);
    const std::size_t L = weights.L(), width = combinations(pairs_of_labels, L);
    const std::vector<std::size_t> begin = corpus.starts(width);
    std::vector<double> found(begin.back(), 0.0);
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, StateWorker& own) {
        const Sequence& x = corpus.sequences[i];
        SpanStates states(chunks.pairs(), rules[i], x.T);
        const std::vector<std::int32_t> label = chunks.labels(states);
        const std::size_t S = states.size(), T = x.T;
        ForwardBackward posterior;
        std::optional<Potentials> plain;
        const double log_z = on_states(*this, x, states, own, [&](const Lattice& lattice) {
            plain.emplace(lattice, scale);
            return posterior.run(lattice, *plain, scale);
        });
        if (!is_found(log_z)) return;
        const std::size_t wide = combinations(pairs_of_labels, S);
        std::vector<double> several;
        if (pairs_of_labels) {
            several.assign(T * wide, 0.0);
            posterior.add_edges(several.data(), wide);
        }
        const std::vector<double>& of_states = pairs_of_labels ? several : posterior.node();
        double* out = found.data() + begin[i];
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t k = 0; k < wide; ++k) {
                const std::size_t before = k / S, u = before < S ? label[before] : L;
                out[t * width + (pairs_of_labels ? u * L : 0) + label[k % S]] += of_states[t * wide + k];
            }
    });
    return found;
}

std::vector<double> ConstrainedSearch::event_probabilities(const Corpus& corpus, double scale, const Events& events,
                                                           int threads) const {
    const Chunks chunks(*this);
    const std::size_t n = events.sequence.size(), L = weights.L();
    std::vector<std::vector<std::size_t>> of_sequence(corpus.sequences.size());
    for (std::size_t e = 0; e < n; ++e) of_sequence[events.sequence[e]].push_back(e);
    std::vector<double> found(n, 0.0);
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, StateWorker& own) {
        if (of_sequence[i].empty()) return;
        const Sequence& x = corpus.sequences[i];
        SpanStates states(chunks.pairs(), rules[i], x.T);
        ForwardBackward posterior;
        on_states(*this, x, states, own, [&](const Lattice& lattice) { return posterior.run_in_logs(lattice, scale); });
        std::vector<std::vector<std::uint8_t>> tables;
        std::vector<Mask> masks;
        for (const std::size_t e : of_sequence[i]) {
            tables.clear();
            masks.clear();
            for (std::int32_t k = events.begin[e]; k < events.begin[e + 1]; ++k)
                tables.push_back(
                    spread(chunks.labels(states), events.tables.data() + events.masks[k] * (L + 1) * L, L));
            for (std::size_t k = 0; k < tables.size(); ++k)
                masks.push_back({events.first[e] + to_int32(k), tables[k].data()});
            found[e] = posterior.probability(masks);
        }
    });
    return found;
}

}  // namespace perceptag
