#include "perceptag/document/document_search.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

}  // namespace

DocumentSearch::DocumentSearch(const MentionWeights& weights, const LabelRoles& roles, AscentSettings settings,
                               std::span<const std::int32_t> begin, std::span<const std::uint8_t> joining,
                               const OccurrenceIndex& where, Decode decode)
    : weights_(weights),
      roles_(roles),
      settings_(settings),
      begin_(begin),
      joining_(joining),
      where_(where),
      decode_(std::move(decode)),
      L_(roles.opens.size()),
      sequences_(begin.size() - 1),
      cover_(joining.size(), Mention{0, 0, -1}),
      inside_(where.size(), 0) {}

std::size_t DocumentSearch::run(std::span<std::int32_t> labels, Worker& worker) {
    for (std::size_t s = 0; s < sequences_.size(); ++s) start(s, worker);
    for (int sweep = 0; sweep < settings_.sweeps; ++sweep) {
        bool changed = false;
        for (std::size_t s = 0; s < sequences_.size(); ++s) changed = improve(s, worker) || changed;
        if (!changed) break;
    }
    for (std::size_t s = 0; s < sequences_.size(); ++s) {
        const Sequence& x = sequences_[s];
        const std::int32_t* from = x.chosen ? x.list[x.chosen] : x.first.data();
        std::copy_n(from, length(s), labels.begin() + begin_[s]);
    }
    return lists_;
}

// Chooses the best local labelling.
void DocumentSearch::start(std::size_t s, Worker& worker) {
    Sequence& x = sequences_[s];
    x.first.resize(length(s));
    x.local = decode_(s, worker, x.first.data());
    if (x.local == -std::numeric_limits<double>::infinity())
        throw std::invalid_argument("constraints leave no labelling");
    x.order = worker.lattice.order;
    if (worker.lattice.observed_edge.empty() && worker.lattice.observed_trigram.empty()) x.lattice = worker.lattice;
    if (!settings_.is_exact) {  // rounding may make another labelling the first of the list
        make_list(s, worker);
        x.first.assign(x.list[0], x.list[0] + length(s));
    }
    read_mentions(weights_.reading(), x.first, mentions_, begin_[s]);
    x.mentions = mentions_;
    place(s, x.mentions);
}

const Lattice& DocumentSearch::lattice_of(std::size_t s, Worker& worker) {
    if (sequences_[s].lattice.T || !length(s)) return sequences_[s].lattice;
    std::vector<std::int32_t> labels(length(s));
    decode_(s, worker, labels.data());
    return worker.lattice;
}

void DocumentSearch::make_list(std::size_t s, Worker& worker) {
    ++lists_;
    sequences_[s].list = nbest(lattice_of(s, worker), settings_.n, worker);
}

// ----------------------------------------------------------------------------------------------- the ascent

// Chooses the best candidate of a sequence, given the others. Returns whether that is another one than before.
bool DocumentSearch::improve(std::size_t s, Worker& worker) {
    Sequence& x = sequences_[s];
    if (x.looked == changes_) return false;  // nothing has changed since, so neither would the choice
    const bool is_first = is_settled(s, worker);
    const std::size_t best = is_first ? 0 : best_candidate(s, worker);
    if (!is_first) {  // the last candidate stands there
        read_candidate(s, best);
        place(s, mentions_);
    }
    const bool changed = best != x.chosen;
    x.chosen = best;
    changes_ += changed;
    x.looked = changes_;
    return changed;
}

std::size_t DocumentSearch::best_candidate(std::size_t s, Worker& worker) {
    Sequence& x = sequences_[s];
    if (!x.list.size()) make_list(s, worker);
    std::size_t best = 0;
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < x.list.size(); ++k) {
        read_candidate(s, k);
        place(s, mentions_);
        const double total = x.list.scores[k] + nonlocal_score(mentions_);
        if (total > top) top = total, best = k;
    }
    return best;
}

// Whether the first labelling is certainly the best, as explained in the header.
bool DocumentSearch::is_settled(std::size_t s, Worker& worker) {
    const Sequence& x = sequences_[s];
    if (!settings_.is_exact || x.order > 1) return false;
    if (x.chosen) place(s, x.mentions);
    const double beyond = nonlocal_score(x.mentions);
    if (!fill_bonus(s) && beyond >= 0) return true;
    const double most = best_with_bonus(lattice_of(s, worker));
    return x.local + beyond >= most && std::abs(most) < 0x1p28;
}

// ------------------------------------------------------------------------------------------ non-local scores

void DocumentSearch::read_candidate(std::size_t s, std::size_t k) {
    read_mentions(weights_.reading(), {sequences_[s].list[k], length(s)}, mentions_, begin_[s]);
}

void DocumentSearch::place(std::size_t s, std::span<const Mention> mentions) {
    for (std::int32_t t = begin_[s]; t < begin_[s + 1]; ++t) {
        if (cover_[t].kind < 0) continue;
        --inside_[where_.word(t)];
        cover_[t].kind = -1;
    }
    for (const Mention& mention : mentions)
        for (int t = mention.start; t < mention.end; ++t) {
            cover_[t] = mention;
            ++inside_[where_.word(t)];
        }
}

bool DocumentSearch::look_around(std::int32_t start, std::int32_t end, std::size_t left_out) {
    elsewhere_.clear(weights_.classes());
    bool is_left_out = false;
    int container = -1;  // where the longer mention begins that was counted last
    where_.others(start, end, [&](std::int32_t from) {
        if (where_.sequence(from) == left_out) {
            is_left_out = true;
            return;
        }
        const Mention& mention = cover_[from];
        const std::int32_t to = from + (end - start);
        if (mention.kind < 0) {
            const auto is_open = [](const Mention& m) { return m.kind < 0; };
            elsewhere_.unlabelled =
                elsewhere_.unlabelled || std::all_of(cover_.begin() + from, cover_.begin() + to, is_open);
        } else if (mention.start == from && mention.end == to) {
            ++elsewhere_.mentions[mention.kind];
        } else if (mention.end >= to && mention.start != container) {
            ++elsewhere_.containing[mention.kind];
            container = mention.start;
        }
    });
    return is_left_out;
}

double DocumentSearch::nonlocal_score(std::span<const Mention> mentions) {
    features_.clear();
    for (std::size_t i = 0; i < mentions.size(); ++i) {
        const Mention& here = mentions[i];
        look_around(here.start, here.end, kNowhere);
        weights_.add_features(here.kind, elsewhere_, features_);
        if (i == 0 || !weights_.has(kConjunction)) continue;
        const Mention& before = mentions[i - 1];
        const int gap = here.start - before.end;
        if (gap >= 1 && gap <= 2 && joining_[before.end] && joining_[here.start - 1])
            features_.push_back(weights_.conjunction(before.kind, here.kind));
    }
    return weights_.score(features_);
}

// ------------------------------------------------------------------------------------------------- the bound

bool DocumentSearch::fill_bonus(std::size_t s) {
    has_bonus_ = false;
    bonus_.clear();  // made when the first one comes
    const std::int32_t first = begin_[s], last = begin_[s + 1];
    for (std::int32_t t = first; t < last; ++t)
        if (has_kin(s, t)) add_mentions(s, t);
    for (std::int32_t t = first + 1; weights_.has(kConjunction) && t + 1 < last; ++t) {
        if (!joining_[t]) continue;
        add_conjunction(s, t - 1, t + 1);
        if (t + 2 < last && joining_[t + 1]) add_conjunction(s, t - 1, t + 2);
    }
    return has_bonus_;
}

// Whether a mention that begins at t may get anything above zero: the word is in a mention of another sequence, it
// occurs again in this one, or it pays to occur unlabelled.
bool DocumentSearch::has_kin(std::size_t s, std::int32_t t) const {
    if (where_.count(t) < 2) return false;
    if (weights_.most_unlabelled() > 0 || inside_[where_.word(t)] > (cover_[t].kind >= 0)) return true;
    const std::int32_t next = where_.next(t);
    return where_.before(t) >= begin_[s] || (next >= 0 && next < begin_[s + 1]);
}

void DocumentSearch::add_mentions(std::size_t s, std::int32_t t) {
    const int K = weights_.classes();
    const auto occurs = [&] {
        return elsewhere_.unlabelled || std::ranges::any_of(elsewhere_.mentions, [](int n) { return n > 0; }) ||
               std::ranges::any_of(elsewhere_.containing, [](int n) { return n > 0; });
    };
    single_.assign(K, 0.0);
    longer_.assign(K, 0.0);  // there may be a string that occurs nowhere else
    for (std::int32_t end = t + 1; end <= begin_[s + 1]; ++end) {
        const bool again = look_around(t, end, s);
        if (!again && !occurs() && end > t + 1) break;
        for (int c = 0; c < K; ++c) {
            const double value = again ? weights_.most(c, elsewhere_) : weights_.value(c, elsewhere_);
            if (end == t + 1)
                single_[c] = value;
            else
                longer_[c] = std::max(longer_[c], value);
        }
    }
    for (std::size_t y = 0; y < L_; ++y) {
        if (!roles_.opens[y]) continue;
        const int kind = weights_.reading().kind[y], tag = weights_.reading().tag[y];
        double most = -std::numeric_limits<double>::infinity();
        if (roles_.opens_single[y]) most = single_[kind];
        if (roles_.opens_longer[y]) most = std::max(most, longer_[kind]);
        const bool always_opens = tag == 1 || tag == 4;
        if (!always_opens) most = std::max(most, 0.0);  // where it does not open a mention, it gets nothing
        if (most > -std::numeric_limits<double>::infinity()) add_bonus(s, t, y, most);
    }
}

// A mention that ends at `left` and one that begins at `right` are joined.
void DocumentSearch::add_conjunction(std::size_t s, std::int32_t left, std::int32_t right) {
    const int K = weights_.classes();
    const Mention &before = cover_[left], &after = cover_[right];
    const bool ends = before.kind >= 0 && before.end == left + 1, begins = after.kind >= 0 && after.start == right;
    shared_.assign(K, 0.0);  // ψ
    for (int c = 0; c < K; ++c)
        for (int a = 0; a < K; ++a)
            if (ends ? a == before.kind : !begins) shared_[c] = std::max(shared_[c], weights_.conjunction_value(a, c));
    for (std::size_t y = 0; y < L_; ++y) {
        const int kind = weights_.reading().kind[y];
        if (roles_.opens[y]) add_bonus(s, right, y, shared_[kind]);
        if (!roles_.closes[y]) continue;
        double rest = 0;  // φ
        for (int c = 0; c < K; ++c) rest = std::max(rest, weights_.conjunction_value(kind, c) - shared_[c]);
        add_bonus(s, left, y, rest);
    }
}

void DocumentSearch::add_bonus(std::size_t s, std::int32_t t, std::size_t y, double value) {
    if (value == 0) return;
    if (bonus_.empty()) bonus_.resize(length(s) * L_, 0.0);
    bonus_[(t - begin_[s]) * L_ + y] += value;
    has_bonus_ = has_bonus_ || value > 0;
}

namespace {

// to[y] = max_v from[v] + edge[v, y]
PERCEPTAG_CLONES void best_before(const double* from, const float* edge, std::size_t L, double* to) {
    for (std::size_t y = 0; y < L; ++y) to[y] = from[0] + edge[y];
    for (std::size_t v = 1; v < L; ++v)
        for (std::size_t y = 0; y < L; ++y) to[y] = std::max(to[y], from[v] + edge[v * L + y]);
}

}  // namespace

double DocumentSearch::best_with_bonus(const Lattice& x) {
    alpha_.assign(2 * L_, 0.0);
    double *from = alpha_.data(), *to = from + L_;
    for (int t = 0; t < x.T; ++t) {
        if (t > 0 && !x.has_edges()) {
            std::fill_n(to, L_, *std::max_element(from, from + L_));
        } else if (t > 0) {
            best_before(from, x.edge(t), L_, to);
        } else {
            for (std::size_t y = 0; y < L_; ++y) to[y] = x.has_edges() ? x.edge(0)[y] : 0.0F;
        }
        for (std::size_t y = 0; y < L_; ++y) to[y] += x.nodes(t)[y];
        if (!bonus_.empty())
            for (std::size_t y = 0; y < L_; ++y) to[y] += bonus_[t * L_ + y];
        std::swap(from, to);
    }
    return *std::max_element(from, from + L_);
}

}  // namespace perceptag
