#include "perceptag/linear/online.hpp"

#include <cmath>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/scratch.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {
namespace {

std::vector<Component> difference(const Weights& weights, const Sequence& x, const Labels& toward, const Labels& away) {
    check(weights, x);
    return weights.difference(x, toward.checked(x, weights.L()), away.checked(x, weights.L()));
}

void check_fit(const Variances& variances, const Weights& weights) {
    if (!variances.fit(weights)) throw std::invalid_argument("the variances belong to other weights");
}

void check_gold(const Weights& weights, const Sequence& x, const TagDictionary* dictionary) {
    check(weights, x, dictionary);
    Labels{x.labels}.checked(x, weights.L());
}

bool is_positive(double number) { return std::isfinite(number) && number > 0; }

void bind_variances(nb::module_& m) {
    nb::class_<Variances>(m, "Variances", "How uncertain each weight is.")
        .def(
            "__init__",
            [](Variances* self, const Weights& weights, double variance) {
                if (!is_positive(variance)) throw std::invalid_argument("expected a variance above 0");
                new (self) Variances(weights, variance);
            },
            "weights"_a, "variance"_a)
        .def(
            "of",
            [](const Variances& self, const Weights& weights, const Sequence& x, const Labels& toward,
               const Labels& away) {
                check_fit(self, weights);
                return self.of(difference(weights, x, toward, away));
            },
            "weights"_a, "x"_a, "toward"_a, "away"_a, "The variance of the score of toward minus that of away.")
        .def(
            "move",
            [](Variances& self, Weights& weights, const Sequence& x, const Labels& toward, const Labels& away,
               double step, double gamma, double unit) {
                check_fit(self, weights);
                if (!std::isfinite(step) || !is_positive(gamma) || !is_positive(unit))
                    throw std::invalid_argument("expected a finite step, and gamma and unit above 0");
                self.move(weights, difference(weights, x, toward, away), step, gamma, unit);
            },
            "weights"_a, "x"_a, "toward"_a, "away"_a, "step"_a, "gamma"_a, "unit"_a,
            "w += step * variance * (Phi(x, toward) - Phi(x, away)) in multiples of unit; variances shrink.")
        .def(
            "get", [](Variances& self, int block) { return to_numpy(std::vector<double>(self.block(block))); },
            "block"_a)
        .def(
            "set",
            [](Variances& self, int block, Array1<double> variances) {
                std::vector<double>& to = self.block(block);
                if (variances.shape(0) != to.size())
                    throw std::invalid_argument("expected one variance for each weight");
                to.assign(variances.data(), variances.data() + to.size());
            },
            "block"_a, "variances"_a.noconvert());
}

}  // namespace

void bind_online(nb::module_& m) {
    bind_variances(m);
    m.def(
        "squared_distance",
        [](const Weights& weights, const Sequence& x, const Labels& a, const Labels& b) {
            check(weights, x);
            const Labelling other = b.checked(x, weights.L());
            return gram(weights, x, a.checked(x, weights.L()), std::span(&other, 1))[0];
        },
        "weights"_a, "x"_a, "a"_a, "b"_a, "The squared norm of Phi(x, a) - Phi(x, b).");
    m.def(
        "gram",
        [](const Weights& weights, const Sequence& x, const Labels& gold, const std::vector<const Labels*>& others) {
            check(weights, x);
            std::vector<Labelling> checked;
            for (const Labels* labels : others) checked.push_back(labels->checked(x, weights.L()));
            return to_numpy(gram(weights, x, gold.checked(x, weights.L()), checked));
        },
        "weights"_a, "x"_a, "gold"_a, "others"_a,
        "Products of the vectors Phi(x, gold) - Phi(x, other), each with each: float64[K * K].");
    m.def(
        "viterbi_with_cost",
        [](const Weights& weights, const Sequence& x, const TagDictionary* dictionary) {
            check_gold(weights, x, dictionary);
            Worker& worker = thread_scratch<Worker>();
            Labels labels{std::vector<std::int32_t>(x.T)};
            const nb::gil_scoped_release unlocked;
            viterbi_with_cost(weights, x, dictionary, worker, labels.y);
            return labels;
        },
        "weights"_a, "x"_a, "dictionary"_a.none() = nb::none(),
        "The best labelling of x, every label that is not the gold one being worth 1 more.");
}

}  // namespace perceptag
