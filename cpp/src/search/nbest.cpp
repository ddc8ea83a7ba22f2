// Lazy k-best over the Viterbi trellis: Huang & Chiang (2005), "Better k-best Parsing", IWPT [W05-1506],
// algorithm 3. Kazama & Torisawa (2007), sections 3 and 4.1, take their lists from an A* search (Soong & Huang, 1991);
// `reference/nbest.py` has that one, and both give the same lists.
//
// Every node of the trellis keeps its derivations (labellings up to there) from the best downwards, and for
// each predecessor a cursor into that one's list. The next derivation of a node is the best that a cursor
// offers. Lists grow only on demand, one at each position for one more labelling: time O(T·L²) for the first,
// O(T·L) for each other at most. The paper's heap of candidates is a scan of the L cursors here.
//
// Equal scores are in the right order without further work: cursors are in the order of the predecessor's label and
// the first of the best is taken. So a lower label one position earlier wins; then the same rule holds within
// that predecessor's list.
#include "perceptag/search/nbest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/limits.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/search/lazy_scores.hpp"

namespace perceptag {
namespace {

constexpr double kForbidden = -std::numeric_limits<double>::infinity();
constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kEnd = kUnknown - 1;
constexpr std::size_t kClosed = std::numeric_limits<std::size_t>::max();

// Adds the scores of position t to the best value before it. The order of the sums is that of Lattice::score.
PERCEPTAG_CLONES void best_step(const float* node, const float* edge, const float* trigram, std::size_t L,
                                double before, double* best) {
    for (std::size_t y = 0; y < L; ++y) {
        double total = before + node[y];
        if (edge) total += edge[y];
        if (trigram) total += trigram[y];
        best[y] = std::max(best[y], total);
    }
}

// value[t, y] or value[t, u, y]: the score of the best labelling up to t that ends in y, or in u y.
void best_values(const Lattice& x, std::size_t states, double* value) {
    const std::size_t L = x.L;
    const bool pairs = x.order == 2;
    for (int t = 0; t < x.T; ++t, value += states) {
        std::fill(value, value + states, kForbidden);
        const float* node = x.nodes(t);
        const float* edge = x.has_edges() ? x.edge(t) : nullptr;
        const auto edge_of = [&](std::size_t u) { return edge ? edge + u * L : nullptr; };
        const double* from = value - states;
        if (t == 0) {
            best_step(node, edge, pairs ? x.trigram(0, 0) : nullptr, L, 0.0, value);
        } else if (!pairs && !edge) {
            best_step(node, nullptr, nullptr, L, *std::max_element(from, from + L), value);
        } else if (!pairs) {
            for (std::size_t u = 0; u < L; ++u) best_step(node, edge_of(u), nullptr, L, from[u], value);
        } else {
            for (std::size_t v = 0; v < (t == 1 ? 1 : L); ++v)
                for (std::size_t u = 0; u < L; ++u)
                    best_step(node, edge_of(u), x.trigram(t, v) + u * L, L, from[v * L + u], value + u * L);
        }
    }
}

// What the derivations of all labels before offer to a label: the sums of `Search::extend`.
PERCEPTAG_CLONES void offers_to(const double* value, float node, const float* edges, std::size_t L, double* offers) {
    for (std::size_t v = 0; v < L; ++v) offers[v] = value[v] + node + edges[v];
}

// The trellis has levels 0 .. T-1 of `states` each: labels y, or for second order pairs u*L + y (at level 0,
// where u is the start, y alone). Level T is one node that follows every state of the level before. `kLengths`: the
// lattice is that of states of spans, most of which have one or two states before them.
template <bool kLengths>
class Search {
  public:
    // `labels`: the lattice of the labels, of which x may be that of the states.
    Search(const Lattice& labels, const Lattice& x, Worker& worker)
        : x_(x),
          d_(worker.derivations),
          lengths_(worker.lengths),
          T_(x.T),
          L_(x.L),
          states_(x.order == 2 ? L_ * L_ : L_),
          edges_(x.has_edges()) {
        const std::size_t nodes = T_ * states_ + 1;
        require_room(nodes);
        d_.value.resize(nodes);
        if constexpr (kLengths)
            worker.lengths.best_values(labels, d_.value.data());
        else if (has_many_plain_edges(x))
            lazy_.emplace(x, worker.lazy, d_.value);
        else
            best_values(x, states_, d_.value.data());
        d_.back.assign(nodes, kUnknown);
        d_.pred.assign(nodes, kUnknown);
        d_.next.assign(nodes, kUnknown);
        std::fill_n(d_.next.begin(), states_, kEnd);  // one derivation for each state of level 0
        d_.tail.resize(nodes);
        for (std::size_t i = 0; i < nodes; ++i) d_.tail[i] = to_uint32(i);
        d_.opened.assign(nodes, kClosed);
        d_.cursor.clear();
        d_.offer.clear();
        d_.chain.assign(T_ + 1, 0);
        open(T_, 0);
        d_.value[nodes - 1] = offer(T_, 0, d_.pred[nodes - 1]);
    }

    // The derivation of the best labelling, or kEnd if all are forbidden.
    std::uint32_t first() const {
        const std::size_t last = node(T_, 0);
        return d_.value[last] > kForbidden ? to_uint32(last) : kEnd;
    }

    // The derivation of the labelling after the last one found, or kEnd.
    std::uint32_t next() {
        const std::uint32_t last = d_.tail[node(T_, 0)];
        // Down: the derivation that a node used last is to be followed by the next of the same predecessor.
        // Where that one is not known, find it first.
        std::size_t t = T_;
        for (;; --t) {
            const std::size_t s = d_.chain[t];
            open(t, s);
            const std::uint32_t worst = d_.tail[node(t, s)];
            if (d_.next[d_.back[worst]] != kUnknown) break;
            d_.chain[t - 1] = state(t, s, d_.pred[worst]);
        }
        for (; t <= T_; ++t) grow(t, d_.chain[t]);
        return d_.next[last];
    }

    void trace(std::uint32_t derivation, LabelsOut labels) {
        std::size_t s = 0;
        for (std::size_t t = T_; t > 0; --t) {
            if (d_.pred[derivation] == kUnknown) settle(t, s);
            s = state(t, s, d_.pred[derivation]);
            labels[t - 1] = to_int32(s % L_);
            derivation = d_.back[derivation];
        }
    }

    double value(std::uint32_t derivation) const { return d_.value[derivation]; }

  private:
    std::size_t node(std::size_t t, std::size_t s) const { return t * states_ + s; }

    // How many predecessors a state at level t > 0 has, and which is the p-th.
    std::size_t preds(std::size_t t, std::size_t s) const {
        if (t == T_) return T_ == 1 ? L_ : states_;
        if constexpr (kLengths) return lengths_.before(s).size();
        return x_.order == 2 && t == 1 ? 1 : L_;
    }
    std::size_t state(std::size_t t, std::size_t s, std::size_t p) const {
        if constexpr (kLengths) return t == T_ ? p : lengths_.before(s)[p];
        if (x_.order < 2) return p;
        if (t == T_) return T_ == 1 ? p : p % L_ * L_ + p / L_;  // by the last label, then the one before
        return t == 1 ? s / L_ : p * L_ + s / L_;
    }

    // The value of a derivation of value `before` of the p-th predecessor, extended to state s at level t >
    // 0.
    double extend(double before, std::size_t t, std::size_t s, std::size_t p) const {
        if (t == T_) return before;
        const std::size_t y = s % L_, u = x_.order == 2 ? s / L_ : state(t, s, p);
        double total = before + x_.node[t * L_ + y];
        if (edges_) total += x_.edge(t)[u * L_ + y];
        if (x_.order == 2) total += x_.trigram(t, p)[u * L_ + y];
        return total;
    }
    double offer(std::size_t t, std::size_t s, std::size_t p) const {
        return extend(d_.value[node(t - 1, state(t, s, p))], t, s, p);
    }

    // Finds where the best derivation of a node came from: known since the forward pass, but not stored
    // there.
    void settle(std::size_t t, std::size_t s) {
        const std::size_t i = node(t, s), best = best_pred(t, s);
        d_.pred[i] = to_uint32(best);
        d_.back[i] = to_uint32(node(t - 1, state(t, s, best)));
    }

    std::size_t best_pred(std::size_t t, std::size_t s) {
        if (lazy_) return t == T_ ? lazy_->last() : lazy_->before(t, s);
        std::size_t best = 0;
        double top = kForbidden;
        for (std::size_t p = 0; p < preds(t, s); ++p)
            if (const double here = offer(t, s, p); here > top) best = p, top = here;
        return best;
    }

    // Sets the cursors of a node to the best derivation of each predecessor.
    void open(std::size_t t, std::size_t s) {
        const std::size_t i = node(t, s);
        if (d_.opened[i] != kClosed) return;
        settle(t, s);
        d_.opened[i] = d_.cursor.size();
        if (lazy_ && t < T_) return open_lazily(t, s);
        for (std::size_t p = 0; p < preds(t, s); ++p) {
            d_.cursor.push_back(to_uint32(node(t - 1, state(t, s, p))));
            d_.offer.push_back(offer(t, s, p));
        }
    }

    // The same where labels are many: the edges to one label are next to each other.
    void open_lazily(std::size_t t, std::size_t y) {
        const std::size_t first = d_.cursor.size();
        d_.cursor.resize(first + L_);
        std::iota(d_.cursor.begin() + first, d_.cursor.end(), to_uint32(node(t - 1, 0)));
        d_.offer.resize(first + L_);
        offers_to(d_.value.data() + node(t - 1, 0), x_.nodes(t)[y], lazy_->edges_to(y), L_, d_.offer.data() + first);
    }

    // The first of the best offers to a node. A bound that is the best gives way to the exact score.
    std::size_t best_offer(std::size_t t, std::size_t s) {
        const std::uint32_t* cursor = d_.cursor.data() + d_.opened[node(t, s)];
        double* offers = d_.offer.data() + d_.opened[node(t, s)];
        for (;;) {
            const std::size_t best = std::max_element(offers, offers + preds(t, s)) - offers;
            if (!lazy_ || cursor[best] != node(t - 1, best)) return best;
            if (!lazy_->is_exact(t - 1, best)) lazy_->make_exact(t - 1, best);
            const double exact = offer(t, s, best);
            if (offers[best] == exact) return best;
            offers[best] = exact;
        }
    }

    // Advances the cursor that gave the last derivation of a node, and adds the best derivation of all cursors.
    void grow(std::size_t t, std::size_t s) {
        const std::size_t i = node(t, s);
        std::uint32_t* cursor = d_.cursor.data() + d_.opened[i];
        double* offers = d_.offer.data() + d_.opened[i];
        const std::uint32_t last = d_.tail[i], used = d_.pred[last], after = d_.next[d_.back[last]];
        cursor[used] = after;
        offers[used] = after == kEnd ? kForbidden : extend(d_.value[after], t, s, used);
        const std::size_t best = best_offer(t, s);
        if (offers[best] == kForbidden) {
            d_.next[last] = kEnd;
            return;
        }
        require_room(d_.value.size() + 1);
        d_.tail[i] = d_.next[last] = to_uint32(d_.value.size());
        d_.value.push_back(offers[best]);
        d_.back.push_back(cursor[best]);
        d_.pred.push_back(to_uint32(best));
        d_.next.push_back(kUnknown);
    }

    static void require_room(std::size_t derivations) {
        if (derivations >= kEnd) throw LimitExceeded("the n-best search needs more than 2^32 derivations");
    }

    const Lattice& x_;
    Derivations& d_;
    const LengthStates& lengths_;
    std::size_t T_, L_, states_;
    bool edges_;
    std::optional<LazyScores<double>> lazy_;  // of first order with many labels: values are partly bounds
};

template <bool kLengths>
NBest list_best(const Lattice& labels, const Lattice& x, int n, Worker& worker) {
    NBest found;
    found.T = x.T;
    Search<kLengths> search(labels, x, worker);
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = search.first(); i != kEnd; i = search.next()) {
        list.push_back(i);
        if (to_int32(list.size()) == n) break;
    }
    const std::size_t T = x.T;
    found.labels.resize(list.size() * T);
    for (std::size_t i = 0; i < list.size(); ++i) {
        search.trace(list[i], std::span(found.labels).subspan(i * T, T));
        found.scores.push_back(search.value(list[i]));
    }
    return found;
}

}  // namespace

NBest nbest(const Lattice& x, int n, Worker& worker) {
    if (n < 1) throw std::invalid_argument("n: expected a number from 1");
    if (x.T == 0) {
        NBest empty;
        empty.scores.push_back(0.0);
        return empty;
    }
    if (!x.has_spans()) return list_best<false>(x, x, n, worker);
    worker.lengths.expand(x, worker.states);
    NBest found = list_best<true>(x, worker.states, n, worker);
    worker.lengths.read_labels(found.labels);
    return found;
}

NBest nbest(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, int n, Worker& worker) {
    return with_fallback(dictionary, [&](const TagDictionary* used) {
        weights.lattice(x, used, worker.lattice);
        return nbest(worker.lattice, n, worker);
    });
}

std::vector<NBest> nbest_batch(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary, int n,
                               int threads) {
    std::vector<NBest> found(corpus.sequences.size());
    const auto work = [&](std::size_t i, Worker& worker) {
        found[i] = nbest(weights, corpus.sequences[i], dictionary, n, worker);
    };
    parallel_for(found.size(), threads, work, 1);
    return found;
}

}  // namespace perceptag
