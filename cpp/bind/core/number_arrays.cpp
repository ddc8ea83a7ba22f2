// Small operations on arrays of whole numbers, for Python that does not have numpy loaded.
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/memory_views.hpp"

namespace perceptag {

void bind_number_arrays(nb::module_& m) {
    m.def(
        "take",
        [](Array1<std::int32_t> numbers, Array1<std::int32_t> places) {
            const auto all = view(numbers);
            std::vector<std::int32_t> taken;
            taken.reserve(places.shape(0));
            for (const std::int32_t place : view(places)) {
                if (!is_index(place, all.size())) throw nb::value_error("a place is out of range");
                taken.push_back(all[static_cast<std::size_t>(place)]);
            }
            return to_view(std::move(taken));
        },
        "numbers"_a.noconvert(), "places"_a.noconvert(), "The numbers at these places.");
    m.def(
        "by_pairs",
        [](Array2<std::int32_t> table, Array1<std::int32_t> ids, Array1<std::int32_t> begin) {
            const std::size_t labels = table.shape(1), tokens = ids.shape(0);
            if (table.shape(0) != labels + 1)
                throw nb::value_error("expected a row for each label and one for the start");
            const auto label = [&](std::size_t t) {
                if (!is_index(ids.data()[t], labels)) throw nb::value_error("a label is out of range");
                return static_cast<std::size_t>(ids.data()[t]);
            };
            std::vector<std::int32_t> found(tokens);
            for (std::size_t t = 0; t < tokens; ++t) found[t] = table(label(t ? t - 1 : t), label(t));
            for (const std::int32_t first : view(begin))
                if (is_index(first, tokens)) found[static_cast<std::size_t>(first)] = table(labels, label(first));
            return to_view(std::move(found));
        },
        "table"_a.noconvert(), "ids"_a.noconvert(), "begin"_a.noconvert(),
        "table[label before, label] for each of some labels; at the offsets `begin` the last row takes the place of "
        "the "
        "label before.");
}

}  // namespace perceptag
