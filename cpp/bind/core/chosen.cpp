#include "perceptag/core/chosen.hpp"

#include <limits>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/batch.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

// Only what is chosen is looked at, so that the rest of a large file stays on disk.
void check_types(const TokenArrays& tokens, const TokenRange& x) {
    for (std::size_t c = 0; c < tokens.columns.size(); ++c)
        for (int t = 0; t < x.T; ++t)
            if (!is_index(tokens.columns[c][x.first + t], tokens.tables[c]->size()))
                throw std::invalid_argument("a type id is out of range");
}

template <class Begin>
TokenRange range_of(std::span<const Begin> begin, std::int64_t chosen, std::size_t size) {
    if (begin.empty() || !is_index(chosen, begin.size() - 1))
        throw std::invalid_argument("chosen: a sequence is out of range");
    const std::int64_t first = begin[chosen], last = begin[chosen + 1];
    if (first < 0 || last < first || std::cmp_greater(last, size) || last - first > std::numeric_limits<int>::max())
        throw std::invalid_argument("begin: a sequence is not within the tokens");
    return {static_cast<std::size_t>(first), to_int32(last - first)};
}

template <class Begin, class Chosen>
Corpus encode_chosen(const FeatureIndex& index, const std::vector<const TypeTable*>& tables,
                     const std::vector<Ids>& columns, Array1<Begin> begin, Ids labels, Ids closed,
                     Array1<Chosen> chosen) {
    index.check(tables);
    if (tables.size() != columns.size()) throw std::invalid_argument("expected one column for each table");
    const std::size_t size = columns.empty() ? labels.shape(0) : columns[0].shape(0);
    TokenArrays tokens{tables, {}, view(labels), view(closed)};
    for (const Ids& column : columns) {
        if (column.shape(0) != size) throw std::invalid_argument("expected columns with the same number of tokens");
        tokens.columns.push_back(column.data());
    }
    for (const auto& numbers : {tokens.labels, tokens.closed})
        if (!numbers.empty() && numbers.size() != size)
            throw std::invalid_argument("expected one label for each token");
    const nb::gil_scoped_release unlocked;
    std::vector<TokenRange> ranges;
    for (const Chosen i : view(chosen)) {
        ranges.push_back(range_of(view(begin), i, size));
        check_types(tokens, ranges.back());
    }
    return encode_some(index, tokens, ranges);
}

template <class Begin, class Chosen>
void bind_encode_some(nb::module_& m) {
    m.def(
        "encode_some", &encode_chosen<Begin, Chosen>, "index"_a, "tables"_a, "columns"_a, "begin"_a.noconvert(),
        "labels"_a.noconvert(), "closed"_a.noconvert(), "chosen"_a.noconvert(),
        "Encode the chosen sequences only, with the features that the index has. Arrays may be mapped files; only what "
        "is chosen is read.");
}

}  // namespace

void bind_chosen(nb::module_& m) {
    bind_encode_some<std::int32_t, std::int32_t>(m);
    bind_encode_some<std::int32_t, std::int64_t>(m);
    bind_encode_some<std::int64_t, std::int32_t>(m);
    bind_encode_some<std::int64_t, std::int64_t>(m);
}

}  // namespace perceptag
