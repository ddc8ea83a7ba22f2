#include <cmath>

#include "check.hpp"
#include "perceptag/search/local_search.hpp"
#include "random_lattice.hpp"

using namespace perceptag;

namespace {

// Calls test(lattice) on lattices in which everything is possible.
template <class Test>
void for_open_lattices(int rounds, Test test) {
    std::mt19937 random(19961996);
    for (int round = 0; round < rounds; ++round)
        for (int order = 0; order <= 2; ++order)
            for (const bool observed : {false, true}) {
                const int T = static_cast<int>(random() % 5), L = 1 + static_cast<int>(random() % 4);
                const RandomLattice made(random, T, L, order, observed, round % 2 ? 8 : 1, false);
                test(made.x, random);
            }
}

bool is_allowed(const Limits& limits, const Lattice& x, const std::vector<std::int32_t>& labels) {
    for (int t = 0; t < x.T; ++t) {
        const int before = t > 0 ? labels[t - 1] : x.L;
        if (!limits.allowed[before * x.L + labels[t]]) return false;
    }
    return x.T == 0 || limits.last[labels[x.T - 1]];
}

// The labellings that the limits allow, best first; all of them if there is none.
std::vector<Scored> enumerate_locally(const Lattice& x, const Limits& limits) {
    std::vector<Scored> all = enumerate(x), kept;
    for (Scored& one : all) one.first = local_score(x, one.second);
    for (const Scored& one : all)
        if (is_allowed(limits, x, one.second)) kept.push_back(one);
    if (kept.empty()) kept = all;
    std::sort(kept.begin(), kept.end(), [](const Scored& a, const Scored& b) { return a.first > b.first; });
    return kept;
}

}  // namespace

void test_local_search_equals_enumeration() {
    for_open_lattices(150, [](const Lattice& x, std::mt19937& random) {
        Limits limits;
        const std::size_t L = x.L;
        for (std::size_t i = 0; i < (L + 1) * L; ++i) limits.allowed.push_back(random() % 4 != 0);
        for (std::size_t i = 0; i < L; ++i) limits.last.push_back(random() % 4 != 0);
        const std::vector<Scored> all = enumerate_locally(x, limits);
        Sequence sequence;
        sequence.T = x.T;
        for (const int n : {1, 3, 1000}) {
            const NBest found = local_nbest(x, sequence, limits, 0, n);
            CHECK(found.size() == std::min(all.size(), static_cast<std::size_t>(n)));
            for (std::size_t i = 0; i < found.size(); ++i) {
                CHECK(std::abs(found.scores[i] - all[i].first) < 1e-9);
                CHECK(std::abs(local_score(x, found[i]) - found.scores[i]) < 1e-9);
            }
        }
        const NBest narrow = local_nbest(x, sequence, limits, 1, 1);
        CHECK(narrow.size() == 1 && narrow.scores[0] <= all[0].first + 1e-9);
    });
}

void test_local_pairs_equal_enumeration() {
    for_open_lattices(100, [](const Lattice& x, std::mt19937&) {
        const std::size_t L = x.L;
        std::vector<double> expected(x.T * (L + 1) * L, 0.0);
        for (const Scored& one : enumerate(x))
            for (int t = 0; t < x.T; ++t) {
                const std::int32_t before = t > 0 ? one.second[t - 1] : x.L;
                expected[(t * (L + 1) + before) * L + one.second[t]] += std::exp(local_score(x, one.second));
            }
        const std::vector<double> found = local_pairs(x, 0);
        CHECK(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-9);
    });
}
