// Text of lines of fields, together with the Python string that it points into.
#pragma once

#include "core/arrays.hpp"
#include "perceptag/text/column_text.hpp"

namespace perceptag {

struct OwnText {
    nb::str text;
    ColumnText columns;
    std::size_t width = 0;  // 0: the text is not plain
};

// Refuse labels that are not one known label for each token.
inline void check_labels(const OwnText& text, std::size_t names, const Array1<std::int32_t>& labels) {
    if (labels.shape(0) != text.columns.tokens()) throw nb::value_error("expected a label for each token");
    for (const std::int32_t label : view(labels))
        if (!is_index(label, names)) throw nb::value_error("a label id is out of range");
}

}  // namespace perceptag
