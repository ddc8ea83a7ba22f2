#include "perceptag/text/word_places.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "core/arrays.hpp"
#include "core/memory_views.hpp"

namespace perceptag {

void bind_word_places(nb::module_& m) {
    using Array = Array1<std::int64_t>;
    m.def(
        "word_places",
        [](Array begin, Array end, Array cuts) {
            if (begin.shape(0) != end.shape(0)) throw nb::value_error("expected an end for each token");
            if (!std::ranges::is_sorted(view(cuts))) throw nb::value_error("expected places in order");
            WordPlaces words = word_places(view(begin), view(end), view(cuts));
            return std::make_tuple(to_view(std::move(words.begin)), to_view(std::move(words.end)));
        },
        "begin"_a.noconvert(), "end"_a.noconvert(), "cuts"_a.noconvert(),
        "Where the words of tokens begin and end. `cuts`: where words begin inside tokens.");
    m.def(
        "spaces_behind",
        [](Array begin, Array end, std::int64_t behind) {
            if (begin.shape(0) != end.shape(0)) throw nb::value_error("expected an end for each word");
            return to_view(spaces_behind(view(begin), view(end), behind));
        },
        "begin"_a.noconvert(), "end"_a.noconvert(), "behind"_a,
        "For each word 1 if white space follows it, and else 0. `behind`: where the word after the last one begins.");
}

}  // namespace perceptag
