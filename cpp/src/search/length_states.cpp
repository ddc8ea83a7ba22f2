#include "perceptag/search/length_states.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr std::int32_t kAny = -1;
// Whether a span, or no span, ends with a label.
bool may_close(Letter letter) { return letter != Letter::kBegin && letter != Letter::kInside; }

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

// The first of the best values.
std::size_t first_best(const double* values, std::size_t n) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < n; ++i) best = values[i] > values[best] ? i : best;
    return best;
}

// top[j] = max_u closed[u] + node[j] + edge[u, j], and the first u that gives it.
PERCEPTAG_CLONES void best_between(const double* closed, std::size_t C, const double* node, const float* edge,
                                   std::size_t N, double* top, std::int64_t* from) {
    for (std::size_t u = 0; u < C; ++u, edge += N)
        for (std::size_t j = 0; j < N; ++j) {
            const double here = closed[u] + node[j] + edge[j];
            from[j] = here > top[j] ? static_cast<std::int64_t>(u) : from[j];
            top[j] = here > top[j] ? here : top[j];
        }
}

}  // namespace

void LengthStates::set(const SpanLabels& labels) {
    if (reading_ == labels) return;
    reading_ = labels;
    label_.clear();
    place_.clear();
    first_.clear();
    const auto add = [&](std::size_t y, int place) {
        label_.push_back(to_int32(y));
        place_.push_back(place);
    };
    const int longest = labels.longest;
    for (std::size_t y = 0; y < labels.kind.size(); ++y) {
        first_.push_back(label_.size());
        switch (labels.letter[y]) {
            case Letter::kOutside:
                add(y, 0);
                break;
            case Letter::kBegin:
            case Letter::kSingle:
                add(y, 1);
                break;
            case Letter::kInside:
                for (int n = std::min(2, longest); n <= longest; ++n) add(y, n);
                break;
            case Letter::kEnd:
                for (int n = 2; n <= longest + 1; ++n) add(y, n);
        }
    }
    find_pairs();
}

void LengthStates::find_pairs() {
    const std::size_t L = reading_.kind.size(), S = size();
    only_.assign(S, kAny);
    also_.assign(S, kAny);
    pairs_.clear();
    edge_.assign((S + 1) * S, kForbiddenScore);
    before_.clear();
    before_begin_.assign(1, 0);
    for (std::size_t s = 0; s < S; ++s) {
        const std::size_t y = label_[s];
        const bool is_first = reading_.letter[y] != Letter::kInside && reading_.letter[y] != Letter::kEnd;
        for (std::size_t u = 0; u < S; ++u) {
            if (!follows(u, s)) continue;
            pairs_.emplace_back(to_uint32(u * S + s), to_uint32(label_[u] * L + y));
            before_.push_back(to_int32(u));
            if (!is_first) (only_[s] == kAny ? only_ : also_)[s] = to_int32(u);
        }
        if (is_first) pairs_.emplace_back(to_uint32(S * S + s), to_uint32(L * L + y));
        if (before_.size() == before_begin_.back()) before_.push_back(0);  // by an edge that is forbidden
        before_begin_.push_back(before_.size());
    }
    find_choices();
}

// Whether a state may come after another one as far as lengths go; labels have edges that say the rest.
bool LengthStates::follows(std::size_t before, std::size_t state) const {
    const std::size_t u = label_[before], y = label_[state];
    const Letter letter = reading_.letter[y], earlier = reading_.letter[u];
    if (letter != Letter::kInside && letter != Letter::kEnd) return may_close(earlier);
    if (reading_.kind[u] != reading_.kind[y] || (earlier != Letter::kBegin && earlier != Letter::kInside)) return false;
    const int next = place_[before] + 1;
    return place_[state] == (letter == Letter::kInside ? std::min(next, reading_.longest) : next);
}

// The states that more than one may come before.
void LengthStates::find_choices() {
    opens_.clear();
    closes_.clear();
    inner_.clear();
    twofold_.clear();
    choice_.assign(size(), -1);
    for (std::size_t y = 0; y < reading_.kind.size(); ++y)
        if (may_close(reading_.letter[y])) closes_.push_back(to_int32(y));
    for (std::size_t s = 0; s < size(); ++s) {
        (only_[s] == kAny ? opens_ : inner_).push_back(to_int32(s));
        if (also_[s] != kAny) twofold_.push_back(to_int32(s));
    }
    std::int32_t number = 0;
    for (const auto* states : {&opens_, &twofold_})
        for (const std::int32_t s : *states) choice_[s] = number++;
}

// The scores of the states of the word at t.
void LengthStates::add_nodes(const Lattice& in, std::size_t t, float* to) const {
    const float* nodes = in.nodes(t);
    const std::size_t L = reading_.kind.size(), K = reading_.classes, longest = reading_.longest;
    for (std::size_t y = 0; y < L; ++y) {
        float *const own = to + first_[y], *const end = to + (y + 1 < L ? first_[y + 1] : size());
        std::fill(own, end, nodes[y]);
        if (reading_.letter[y] == Letter::kSingle) own[0] += in.span_score(t, 1, reading_.kind[y]);
        if (reading_.letter[y] != Letter::kEnd || t == 0) continue;
        std::size_t span = ((t - 1) * longest + 1) * K + reading_.kind[y];  // of two words; one more begins one before
        for (std::size_t n = 2; n <= std::min(longest, t + 1); ++n, span -= (longest - 1) * K)
            own[n - 2] += in.span[span];
    }
}

void LengthStates::prepare(const Lattice& in) {
    if (in.order > 1 || !in.observed_edge.empty())
        throw std::logic_error("features of spans: expected transitions of first order without observations");
    set(*in.span_labels);
    read_edges(in);
}

void LengthStates::read_edges(const Lattice& in) {
    const std::size_t L = in.L;
    const auto edge = [&](std::size_t u, std::size_t s) {
        return in.plain_edge ? in.plain_edge[u * L + label_[s]] : 0.0F;
    };
    edge_only_.resize(size());
    edge_also_.resize(size());
    edge_between_.clear();
    for (const std::int32_t s : inner_) edge_only_[s] = edge(label_[only_[s]], s);
    for (const std::int32_t s : twofold_) edge_also_[s] = edge(label_[also_[s]], s);
    for (const std::int32_t u : closes_)
        for (const std::int32_t s : opens_) edge_between_.push_back(edge(u, s));
}

void LengthStates::expand(const Lattice& in, Lattice& out) {
    prepare(in);
    const std::size_t T = in.T, S = size();
    out.T = in.T;
    out.L = to_int32(S);
    out.order = 1;
    out.observed_edge.clear();
    out.observed_trigram.clear();
    out.span.clear();
    out.plain_trigram = nullptr;
    out.edge_bounds = nullptr;
    out.bounds = nullptr;
    out.node.resize(T * S);
    for (std::size_t t = 0; t < T; ++t) add_nodes(in, t, out.nodes(t));
    for (const auto& [to, from] : pairs_) edge_[to] = in.plain_edge ? in.plain_edge[from] : 0.0F;
    out.plain_edge = edge_.data();
}

// Of equal states before, the first wins: the lowest label, and the lowest of its states.
template <bool kNodeFirst>
void LengthStates::step(const Lattice& in, std::size_t t, const double* from, double* to, std::int32_t* back) {
    const std::size_t L = in.L, S = size();
    node_.resize(S);
    add_nodes(in, t, node_.data());
    if (t == 0) {
        std::fill_n(to, S, kForbidden);
        for (const std::int32_t s : opens_)  // in double precision, so either order gives the same
            to[s] = static_cast<double>(node_[s]) + (in.plain_edge ? in.plain_edge[L * L + label_[s]] : 0.0F);
        return;
    }
    const auto add = [&](std::int32_t u, std::int32_t s, float edge) {
        return kNodeFirst ? from[u] + node_[s] + edge : from[u] + edge + node_[s];
    };
    open_spans<kNodeFirst>(from, to, back);
    for (const std::int32_t s : inner_) to[s] = add(only_[s], s, edge_only_[s]);
    for (std::size_t i = 0; i < twofold_.size(); ++i) {
        const std::int32_t s = twofold_[i];
        const double other = add(also_[s], s, edge_also_[s]);
        if (back) back[opens_.size() + i] = other > to[s] ? also_[s] : only_[s];
        to[s] = std::max(to[s], other);
    }
}

// The states that follow the end of a span, or a word outside of spans.
template <bool kNodeFirst>
void LengthStates::open_spans(const double* from, double* to, std::int32_t* back) {
    const std::size_t N = opens_.size(), C = closes_.size();
    best_.resize(C);
    closed_.resize(C);
    for (std::size_t i = 0; i < C; ++i) {
        const std::size_t y = closes_[i], first = first_[y], end = y + 1 < first_.size() ? first_[y + 1] : size();
        best_[i] = to_int32(first + first_best(from + first, end - first));
        closed_[i] = from[best_[i]];
    }
    node_open_.assign(N, 0.0);
    for (std::size_t j = 0; kNodeFirst && j < N; ++j) node_open_[j] = node_[opens_[j]];
    top_.assign(N, kForbidden);
    from_.assign(N, 0);
    best_between(closed_.data(), C, node_open_.data(), edge_between_.data(), N, top_.data(), from_.data());
    for (std::size_t j = 0; j < N; ++j) {
        to[opens_[j]] = kNodeFirst ? top_[j] : top_[j] + node_[opens_[j]];
        if (back) back[j] = best_[from_[j]];
    }
}

void LengthStates::viterbi(const Lattice& in, LabelsOut labels) {
    prepare(in);
    const std::size_t T = in.T, S = size(), B = choices();
    alpha_.resize(2 * S);
    back_.resize(T * B);
    double *from = alpha_.data(), *to = from + S;
    for (std::size_t t = 0; t < T; ++t, std::swap(from, to)) step<false>(in, t, from, to, back_.data() + t * B);
    std::int32_t state = to_int32(first_best(from, S));
    for (std::size_t t = T; t-- > 0;) {
        labels[t] = label_[state];
        if (t > 0) state = choice_[state] < 0 ? only_[state] : back_[t * B + choice_[state]];
    }
}

double LengthStates::best_score(const Lattice& in, std::span<const double> bonus) {
    prepare(in);
    const std::size_t T = in.T, L = in.L, S = size();
    alpha_.assign(2 * S, 0.0);
    double *from = alpha_.data(), *to = from + S;
    for (std::size_t t = 0; t < T; ++t, std::swap(from, to)) {
        step<false>(in, t, from, to, nullptr);
        if (bonus.empty()) continue;
        for (std::size_t s = 0; s < S; ++s) to[s] += bonus[t * L + label_[s]];
    }
    return *std::max_element(from, from + S);
}

void LengthStates::best_values(const Lattice& in, double* value) {
    prepare(in);
    for (std::size_t t = 0; t < static_cast<std::size_t>(in.T); ++t, value += size())
        step<true>(in, t, value - size(), value, nullptr);
}

}  // namespace perceptag
