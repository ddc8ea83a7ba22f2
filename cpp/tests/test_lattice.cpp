#include "check.hpp"
#include "perceptag/max_marginals.hpp"
#include "perceptag/nbest.hpp"
#include "random_lattice.hpp"

using namespace perceptag;

void test_viterbi_equals_enumeration() {
    Worker worker;
    for_random_lattices(300, [&](const Lattice& x) {
        const std::vector<Scored> all = enumerate(x);
        std::vector<std::int32_t> labels(static_cast<std::size_t>(x.T));
        const double score = viterbi(x, worker, labels.data());
        if (all.empty())
            CHECK(score == -std::numeric_limits<double>::infinity());
        else
            CHECK(score == all[0].first && labels == all[0].second);
    });
}

void test_max_marginals_equal_enumeration() {
    for_random_lattices(100, [](const Lattice& x) {
        const std::vector<Scored> all = enumerate(x);
        const auto T = static_cast<std::size_t>(x.T), L = static_cast<std::size_t>(x.L);
        std::vector<float> found(T * L), expected(T * L, -std::numeric_limits<float>::infinity());
        const double best = max_marginals(x, found.data());
        if (all.empty()) {
            CHECK(best == -std::numeric_limits<double>::infinity());
            return;
        }
        CHECK(best == all[0].first);
        for (const auto& [score, labels] : all)
            for (std::size_t t = 0; t < T; ++t) {
                float& behind = expected[t * L + static_cast<std::size_t>(labels[t])];
                behind = std::max(behind, static_cast<float>(score - best));
            }
        CHECK(found == expected);
    });
}

void test_nbest_equals_enumeration() {
    Worker worker;
    for_random_lattices(100, [&](const Lattice& x) {
        const std::vector<Scored> all = enumerate(x);
        for (const int n : {1, 2, 5, 20, static_cast<int>(all.size()), 10000}) {
            if (n < 1) continue;
            const NBest found = nbest(x, n, worker);
            CHECK(found.size() == std::min(all.size(), static_cast<std::size_t>(n)));
            for (std::size_t i = 0; i < found.size(); ++i) {
                CHECK(found.scores[i] == all[i].first);
                CHECK(std::equal(all[i].second.begin(), all[i].second.end(), found[i]));
            }
        }
    });
}

void test_nbest_of_a_long_lattice() {
    std::mt19937 random(7);
    Worker worker;
    for (int order = 0; order <= 2; ++order) {
        const RandomLattice made(random, 400, 9, order, order == 1, 20, true);
        const NBest found = nbest(made.x, 500, worker);
        std::vector<std::int32_t> best(400);
        CHECK(found.size() == 500);
        CHECK(viterbi(made.x, worker, best.data()) == found.scores[0]);
        CHECK(std::equal(best.begin(), best.end(), found[0]));
        std::vector<std::vector<std::int32_t>> distinct;
        for (std::size_t i = 0; i < found.size(); ++i) {
            CHECK(made.x.score(found[i]) == found.scores[i]);
            CHECK(i == 0 || found.scores[i] <= found.scores[i - 1]);
            distinct.emplace_back(found[i], found[i] + found.T);
        }
        std::sort(distinct.begin(), distinct.end());
        CHECK(std::adjacent_find(distinct.begin(), distinct.end()) == distinct.end());
    }
}

void test_nbest_rejects_n_below_one() {
    Worker worker;
    const Lattice empty;
    CHECK_THROWS(nbest(empty, 0, worker));
    CHECK(nbest(empty, 3, worker).size() == 1);
}
