#include "perceptag/core/corpus.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "perceptag/core/parallel.hpp"

namespace perceptag {

int Corpus::active() const {
    std::size_t most = 0;
    for (const Sequence& x : sequences)
        for (int t = 0; t < x.T; ++t) most = std::max(most, x.at(0, t).size() + x.at(1, t).size() + x.at(2, t).size());
    return static_cast<int>(most);
}

std::vector<std::size_t> Corpus::starts(std::size_t width) const {
    std::vector<std::size_t> begin{0};
    for (const Sequence& x : sequences) begin.push_back(begin.back() + x.T * width);
    return begin;
}

void Batch::attach(std::size_t i, Sequence& x) const {
    const std::size_t first = begin[i], n = begin[i + 1] - first;
    const auto part = [&](std::span<const std::int32_t> all) {
        const auto some = all.empty() ? all : all.subspan(first, n);
        return std::vector<std::int32_t>(some.begin(), some.end());
    };
    x.labels = part(labels);
    x.closed = part(closed);
}

Corpus encode_new(FeatureIndex& index, const Batch& batch) {
    Corpus corpus;
    corpus.sequences.resize(batch.size());
    LookupScratch scratch;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        Sequence& x = corpus.sequences[i];
        index.insert(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], scratch, x);
        batch.attach(i, x);
        for (int order = 0; order < kOrders; ++order) x.rows[order].shrink_to_fit();
    }
    return corpus;
}

Corpus encode(const FeatureIndex& index, const Batch& batch, int threads) {
    Corpus corpus;
    corpus.sequences.resize(batch.size());
    parallel_for(batch.size(), threads, [&](std::size_t i, Worker& worker) {
        Sequence& x = corpus.sequences[i];
        index.find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], worker.lookup, x);
        batch.attach(i, x);
    });
    return corpus;
}

Support count_support(const Corpus& corpus, int order, std::size_t rows, int labels) {
    // Sort by row, counting; then sort the few codes of each row.
    std::vector<std::uint64_t> begin(rows + 1, 0);
    for (const Sequence& x : corpus.sequences)
        for (const std::int32_t row : x.rows[order]) ++begin[static_cast<std::size_t>(row) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> codes(begin.back());
    std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
    for (const Sequence& x : corpus.sequences) {
        if (x.begin[order].empty()) continue;
        for (int t = 0; t < x.T; ++t) {
            const std::uint32_t code = label_code(x.labels.data(), t, order, labels);
            for (const std::int32_t row : x.at(order, t)) codes[next[row]++] = code;
        }
    }
    Support support;
    support.begin.push_back(0);
    for (std::size_t r = 0; r < rows; ++r) {
        const auto first = codes.begin() + static_cast<std::ptrdiff_t>(begin[r]);
        const auto last = codes.begin() + static_cast<std::ptrdiff_t>(begin[r + 1]);
        std::sort(first, last);
        for (auto i = first; i != last;) {
            const auto j = std::upper_bound(i, last, *i);
            support.codes.push_back(*i);
            support.counts.push_back(static_cast<std::uint32_t>(j - i));
            i = j;
        }
        support.begin.push_back(static_cast<std::uint32_t>(support.codes.size()));
    }
    return support;
}

Support join_support(const Support& support, std::span<const std::int32_t> rows, std::span<const std::uint32_t> codes,
                     std::uint32_t count) {
    const std::size_t n = support.begin.size() - 1;
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

Support apply_cutoff(const Support& support, std::uint32_t cutoff, bool whole_rows, int order, FeatureIndex& index,
                     Corpus& corpus) {
    const std::size_t rows = support.begin.size() - 1;
    std::vector<std::int32_t> renumber(rows, -1);
    Support kept;
    kept.begin.push_back(0);
    for (std::size_t r = 0; r < rows; ++r) {
        std::uint64_t total = 0;
        for (std::size_t i = support.begin[r]; i < support.begin[r + 1]; ++i) total += support.counts[i];
        for (std::size_t i = support.begin[r]; i < support.begin[r + 1]; ++i) {
            if ((whole_rows ? total : support.counts[i]) < cutoff) continue;
            kept.codes.push_back(support.codes[i]);
            kept.counts.push_back(support.counts[i]);
        }
        if (kept.codes.size() == kept.begin.back()) continue;
        renumber[r] = static_cast<std::int32_t>(kept.begin.size() - 1);
        kept.begin.push_back(static_cast<std::uint32_t>(kept.codes.size()));
    }
    index.renumber(order, renumber, static_cast<std::int32_t>(kept.begin.size() - 1));
    for (Sequence& x : corpus.sequences) {
        if (x.begin[order].empty()) continue;
        std::vector<std::int32_t> left;
        std::vector<std::int32_t> begin{0};
        for (int t = 0; t < x.T; ++t) {
            for (const std::int32_t row : x.at(order, t))
                if (renumber[row] >= 0) left.push_back(renumber[row]);
            begin.push_back(static_cast<std::int32_t>(left.size()));
        }
        x.rows[order].assign(left.begin(), left.end());
        x.begin[order].swap(begin);
    }
    return kept;
}

std::vector<std::uint8_t> unseen_transitions(const Corpus& corpus, int order, int labels, std::uint32_t cutoff) {
    std::vector<std::uint32_t> counts(combinations(order, labels), 0);
    for (const Sequence& x : corpus.sequences)
        for (int t = 0; t < std::ssize(x.labels); ++t) ++counts[label_code(x.labels.data(), t, order, labels)];
    std::vector<std::uint8_t> unseen(counts.size());
    std::transform(counts.begin(), counts.end(), unseen.begin(),
                   [cutoff](std::uint32_t n) { return static_cast<std::uint8_t>(n < std::max(1U, cutoff)); });
    return unseen;
}

std::vector<std::int32_t> decode(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                                 int threads) {
    const std::vector<std::size_t> begin = corpus.starts();
    std::vector<std::int32_t> labels(begin.back());
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, Worker& worker) {
        viterbi(weights, corpus.sequences[i], dictionary, worker, labels.data() + begin[i]);
    });
    return labels;
}

std::vector<std::int32_t> tag(const FeatureIndex& index, const Weights& weights, const TagDictionary* dictionary,
                              const Batch& batch, int threads) {
    std::vector<std::int32_t> labels(batch.begin.back());
    parallel_for(batch.size(), threads, [&](std::size_t i, Worker& worker) {
        Sequence& x = worker.sequence;
        index.find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], worker.lookup, x);
        batch.attach(i, x);
        viterbi(weights, x, dictionary, worker, labels.data() + batch.begin[i]);
    });
    return labels;
}

}  // namespace perceptag
