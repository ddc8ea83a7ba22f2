#include "perceptag/maxent/maxent.hpp"

#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "core/arrays.hpp"
#include "core/checks.hpp"

namespace perceptag {
namespace {

void check_events(const Weights& weights, const Corpus& corpus, const Array1<double>& w) {
    if (w.shape(0) != parameters(weights))
        throw std::invalid_argument("expected " + std::to_string(parameters(weights)) + " parameters");
    check(weights, corpus, nullptr);
    check_not_lined(weights);
    check_gold(corpus, weights.L());
}

}  // namespace

void bind_maxent(nb::module_& m) {
    m.def("parameters", &parameters, "weights"_a, "How many parameters weights of this layout have.");
    m.def(
        "maxent_evaluate",
        [](const Weights& weights, const Corpus& corpus, Array1<double> w, int threads) {
            check_events(weights, corpus, w);
            Evaluation found;
            {
                const nb::gil_scoped_release unlocked;
                found = evaluate(weights, corpus, view(w), threads);
            }
            return std::tuple(found.log_likelihood, to_numpy(std::move(found.expected)),
                              to_numpy(std::move(found.wrong)));
        },
        "weights"_a, "corpus"_a, "w"_a.noconvert(), "threads"_a = 1,
        "The log-likelihood of the gold labels, expected features, and which tokens get another label.");
    m.def(
        "maxent_largest_score",
        [](const Weights& weights, const Corpus& corpus, Array1<double> w) {
            check_events(weights, corpus, w);
            const nb::gil_scoped_release unlocked;
            return largest_score(weights, corpus, view(w));
        },
        "weights"_a, "corpus"_a, "w"_a.noconvert(), "The largest score of any label at any token.");
}

}  // namespace perceptag
