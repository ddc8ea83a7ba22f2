#include "perceptag/search/span_states.hpp"

#include <algorithm>

#include "perceptag/core/integers.hpp"

namespace perceptag {

SpanStates::SpanStates(const ChunkPairs& pairs, const SequenceRules& rules, int T)
    : pairs_(pairs), rules_(rules), T_(T), needed_(T_, Needed::kNothing), kind_(T_, -1), is_first_(T_, 0) {
    for (const std::int32_t t : rules.sentences) is_first_[t] = 1;
    for (const SpanRule& rule : rules.spans)
        if (rule.say == Say::kForce) force(rule);
    make_groups(rules);
    make_states(pairs.kind.size());
    place_groups();
}

void SpanStates::force(const SpanRule& rule) {
    for (std::int32_t t = rule.start; t < rule.end; ++t) {
        needed_[t] = t == rule.start ? Needed::kBegin : Needed::kInside;
        kind_[t] = rule.kind;
    }
    const std::size_t after = rule.end;
    if (pairs_.are_chunks && after < T_ && needed_[after] == Needed::kNothing) needed_[after] = Needed::kEnd;
}

// A span of one token that is not a chunk needs no state: its label says it.
void SpanStates::make_groups(const SequenceRules& rules) {
    std::vector<const SpanRule*> order;
    for (const SpanRule& rule : rules.spans)
        if (rule.say != Say::kForce && (pairs_.are_chunks || rule.end - rule.start > 1)) order.push_back(&rule);
    std::ranges::stable_sort(order, [](const SpanRule* a, const SpanRule* b) {
        return a->start != b->start ? a->start < b->start : a->kind < b->kind;
    });
    for (const SpanRule* rule : order) {
        if (groups_.empty() || groups_.back().start != rule->start || groups_.back().kind != rule->kind)
            groups_.push_back({rule->kind, rule->start, rule->end, 0, {}});
        groups_.back().end = std::max(groups_.back().end, rule->end);
        groups_.back().rules.push_back(rule);
    }
    std::vector<std::vector<std::int32_t>> busy;  // for each type, until where each of its copies is taken
    for (Group& group : groups_) {
        busy.resize(std::max(busy.size(), static_cast<std::size_t>(group.kind) + 1));
        auto& ends = busy[group.kind];
        const auto free = std::ranges::find_if(ends, [&](std::int32_t end) { return end <= group.start; });
        group.copy = to_int32(free - ends.begin());
        if (free == ends.end())
            ends.push_back(group.end);
        else
            *free = group.end;
    }
    for (const auto& ends : busy) copies_.push_back(to_int32(ends.size()));
}

void SpanStates::make_states(std::size_t L) {
    for (std::size_t y = 0; y < L; ++y) {
        first_.push_back(label_.size());
        const std::int32_t kind = pairs_.kind[y];
        const bool has_copies = kind >= 0 && kind < std::ssize(copies_);
        label_.insert(label_.end(), 1 + (has_copies ? copies_[kind] : 0), to_int32(y));
    }
}

void SpanStates::place_groups() {
    group_.assign(T_ * size(), kDead);
    for (std::size_t t = 0; t < T_; ++t)
        for (const std::size_t state : first_) group_[t * size() + state] = kPlain;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t y = 0; y < first_.size(); ++y) {
            if (pairs_.kind[y] != groups_[g].kind) continue;
            for (std::int32_t t = groups_[g].start; t < groups_[g].end; ++t)
                group_[t * size() + first_[y] + 1 + groups_[g].copy] = to_int32(g);
        }
}

// --------------------------------------------------------------------------------------------- from state to state

bool SpanStates::is_allowed(std::size_t t, std::size_t y, bool begins, bool joined) const {
    const bool is_kind = pairs_.kind[y] == kind_[t];
    switch (needed_[t]) {
        case Needed::kBegin:
            return is_kind && (begins || !pairs_.are_chunks);
        case Needed::kInside:
            return is_kind && (joined || !pairs_.are_chunks);
        case Needed::kEnd:
            return !joined;
        case Needed::kNothing:
            break;
    }
    return true;
}

std::size_t SpanStates::state_of(std::size_t t, std::size_t y, std::int32_t start) const {
    for (std::size_t state = first_[y] + 1; state < size() && label_[state] == label_[first_[y]]; ++state) {
        const std::int32_t group = group_[t * size() + state];
        if (group >= 0 && groups_[group].start == start) return state;
    }
    return first_[y];
}

// The state of label y at t, if the state before belongs to a group, or to none.
std::size_t SpanStates::target(std::size_t t, std::int32_t group, std::size_t y, bool begins, bool joined) const {
    if (pairs_.are_chunks && joined) return group >= 0 ? state_of(t, y, groups_[group].start) : first_[y];
    if (pairs_.are_chunks || !joined) return begins ? state_of(t, y, to_int32(t)) : first_[y];
    // A run goes on. Where the rules about its start have ended, those about a later start may not have.
    const std::int32_t here = to_int32(t);
    for (std::int32_t start = group >= 0 ? groups_[group].start : here; start <= here; ++start)
        if (const std::size_t state = state_of(t, y, start); state != first_[y]) return state;
    return first_[y];
}

float SpanStates::at_end(std::int32_t group, std::size_t t) const {
    float total = 0;
    const std::int32_t end = to_int32(t);
    if (group < 0 || groups_[group].end < end) return total;
    for (const SpanRule* rule : groups_[group].rules)
        if (rule->end == end) total += rule->say == Say::kForbid ? kForbiddenScore : rule->weight;
    return total;
}

// ------------------------------------------------------------------------------------------------------ the lattice

void SpanStates::expand(const Lattice& in, Lattice& out) {
    const bool is_plain = !pairs_.are_chunks && size() == first_.size();  // edges say nothing new
    out.T = in.T;
    out.L = to_int32(size());
    out.order = is_plain ? in.order : std::max(in.order, 1);
    out.plain_edge = out.plain_trigram = nullptr;
    out.observed_edge.clear();
    out.observed_trigram.clear();
    out.edge_bounds = is_plain ? in.edge_bounds : nullptr;
    out.bounds = is_plain ? in.bounds : nullptr;
    expand_nodes(in, out);
    if (is_plain) {
        out.plain_edge = in.plain_edge;
        out.observed_edge = in.observed_edge;
    } else {
        expand_edges(in, out);
    }
    if (in.order == 2) expand_trigrams(in, out);
}

void SpanStates::expand_nodes(const Lattice& in, Lattice& out) const {
    const std::size_t S = size();
    out.node.assign(T_ * S, kForbiddenScore);
    for (std::size_t t = 0; t < T_; ++t)
        for (std::size_t i = 0; i < S; ++i)
            if (is_alive(t, i)) out.node[t * S + i] = in.nodes(t)[label_[i]];
    if (pairs_.are_chunks) {  // a chunk ends at the end of the sequence, too
        for (std::size_t i = 0; T_ > 0 && i < S; ++i) out.nodes(T_ - 1)[i] += at_end(group_[(T_ - 1) * S + i], T_);
        return;
    }
    for (std::size_t t = 0; t < T_; ++t)
        for (std::size_t i = 0; i < S; ++i)
            if (!is_allowed(t, label_[i], true, true)) out.node[t * S + i] = kForbiddenScore;
    for (const SpanRule& rule : rules_.spans) {
        if (rule.say == Say::kForce) continue;
        const std::size_t t = rule.end - 1;
        for (std::size_t i = 0; i < S; ++i) {
            const std::int32_t group = group_[t * S + i];
            const bool holds = rule.end - rule.start == 1 || (group >= 0 && groups_[group].start <= rule.start);
            if (pairs_.kind[label_[i]] == rule.kind && holds)
                out.node[t * S + i] += rule.say == Say::kForbid ? kForbiddenScore : rule.weight;
        }
    }
}

void SpanStates::expand_edges(const Lattice& in, Lattice& out) const {
    const std::size_t S = size(), L = first_.size();
    out.observed_edge.assign(observed_edge_at(T_, S), kForbiddenScore);
    for (std::size_t t = 0; t < T_; ++t) {
        float* to = out.observed_edge.data() + observed_edge_at(t, S);
        const float* edge = in.has_edges() ? in.edge(t) : nullptr;
        for (std::size_t i = 0; i < (t ? S : 1); ++i) {
            if (t && !is_alive(t - 1, i)) continue;
            const std::size_t u = t ? label_[i] : 0, row = t && !is_first_[t] ? u : L;
            const std::int32_t group = t ? group_[(t - 1) * S + i] : kPlain;
            for (std::size_t y = 0; y < L; ++y) {
                const bool begins = pairs_.begins[row * L + y], joined = row < L && pairs_.joined[row * L + y];
                if (!is_allowed(t, y, begins, joined)) continue;
                const float ended = pairs_.are_chunks && !joined ? at_end(group, t) : 0.0F;
                to[i * S + target(t, group, y, begins, joined)] = (edge ? edge[u * L + y] : 0.0F) + ended;
            }
        }
    }
}

void SpanStates::expand_trigrams(const Lattice& in, Lattice& out) {
    const std::size_t S = size(), L = first_.size();
    if (S == L) {
        out.plain_trigram = in.plain_trigram;
        out.observed_trigram = in.observed_trigram;
        return;
    }
    const auto spread = [&](const float* from, float* to) {  // [L] to [S]
        for (std::size_t i = 0; i < S; ++i) to[i] = from[label_[i]];
    };
    if (in.observed_trigram.empty()) {
        trigram_.resize(combinations(2, S));
        const auto label = [&](std::size_t i) { return i < S ? static_cast<std::size_t>(label_[i]) : L; };
        for (std::size_t v = 0; v <= S; ++v)
            for (std::size_t u = 0; u <= S; ++u)
                spread(in.plain_trigram + (label(v) * (L + 1) + label(u)) * L, trigram_.data() + (v * (S + 1) + u) * S);
        out.plain_trigram = trigram_.data();
        return;
    }
    out.observed_trigram.resize(observed_trigram_at(T_, 0, S));
    for (std::size_t t = 0; t < T_; ++t)
        for (std::size_t v = 0; v < (t > 1 ? S : 1); ++v)
            for (std::size_t u = 0; u < (t > 0 ? S : 1); ++u)
                spread(in.trigram(t, t > 1 ? label_[v] : 0) + (t > 0 ? label_[u] : 0) * L,
                       out.observed_trigram.data() + observed_trigram_at(t, v, S) + u * S);
}

}  // namespace perceptag
