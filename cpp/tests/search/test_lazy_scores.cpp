#include "check.hpp"
#include "perceptag/search/max_marginals.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/viterbi.hpp"
#include "perceptag/search/viterbi1.hpp"
#include "random_lattice.hpp"

using namespace perceptag;

namespace {

// Lattices of first order with plain edges: sparse ones as training gives, dense ones, forbidden ones.
template <class Test>
void for_first_order(int rounds, int least, int most, Test test) {
    std::mt19937 random(1009);
    for (int round = 0; round < rounds; ++round) {
        const int T = 1 + static_cast<int>(random() % 9), L = least + static_cast<int>(random() % (most - least + 1));
        const int range = round % 3 == 0 ? 2 : round % 3 == 1 ? 40 : 1000;
        RandomLattice made(random, T, L, 1, false, range, random() % 3 == 0);
        if (round % 2)
            for (float& edge : made.edges)
                if (random() % 8 && edge > kForbiddenScore) edge = 0.0F;
        if (round % 5 < 2)  // a few labels stand out at each position, as in real data
            for (float& score : made.x.node) score += random() % 8 == 0 ? static_cast<float>(range) : 0.0F;
        test(made.x);
    }
}

}  // namespace

void test_lazy_search_equals_full_search() {
    Worker worker;
    for_first_order(600, 1, 90, [&](Lattice& x) {
        std::vector<std::int32_t> full(x.T), lazy(x.T);
        full_viterbi1(x, worker, full);
        lazy_viterbi1(x, worker, lazy);
        CHECK(lazy == full);
        EdgeBounds bounds;
        bounds.set(x.plain_edge, x.L);
        x.edge_bounds = &bounds;
        lazy_viterbi1(x, worker, lazy);
        CHECK(lazy == full);
    });
}

// Scores that are rounded: the same sums are formed, so the bits and with them the labels are the same.
void test_lazy_search_rounds_as_full_search() {
    Worker worker;
    std::mt19937 random(7);
    for_first_order(200, 65, 90, [&](Lattice& x) {
        for (float& score : x.node) score *= 1.0F + static_cast<float>(random() % 1000) * 1e-4F;
        std::vector<std::int32_t> full(x.T), lazy(x.T);
        full_viterbi1(x, worker, full);
        lazy_viterbi1(x, worker, lazy);
        CHECK(lazy == full);
    });
}

void test_search_with_gaps_equals_full_search() {
    Worker worker;
    std::mt19937 random(11);
    std::size_t kept = 0, all = 0;
    for_first_order(900, 8, 64, [&](Lattice& x) {
        const bool is_rounded = random() % 2 == 0;
        for (float& score : x.node) score *= is_rounded ? 1.0F + static_cast<float>(random() % 1000) * 1e-4F : 1.0F;
        std::vector<std::int32_t> full(x.T), found(x.T);
        full_viterbi1(x, worker, full);
        EdgeBounds bounds;
        bounds.set(x.plain_edge, x.L);
        x.edge_bounds = &bounds;
        gap_viterbi1(x, worker, found);
        CHECK(found == full);
        kept += worker.kept.begin.back();
        all += worker.alpha.size();
    });
    CHECK(kept < all);
}

void test_gaps_follow_changes() {
    std::mt19937 random(5);
    const std::size_t L = 20;
    std::vector<float> edge((L + 1) * L, 0.0F);
    EdgeBounds bounds;
    bounds.set(edge.data(), L);
    for (int i = 0; i < 400; ++i) {
        const std::size_t code = random() % edge.size();
        edge[code] = random() % 50 == 0 ? kForbiddenScore : static_cast<float>(random() % (i + 7)) / 3 - 3.0F;
        bounds.change(edge.data(), L, code);
        for (std::size_t k = 0; k < L; ++k)
            for (std::size_t v = 0; v < L; ++v)
                for (std::size_t y = 0; y < L; ++y) {
                    const float difference = edge[v * L + y] - edge[k * L + y];
                    CHECK(!(difference > bounds.gaps.beside(k)[v]));
                }
    }
}

// The same scores as edges that may differ by position: for these, searches look at all pairs of labels.
Lattice with_all_pairs(const Lattice& x) {
    Lattice full = x;
    const std::size_t L = x.L;
    for (int t = 0; t < x.T; ++t)
        full.observed_edge.insert(full.observed_edge.end(), x.edge(t), x.edge(t) + (t == 0 ? L : L * L));
    CHECK(x.T == 0 || has_many_plain_edges(x));
    CHECK(x.T == 0 || !has_many_plain_edges(full));
    return full;
}

void test_lazy_lists_equal_full_lists() {
    Worker worker;
    for_first_order(120, 65, 80, [&](const Lattice& x) {
        for (const int n : {1, 2, 7, 60}) {
            const NBest lazy = nbest(x, n, worker), full = nbest(with_all_pairs(x), n, worker);
            CHECK(lazy.scores == full.scores && lazy.labels == full.labels);
        }
    });
}

void test_lazy_max_marginals_equal_full_ones() {
    for_first_order(60, 65, 80, [&](const Lattice& x) {
        std::vector<float> lazy(x.node.size()), full(lazy);
        CHECK(max_marginals(x, lazy.data()) == max_marginals(with_all_pairs(x), full.data()));
        CHECK(lazy == full);
    });
}

void test_edge_bounds_follow_changes() {
    std::mt19937 random(3);
    const std::size_t L = 5;
    std::vector<float> edge((L + 1) * L, 0.0F);
    EdgeBounds bounds;
    bounds.set(edge.data(), L);
    for (int i = 0; i < 200; ++i) {
        const std::size_t code = random() % edge.size();
        edge[code] += static_cast<float>(random() % 7) - 3.0F;
        bounds.change(edge.data(), L, code);
        for (std::size_t v = 0; v < L; ++v)
            for (std::size_t y = 0; y < L; ++y) {
                CHECK(bounds.transposed[y * L + v] == edge[v * L + y]);
                CHECK(bounds.row[v] >= edge[v * L + y] && bounds.column[y] >= edge[v * L + y]);
            }
    }
}
