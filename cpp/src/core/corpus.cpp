#include "perceptag/core/corpus.hpp"

#include <algorithm>
#include <cmath>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"

namespace perceptag {

namespace {

// The largest number of features of one span.
std::size_t most_of_span(const Sequence& x) {
    std::int64_t most = 0;
    for (std::size_t i = 0; i + 1 < x.spans.begin.size(); ++i)
        most = std::max(most, x.spans.begin[i + 1] - x.spans.begin[i]);
    return most;
}

}  // namespace

int Corpus::active() const {
    std::size_t most = 0, of_span = 0;
    for (const Sequence& x : sequences) of_span = std::max(of_span, most_of_span(x));
    for (const Sequence& x : sequences)
        for (int t = 0; t < x.T; ++t) most = std::max(most, x.at(0, t).size() + x.at(1, t).size() + x.at(2, t).size());
    if (!has_amounts()) return to_int32(most + of_span);
    double sum = 0;  // the largest of all tokens
    for (const Sequence& x : sequences)
        for (int t = 0; t < x.T; ++t) {
            double here = 0;
            for (int order = 0; order < kOrders; ++order)
                x.for_each(order, t, [&](std::int32_t, float amount) { here += std::abs(amount); });
            sum = std::max(sum, here);
        }
    return static_cast<int>(std::ceil((sum + static_cast<double>(of_span) + kBlocks - kOrders) / kAmountUnit));
}

bool Corpus::has_amounts() const { return std::ranges::any_of(sequences, &Sequence::has_amounts); }

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

Corpus encode_new(FeatureIndex& index, const Batch& batch, int threads) {
    Corpus corpus;
    corpus.sequences.resize(batch.size());
    index.insert(batch.tables, batch.columns, batch.begin, corpus.sequences, threads);
    parallel_for(batch.size(), threads, [&](std::size_t i) { batch.attach(i, corpus.sequences[i]); });
    return corpus;
}

void encode_spans(FeatureIndex& index, const Batch& batch, const SpanLabels& labels, Corpus& corpus, int threads) {
    SpanIndex& spans = *index.spans();
    for (std::size_t i = 0; i < batch.size(); ++i)
        spans.insert(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], corpus.sequences[i].labels,
                     labels);
    parallel_for(batch.size(), threads, [&](std::size_t i, SpanScratch& scratch) {
        spans.find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], scratch, corpus.sequences[i].spans);
    });
}

Corpus encode(const FeatureIndex& index, const Batch& batch, int threads) {
    Corpus corpus;
    corpus.sequences.resize(batch.size());
    parallel_for(batch.size(), threads, [&](std::size_t i, LookupScratch& scratch) {
        Sequence& x = corpus.sequences[i];
        index.find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], scratch, x);
        batch.attach(i, x);
    });
    return corpus;
}

}  // namespace perceptag
