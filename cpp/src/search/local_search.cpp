#include "perceptag/search/local_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

// One way to a state: its score, and the way that it continues.
struct Way {
    double score;
    std::int32_t state;  // number among the states kept at the token before
    std::int32_t rank;
};

// The states kept at a token, by rising code: y in models of order 0 and 1, else y-1 * L + y.
struct Column {
    std::vector<std::int32_t> codes;
    std::vector<std::int32_t> begin{0};  // [states + 1] where the ways of each begin
    std::vector<Way> ways;               // best first

    std::size_t size() const { return codes.size(); }
    std::span<const Way> at(std::size_t s) const { return {ways.data() + begin[s], ways.data() + begin[s + 1]}; }
    void add(std::int32_t code, std::span<const Way> some) {
        codes.push_back(code);
        ways.insert(ways.end(), some.begin(), some.end());
        begin.push_back(to_int32(ways.size()));
    }
};

// log P(. | history) at t; `code` is that of the state at t - 1.
void log_probabilities(const Lattice& x, int t, std::int32_t code, double* out) {
    const std::size_t L = x.L;
    const std::size_t u = t == 0 ? 0 : code % L;
    const int v = code / x.L;
    const float* node = x.nodes(t);
    const float* edge = x.has_edges() ? x.edge(t) + u * L : nullptr;
    const float* trigram = x.order == 2 ? x.trigram(t, v) + u * L : nullptr;
    double top = kForbidden, total = 0;
    for (std::size_t y = 0; y < L; ++y) {
        out[y] = node[y];
        if (edge) out[y] += edge[y];
        if (trigram) out[y] += trigram[y];
        top = std::max(top, out[y]);
    }
    for (std::size_t y = 0; y < L; ++y) total += std::exp(out[y] - top);
    const double log_z = top + std::log(total);
    for (std::size_t y = 0; y < L; ++y) out[y] -= log_z;
}

class Search {
  public:
    Search(const Lattice& lattice, const Sequence& x, Limits limits, int beam, int n)
        : lattice_(lattice), x_(x), limits_(std::move(limits)), beam_(beam), n_(n) {}

    NBest run() {
        search();
        return read();
    }

    // For each token the best labelling without the label that it has; empty where the search finds none.
    Rivals rivals(Labelling labels) {
        search();
        Rivals rivals{std::vector<Rival>(lattice_.T), 0};
        if (columns_.back().size() == 0) return rivals;
        const std::vector<std::int32_t> best = path(lattice_.T, best_state(columns_.back()));
        for (int t = 0; t < lattice_.T; ++t) rivals.found[t].labels = rival(t, labels[t], best, rivals.steps);
        return rivals;
    }

  private:
    void search() {
        Column start;
        const Way nothing{0.0, 0, 0};
        start.add(0, {&nothing, 1});
        columns_.assign(1, start);
        for (int t = 0; t < lattice_.T; ++t) columns_.push_back(prune(extend(columns_.back(), t)));
    }

    // The numbers of the states that lead to one at t, [t + 1], in the columns of the best labelling.
    std::vector<std::int32_t> path(int t, std::int32_t state) const {
        std::vector<std::int32_t> found(t + 1);
        for (;; --t) {
            found[t] = state;
            if (t == 0) return found;
            state = columns_[t].at(state)[0].state;
        }
    }

    // `best` has the numbers of the states of the best labelling.
    std::vector<std::int32_t> rival(int t, std::int32_t label, const std::vector<std::int32_t>& best,
                                    std::size_t& steps) {
        limits_.without_t = t, limits_.without_label = label;
        std::vector<Column> own{prune(extend(columns_[t], t))};
        limits_.without_t = -1;
        int end = t + 1;  // own.back() is at this token
        while (end < lattice_.T && own.back().size() && !choose_alike(own.back(), columns_[end]))
            own.push_back(prune(extend(own.back(), end++)));
        steps += own.size();
        if (own.back().size() == 0) return {};
        std::vector<std::int32_t> labels(lattice_.T);
        for (int k = end; k < lattice_.T; ++k) labels[k] = columns_[k + 1].codes[best[k + 1]] % lattice_.L;
        std::int32_t state = end < lattice_.T ? best[end] : best_state(own.back());
        for (int k = end; k > t; --k) {
            const Column& column = own[k - t - 1];
            labels[k - 1] = column.codes[state] % lattice_.L;
            state = column.at(state)[0].state;
        }
        for (int k = t; k > 0; --k) {
            labels[k - 1] = columns_[k].codes[state] % lattice_.L;
            state = columns_[k].at(state)[0].state;
        }
        return labels;
    }

    // Whether two columns have the same states, and scores that differ by the same amount, but for rounding: then what
    // comes after them is the same.
    static bool choose_alike(const Column& one, const Column& other) {
        constexpr double kRounding = 1e-9;
        if (one.codes != other.codes) return false;
        const double shift = one.at(0)[0].score - other.at(0)[0].score;
        for (std::size_t s = 1; s < one.size(); ++s)
            if (std::abs(one.at(s)[0].score - other.at(s)[0].score - shift) > kRounding) return false;
        return true;
    }

    // The state of the best way; of equal ones the first in the order of labellings.
    std::int32_t best_state(const Column& column) const {
        std::vector<std::size_t> order(column.size());
        std::iota(order.begin(), order.end(), 0);
        sort_by_label(column, order);
        return to_int32(*std::ranges::max_element(order, {}, [&](std::size_t s) { return column.at(s)[0].score; }));
    }

    bool is_allowed(int t, std::size_t u, std::size_t y) const {
        const std::size_t L = lattice_.L;
        if (t == limits_.without_t && to_int32(y) == limits_.without_label) return false;
        if (!limits_.allowed.empty() && !limits_.allowed[(t == 0 ? L : u) * L + y]) return false;
        if (!limits_.last.empty() && t == lattice_.T - 1 && !limits_.last[y]) return false;
        if (!limits_.dictionary || x_.closed.empty() || x_.closed[t] < 0) return true;
        return limits_.dictionary->allowed[x_.closed[t]][y];
    }

    // All states at t. Those that lead to the same states are taken together: all, or those with the same last label.
    Column extend(const Column& from, int t) {
        Column to;
        std::vector<std::size_t> order(from.size());
        std::iota(order.begin(), order.end(), 0);
        const bool by_label = lattice_.order == 2 && t > 0;
        if (!by_label) {
            extend_group(from, t, 0, order, to);
            return to;
        }
        sort_by_label(from, order);
        for (auto first = order.begin(); first != order.end();) {
            const std::int32_t label = from.codes[*first] % lattice_.L;
            const auto last =
                std::find_if(first, order.end(), [&](std::size_t s) { return from.codes[s] % lattice_.L != label; });
            extend_group(from, t, label, {first, last}, to);
            first = last;
        }
        return to;
    }

    void extend_group(const Column& from, int t, std::int32_t group, std::span<const std::size_t> members, Column& to) {
        const std::size_t L = lattice_.L;
        log_p_.resize(members.size() * L);
        for (std::size_t k = 0; k < members.size(); ++k)
            log_probabilities(lattice_, t, from.codes[members[k]], log_p_.data() + k * L);
        for (std::size_t y = 0; y < L; ++y) {
            ways_.clear();
            for (std::size_t k = 0; k < members.size(); ++k) {
                const std::size_t s = members[k];
                if (!is_allowed(t, from.codes[s] % L, y)) continue;
                const std::span<const Way> before = from.at(s);
                for (std::size_t rank = 0; rank < before.size(); ++rank)
                    add({before[rank].score + log_p_[k * L + y], to_int32(s), to_int32(rank)});
            }
            if (!ways_.empty()) to.add(group * lattice_.L + to_int32(y), best());
        }
    }

    void add(const Way& way) {
        if (n_ > 1 || ways_.empty())
            ways_.push_back(way);
        else if (way.score > ways_[0].score)
            ways_[0] = way;
    }

    // Ways come in the order that breaks ties, and the sort keeps it.
    std::span<const Way> best() {
        if (ways_.size() > 1)
            std::stable_sort(ways_.begin(), ways_.end(), [](const Way& a, const Way& b) { return a.score > b.score; });
        return {ways_.data(), std::min(n_, ways_.size())};
    }

    // Keeps the states with the best ways; of equal ones those that come first in the order of labellings.
    Column prune(Column&& all) const {
        if (beam_ == 0 || std::ssize(all.codes) <= beam_) return std::move(all);
        std::vector<std::size_t> order(all.size());
        std::iota(order.begin(), order.end(), 0);
        const auto is_better = [&](std::size_t a, std::size_t b) {
            const double difference = all.at(a)[0].score - all.at(b)[0].score;
            return difference != 0 ? difference > 0 : label_order(all.codes[a]) < label_order(all.codes[b]);
        };
        std::partial_sort(order.begin(), order.begin() + beam_, order.end(), is_better);
        order.resize(beam_);
        std::sort(order.begin(), order.end());
        Column kept;
        for (const std::size_t s : order) kept.add(all.codes[s], all.at(s));
        return kept;
    }

    // States in the order of their last label, then of the one before it.
    std::pair<std::int32_t, std::int32_t> label_order(std::int32_t code) const {
        return {code % lattice_.L, code / lattice_.L};
    }

    void sort_by_label(const Column& column, std::vector<std::size_t>& states) const {
        std::sort(states.begin(), states.end(), [&](std::size_t a, std::size_t b) {
            return label_order(column.codes[a]) < label_order(column.codes[b]);
        });
    }

    NBest read() {
        const Column& end = columns_.back();
        std::vector<std::size_t> order(end.size());
        std::iota(order.begin(), order.end(), 0);
        sort_by_label(end, order);
        ways_.clear();
        for (const std::size_t s : order)
            for (std::size_t rank = 0; rank < end.at(s).size(); ++rank)
                ways_.push_back({end.at(s)[rank].score, to_int32(s), to_int32(rank)});
        NBest found;
        found.T = lattice_.T;
        for (Way way : best()) {
            found.scores.push_back(way.score);
            const std::size_t first = found.labels.size();
            found.labels.resize(first + lattice_.T);
            for (int t = lattice_.T; t > 0; --t) {
                const Column& column = columns_[t];
                found.labels[first + t - 1] = column.codes[way.state] % lattice_.L;
                way = column.at(way.state)[way.rank];
            }
        }
        return found;
    }

    const Lattice& lattice_;
    const Sequence& x_;
    Limits limits_;
    int beam_;
    std::size_t n_;
    std::vector<Column> columns_;  // [T + 1], the first holds the start
    std::vector<Way> ways_;        // of one state
    std::vector<double> log_p_;    // [members, L] of one group
};

}  // namespace

NBest local_nbest(const Lattice& lattice, const Sequence& x, const Limits& limits, int beam, int n) {
    NBest found = Search(lattice, x, limits, beam, n).run();
    if (is_found(found)) return found;
    Limits tried = limits;
    const auto search = [&](const TagDictionary* used) {
        tried.dictionary = used;
        return Search(lattice, x, tried, 0, n).run();
    };
    // Where only `without` leaves no labelling, there is none, and nothing else is dropped.
    const auto is_enough = [&](const NBest& list) {
        if (is_found(list) || tried.without_t < 0) return is_found(list);
        Limits any = tried;
        any.without_t = -1;
        return is_found(Search(lattice, x, any, 0, 1).run());
    };
    found = with_fallback(limits.dictionary, search, is_enough);
    if (is_enough(found)) return found;
    tried.allowed.clear(), tried.last.clear();
    return search(nullptr);
}

namespace {

// log P of the label at t.
double log_probability(const Lattice& lattice, Labelling labels, int t, std::vector<double>& log_p) {
    const std::int32_t v = t > 1 ? labels[t - 2] : 0, u = t > 0 ? labels[t - 1] : 0;
    log_p.resize(lattice.L);
    log_probabilities(lattice, t, v * lattice.L + u, log_p.data());
    return log_p[labels[t]];
}

}  // namespace

double local_score(const Lattice& lattice, Labelling labels) {
    std::vector<double> log_p;
    double total = 0;
    for (int t = 0; t < lattice.T; ++t) total += log_probability(lattice, labels, t, log_p);
    return total;
}

Rivals local_rivals(const Lattice& lattice, const Sequence& x, const Limits& limits, int beam, Labelling labels) {
    Rivals rivals = Search(lattice, x, limits, beam, 1).rivals(labels);
    Limits without = limits;
    std::vector<double> log_p;
    for (int t = 0; t < lattice.T; ++t) {
        Rival& rival = rivals.found[t];
        without.without_t = t, without.without_label = labels[t];
        if (rival.labels.empty()) rival.labels = local_nbest(lattice, x, without, beam, 1).labels;
        if (rival.labels.empty()) continue;
        rival.where = where_they_differ(labels, rival.labels);
        for (int k = rival.where.begin; k < std::min(lattice.T, rival.where.end + lattice.order); ++k)
            rival.margin +=
                log_probability(lattice, labels, k, log_p) - log_probability(lattice, rival.labels, k, log_p);
    }
    return rivals;
}

namespace {

// Forgets all but the `beam` largest; of equal ones those with the lower number stay.
void keep_largest(std::vector<double>& mass, int beam) {
    const std::size_t size = beam;
    if (size == 0 || mass.size() <= size) return;
    std::vector<std::size_t> order(mass.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return mass[a] > mass[b]; });
    double kept = 0;
    for (std::size_t i = 0; i < size; ++i) kept += mass[order[i]];
    for (std::size_t i = size; i < order.size(); ++i) mass[order[i]] = 0;
    for (double& m : mass) m /= kept;
}

}  // namespace

std::vector<double> local_pairs(const Lattice& x, int beam) {
    const std::size_t L = x.L, T = x.T;
    const std::size_t states = x.order == 2 ? L * L : L;
    std::vector<double> pairs(T * (L + 1) * L, 0.0), log_p(L), mass(1, 1.0);
    for (std::size_t t = 0; t < T; ++t) {
        std::vector<double> next(states, 0.0);
        for (std::size_t s = 0; s < mass.size(); ++s) {
            if (mass[s] == 0) continue;
            log_probabilities(x, to_int32(t), to_int32(s), log_p.data());
            const std::size_t before = t == 0 ? L : s % L;
            const std::size_t first = x.order == 2 && t > 0 ? before * L : 0;
            for (std::size_t y = 0; y < L; ++y) {
                const double p = mass[s] * std::exp(log_p[y]);
                next[first + y] += p;
                pairs[(t * (L + 1) + before) * L + y] += p;
            }
        }
        keep_largest(next, beam);
        mass.swap(next);
    }
    return pairs;
}

}  // namespace perceptag
