#include "perceptag/linear/orders.hpp"

#include <stdexcept>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "linear/layout.hpp"

namespace perceptag {

void bind_orders(nb::module_& m) {
    m.def(
        "copy_weights", [](const Weights& weights) { return weights; }, "weights"_a,
        nb::call_guard<nb::gil_scoped_release>(), "The same weights, sums and clock.");
    m.def(
        "set_mean",
        [](Weights& to, const std::vector<const Weights*>& of) {
            if (of.empty()) throw std::invalid_argument("of: expected weights, found none");
            check_sums(to);
            for (const Weights* one : of) {
                if (!one || one == &to) throw std::invalid_argument("of: expected other weights");
                check_layout(*one, to);
                check_sums(*one);
                if (one->ticks() != of.front()->ticks())
                    throw std::invalid_argument("of: expected weights that have seen equally many examples");
            }
            const nb::gil_scoped_release unlocked;
            set_mean(to, of);
        },
        "to"_a, "of"_a, "Set weights, sums and the clock to the mean of those of other weights.");
}

}  // namespace perceptag
