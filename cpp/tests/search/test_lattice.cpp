#include "check.hpp"
#include "perceptag/search/max_marginals.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/viterbi.hpp"
#include "perceptag/search/viterbi2.hpp"
#include "random_lattice.hpp"

using namespace perceptag;

void test_viterbi_equals_enumeration() {
    Worker worker;
    for_random_lattices(300, [&](const Lattice& x) {
        const std::vector<Scored> all = enumerate(x);
        std::vector<std::int32_t> labels(x.T);
        const double score = viterbi(x, worker, labels);
        if (all.empty())
            CHECK(score == -std::numeric_limits<double>::infinity());
        else
            CHECK(score == all[0].first && labels == all[0].second);
    });
}

void test_max_marginals_equal_enumeration() {
    for_random_lattices(100, [](const Lattice& x) {
        const std::vector<Scored> all = enumerate(x);
        const std::size_t T = x.T, L = x.L;
        std::vector<float> found(T * L), expected(T * L, -std::numeric_limits<float>::infinity());
        const double best = max_marginals(x, found.data());
        if (all.empty()) {
            CHECK(best == -std::numeric_limits<double>::infinity());
            return;
        }
        CHECK(best == all[0].first);
        for (const auto& [score, labels] : all)
            for (std::size_t t = 0; t < T; ++t) {
                float& behind = expected[t * L + labels[t]];
                behind = std::max(behind, static_cast<float>(score - best));
            }
        CHECK(found == expected);
    });
}

// With many labels pairs are left out; the result is that of the full search, ties included.
void test_bounded_search_equals_full_search() {
    std::mt19937 random(49);
    Worker worker;
    for (int round = 0; round < 400; ++round) {
        const int T = 1 + static_cast<int>(random() % 12), L = 9 + static_cast<int>(random() % 40);
        const int range = round % 3 == 0 ? 1 : round % 3 == 1 ? 40 : 1000;
        RandomLattice made(random, T, L, 2, false, range, random() % 4 == 0);
        if (round % 2)  // a few labels stand out at each position, as in real data
            for (float& score : made.x.node) score += random() % 8 == 0 ? static_cast<float>(range) : 0.0F;
        if (round % 5 == 0) made.x.plain_edge = nullptr;
        std::vector<std::int32_t> full(T), bounded(full);
        full_viterbi2(made.x, worker, full);
        PairBounds bounds;
        for (const bool ready : {false, true}) {
            if (ready) bounds.set(made.x.plain_edge, made.x.plain_trigram, L), made.x.bounds = &bounds;
            viterbi2(made.x, worker, bounded);
            const double score = made.x.score(full);
            CHECK(made.x.score(bounded) == score);
            if (score > -std::numeric_limits<double>::infinity()) CHECK(bounded == full);
        }
    }
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
                CHECK(std::equal(all[i].second.begin(), all[i].second.end(), found[i].begin()));
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
        CHECK(viterbi(made.x, worker, best) == found.scores[0]);
        CHECK(std::equal(best.begin(), best.end(), found[0].begin()));
        std::vector<std::vector<std::int32_t>> distinct;
        for (std::size_t i = 0; i < found.size(); ++i) {
            CHECK(made.x.score(found[i]) == found.scores[i]);
            CHECK(i == 0 || found.scores[i] <= found.scores[i - 1]);
            distinct.emplace_back(found[i].begin(), found[i].end());
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
