// Features of the whole labelling of a document: that the same phrase has the same class, and similar ones.
//
// After Kazama and Torisawa (2007), section 5, and Finkel et al. (2005). With n[s][c] the number of mentions
// of string s with class c, m a mention of class c and string s, each of these counts pairs of classes (c, d):
//
//   phrase       for every m: each class d that another mention of s has
//   majority     for every m: the most frequent class d of the other mentions of s, if there are any
//   subphrase    for every m: each class d of mentions whose string properly contains s
//   submajority  for every m: the most frequent class d of those, if there are any
//   conjunction  two neighbouring mentions with only 1 or 2 of the joining words between them: their classes
//   unlabelled   for every m: another occurrence of s is labelled O throughout (counts c alone)
//
// Majority ties go to the lower class number. A document is a list of sentences; each has a list of candidate
// labellings, of which one is chosen. Everything is a sum over strings and over sentences, so that the effect of
// another candidate in one sentence is found by looking at the few strings that occur there.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace perceptag {

enum Family { kPhrase, kMajority, kSubphrase, kSubmajority, kConjunction, kUnlabelled, kFamilies };

// What the features need to know about labels: tag 0 is O, 1 opens a chunk, 2 continues one, 3 continues and
// closes it, 4 is a chunk of its own.
struct LabelReading {
    int classes = 0;
    std::vector<std::int32_t> tag;   // [L]
    std::vector<std::int32_t> kind;  // [L] class, or -1 for O
};

struct Mention {
    int start, end, kind;
};

// Places are counted from `first` on.
void read_mentions(const LabelReading& reading, std::span<const std::int32_t> labels, std::vector<Mention>& found,
                   int first = 0);
std::vector<Mention> read_mentions(const LabelReading& reading, std::span<const std::int32_t> labels);

class Scene {
  public:
    // `tokens[s]`: ids of the words of sentence s; `joining[id]` is 1 for words such as "and".
    Scene(LabelReading reading, std::array<bool, kFamilies> families, std::vector<std::vector<std::int32_t>> tokens,
          const std::vector<std::uint8_t>& joining);

    // Candidate labellings of sentence s, all to be added before `choose`.
    void add_candidate(int s, std::span<const std::int32_t> labels);
    // Choose candidate k in sentence s; -1 takes the sentence out.
    void choose(int s, int k);
    int chosen(int s) const { return sentences_[s].chosen; }

    int features() const;  // how many: 5 families of classes^2, and classes
    // Feature vectors [candidates, features] of the document with each of some candidates of s in turn, without
    // the part that does not depend on s; or, with `own`, what the mentions of s itself contribute. The own parts
    // of all sentences add up to the features of the document.
    std::vector<float> vectors(int s, std::span<const std::int32_t> candidates, bool own);
    // weights · vectors(s, all candidates)
    std::vector<double> scores(int s, bool own, std::span<const double> weights);
    // The feature vector of the whole document as chosen.
    std::vector<float> document();

  private:
    struct Counted {
        int string, kind;
    };
    struct Candidate {
        std::vector<Mention> mentions;
        std::vector<Counted> counted;     // the mentions as strings
        std::vector<int> open;            // strings with an occurrence that is O throughout, one for each
        std::vector<float> conjunctions;  // [classes^2], or empty if none
    };
    struct Sentence {
        std::vector<std::int32_t> tokens;
        std::vector<std::vector<std::int32_t>> labels;
        std::vector<Candidate> candidates;
        std::vector<int> affected;  // strings whose features may change with the candidate
        int chosen = -1;
    };
    struct String {
        std::vector<std::int32_t> words;
        std::vector<int> containing;  // strings that properly contain this one
        std::vector<int> contained;
        std::vector<int> n;  // [classes] mentions
        int open = 0;        // occurrences that are O throughout
    };

    using Find = std::function<int(const std::vector<std::int32_t>&)>;  // the number of a string, or -1

    void prepare();
    void find_kin(int number, const Find& find);
    void find_open(Sentence& sentence, std::size_t longest, const Find& find);
    void find_conjunctions(Sentence& sentence);
    void find_affected(Sentence& sentence);
    void apply(const Candidate& candidate, int sign);
    void add_features(int s, int k, bool own, float* out);  // chooses candidate k
    void add_mentions(String& string, int kind, int times, float* out);
    void add_string(String& string, float* out);
    void add_conjunctions(const Candidate& candidate, float* out) const;
    std::size_t base(Family family) const;

    LabelReading reading_;
    std::array<bool, kFamilies> families_;
    std::vector<std::uint8_t> joining_;
    std::vector<Sentence> sentences_;
    std::vector<String> strings_;
    std::vector<int> scratch_;  // [classes]
    bool prepared_ = false;
};

}  // namespace perceptag
