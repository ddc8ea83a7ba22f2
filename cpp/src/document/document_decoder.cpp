#include "perceptag/document/document_decoder.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "perceptag/core/parallel.hpp"
#include "perceptag/core/scratch.hpp"
#include "perceptag/document/exact_scores.hpp"
#include "perceptag/search/viterbi.hpp"

namespace perceptag {

namespace {

AscentSettings checked_settings(const MentionWeights& weights, const Weights& local, int n, int longest) {
    if (std::ssize(weights.reading().tag) != local.L()) throw std::invalid_argument("expected a reading of each label");
    if (n < 1) throw std::invalid_argument("expected lists of at least one labelling");
    if (longest < 1) throw std::invalid_argument("longest: expected a number from 1");
    return {n, longest, weights.is_exact() && has_exact_scores(local)};
}

// `decode`: of DocumentSearch, with the number of a sequence among those of all documents.
DocumentLabels search(const MentionWeights& weights, const LabelRoles& roles, AscentSettings settings,
                      std::span<const std::int32_t> begins, const DocumentWords& all,
                      const DocumentSearch::Decode& decode, int threads) {
    DocumentLabels found;
    found.labels.resize(all.words.size());
    std::atomic<std::size_t> lists{0}, steps{0};
    const auto work = [&](std::size_t d, Worker& worker) {
        const std::size_t first = all.documents[d], last = all.documents[d + 1];
        const std::int32_t from = begins[first], to = begins[last];
        const auto words = all.words.subspan(from, to - from);
        std::vector<std::int32_t> begin;
        for (std::size_t s = first; s <= last; ++s) begin.push_back(begins[s] - from);
        std::vector<std::uint8_t> joining;
        for (const std::int32_t word : words)
            joining.push_back(std::ranges::find(all.joining, word) != all.joining.end());
        auto& phrases = thread_scratch<RepeatedPhrases>();
        phrases.read(words, begin, all.known, settings.longest);
        const auto decode_here = [&](std::size_t s, Worker& own, LabelsOut labels) {
            return decode(first + s, own, labels);
        };
        DocumentSearch one(weights, roles, settings, begin, joining, phrases, decode_here);
        lists += one.run(std::span(found.labels).subspan(from, to - from), worker);
        steps += one.steps();
    };
    parallel_for(all.documents.size() - 1, threads, work, 1);
    found.lists = lists;
    found.steps = steps;
    return found;
}

}  // namespace

DocumentDecoder::DocumentDecoder(Predictor& predictor, MentionWeights weights, int n, int longest)
    : predictor_(predictor), weights_(std::move(weights)) {
    settings_ = checked_settings(weights_, predictor.weights(), n, longest);
    roles_ = label_roles(weights_.reading(), predictor.weights());
}

DocumentLabels DocumentDecoder::tag(const TagDictionary* dictionary, const Batch& sequences, const DocumentWords& words,
                                    int threads) const {
    predictor_.prepare(sequences, threads);
    const auto decode = [&](std::size_t s, Worker& own, LabelsOut labels) {
        return predictor_.best(dictionary, sequences, s, own, labels);
    };
    return search(weights_, roles_, settings_, sequences.begin, words, decode, threads);
}

DocumentLabels decode_documents(const Weights& local, const MentionWeights& weights, int n, const Corpus& corpus,
                                const TagDictionary* dictionary, const DocumentWords& words, int threads, int longest) {
    const AscentSettings settings = checked_settings(weights, local, n, longest);
    const auto starts = corpus.starts();
    const std::vector<std::int32_t> begin(starts.begin(), starts.end());
    const auto decode = [&](std::size_t s, Worker& own, LabelsOut labels) {
        return viterbi(local, corpus.sequences[s], dictionary, own, labels);
    };
    return search(weights, label_roles(weights.reading(), local), settings, begin, words, decode, threads);
}

}  // namespace perceptag
