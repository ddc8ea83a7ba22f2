#include "perceptag/linear/passes.hpp"

#include <nanobind/stl/pair.h>

#include <cmath>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

using Listed = std::vector<const Sequence*>;

void check_examples(const Weights& weights, const Listed& examples, const TagDictionary* dictionary) {
    for (const Sequence* x : examples) {
        if (!x) throw std::invalid_argument("expected sequences, found None");
        check(weights, *x, dictionary);
        Labels{x->labels}.checked(*x, weights.L());
    }
}

std::pair<std::int64_t, std::int64_t> numbers(const Mistakes& found) { return {found.sequences, found.labels}; }

}  // namespace

void bind_passes(nb::module_& m) {
    m.def(
        "perceptron_pass",
        [](Weights& weights, const Listed& examples, const TagDictionary* dictionary) {
            check_examples(weights, examples, dictionary);
            Worker worker;
            const nb::gil_scoped_release unlocked;
            return numbers(perceptron_pass(weights, examples, dictionary, worker));
        },
        "weights"_a, "examples"_a, "dictionary"_a.none() = nb::none(),
        "The loop of `perceptag.learn.perceptron`: the number of wrong sequences and of wrong labels.");
    m.def(
        "margin_pass",
        [](Weights& weights, const Listed& examples, double margin, double step, const TagDictionary* dictionary) {
            if (std::isnan(margin) || !std::isfinite(step)) throw std::invalid_argument("expected numbers");
            check_examples(weights, examples, dictionary);
            Worker worker;
            const nb::gil_scoped_release unlocked;
            return numbers(margin_pass(weights, examples, dictionary, margin, step, worker));
        },
        "weights"_a, "examples"_a, "margin"_a, "step"_a, "dictionary"_a.none() = nb::none(),
        "The loop of `perceptag.learn.margin`: the number of wrong sequences and of wrong labels.");
}

}  // namespace perceptag
