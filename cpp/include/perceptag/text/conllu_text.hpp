// CoNLL-U without an object for every token: where its sentences, their words and their other lines are.
//
// Only text in which nothing is wrong is accepted. Every error is left to the reader in Python
// (perceptag/text/conllu.py), which says what is wrong where.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/text/column_text.hpp"

namespace perceptag {

// What the text has in addition to its words, which are lines of a column text.
class ConlluText {
  public:
    static constexpr std::size_t kWidth = 10;  // fields of a line, the id first

    // A line that is not a word: a comment, a multiword range or an empty node.
    struct Extra {
        std::uint32_t begin, end;
        std::int32_t before;  // words of the sentence before it
    };
    struct Sentence {
        std::uint32_t begin = 0, end = 0;  // of its text, without the last line end
        std::uint32_t line = 0;            // lines before its first word
        std::uint32_t extra_end = 0;       // of its extra lines among all
        bool starts_document = false;
    };

    // Put the words into `words`. False if anything is wrong; then there is nothing in either.
    bool parse(std::string_view text, ColumnText& words);

    const std::vector<Sentence>& sentences() const { return sentences_; }
    const std::vector<Extra>& extra() const { return extra_; }

    // The text with the names of labels in place of a column, and one blank line after each sentence.
    std::string write(const ColumnText& words, std::span<const std::string> names, std::span<const std::int32_t> labels,
                      std::size_t column) const;

  private:
    bool parse_lines(ColumnText& words);
    bool add_row(std::uint32_t first, std::uint32_t last, ColumnText& words);
    bool add_id(std::string_view id);
    void add_extra(std::uint32_t first, std::uint32_t last);
    bool close(ColumnText& words);

    std::string_view text_;
    std::vector<Sentence> sentences_;
    std::vector<Extra> extra_;

    // Of the sentence that is being read.
    Sentence open_;
    std::int32_t count_ = 0;      // words
    std::int32_t range_end_ = 0;  // of the multiword range that ends last
    std::int32_t part_ = 0;       // of the last empty node since the last word
};

}  // namespace perceptag
