// Small random lattices and the obvious way to search them: form every labelling.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "perceptag/core/lattice.hpp"

// Owns the scores that a lattice points to. The range of std::mt19937 is the same everywhere, that of the
// standard distributions is not.
struct RandomLattice {
    perceptag::Lattice x;
    std::vector<float> edges, trigrams;

    RandomLattice(std::mt19937& random, int T, int L, int order, bool observed, int range, bool forbid) {
        const auto score = [&] {
            if (forbid && random() % 5 == 0) return -std::numeric_limits<float>::infinity();
            return static_cast<float>(static_cast<int>(random() % (2 * range + 1)) - range) / 4;
        };
        const auto fill = [&](std::vector<float>& scores, int n) {
            scores.resize(n);
            std::generate(scores.begin(), scores.end(), score);
        };
        x.T = T, x.L = L, x.order = order;
        fill(x.node, T * L);
        if (observed) {
            if (order > 0 && T > 0) fill(x.observed_edge, L + (T - 1) * L * L);
            if (order > 1 && T > 0) fill(x.observed_trigram, L + (T > 1 ? L * L : 0) + std::max(0, T - 2) * L * L * L);
        } else {
            if (order > 0) fill(edges, (L + 1) * L), x.plain_edge = edges.data();
            if (order > 1) fill(trigrams, (L + 1) * (L + 1) * L), x.plain_trigram = trigrams.data();
        }
    }
    RandomLattice(const RandomLattice&) = delete;
    RandomLattice& operator=(const RandomLattice&) = delete;
};

using Scored = std::pair<double, std::vector<std::int32_t>>;

// Every labelling that is not forbidden, in the order that nbest.hpp promises.
inline std::vector<Scored> enumerate(const perceptag::Lattice& x) {
    std::vector<Scored> all;
    std::vector<std::int32_t> labels(x.T, 0);
    for (bool more = true; more;) {
        const double score = x.score(labels);
        if (score > -std::numeric_limits<double>::infinity()) all.emplace_back(score, labels);
        more = false;
        for (std::size_t t = 0; t < labels.size() && !more; ++t) {  // count up, digit by digit
            more = ++labels[t] < x.L;
            if (!more) labels[t] = 0;
        }
    }
    std::sort(all.begin(), all.end(), [](const Scored& a, const Scored& b) {
        if (a.first != b.first) return a.first > b.first;
        return std::lexicographical_compare(a.second.rbegin(), a.second.rend(), b.second.rbegin(), b.second.rend());
    });
    return all;
}

// Calls `test` on lattices of every order and kind.
template <class Test>
void for_random_lattices(int rounds, Test test) {
    std::mt19937 random(20020706);
    for (int round = 0; round < rounds; ++round)
        for (int order = 0; order <= 2; ++order)
            for (const bool observed : {false, true})
                for (const int range : {1, 1000}) {
                    const int T = static_cast<int>(random() % 6), L = 1 + static_cast<int>(random() % 4);
                    const RandomLattice made(random, T, L, order, observed, range, random() % 2 == 0);
                    test(made.x);
                }
}
