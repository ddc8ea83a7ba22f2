#include "perceptag/document/nonlocal.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace perceptag {

std::vector<Mention> read_mentions(const LabelReading& reading, std::span<const std::int32_t> labels) {
    std::vector<Mention> found;
    read_mentions(reading, labels, found);
    return found;
}

void read_mentions(const LabelReading& reading, std::span<const std::int32_t> labels, std::vector<Mention>& found,
                   int first) {
    found.clear();
    int start = -1, kind = -1, before = 0;
    const auto T = static_cast<int>(labels.size());
    for (int t = 0; t <= T; ++t) {
        const int tag = t < T ? reading.tag[labels[t]] : 0;
        const int now = t < T ? reading.kind[labels[t]] : -1;
        const bool opens = tag != 0 && (tag == 1 || tag == 4 || now != kind || before == 0 || before >= 3);
        if (start >= 0 && (tag == 0 || opens)) {
            found.push_back({first + start, first + t, kind});
            start = -1;
        }
        if (opens) start = t;
        kind = now;
        before = tag;
    }
}

Scene::Scene(LabelReading reading, std::array<bool, kFamilies> families, std::vector<std::vector<std::int32_t>> tokens,
             const std::vector<std::uint8_t>& joining)
    : reading_(std::move(reading)), families_(families), joining_(joining) {
    scratch_.resize(reading_.classes);
    sentences_.resize(tokens.size());
    for (std::size_t s = 0; s < tokens.size(); ++s) sentences_[s].tokens = std::move(tokens[s]);
}

void Scene::add_candidate(int s, std::span<const std::int32_t> labels) {
    Sentence& sentence = sentences_.at(s);
    if (prepared_) throw std::logic_error("candidates must be added before any choice");
    if (labels.size() != sentence.tokens.size()) throw std::invalid_argument("expected one label for each token");
    for (const std::int32_t y : labels)
        if (y < 0 || static_cast<std::size_t>(y) >= reading_.tag.size())
            throw std::invalid_argument("a label is out of range");
    sentence.labels.emplace_back(labels.begin(), labels.end());
    sentence.candidates.push_back({read_mentions(reading_, labels), {}, {}, {}});
}

int Scene::features() const { return (kFamilies - 1) * reading_.classes * reading_.classes + reading_.classes; }

std::size_t Scene::base(Family family) const {
    return static_cast<std::size_t>(family) * (reading_.classes * reading_.classes);
}

// ------------------------------------------------------------------------- strings and how they relate

namespace {

using Words = std::vector<std::int32_t>;

Words words_of(const std::vector<std::int32_t>& tokens, int start, int end) {
    return {tokens.begin() + start, tokens.begin() + end};
}

}  // namespace

void Scene::prepare() {
    if (prepared_) return;
    prepared_ = true;
    std::map<Words, int> numbers;
    std::size_t longest = 0;
    for (Sentence& sentence : sentences_) {
        for (Candidate& candidate : sentence.candidates) {
            for (const Mention& m : candidate.mentions) {
                const Words words = words_of(sentence.tokens, m.start, m.end);
                longest = std::max(longest, words.size());
                const auto [place, fresh] = numbers.emplace(words, static_cast<int>(strings_.size()));
                if (fresh) strings_.push_back({words, {}, {}, std::vector<int>(scratch_.size(), 0), 0});
                candidate.counted.push_back({place->second, m.kind});
            }
        }
    }
    const auto find = [&](const Words& words) {
        const auto place = numbers.find(words);
        return place == numbers.end() ? -1 : place->second;
    };
    for (std::size_t i = 0; i < strings_.size(); ++i) find_kin(static_cast<int>(i), find);
    for (Sentence& sentence : sentences_) {
        find_conjunctions(sentence);
        if (families_[kUnlabelled]) find_open(sentence, longest, find);
        find_affected(sentence);
    }
}

void Scene::find_kin(int number, const Find& find) {
    if (!families_[kSubphrase] && !families_[kSubmajority]) return;
    const Words words = strings_[number].words;
    const auto length = static_cast<int>(words.size());
    std::vector<int> inner;
    for (int start = 0; start < length; ++start)
        for (int end = start + 1; end <= length; ++end)
            if (end - start < length)
                if (const int other = find(words_of(words, start, end)); other >= 0) inner.push_back(other);
    std::sort(inner.begin(), inner.end());
    inner.erase(std::unique(inner.begin(), inner.end()), inner.end());
    for (const int other : inner) strings_[other].containing.push_back(number);
    strings_[number].contained = std::move(inner);
}

void Scene::find_open(Sentence& sentence, std::size_t longest, const Find& find) {
    const auto T = static_cast<int>(sentence.tokens.size());
    for (int start = 0; start < T; ++start) {
        for (int end = start + 1; end <= std::min(T, start + static_cast<int>(longest)); ++end) {
            const int string = find(words_of(sentence.tokens, start, end));
            if (string < 0) continue;
            sentence.affected.push_back(string);
            for (std::size_t k = 0; k < sentence.candidates.size(); ++k) {
                const std::vector<std::int32_t>& labels = sentence.labels[k];
                const bool open = std::all_of(labels.begin() + start, labels.begin() + end,
                                              [&](std::int32_t y) { return reading_.tag[y] == 0; });
                if (open) sentence.candidates[k].open.push_back(string);
            }
        }
    }
}

void Scene::find_conjunctions(Sentence& sentence) {
    if (!families_[kConjunction]) return;
    const auto joins = [&](int t) { return joining_[sentence.tokens[t]] != 0; };
    for (Candidate& candidate : sentence.candidates) {
        for (std::size_t i = 1; i < candidate.mentions.size(); ++i) {
            const Mention& a = candidate.mentions[i - 1];
            const Mention& b = candidate.mentions[i];
            const int gap = b.start - a.end;
            if (gap < 1 || gap > 2 || !joins(a.end) || !joins(b.start - 1)) continue;
            candidate.conjunctions.resize(scratch_.size() * scratch_.size());
            candidate.conjunctions[a.kind * reading_.classes + b.kind] += 1;
        }
    }
}

void Scene::find_affected(Sentence& sentence) {
    std::vector<int>& all = sentence.affected;
    for (const Candidate& candidate : sentence.candidates)
        for (const Counted& mention : candidate.counted) {
            all.push_back(mention.string);
            const std::vector<int>& inner = strings_[mention.string].contained;
            all.insert(all.end(), inner.begin(), inner.end());
        }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

// ---------------------------------------------------------------------------------- choices and counts

void Scene::apply(const Candidate& candidate, int sign) {
    for (const Counted& mention : candidate.counted) strings_[mention.string].n[mention.kind] += sign;
    for (const int string : candidate.open) strings_[string].open += sign;
}

void Scene::choose(int s, int k) {
    prepare();
    Sentence& sentence = sentences_.at(s);
    if (k < -1 || k >= static_cast<int>(sentence.candidates.size()))
        throw std::invalid_argument("a candidate is out of range");
    if (sentence.chosen >= 0) apply(sentence.candidates[sentence.chosen], -1);
    sentence.chosen = k;
    if (k >= 0) apply(sentence.candidates[k], +1);
}

namespace {

// The class with the largest count, the lower number on a tie; -1 if all are zero.
int majority(const std::vector<int>& counts) {
    const auto best = std::max_element(counts.begin(), counts.end());
    return best == counts.end() || *best <= 0 ? -1 : static_cast<int>(best - counts.begin());
}

}  // namespace

// What `times` mentions of the string with this class contribute.
void Scene::add_mentions(String& string, int kind, int times, float* out) {
    const int K = reading_.classes;
    const auto add = [&](Family family, int d) { out[base(family) + (kind * K + d)] += static_cast<float>(times); };
    string.n[kind] -= 1;  // now the others
    if (families_[kPhrase])
        for (int d = 0; d < K; ++d)
            if (string.n[d] > 0) add(kPhrase, d);
    if (families_[kMajority])
        if (const int d = majority(string.n); d >= 0) add(kMajority, d);
    string.n[kind] += 1;
    if (families_[kUnlabelled] && string.open > 0) out[base(kUnlabelled) + kind] += static_cast<float>(times);
    if (string.containing.empty()) return;
    std::fill(scratch_.begin(), scratch_.end(), 0);
    for (const int other : string.containing)
        for (int d = 0; d < K; ++d) scratch_[d] += strings_[other].n[d];
    if (families_[kSubphrase])
        for (int d = 0; d < K; ++d)
            if (scratch_[d] > 0) add(kSubphrase, d);
    if (families_[kSubmajority])
        if (const int d = majority(scratch_); d >= 0) add(kSubmajority, d);
}

void Scene::add_string(String& string, float* out) {
    for (int c = 0; c < reading_.classes; ++c)
        if (string.n[c] > 0) add_mentions(string, c, string.n[c], out);
}

void Scene::add_conjunctions(const Candidate& candidate, float* out) const {
    for (std::size_t i = 0; i < candidate.conjunctions.size(); ++i)
        out[base(kConjunction) + i] += candidate.conjunctions[i];
}

void Scene::add_features(int s, int k, bool own, float* out) {
    choose(s, k);
    const Sentence& sentence = sentences_[s];
    const Candidate& candidate = sentence.candidates.at(k);
    if (own) {
        for (const Counted& mention : candidate.counted) add_mentions(strings_[mention.string], mention.kind, 1, out);
    } else {
        for (const int string : sentence.affected) add_string(strings_[string], out);
    }
    add_conjunctions(candidate, out);
}

std::vector<float> Scene::vectors(int s, std::span<const std::int32_t> candidates, bool own) {
    prepare();
    const std::size_t G = features();
    std::vector<float> result(candidates.size() * G, 0.0F);
    const int kept = sentences_.at(s).chosen;
    for (std::size_t i = 0; i < candidates.size(); ++i) add_features(s, candidates[i], own, result.data() + i * G);
    choose(s, kept);
    return result;
}

std::vector<double> Scene::scores(int s, bool own, std::span<const double> weights) {
    prepare();
    const std::size_t G = features();
    if (weights.size() != G) throw std::invalid_argument("expected one weight for each feature");
    const Sentence& sentence = sentences_.at(s);
    const int kept = sentence.chosen;
    std::vector<double> result(sentence.candidates.size(), 0.0);
    std::vector<float> row(G);
    for (std::size_t k = 0; k < result.size(); ++k) {
        std::fill(row.begin(), row.end(), 0.0F);
        add_features(s, static_cast<int>(k), own, row.data());
        for (std::size_t i = 0; i < G; ++i)
            if (row[i] != 0.0F) result[k] += static_cast<double>(row[i]) * weights[i];
    }
    choose(s, kept);
    return result;
}

std::vector<float> Scene::document() {
    prepare();
    std::vector<float> result(features(), 0.0F);
    for (String& string : strings_) add_string(string, result.data());
    for (const Sentence& sentence : sentences_)
        if (sentence.chosen >= 0) add_conjunctions(sentence.candidates[sentence.chosen], result.data());
    return result;
}

}  // namespace perceptag
