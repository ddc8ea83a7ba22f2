#include "perceptag/document/document_decoder.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "perceptag/core/parallel.hpp"
#include "perceptag/document/exact_scores.hpp"

namespace perceptag {

DocumentDecoder::DocumentDecoder(Predictor& predictor, MentionWeights weights, int n, int sweeps)
    : predictor_(predictor), weights_(std::move(weights)) {
    const Weights& local = predictor.weights();
    if (weights_.reading().tag.size() != static_cast<std::size_t>(local.L()))
        throw std::invalid_argument("expected a reading of each label");
    if (n < 1 || sweeps < 0) throw std::invalid_argument("expected lists of at least one labelling");
    roles_ = label_roles(weights_.reading(), local);
    settings_ = {n, sweeps, weights_.is_exact() && has_exact_scores(local)};
}

DocumentLabels DocumentDecoder::tag(const TagDictionary* dictionary, const DocumentBatch& batch, int threads) const {
    const Batch& sequences = batch.sequences;
    predictor_.prepare(sequences, threads);
    DocumentLabels found;
    found.labels.resize(batch.words.size());
    std::atomic<std::size_t> lists{0};
    const auto work = [&](std::size_t d, Worker& worker) {
        const std::size_t first = batch.documents[d], last = batch.documents[d + 1];
        const std::int32_t from = sequences.begin[first], to = sequences.begin[last];
        const auto words = batch.words.subspan(from, to - from);
        std::vector<std::int32_t> begin;
        for (std::size_t s = first; s <= last; ++s) begin.push_back(sequences.begin[s] - from);
        std::vector<std::uint8_t> joining;
        for (const std::int32_t word : words)
            joining.push_back(std::ranges::find(batch.joining, word) != batch.joining.end());
        thread_local OccurrenceIndex where;
        where.read(words, begin, batch.known);
        const auto decode = [&](std::size_t s, Worker& own, std::int32_t* labels) {
            return predictor_.best(dictionary, sequences, first + s, own, labels);
        };
        DocumentSearch search(weights_, roles_, settings_, begin, joining, where, decode);
        lists += search.run(std::span(found.labels).subspan(from, to - from), worker);
    };
    parallel_for(batch.documents.size() - 1, threads, work, 1);
    found.lists = lists;
    return found;
}

}  // namespace perceptag
