#include "perceptag/linear/online.hpp"

#include <cmath>

#include "perceptag/search/viterbi.hpp"

namespace perceptag {
namespace {

// The product of two sparse vectors whose components are sorted by place.
double dot(const std::vector<Component>& a, const std::vector<Component>& b) {
    double sum = 0;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (i->block != j->block)
            ++(i->block < j->block ? i : j);
        else if (i->place != j->place)
            ++(i->place < j->place ? i : j);
        else
            sum += i++->value * j++->value;
    }
    return sum;
}

void lattice_with_cost(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, Lattice& out) {
    weights.lattice(x, dictionary, out);
    const std::size_t L = out.L;
    for (std::size_t i = 0; i < out.node.size(); ++i)
        if (static_cast<std::int32_t>(i % L) != x.labels[i / L]) out.node[i] += 1.0F;
}

}  // namespace

std::vector<double> gram(const Weights& weights, const Sequence& x, Labelling toward,
                         std::span<const Labelling> others) {
    const std::size_t K = others.size();
    std::vector<std::vector<Component>> differences;
    for (const Labelling away : others) differences.push_back(weights.difference(x, toward, away));
    std::vector<double> products(K * K);
    for (std::size_t i = 0; i < K; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            products[i * K + j] = products[j * K + i] = dot(differences[i], differences[j]);
    return products;
}

Variances::Variances(const Weights& weights, double variance) {
    for (int b = 0; b < kBlocks; ++b) block(b).assign(weights.block(b).size(), variance);
}

bool Variances::fit(const Weights& weights) const {
    for (int b = 0; b < kBlocks; ++b)
        if (blocks_[b].size() != weights.block(b).size()) return false;
    return true;
}

double Variances::of(const std::vector<Component>& difference) const {
    double sum = 0;
    for (const Component& c : difference) sum += blocks_[c.block][c.place] * c.value * c.value;
    return sum;
}

void Variances::move(Weights& weights, const std::vector<Component>& difference, double step, double gamma,
                     double unit) {
    for (const Component& c : difference) {
        double& variance = blocks_[c.block][c.place];
        const double delta = std::nearbyint(step * variance * c.value / unit) * unit;
        weights.move(c, delta);
        variance = 1 / (1 / variance + c.value * c.value / gamma);
    }
}

double viterbi_with_cost(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, Worker& worker,
                         LabelsOut labels) {
    return with_fallback(dictionary, [&](const TagDictionary* used) {
        lattice_with_cost(weights, x, used, worker.lattice);
        return viterbi(worker.lattice, worker, labels);
    });
}

}  // namespace perceptag
