#include "perceptag/search/length_states.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr std::int32_t kAny = -1;
// Whether a span, or no span, ends with a label.
bool may_close(Letter letter) { return letter != Letter::kBegin && letter != Letter::kInside; }

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

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

// The scores of the states of the word at t.
void LengthStates::add_nodes(const Lattice& in, std::size_t t, float* to) const {
    const float* from = in.nodes(t);
    for (std::size_t s = 0; s < size(); ++s) to[s] = from[label_[s]];
    for (std::size_t y = 0; y < reading_.kind.size(); ++y) {
        const std::size_t kind = reading_.kind[y], longest = reading_.longest;
        if (reading_.letter[y] == Letter::kSingle) to[first_[y]] += in.span_score(t, 1, kind);
        if (reading_.letter[y] != Letter::kEnd) continue;
        for (std::size_t n = 2; n <= std::min(longest, t + 1); ++n)
            to[first_[y] + n - 2] += in.span_score(t + 1 - n, n, kind);
    }
}

void LengthStates::prepare(const Lattice& in) {
    if (in.order > 1 || !in.observed_edge.empty())
        throw std::logic_error("features of spans: expected transitions of first order without observations");
    set(*in.span_labels);
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
        for (std::size_t s = 0; s < S; ++s) {
            const double node = node_[s];  // in double precision, so either order gives the same
            to[s] = only_[s] == kAny ? node + (in.plain_edge ? in.plain_edge[L * L + label_[s]] : 0.0F) : kForbidden;
            if (back) back[s] = -1;
        }
        return;
    }
    best_.resize(L);
    for (std::size_t y = 0; y < L; ++y) {
        const std::size_t end = y + 1 < L ? first_[y + 1] : S;
        best_[y] = to_int32(std::max_element(from + first_[y], from + end) - from);
    }
    for (std::size_t s = 0; s < S; ++s) {
        const auto score = [&](std::int32_t u) {
            const double before = kNodeFirst ? from[u] + node_[s] : from[u];
            return before + (in.plain_edge ? in.plain_edge[label_[u] * L + label_[s]] : 0.0F);
        };
        std::int32_t before = only_[s] == kAny ? 0 : only_[s];
        double top = only_[s] == kAny ? kForbidden : score(before);
        const auto offer = [&](std::int32_t u) {
            if (const double here = score(u); here > top) top = here, before = u;
        };
        if (only_[s] == kAny)
            for (std::size_t u = 0; u < L; ++u)
                if (may_close(reading_.letter[u])) offer(best_[u]);
        if (also_[s] != kAny) offer(also_[s]);
        to[s] = kNodeFirst ? top : top + node_[s];
        if (back) back[s] = before;
    }
}

void LengthStates::viterbi(const Lattice& in, LabelsOut labels) {
    prepare(in);
    const std::size_t T = in.T, S = size();
    alpha_.resize(2 * S);
    back_.resize(T * S);
    double *from = alpha_.data(), *to = from + S;
    for (std::size_t t = 0; t < T; ++t, std::swap(from, to)) step<false>(in, t, from, to, back_.data() + t * S);
    std::int32_t state = to_int32(std::max_element(from, from + S) - from);
    for (std::size_t t = T; t-- > 0; state = back_[t * S + state]) labels[t] = label_[state];
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

std::vector<std::int32_t> LengthStates::states_of(Labelling labels) const {
    std::vector<std::int32_t> states(labels.size());
    int place = 0;  // of the word before
    for (std::size_t t = 0; t < labels.size(); ++t) {
        const std::size_t y = labels[t];
        const int longest = reading_.longest;
        std::size_t state = first_[y];
        switch (reading_.letter[y]) {
            case Letter::kInside:
                place = std::min(place + 1, longest);
                state += std::max(0, place - std::min(2, longest));
                break;
            case Letter::kEnd:
                state += std::max(0, place - 1);
                break;
            default:
                place = reading_.letter[y] == Letter::kBegin ? 1 : 0;
        }
        states[t] = to_int32(state);
    }
    return states;
}

}  // namespace perceptag
