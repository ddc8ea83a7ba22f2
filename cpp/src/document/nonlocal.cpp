#include "perceptag/document/nonlocal.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "perceptag/core/integers.hpp"

namespace perceptag {

Scene::Scene(LabelReading reading, const Families& families, const std::vector<std::vector<std::int32_t>>& tokens,
             std::span<const std::uint8_t> joining, int longest)
    : reading_(std::move(reading)),
      features_(reading_.classes, families),
      phrases_(tokens, joining.size(), longest),
      tally_(phrases_, reading_.classes) {
    std::int32_t begin = 0;
    for (const auto& words : tokens) {
        for (const std::int32_t word : words) joining_.push_back(joining[word]);
        const std::int32_t end = begin + to_int32(words.size());
        sentences_.push_back({begin, end, {}, -1});
        begin = end;
    }
}

void Scene::add_candidate(int s, std::span<const std::int32_t> labels) {
    Sentence& sentence = sentences_.at(s);
    if (is_complete_) throw std::logic_error("candidates must be added before any choice");
    if (std::ssize(labels) != sentence.end - sentence.begin)
        throw std::invalid_argument("expected one label for each token");
    for (const std::int32_t y : labels)
        if (!is_index(y, reading_.tag.size())) throw std::invalid_argument("a label is out of range");
    read_mentions(reading_, labels, sentence.candidates.emplace_back(), sentence.begin);
}

void Scene::choose(int s, int k) {
    is_complete_ = true;
    Sentence& sentence = sentences_.at(s);
    if (k < -1 || k >= std::ssize(sentence.candidates)) throw std::invalid_argument("a candidate is out of range");
    const int before = std::exchange(sentence.chosen, k);
    const auto& candidates = sentence.candidates;
    if (before >= 0 && k >= 0)
        tally_.replace(sentence.begin, sentence.end, candidates[before], candidates[k]);
    else if (before >= 0 || k >= 0)
        tally_.count(sentence.begin, sentence.end, candidates[std::max(before, k)], k >= 0 ? 1 : -1);
}

// --------------------------------------------------------------------- phrases that depend on a sentence

void Scene::find_affected() {
    if (!affected_.empty() || sentences_.empty()) return;
    affected_.resize(sentences_.size());
    std::vector<std::uint8_t> is_mention(phrases_.size(), 0);  // of some candidate
    for (const Sentence& sentence : sentences_)
        for (const auto& mentions : sentence.candidates)
            for (const Mention& mention : mentions)
                if (const auto phrase = phrases_.number(mention.start, mention.end); phrase >= 0)
                    is_mention[phrase] = 1;
    std::vector<std::size_t> last(phrases_.size(), sentences_.size());  // the last sentence that it was added to
    for (std::size_t s = 0; s < sentences_.size(); ++s) {
        const auto add = [&](std::int32_t phrase) {
            if (phrase < 0 || !is_mention[phrase] || last[phrase] == s) return;
            last[phrase] = s;
            affected_[s].push_back(phrase);
        };
        for_each_affected(sentences_[s], add);
    }
}

// Visits the phrases that are mentions in a candidate, and those that its mentions contain or that occur unlabelled,
// as far as there are features of these.
template <class Visit>
void Scene::for_each_affected(const Sentence& sentence, Visit visit) const {
    const auto visit_all = [&](std::int32_t first, std::int32_t last) {
        for (std::int32_t t = first; t < last; ++t)
            for (const std::int32_t phrase : phrases_.within(t, last)) visit(phrase);
    };
    if (features_.has(kUnlabelled)) return visit_all(sentence.begin, sentence.end);
    for (const auto& mentions : sentence.candidates)
        for (const Mention& mention : mentions) {
            visit(phrases_.number(mention.start, mention.end));
            if (features_.has(kSubphrase) || features_.has(kSubmajority)) visit_all(mention.start, mention.end);
        }
}

// ------------------------------------------------------------------------------------------ feature vectors

// What `times` mentions of the phrase with this class contribute.
void Scene::add_mentions(std::int32_t phrase, int kind, std::int32_t times, float* out) {
    tally_.besides(phrase, kind, [&](const PhraseCounts& others) {
        features_.of_mention(kind, others, [&](std::int32_t i) { out[i] += static_cast<float>(times); });
    });
}

void Scene::add_phrase(std::int32_t phrase, float* out) {
    for (int c = 0; c < reading_.classes; ++c)
        if (const std::int32_t n = tally_.of(phrase).mentions[c]; n > 0) add_mentions(phrase, c, n, out);
}

void Scene::add_conjunctions(std::span<const Mention> mentions, float* out) const {
    features_.of_conjunctions(mentions, joining_, [&](std::int32_t i) { out[i] += 1; });
}

void Scene::add_features(int s, int k, bool own, float* out) {
    choose(s, k);
    const std::vector<Mention>& mentions = sentences_[s].candidates.at(k);
    if (own) {
        for (const Mention& mention : mentions)
            if (const auto phrase = phrases_.number(mention.start, mention.end); phrase >= 0)
                add_mentions(phrase, mention.kind, 1, out);
    } else {
        find_affected();
        for (const std::int32_t phrase : affected_[s]) add_phrase(phrase, out);
    }
    add_conjunctions(mentions, out);
}

std::vector<float> Scene::vectors(int s, std::span<const std::int32_t> candidates, bool own) {
    const std::size_t G = features_.size();
    std::vector<float> result(candidates.size() * G, 0.0F);
    const int kept = sentences_.at(s).chosen;
    for (std::size_t i = 0; i < candidates.size(); ++i) add_features(s, candidates[i], own, result.data() + i * G);
    choose(s, kept);
    return result;
}

std::vector<double> Scene::scores(int s, bool own, std::span<const double> weights) {
    const std::size_t G = features_.size();
    if (weights.size() != G) throw std::invalid_argument("expected one weight for each feature");
    const Sentence& sentence = sentences_.at(s);
    const int kept = sentence.chosen;
    std::vector<double> result(sentence.candidates.size(), 0.0);
    std::vector<float> row(G);
    for (int k = 0; k < std::ssize(result); ++k) {
        std::fill(row.begin(), row.end(), 0.0F);
        add_features(s, k, own, row.data());
        for (std::size_t i = 0; i < G; ++i)
            if (row[i] != 0.0F) result[k] += static_cast<double>(row[i]) * weights[i];
    }
    choose(s, kept);
    return result;
}

std::vector<float> Scene::document() {
    is_complete_ = true;
    std::vector<float> result(features_.size(), 0.0F);
    for (std::int32_t phrase = 0; phrase < to_int32(phrases_.size()); ++phrase) add_phrase(phrase, result.data());
    for (const Sentence& sentence : sentences_)
        if (sentence.chosen >= 0) add_conjunctions(sentence.candidates[sentence.chosen], result.data());
    return result;
}

}  // namespace perceptag
