#include "perceptag/document/document_search.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/document/exact_scores.hpp"

namespace perceptag {
namespace {

constexpr std::int32_t kFrequent = 8;  // times in a sequence: values of rarer phrases would take more memory than time
constexpr double kForbidden = -std::numeric_limits<double>::infinity();

bool occurs(const PhraseCounts& others) {
    const auto is_some = [](std::int32_t n) { return n > 0; };
    return std::ranges::any_of(others.mentions, is_some) || std::ranges::any_of(others.containing, is_some);
}

}  // namespace

DocumentSearch::DocumentSearch(const MentionWeights& weights, const LabelRoles& roles, AscentSettings settings,
                               std::span<const std::int32_t> begin, std::span<const std::uint8_t> joining,
                               const RepeatedPhrases& phrases, Decode decode)
    : weights_(weights),
      roles_(roles),
      settings_(settings),
      begin_(begin),
      joining_(joining),
      phrases_(phrases),
      decode_(std::move(decode)),
      L_(roles.opens.size()),
      sequences_(begin.size() - 1),
      tally_(phrases, weights.classes()),
      here_(phrases.size(), 0),
      computed_(phrases.size(), -1) {}

std::size_t DocumentSearch::run(LabelsOut labels, Worker& worker) {
    for (std::size_t s = 0; s < sequences_.size(); ++s) start(s, worker);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        bool changed = false;
        for (std::size_t s = 0; s < sequences_.size(); ++s) changed = improve(s, worker) || changed;
        if (!changed) break;
    }
    for (std::size_t s = 0; s < sequences_.size(); ++s) {
        const Sequence& x = sequences_[s];
        std::ranges::copy(x.chosen ? candidate(s, x.chosen) : x.first, labels.begin() + begin_[s]);
    }
    return lists_;
}

// Chooses the best local labelling.
void DocumentSearch::start(std::size_t s, Worker& worker) {
    Sequence& x = sequences_[s];
    x.first.resize(length(s));
    x.local = decode_(s, worker, x.first);
    if (x.local == kForbidden) throw std::invalid_argument("constraints leave no labelling");
    x.order = worker.lattice.order;
    if (worker.lattice.observed_edge.empty() && worker.lattice.observed_trigram.empty()) x.lattice = worker.lattice;
    if (!settings_.is_exact) {  // rounding may make another labelling the first of the list
        make_list(s, worker);
        std::ranges::copy(candidate(s, 0), x.first.begin());
    }
    read_mentions(weights_.reading(), x.first, mentions_, begin_[s]);
    x.mentions = x.counted = mentions_;
    tally_.count(begin_[s], begin_[s + 1], x.mentions, 1);
}

const Lattice& DocumentSearch::lattice_of(std::size_t s, Worker& worker) {
    if (sequences_[s].lattice.T || !length(s)) return sequences_[s].lattice;
    std::vector<std::int32_t> labels(length(s));
    decode_(s, worker, labels);
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
    double top = kForbidden;
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
    const double most = best_with_bonus(lattice_of(s, worker), worker);
    return x.local + beyond >= most && std::abs(most) < kLargestExactSum;
}

// ------------------------------------------------------------------------------------------ non-local scores

void DocumentSearch::read_candidate(std::size_t s, std::size_t k) {
    read_mentions(weights_.reading(), candidate(s, k), mentions_, begin_[s]);
}

void DocumentSearch::place(std::size_t s, const std::vector<Mention>& mentions) {
    tally_.replace(begin_[s], begin_[s + 1], sequences_[s].counted, mentions);
    sequences_[s].counted = mentions;
}

double DocumentSearch::nonlocal_score(std::span<const Mention> mentions) {
    features_.clear();
    const auto add = [&](std::int32_t feature) { features_.push_back(feature); };
    for (const Mention& here : mentions)
        if (const std::int32_t phrase = phrases_.number(here.start, here.end); phrase >= 0)
            tally_.besides(phrase, here.kind,
                           [&](const PhraseCounts& others) { weights_.features().of_mention(here.kind, others, add); });
    weights_.features().of_conjunctions(mentions, joining_, add);
    return weights_.score(features_);
}

// ------------------------------------------------------------------------------------------------- the bound

bool DocumentSearch::fill_bonus(std::size_t s) {
    has_bonus_ = false;
    bonus_.clear();  // made when the first one comes
    count_here(s);
    find_kin(s);
    if (!kin_.empty()) add_mentions(s);
    clear_here(s);
    if (weights_.features().has(kConjunction)) add_conjunctions(s);
    return has_bonus_;
}

// A phrase cannot occur twice where its first word does not.
void DocumentSearch::count_here(std::size_t s) {
    for (std::int32_t t = begin_[s]; t < begin_[s + 1]; ++t)
        if (const auto phrases = phrases_.at(t); !phrases.empty()) ++here_[phrases[0]];
    for (std::int32_t t = begin_[s]; t < begin_[s + 1]; ++t)
        if (const auto phrases = phrases_.at(t); !phrases.empty() && here_[phrases[0]] > 1)
            for (const std::int32_t phrase : phrases.subspan(1)) ++here_[phrase];
}

void DocumentSearch::clear_here(std::size_t s) {
    for (std::int32_t t = begin_[s]; t < begin_[s + 1]; ++t)
        for (const std::int32_t phrase : phrases_.at(t)) here_[phrase] = 0, computed_[phrase] = -1;
    frequent_.clear();
}

// While the sequence is still counted: a word that has no kin then has none without it either.
void DocumentSearch::find_kin(std::size_t s) {
    kin_.clear();
    for (std::int32_t t = begin_[s]; t < begin_[s + 1]; ++t)
        if (has_kin(t)) kin_.push_back(t);
}

// Whether a mention that begins at t may get anything above zero: the word is in a mention of another sequence, it
// occurs again in this one, or it pays to occur unlabelled.
bool DocumentSearch::has_kin(std::int32_t t) const {
    const auto phrases = phrases_.at(t);
    if (phrases.empty()) return false;
    return weights_.most_unlabelled() > 0 || here_[phrases[0]] > 1 || occurs(tally_.of(phrases[0]));
}

void DocumentSearch::add_mentions(std::size_t s) {
    const std::vector<Mention>& now = sequences_[s].counted;
    tally_.count_at(kin_, begin_[s + 1], now, -1);  // what the sequence is now does not count
    for (const std::int32_t t : kin_)
        if (has_kin(t)) add_mentions_at(s, t);
    tally_.count_at(kin_, begin_[s + 1], now, 1);
}

void DocumentSearch::add_mentions_at(std::size_t s, std::int32_t t) {
    const int K = weights_.classes();
    single_.assign(K, 0.0);
    longer_.assign(K, 0.0);  // there may be a phrase that occurs nowhere else
    for (const std::int32_t phrase : phrases_.at(t)) {
        const PhraseCounts others = tally_.of(phrase);
        const bool is_single = phrase == phrases_.at(t)[0], again = here_[phrase] > 1;
        if (!is_single && !again && !others.unlabelled && !occurs(others)) break;  // nor are longer ones anything
        const double* const values = values_of(phrase, others);
        for (int c = 0; c < K; ++c)
            if (is_single)
                single_[c] = values[c];
            else
                longer_[c] = std::max(longer_[c], values[c]);
    }
    for (std::size_t y = 0; y < L_; ++y) {
        if (!roles_.opens[y]) continue;
        const int kind = weights_.reading().kind[y], tag = weights_.reading().tag[y];
        double most = kForbidden;
        if (roles_.opens_single[y]) most = single_[kind];
        if (roles_.opens_longer[y]) most = std::max(most, longer_[kind]);
        if (!always_opens(tag)) most = std::max(most, 0.0);  // where it does not open a mention, it gets nothing
        if (most > kForbidden) add_bonus(s, t, y, most);
    }
}

// By class: the most that a mention of a phrase gets. Counts do not change while a sequence is looked at, so phrases
// that are frequent in it are computed once.
const double* DocumentSearch::values_of(std::int32_t phrase, const PhraseCounts& others) {
    const bool again = here_[phrase] > 1, is_frequent = here_[phrase] > kFrequent;
    if (is_frequent && computed_[phrase] >= 0) return frequent_.data() + computed_[phrase];
    std::vector<double>& values = is_frequent ? frequent_ : rare_;
    if (is_frequent)
        computed_[phrase] = static_cast<std::int32_t>(values.size());
    else
        values.clear();
    const std::size_t first = values.size();
    for (int c = 0; c < weights_.classes(); ++c)
        values.push_back(again ? weights_.most(c, others) : weights_.value(c, others));
    return values.data() + first;
}

void DocumentSearch::add_conjunctions(std::size_t s) {
    const std::int32_t last = begin_[s + 1];
    const std::vector<Mention>& now = sequences_[s].counted;
    auto ending = now.begin(), beginning = now.begin();
    const auto join = [&](std::int32_t left, std::int32_t right) {  // neither ever decreases
        while (ending != now.end() && ending->end <= left) ++ending;
        while (beginning != now.end() && beginning->start < right) ++beginning;
        const bool ends = ending != now.end() && ending->end == left + 1;
        const bool begins = beginning != now.end() && beginning->start == right;
        add_conjunction(s, left, right, ends ? ending->kind : -1, begins);
    };
    for (std::int32_t t = begin_[s] + 1; t + 1 < last; ++t) {
        if (!joining_[t]) continue;
        join(t - 1, t + 1);
        if (t + 2 < last && joining_[t + 1]) join(t - 1, t + 2);
    }
}

// A mention that ends at `left` and one that begins at `right` are joined. In the first labelling, one of class `ends`
// ends there, or none (-1), and one begins there or not.
void DocumentSearch::add_conjunction(std::size_t s, std::int32_t left, std::int32_t right, int ends, bool begins) {
    const int K = weights_.classes();
    shared_.assign(K, 0.0);  // ψ
    for (int c = 0; c < K; ++c)
        for (int a = 0; a < K; ++a)
            if (ends >= 0 ? a == ends : !begins) shared_[c] = std::max(shared_[c], weights_.conjunction_value(a, c));
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

double DocumentSearch::best_with_bonus(const Lattice& x, Worker& worker) {
    if (x.has_spans()) return worker.lengths.best_score(x, bonus_);
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
