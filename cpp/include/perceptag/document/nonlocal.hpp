// Non-local features (mention_features.hpp) of a document with candidate labellings.
//
// A document is a list of sentences; each has a list of candidate labellings, of which one is chosen. Everything is a
// sum over phrases and over sentences, so that the effect of another candidate in one sentence is found by looking at
// the phrases that occur there. To choose a candidate of a sentence of T words takes at most 2·T·longest steps, and so
// do its features, for each pair of classes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/integers.hpp"
#include "perceptag/document/mention_features.hpp"
#include "perceptag/document/mentions.hpp"
#include "perceptag/document/phrase_tally.hpp"
#include "perceptag/document/repeated_phrases.hpp"

namespace perceptag {

class Scene {
  public:
    // `tokens[s]`: ids of the words of sentence s; `joining[id]` is 1 for words such as "and".
    Scene(LabelReading reading, const Families& families, const std::vector<std::vector<std::int32_t>>& tokens,
          std::span<const std::uint8_t> joining, int longest = kLongestPhrase);

    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    // Candidate labellings of sentence s, all to be added before `choose`.
    void add_candidate(int s, std::span<const std::int32_t> labels);
    // Choose candidate k in sentence s; -1 takes the sentence out.
    void choose(int s, int k);
    int chosen(int s) const { return sentences_[s].chosen; }

    // How many phrases it found and counted.
    std::size_t steps() const { return phrases_.places() + tally_.steps(); }
    int features() const { return to_int32(features_.size()); }
    // Feature vectors [candidates, features] of the document with each of some candidates of s in turn, without
    // the part that does not depend on s; or, with `own`, what the mentions of s itself contribute. The own parts
    // of all sentences add up to the features of the document.
    std::vector<float> vectors(int s, std::span<const std::int32_t> candidates, bool own);
    // weights · vectors(s, all candidates)
    std::vector<double> scores(int s, bool own, std::span<const double> weights);
    // The feature vector of the whole document as chosen.
    std::vector<float> document();

  private:
    struct Sentence {
        std::int32_t begin, end;                       // its words
        std::vector<std::vector<Mention>> candidates;  // places are those of the document
        int chosen = -1;
    };

    void find_affected();
    template <class Visit>
    void for_each_affected(const Sentence& sentence, Visit visit) const;
    void add_features(int s, int k, bool own, float* out);  // chooses candidate k
    void add_mentions(std::int32_t phrase, int kind, std::int32_t times, float* out);
    void add_phrase(std::int32_t phrase, float* out);
    void add_conjunctions(std::span<const Mention> mentions, float* out) const;

    LabelReading reading_;
    MentionFeatures features_;
    RepeatedPhrases phrases_;
    PhraseTally tally_;                  // of what is chosen
    std::vector<std::uint8_t> joining_;  // [words]
    std::vector<Sentence> sentences_;
    std::vector<std::vector<std::int32_t>> affected_;  // [sentences] phrases whose features may change with the
                                                       // candidate, once they are needed
    bool is_complete_ = false;                         // no candidates can be added any more
};

}  // namespace perceptag
