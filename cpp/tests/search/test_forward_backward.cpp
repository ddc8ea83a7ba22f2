#include <cmath>

#include "check.hpp"
#include "perceptag/core/vector_math.hpp"
#include "perceptag/search/forward_backward.hpp"
#include "random_lattice.hpp"

using namespace perceptag;

void test_exponential() {
    for (double x = 0; x > -700; x -= 0.37) CHECK(std::abs(exp_nonpositive(x) / std::exp(x) - 1) < 1e-14);
    CHECK(exp_nonpositive(0) == 1);
    CHECK(exp_nonpositive(-709) == 0);
    CHECK(exp_nonpositive(-std::numeric_limits<double>::infinity()) == 0);
}

// log Z and the marginals of labels, scaled and in logarithms.
void test_marginals_equal_enumeration() {
    ForwardBackward posterior;
    for_random_lattices(100, [&](const Lattice& x) {
        const std::vector<Scored> all = enumerate(x);
        const Potentials plain(x, 1.0);
        for (const bool in_logs : {false, true}) {
            const double log_z = in_logs ? posterior.run_in_logs(x, 1.0) : posterior.run(x, plain, 1.0);
            if (all.empty()) {
                CHECK(log_z == -std::numeric_limits<double>::infinity());
                continue;
            }
            double z = 0;
            for (const auto& [score, labels] : all) z += std::exp(score - all[0].first);
            CHECK(std::abs(log_z - all[0].first - std::log(z)) < 1e-9);
            std::vector<double> node(posterior.node().size(), 0.0);
            for (const auto& [score, labels] : all)
                for (std::size_t t = 0; t < labels.size(); ++t)
                    node[t * x.L + labels[t]] += std::exp(score - all[0].first) / z;
            for (std::size_t i = 0; i < node.size(); ++i) CHECK(std::abs(node[i] - posterior.node()[i]) < 1e-9);
        }
    });
}

// Pairs and triples of labels, summed over what comes before, are the marginals of labels.
void test_marginals_agree_with_each_other() {
    ForwardBackward posterior;
    for_random_lattices(50, [&](const Lattice& x) {
        const std::size_t L = x.L, T = x.T;
        const std::size_t pairs = (L + 1) * L, triples = (L + 1) * pairs;
        if (enumerate(x).empty()) return;
        const Potentials plain(x, 0.5);
        posterior.run(x, plain, 0.5);
        std::vector<double> edges(T * pairs), trigrams(T * triples);
        posterior.add_edges(edges.data(), pairs);
        if (x.order == 2) posterior.add_trigrams(trigrams.data(), triples);
        std::vector<double> from_edges(T * L), from_trigrams(T * L);
        for (std::size_t i = 0; i < edges.size(); ++i) from_edges[i / pairs * L + i % L] += edges[i];
        for (std::size_t i = 0; i < trigrams.size(); ++i) from_trigrams[i / triples * L + i % L] += trigrams[i];
        for (std::size_t i = 0; i < T * L; ++i) {
            CHECK(std::abs(from_edges[i] - posterior.node()[i]) < 1e-9);
            if (x.order == 2) CHECK(std::abs(from_trigrams[i] - posterior.node()[i]) < 1e-9);
        }
    });
}
