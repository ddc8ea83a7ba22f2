#include "perceptag/core/support.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/limits.hpp"
#include "perceptag/core/parallel.hpp"

namespace perceptag {
namespace {

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

std::uint32_t end_of(const std::vector<std::uint32_t>& codes) {
    if (codes.size() > kMost) throw LimitExceeded("expected at most 4294967295 weights of an order");
    return to_uint32(codes.size());
}

void renumber_rows(Sequence& x, int order, std::span<const std::int32_t> renumber) {
    if (x.begin[order].empty()) return;
    Sequence left;
    std::vector<std::int32_t> begin{0};
    for (int t = 0; t < x.T; ++t) {
        x.for_each(order, t, [&](std::int32_t row, float amount) {
            if (renumber[row] >= 0) left.push(order, renumber[row], amount);
        });
        begin.push_back(to_int32(left.rows[order].size()));
    }
    x.rows[order].assign(left.rows[order].begin(), left.rows[order].end());
    x.amounts[order].assign(left.amounts[order].begin(), left.amounts[order].end());
    x.begin[order].swap(begin);
}

// The codes of the labels that each row occurs with, those of row r from begin[r] on.
struct RowCodes {
    std::vector<std::uint64_t> begin;
    std::vector<std::uint32_t> codes;
};

// Each thread looks at all sequences and takes its own rows, some here and some there, since the first are frequent. So
// more than a few threads do not help.
RowCodes codes_by_row(const Corpus& corpus, int order, std::size_t rows, int labels, int threads) {
    RowCodes all{std::vector<std::uint64_t>(rows + 1, 0), {}};
    const std::size_t parts = std::clamp(threads, 1, 8);
    const auto is_in = [parts](std::size_t part, std::int32_t row) { return parts == 1 || (row >> 4) % parts == part; };
    const auto count = [&](std::size_t part) {
        for (const Sequence& x : corpus.sequences)
            for (const std::int32_t row : x.rows[order])
                if (is_in(part, row)) ++all.begin[row + 1];
    };
    parallel_for(parts, threads, count, 1);
    std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
    all.codes.resize(all.begin.back());
    std::vector<std::uint64_t> next(all.begin.begin(), all.begin.end() - 1);
    const auto sort = [&](std::size_t part) {
        for (const Sequence& x : corpus.sequences) {
            if (x.begin[order].empty()) continue;
            for (int t = 0; t < x.T; ++t) {
                const std::uint32_t code = label_code(x.labels, t, order, labels);
                for (const std::int32_t row : x.at(order, t))
                    if (is_in(part, row)) all.codes[next[row]++] = code;
            }
        }
    };
    parallel_for(parts, threads, sort, 1);
    return all;
}

constexpr std::size_t kRows = 4096;  // that a thread takes at a time

// Counts the codes of rows [first, last). `width`: how many codes there can be.
Support count_codes(const RowCodes& all, std::size_t first, std::size_t last, std::size_t width) {
    Support support{{0}, {}, {}};
    std::vector<std::uint32_t> codes, seen;
    const auto add = [&](std::uint32_t code, std::uint32_t count) {
        support.codes.push_back(code);
        support.counts.push_back(count);
    };
    for (std::size_t r = first; r < last; ++r) {
        codes.assign(all.codes.begin() + all.begin[r], all.codes.begin() + (all.begin[r + 1]));
        if (codes.size() > width / 4) {  // quicker than to sort them
            seen.assign(width, 0);
            for (const std::uint32_t code : codes) ++seen[code];
            for (std::uint32_t code = 0; code < width; ++code)
                if (seen[code]) add(code, seen[code]);
        } else {
            std::sort(codes.begin(), codes.end());
            for (std::size_t i = 0, j = 0; i < codes.size(); i = j) {
                while (j < codes.size() && codes[j] == codes[i]) ++j;
                add(codes[i], to_uint32(j - i));
            }
        }
        support.begin.push_back(end_of(support.codes));
    }
    return support;
}

// The rows of one part after those of another.
Support join_parts(std::span<const Support> parts) {
    std::size_t rows = 0, codes = 0;
    for (const Support& part : parts) rows += part.rows(), codes += part.codes.size();
    Support all;
    all.begin.reserve(rows + 1);
    all.codes.reserve(codes);
    all.counts.reserve(codes);
    all.begin.push_back(0);
    for (const Support& part : parts) {
        const std::uint32_t before = end_of(all.codes);
        for (std::size_t r = 1; r < part.begin.size(); ++r) all.begin.push_back(before + part.begin[r]);
        all.codes.insert(all.codes.end(), part.codes.begin(), part.codes.end());
        all.counts.insert(all.counts.end(), part.counts.begin(), part.counts.end());
        end_of(all.codes);
    }
    return all;
}

}  // namespace

Support count_support(const Corpus& corpus, int order, std::size_t rows, int labels, int threads) {
    const RowCodes all = codes_by_row(corpus, order, rows, labels, threads);
    std::vector<Support> parts((rows + kRows - 1) / kRows);
    const std::size_t width = combinations(order, labels);
    parallel_for(
        parts.size(), threads,
        [&](std::size_t p) { parts[p] = count_codes(all, p * kRows, std::min(rows, (p + 1) * kRows), width); }, 1);
    return join_parts(parts);
}

Support join_support(const Support& support, std::span<const std::int32_t> rows, std::span<const std::uint32_t> codes,
                     std::uint32_t count) {
    const std::size_t n = support.rows();
    std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> all;  // row, code, count
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t i = support.begin[r]; i < support.begin[r + 1]; ++i)
            all.emplace_back(r, support.codes[i], support.counts[i]);
    for (std::size_t i = 0; i < rows.size(); ++i) all.emplace_back(rows[i], codes[i], count);
    std::sort(all.begin(), all.end());
    Support joined{std::vector<std::uint32_t>(n + 1, 0), {}, {}};
    std::size_t before = n;  // of which row the last combination was
    for (const auto& [row, code, seen] : all) {
        if (row == before && code == joined.codes.back()) {
            joined.counts.back() = seen;  // the largest comes last
            continue;
        }
        joined.codes.push_back(code);
        joined.counts.push_back(seen);
        ++joined.begin[row + 1];
        before = row;
    }
    std::partial_sum(joined.begin.begin(), joined.begin.end(), joined.begin.begin());
    return joined;
}

Support compose_support(const Support& support, const LabelParts& parts) {
    Support composed{{0}, {}, {}};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;  // part and count, of one row
    for (std::size_t r = 0; r < support.rows(); ++r) {
        seen.clear();
        for (std::size_t i = support.begin[r]; i < support.begin[r + 1]; ++i)
            parts.for_each(support.codes[i], [&](std::uint32_t part) { seen.emplace_back(part, support.counts[i]); });
        std::sort(seen.begin(), seen.end());
        for (std::size_t i = 0; i < seen.size(); ++i) {
            if (i && seen[i].first == seen[i - 1].first) {
                composed.counts.back() += std::min(seen[i].second, kMost - composed.counts.back());
                continue;
            }
            composed.codes.push_back(seen[i].first);
            composed.counts.push_back(seen[i].second);
        }
        composed.begin.push_back(end_of(composed.codes));
    }
    return composed;
}

Support move_support(const Support& support, std::span<const std::int32_t> to, std::size_t rows) {
    Support moved{std::vector<std::uint32_t>(rows + 1, 0), std::vector<std::uint32_t>(support.codes.size()),
                  std::vector<std::uint32_t>(support.codes.size())};
    for (std::size_t r = 0; r < to.size(); ++r) moved.begin[to[r] + 1] = support.begin[r + 1] - support.begin[r];
    std::partial_sum(moved.begin.begin(), moved.begin.end(), moved.begin.begin());
    for (std::size_t r = 0; r < to.size(); ++r) {
        const std::size_t first = support.begin[r], n = support.begin[r + 1] - first, at = moved.begin[to[r]];
        std::copy_n(support.codes.data() + first, n, moved.codes.data() + at);
        std::copy_n(support.counts.data() + first, n, moved.counts.data() + at);
    }
    return moved;
}

Support sum_support(std::span<const Support* const> parts) {
    std::size_t rows = 0;
    for (const Support* part : parts) rows = std::max(rows, part->rows());
    Support sum;
    sum.begin.push_back(0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;  // code and count, of one row in all parts
    for (std::size_t r = 0; r < rows; ++r) {
        seen.clear();
        for (const Support* part : parts)
            if (r < part->rows())
                for (std::size_t i = part->begin[r]; i < part->begin[r + 1]; ++i)
                    seen.emplace_back(part->codes[i], part->counts[i]);
        std::sort(seen.begin(), seen.end());
        for (const auto& [code, count] : seen) {
            if (sum.codes.size() > sum.begin.back() && sum.codes.back() == code) {
                sum.counts.back() += std::min(count, kMost - sum.counts.back());
                continue;
            }
            sum.codes.push_back(code);
            sum.counts.push_back(count);
        }
        sum.begin.push_back(end_of(sum.codes));
    }
    return sum;
}

std::pair<Support, std::vector<std::int32_t>> cut_features(const Support& support, std::uint32_t cutoff,
                                                           bool whole_rows, int order, FeatureIndex& index,
                                                           int threads) {
    std::vector<std::int32_t> renumber(support.rows(), -1);
    Support kept;
    kept.begin.push_back(0);
    for (std::size_t r = 0; r < support.rows(); ++r) {
        std::uint64_t total = 0;
        for (std::size_t i = support.begin[r]; i < support.begin[r + 1]; ++i) total += support.counts[i];
        for (std::size_t i = support.begin[r]; i < support.begin[r + 1]; ++i) {
            if ((whole_rows ? total : support.counts[i]) < cutoff) continue;
            kept.codes.push_back(support.codes[i]);
            kept.counts.push_back(support.counts[i]);
        }
        if (kept.codes.size() == kept.begin.back()) continue;
        renumber[r] = to_int32(kept.rows());
        kept.begin.push_back(to_uint32(kept.codes.size()));
    }
    index.renumber(order, renumber, to_int32(kept.rows()), threads);
    return {std::move(kept), std::move(renumber)};
}

Support apply_cutoff(const Support& support, std::uint32_t cutoff, bool whole_rows, int order, FeatureIndex& index,
                     Corpus& corpus, int threads) {
    auto [kept, numbers] = cut_features(support, cutoff, whole_rows, order, index, threads);
    const std::span<const std::int32_t> renumber = numbers;
    parallel_for(corpus.sequences.size(), threads,
                 [&](std::size_t i) { renumber_rows(corpus.sequences[i], order, renumber); });
    return std::move(kept);
}

std::vector<std::uint32_t> count_transitions(const Corpus& corpus, int order, int labels) {
    std::vector<std::uint32_t> counts(combinations(order, labels), 0);
    for (const Sequence& x : corpus.sequences)
        for (int t = 0; t < std::ssize(x.labels); ++t) ++counts[label_code(x.labels, t, order, labels)];
    return counts;
}

std::vector<std::uint8_t> unseen_transitions(const Corpus& corpus, int order, int labels, std::uint32_t cutoff) {
    const std::vector<std::uint32_t> counts = count_transitions(corpus, order, labels);
    std::vector<std::uint8_t> unseen(counts.size());
    std::transform(counts.begin(), counts.end(), unseen.begin(),
                   [cutoff](std::uint32_t n) { return n < std::max(1U, cutoff); });
    return unseen;
}

}  // namespace perceptag
