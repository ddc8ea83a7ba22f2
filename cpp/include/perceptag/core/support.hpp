// Which combinations of labels go with each feature, and how often. Counts of parts of the data add up to those of all.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/label_parts.hpp"

namespace perceptag {

// How often each combination of labels goes with each row of one order in the gold labels.
struct Support {
    std::vector<std::uint32_t> begin;   // [rows + 1]
    std::vector<std::uint32_t> codes;   // sorted within a row
    std::vector<std::uint32_t> counts;  // as codes

    std::size_t rows() const { return begin.size() - 1; }
};
Support count_support(const Corpus& corpus, int order, std::size_t rows, int labels, int threads);
// With the combinations codes[i] of rows[i] as well, which count as seen `count` times at least.
Support join_support(const Support& support, std::span<const std::int32_t> rows, std::span<const std::uint32_t> codes,
                     std::uint32_t count);
// The same where labels have parts: a label counts for itself and for each of its parts. Of order 0.
Support compose_support(const Support& support, const LabelParts& parts);
// The same with other numbers of rows: row r becomes to[r], all of them different, of `rows` rows.
Support move_support(const Support& support, std::span<const std::int32_t> to, std::size_t rows);
// The counts of several parts of the data, in the rows of the same index. A count that would be too large stays at the
// largest one.
Support sum_support(std::span<const Support* const> parts);

// Drop combinations (or, if `whole_rows`, features) seen fewer than `cutoff` times. Features left with nothing
// disappear from the index and the others are numbered again. Returns what is left, and the new number of each row or
// -1.
std::pair<Support, std::vector<std::int32_t>> cut_features(const Support& support, std::uint32_t cutoff,
                                                           bool whole_rows, int order, FeatureIndex& index,
                                                           int threads);
// The same, and they disappear from the corpus too.
Support apply_cutoff(const Support& support, std::uint32_t cutoff, bool whole_rows, int order, FeatureIndex& index,
                     Corpus& corpus, int threads);

// How often each combination of labels occurs (order 1 or 2).
std::vector<std::uint32_t> count_transitions(const Corpus& corpus, int order, int labels);
// Flags of those that occur fewer than `cutoff` times.
std::vector<std::uint8_t> unseen_transitions(const Corpus& corpus, int order, int labels, std::uint32_t cutoff);

}  // namespace perceptag
