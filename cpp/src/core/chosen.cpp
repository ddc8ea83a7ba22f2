#include "perceptag/core/chosen.hpp"

namespace perceptag {

Corpus encode_some(const FeatureIndex& index, const TokenArrays& tokens, std::span<const TokenRange> chosen) {
    Corpus corpus;
    corpus.sequences.resize(chosen.size());
    LookupScratch scratch;
    std::vector<const std::int32_t*> columns(tokens.columns.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto [first, T] = chosen[i];
        Sequence& x = corpus.sequences[i];
        for (std::size_t c = 0; c < columns.size(); ++c) columns[c] = tokens.columns[c] + first;
        index.find(tokens.tables, columns, 0, T, scratch, x);
        const auto part = [first = first, T = T](std::span<const std::int32_t> all) {
            return all.empty() ? all : all.subspan(first, T);
        };
        x.labels.assign(part(tokens.labels).begin(), part(tokens.labels).end());
        x.closed.assign(part(tokens.closed).begin(), part(tokens.closed).end());
    }
    return corpus;
}

}  // namespace perceptag
