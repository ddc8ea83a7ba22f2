#include "perceptag/search/lazy_scores.hpp"

#include <algorithm>
#include <type_traits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/vector_math.hpp"

namespace perceptag {
namespace {

PERCEPTAG_CLONES void subtract(float* scores, float top, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) scores[i] -= top;
}

PERCEPTAG_CLONES void add_up(const float* a, const float* b, std::size_t n, double* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = 0.0 + a[i] + b[i];
}

}  // namespace

bool has_many_plain_edges(const Lattice& x) {
    return x.L > kFewEdgeLabels && x.order == 1 && x.plain_edge && x.observed_edge.empty();
}

const EdgeBounds& bounds_of(const Lattice& x, LazyMemory& memory) {
    if (x.edge_bounds) return *x.edge_bounds;
    memory.bounds.set(x.plain_edge, x.L);
    return memory.bounds;
}

template <class Real>
LazyScores<Real>::LazyScores(const Lattice& x, LazyMemory& memory, std::vector<Real>& score)
    : x_(x), m_(memory), score_(score), L_(x.L) {
    const EdgeBounds& bounds = bounds_of(x, memory);
    table_ = {x.plain_edge, bounds.transposed.data(), bounds.row.data(), bounds.column.data(), L_};
    const std::size_t T = x.T;
    m_.exact.resize(T * L_);
    m_.top.assign(T, 0.0F);
    start();
    for (std::size_t t = 1; t < T; ++t) step(t);
}

template <class Real>
void LazyScores<Real>::start() {
    std::fill_n(m_.exact.begin(), L_, std::uint8_t{1});
    if constexpr (std::is_same_v<Real, float>) {
        std::copy_n(x_.edge(0), L_, at(0));
        add_vector(at(0), x_.nodes(0), L_);
    } else {
        add_up(x_.nodes(0), x_.edge(0), L_, at(0));
    }
    find_best(0);
}

template <class Real>
void LazyScores<Real>::step(std::size_t t) {
    std::uint8_t* exact = m_.exact.data() + t * L_;
    const Rest<Real> rest = choose(t - 1);
    if constexpr (std::is_same_v<Real, float>) {
        bounded_step(table_, at(t - 1), m_.rows, rest, at(t), exact);
        add_vector(at(t), x_.nodes(t), L_);
    } else {
        bounded_step(table_, at(t - 1), m_.rows, rest, x_.nodes(t), at(t), exact);
    }
    find_best(t);
}

template <class Real>
Rest<Real> LazyScores<Real>::choose(std::size_t t) {
    Rest<Real> rest = choose_rows(table_, at(t), best_, m_.rows);
    std::erase_if(m_.rows, [&](std::uint32_t v) {  // by exact scores, some are not to be looked at after all
        if (is_exact(t, v)) return false;
        make_exact(t, v);
        const Real reach = at(t)[v] + table_.row[v];
        if (reach > at(t)[best_]) return false;
        rest.add(at(t)[v], reach);
        return true;
    });
    return rest;
}

template <class Real>
void LazyScores<Real>::find_best(std::size_t t) {
    Best best = best_label(at(t), L_);
    for (; !is_exact(t, best.label); best = best_label(at(t), L_)) make_exact(t, best.label);
    best_ = best.label;
    if constexpr (std::is_same_v<Real, float>) {
        const auto top = static_cast<float>(best.score);
        if (top == kForbiddenScore) return;
        m_.top[t] = top;
        subtract(at(t), top, L_);
    }
}

template <class Real>
Best LazyScores<Real>::best_before(std::size_t t, std::size_t y) const {
    if constexpr (std::is_same_v<Real, float>)
        return best_sum(at(t - 1), edges_to(y), L_);
    else
        return best_sum(at(t - 1), x_.nodes(t)[y], edges_to(y), L_);
}

template <class Real>
void LazyScores<Real>::set(std::size_t t, std::size_t y, double score) {
    if constexpr (std::is_same_v<Real, float>)
        at(t)[y] = static_cast<float>(score) + x_.nodes(t)[y] - m_.top[t];
    else
        at(t)[y] = score;
    m_.exact[t * L_ + y] = 1;
}

template <class Real>
void LazyScores<Real>::make_exact(std::size_t t, std::size_t y) {
    m_.open.assign(1, {t, y});
    while (!m_.open.empty()) {  // not by recursion: it may go back to the first token
        const auto [s, label] = m_.open.back();
        const Best best = best_before(s, label);
        if (is_exact(s - 1, best.label)) {
            set(s, label, best.score);
            m_.open.pop_back();
        } else {
            m_.open.emplace_back(s - 1, best.label);
        }
    }
}

template <class Real>
std::size_t LazyScores<Real>::before(std::size_t t, std::size_t y) {
    Best best = best_before(t, y);
    for (; !is_exact(t - 1, best.label); best = best_before(t, y)) make_exact(t - 1, best.label);
    return best.label;
}

template class LazyScores<float>;
template class LazyScores<double>;

}  // namespace perceptag
