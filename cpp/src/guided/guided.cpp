#include "perceptag/guided/guided.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

PERCEPTAG_CLONES void add_vector(float* out, const float* row, std::size_t L) {
    for (std::size_t y = 0; y < L; ++y) out[y] += row[y];
}

// out += a + b
PERCEPTAG_CLONES void add_two(float* out, const float* a, const float* b, std::size_t L) {
    for (std::size_t y = 0; y < L; ++y) out[y] += a[y] + b[y];
}

}  // namespace

GuidedSearch::GuidedSearch(const GuidedWeights& weights, GuidedRules rules, const TagDictionary* dictionary)
    : weights_(weights), rules_(rules), dictionary_(dictionary), L_(weights.words.L()), beam_(rules.beam) {
    if (rules.beam < 1) throw std::invalid_argument("beam: expected a number from 1");
    const Block& edges = weights.words.block(kPlainEdges);
    for (const float edge : edges.w) forbidden_.push_back(std::isinf(edge) ? kForbidden : 0.0F);
}

void GuidedSearch::start(const Sequence& x) {
    x_ = &x;
    const std::size_t T = x.T;
    spans_.assign(T, {});
    states_.resize(T * beam_);
    done_.assign(T, 0);
    starting_.assign(T, -1);
    ending_.assign(T, -1);
    u_.resize(T);
    score_words();
    prepare_entries();
    tree_.assign(T ? 2 * std::bit_ceil(T) : 0, -1);
    for (int t = 0; t < x.T; ++t) {
        if (!may_be_next(t, 0, x.T - 1)) continue;
        generate(t);
        enter(t);
    }
}

// Whether a token is a candidate, if `first` and `last` are the outermost unlabelled tokens.
bool GuidedSearch::may_be_next(int token, int first, int last) const {
    return rules_.direction == Direction::kBoth ||
           token == (rules_.direction == Direction::kLeftToRight ? first : last);
}

void GuidedSearch::score_words() {
    weights_.words.lattice(*x_, dictionary_, lattice_);
    for (float& score : lattice_.node)
        if (std::isinf(score)) score = kForbidden;
    if (!forbidden_.empty() && x_->T > 0) add_vector(lattice_.node.data(), forbidden_.data() + L_ * L_, L_);
    if (rules_.margin != 0)
        for (std::size_t t = 0; t < x_->labels.size(); ++t)
            lattice_.node[t * L_ + x_->labels[t]] -= static_cast<float>(rules_.margin);
}

// Which label contexts can fire at each token, by the sides that they look at.
void GuidedSearch::prepare_entries() {
    for (int side = 0; side < kSides; ++side) {
        entries_[side].clear();
        entries_begin_[side].assign(1, 0);
    }
    std::vector<ContextEntry> all;
    for (int t = 0; t < x_->T; ++t) {
        all.clear();
        weights_.contexts.entries(*x_, t, all);
        for (const ContextEntry& entry : all) {
            const Side side = !(entry.mask & kRight) ? kLeftSide : !(entry.mask & kLeft) ? kRightSide : kBothSides;
            entries_[side].push_back(entry);
        }
        for (int side = 0; side < kSides; ++side) entries_begin_[side].push_back(to_uint32(entries_[side].size()));
    }
}

// Puts a candidate into the knock-out, or, once it is labelled, takes it out.
void GuidedSearch::enter(int token) {
    u_[token] = states(token)->u;
    std::size_t i = tree_.size() / 2 + token;
    tree_[i] = done_[token] ? -1 : token;
    for (i /= 2; i > 0; i /= 2) {
        const int left = tree_[2 * i], right = tree_[2 * i + 1];
        const int winner = right < 0 || (left >= 0 && u_[left] >= u_[right]) ? left : right;
        if (winner == tree_[i] && winner != token) break;  // this token never got here
        tree_[i] = winner;
    }
}

void GuidedSearch::accept(int token) {
    const Span& span = spans_[token];
    done_[token] = 1;
    starting_[span.start] = token;
    ending_[span.end] = token;
    enter(token);
    for (const int neighbour : {span.start - 1, span.end + 1}) {
        if (neighbour < 0 || neighbour >= x_->T) continue;
        generate(neighbour);
        enter(neighbour);
    }
}

// ------------------------------------------------------------------------------------------ candidates

void GuidedSearch::find_neighbours(int token) {
    Span& span = spans_[token];
    span = {token, token, -1, -1, 0, -1};
    if (token > 0 && done_[token - 1]) {
        span.left = ending_[token - 1];
        span.start = spans_[span.left].start;
    }
    if (token + 1 < x_->T && done_[token + 1]) {
        span.right = starting_[token + 1];
        span.end = spans_[span.right].end;
    }
}

Beside GuidedSearch::beside(const State* a, const State* b) const {
    return {a ? a->second_last : kUnknown, a ? a->last : kUnknown, b ? b->first : kUnknown, b ? b->second : kUnknown};
}

Beside GuidedSearch::beside(int token, const State& state) const {
    const Span& span = spans_[token];
    return beside(span.left < 0 ? nullptr : states(span.left) + state.a,
                  span.right < 0 ? nullptr : states(span.right) + state.b);
}

void GuidedSearch::add_side(int token, Side side, const Beside& beside, float* out) const {
    const std::uint32_t first = entries_begin_[side][token], last = entries_begin_[side][token + 1];
    weights_.contexts.add_to({entries_[side].data() + first, last - first}, weights_.contexts.terms(beside), out);
}

// What the scheme forbids next to a known label on the left and on the right.
void GuidedSearch::add_transitions(const Beside& beside, float* out) const {
    if (forbidden_.empty()) return;
    if (beside[1] != kUnknown) add_vector(out, forbidden_.data() + beside[1] * L_, L_);
    if (beside[2] != kUnknown)
        for (std::size_t y = 0; y < L_; ++y) out[y] += forbidden_[y * L_ + beside[2]];
}

// Scores that depend on one side only, once for each state of that side: [n, L].
void GuidedSearch::score_side(int token, Side side, const State* first, int n, std::vector<float>& out) {
    out.assign(n * L_, 0.0F);
    for (int i = 0; first && i < n; ++i) {
        const auto labels = [&](int k) {
            return side == kLeftSide ? beside(first + k, nullptr) : beside(nullptr, first + k);
        };
        float* row = out.data() + i * L_;
        int same = 0;  // states that differ only on their far side look the same from here
        while (same < i && labels(same) != labels(i)) ++same;
        if (same < i) {
            std::copy_n(out.data() + same * L_, L_, row);
        } else {
            add_side(token, side, labels(i), row);
            add_transitions(labels(i), row);
        }
    }
}

void GuidedSearch::generate(int token) {
    find_neighbours(token);
    const Span& span = spans_[token];
    const int as = span.left < 0 ? 1 : spans_[span.left].states, bs = span.right < 0 ? 1 : spans_[span.right].states;
    const State* a = span.left < 0 ? nullptr : states(span.left);
    const State* b = span.right < 0 ? nullptr : states(span.right);
    score_side(token, kLeftSide, a, as, left_);
    score_side(token, kRightSide, b, bs, right_);
    for (int i = 0; i < as; ++i)  // the scores of the word are added to the left side
        add_vector(left_.data() + i * L_, node(token), L_);
    score_pairs(token, a, as, b, bs);
    if (x_->labels.empty()) return;
    const int gold_a = a ? spans_[span.left].gold : 0, gold_b = b ? spans_[span.right].gold : 0;
    for (int k = 0; k < span.states; ++k) {
        const State& state = states(token)[k];
        if (state.label == x_->labels[token] && state.a == gold_a && state.b == gold_b) spans_[token].gold = k;
    }
}

// Every pair of states, every label: V = V(a) + V(b) + U.
void GuidedSearch::score_pairs(int token, const State* a, int as, const State* b, int bs) {
    const Span& span = spans_[token];
    const State& worst = states(token)[beam_ - 1];
    const std::int32_t L = to_int32(L_);
    for (int i = 0; i < as; ++i) {
        for (int j = 0; j < bs; ++j) {
            const float* u = left_.data() + i * L_;
            if (b) {
                pair_.assign(L_, 0.0F);
                if (a) add_side(token, kBothSides, beside(a + i, b + j), pair_.data());
                add_two(pair_.data(), u, right_.data() + j * L_, L_);
                u = pair_.data();
            }
            const double before = (a ? a[i].v : 0.0) + (b ? b[j].v : 0.0);
            for (std::int32_t y = 0; y < L; ++y) {
                if (span.states == rules_.beam && before + u[y] <= worst.v) continue;
                State state{before + u[y], u[y], y, i, j, y, kUnknown, kUnknown, y};
                if (a) {
                    state.first = a[i].first;
                    state.second = a[i].second == kUnknown ? y : a[i].second;
                    state.second_last = a[i].last;
                }
                if (b) {
                    state.last = b[j].last;
                    state.second_last = b[j].second_last == kUnknown ? y : b[j].second_last;
                    if (!a) state.second = b[j].first;
                }
                offer(token, state);
            }
        }
    }
}

// Keeps the best B states, the best first; of equal ones the earlier comes first.
void GuidedSearch::offer(int token, State state) {
    State* kept = states(token);
    int& n = spans_[token].states;
    int place = n;
    for (int k = 0; k < n; ++k) {
        if (!kept[k].sees_same(state)) continue;
        if (kept[k].v >= state.v) return;
        place = k;  // it takes the place of this one, or a better one
        break;
    }
    if (place == n) {
        if (n < rules_.beam)
            ++n;
        else
            --place;
    }
    while (place > 0 && kept[place - 1].v < state.v) {
        kept[place] = kept[place - 1];
        --place;
    }
    kept[place] = state;
}

// ------------------------------------------------------------------------------------------- learning

Action GuidedSearch::top_action(int token) const {
    const State& top = *states(token);
    return {token, top.label, beside(token, top), top.u};
}

Action GuidedSearch::with_gold(const Action& action) const {
    constexpr int kOffsets[4] = {-2, -1, 1, 2};
    Action gold{action.token, x_->labels[action.token], action.beside, 0};
    for (std::size_t k = 0; k < 4; ++k)
        if (gold.beside[k] != kUnknown) gold.beside[k] = x_->labels[action.token + kOffsets[k]];
    return gold;
}

std::vector<Action> GuidedSearch::actions(int token, int state_of_token) const {
    std::vector<std::pair<int, int>> open{{token, state_of_token}};
    std::vector<Action> found;
    while (!open.empty()) {
        const auto [t, k] = open.back();
        open.pop_back();
        const State& state = states(t)[k];
        found.push_back({t, state.label, beside(t, state), state.u});
        if (spans_[t].left >= 0) open.emplace_back(spans_[t].left, state.a);
        if (spans_[t].right >= 0) open.emplace_back(spans_[t].right, state.b);
    }
    return found;
}

// Whether a candidate may look at a label that the action looked at, in the same place.
bool GuidedSearch::is_touched(int token, const Action& action) const {
    const Span& span = spans_[token];
    const auto any = [](const State* first, int n, auto same) { return std::any_of(first, first + n, same); };
    const Beside& y = action.beside;
    if (span.left >= 0 && y[1] != kUnknown && any(states(span.left), spans_[span.left].states, [&](const State& s) {
            return s.last == y[1] || (y[0] != kUnknown && s.second_last == y[0]);
        }))
        return true;
    return span.right >= 0 && y[2] != kUnknown &&
           any(states(span.right), spans_[span.right].states,
               [&](const State& s) { return s.first == y[2] || (y[3] != kUnknown && s.second == y[3]); });
}

// The weights moved +1 along the first and -1 along the second label at `moved`: add that to the scores of the
// words that share features with it. Returns whether there was one.
bool GuidedSearch::move_words(int token, std::int32_t up, std::int32_t down) {
    const Block& block = weights_.words.block(0);
    bool is_changed = false;
    for (const std::int32_t row : x_->at(0, token)) {
        if (marks_[row] != mark_) continue;
        if (block.place(row, up) >= 0) node(token)[up] += 1;
        if (block.place(row, down) >= 0) node(token)[down] -= 1;
        is_changed = true;
    }
    return is_changed;
}

void GuidedSearch::rescore(const Action& up, const Action& down) {
    const bool is_relabelled = up.label != down.label && !x_->begin[0].empty();
    if (is_relabelled) {
        marks_.resize(weights_.words.block(0).rows, 0);
        ++mark_;
        for (const std::int32_t row : x_->at(0, up.token)) marks_[row] = mark_;
    }
    for (int t = 0; t < x_->T; ++t) {
        if (done_[t]) continue;
        const bool is_moved = is_relabelled && move_words(t, up.label, down.label);
        if (!is_candidate(t) || !(is_moved || is_touched(t, up) || is_touched(t, down))) continue;
        generate(t);
        enter(t);
    }
}

// -------------------------------------------------------------------------------------------- results

std::vector<std::pair<int, int>> GuidedSearch::accepted() const {
    std::vector<std::pair<int, int>> spans;
    for (int t = 0; t < T(); ++t) {
        if (!done_[t]) continue;
        spans.emplace_back(t, spans_[starting_[t]].end);
        t = spans.back().second;
    }
    return spans;
}

std::vector<int> GuidedSearch::candidates() const {
    std::vector<int> tokens;
    for (std::size_t i = tree_.size() / 2; i < tree_.size(); ++i)
        if (tree_[i] >= 0) tokens.push_back(tree_[i]);
    return tokens;
}

std::vector<float> GuidedSearch::scores(const Action& action) const {
    std::vector<float> out(node(action.token), node(action.token) + L_);
    for (const Side side : {kLeftSide, kRightSide, kBothSides}) add_side(action.token, side, action.beside, out.data());
    add_transitions(action.beside, out.data());
    return out;
}

void GuidedSearch::check() const {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw std::logic_error(what);
    };
    const int first = to_int32(std::ranges::find(done_, 0) - done_.begin());
    const int last = to_int32(done_.rend() - std::find(done_.rbegin(), done_.rend(), 0)) - 1;
    for (int t = 0; t < T(); ++t) {
        if (done_[t]) {
            const Span& span = spans_[starting_[t]];
            require(span.start == t && ending_[span.end] == starting_[t], "an accepted span has lost its ends");
            for (; t < span.end; ++t) require(done_[t], "an accepted span holds an unlabelled token");
            require(t + 1 == T() || !done_[t + 1], "two accepted spans touch");
            continue;
        }
        require(is_candidate(t) == may_be_next(t, first, last), "a token has no candidate, or should not");
        if (!is_candidate(t)) continue;
        const bool left = t > 0 && done_[t - 1], right = t + 1 < T() && done_[t + 1];
        require(spans_[t].start == (left ? spans_[ending_[t - 1]].start : t), "a candidate starts elsewhere");
        require(spans_[t].end == (right ? spans_[starting_[t + 1]].end : t), "a candidate ends elsewhere");
    }
}

std::vector<double> GuidedSearch::beam(int token) const {
    std::vector<double> scores;
    for (int k = 0; k < spans_[token].states; ++k) scores.push_back(states(token)[k].v);
    return scores;
}

void GuidedSearch::labels(LabelsOut out) const {
    if (T() == 0) return;
    for (const Action& action : actions(ending_[T() - 1])) out[action.token] = action.label;
}

NBest GuidedSearch::nbest(int n) const {
    NBest list{T(), {}, {}};
    if (T() == 0) {
        list.scores.push_back(0);
        return list;
    }
    const int whole = ending_[T() - 1];
    for (int k = 0; k < std::min(n, spans_[whole].states); ++k) {
        const double score = states(whole)[k].v;
        if (k > 0 && score < kForbidden / 2) break;
        list.scores.push_back(score);
        list.labels.resize(list.labels.size() + T());
        for (const Action& action : actions(whole, k)) list.labels[k * T() + action.token] = action.label;
    }
    return list;
}

}  // namespace perceptag
