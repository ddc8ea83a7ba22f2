// Lists of features as one value, as perceptag/text/feature_lists.py defines them: "bias␟word=dog␟length␞0.5".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/core/types.hpp"
#include "perceptag/text/column_text.hpp"

namespace perceptag {

constexpr char kFeatureSeparator = '\x1f';
constexpr char kAmountMark = '\x1e';

struct ListedFeature {
    std::string_view name;
    float amount;
};

// Whether the features of a value were found, their amounts rounded to multiples of kAmountUnit; those that count 0 are
// left out. If not, Python must look at it: an amount where none is known, or one out of range.
bool read_features(std::string_view value, bool has_amounts, std::vector<ListedFeature>& found);

// Adds an amount to a text, after its mark.
void write_amount(double amount, std::string& out);

// Collects the numbers of features for a type table, each once.
class ListedNumbers {
  public:
    void clear();
    // False if the number is there already.
    bool add(std::int32_t number, float amount);
    // What stands for all of them in a row: kNone, one number, or that of a bag.
    std::int32_t store(TypeTable& table) const;

  private:
    std::vector<std::int32_t> numbers_;
    std::vector<float> amounts_;
    bool is_counted_ = false;  // whether an amount is not 1
};

// Scratch memory of `find_features`.
struct ListScratch {
    std::vector<ListedFeature> features;
    std::vector<std::uint64_t> hashes;
    ListedNumbers numbers;
};

// What stands for the features of a value that the vocabulary knows; nothing if Python must look at it.
std::optional<std::int32_t> find_features(std::string_view value, bool has_amounts, const TextLexicon& vocabulary,
                                          TypeTable& table, ListScratch& scratch);

}  // namespace perceptag
