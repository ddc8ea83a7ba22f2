// The endings with which words also occur in a text, as perceptag/features/word_endings.py finds them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perceptag/text/column_text.hpp"

namespace perceptag {

class EndingTable {
  public:
    // `words` has the words of the text, in lower case; a change is an ending and what stands in its place.
    EndingTable(std::shared_ptr<const TextLexicon> words, std::vector<std::pair<std::string, std::string>> changes,
                std::size_t stem);

    // All changes that make another word of the text from an ASCII word, as in "s>ing".
    std::vector<std::string> find(std::string_view word) const;

  private:
    std::shared_ptr<const TextLexicon> words_;
    std::vector<std::pair<std::string, std::string>> changes_;
    std::size_t stem_;
};

}  // namespace perceptag
