// Sentences in JSON without an object for every token: lists of words to places in the text, labels back into JSON.
//
//   body ──JsonSentences──▶ ColumnText of one column … labels ──write──▶ JSON
//
// Only what most clients send is accepted: sentences of words, none of them empty, and no keys but those named below.
// Everything else, and every error, is left to the readers in Python (perceptag/server/request_body.py and
// perceptag/text/jsonl.py), which say what is wrong where. The replies are the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "perceptag/text/column_text.hpp"

namespace perceptag {

// Appends a text in quotes, as Python's json writes it with ensure_ascii=False.
void append_quoted(std::string_view text, std::string& out);

// The words point into this object, so it must stay where it is.
class JsonSentences {
  public:
    // {"sentences": [["The", "dog"], …]}, perhaps with the names of a model and a layer. False if it is anything else;
    // then there are no words.
    bool parse_request(std::string_view body, ColumnText& words);
    // The same for lines of ["The", "dog"] or {"tokens": ["The", "dog"]}; lines may be blank.
    bool parse_lines(std::string_view body, ColumnText& words);

    const std::string& model() const { return model_; }  // empty if none is named
    const std::string& layer() const { return layer_; }
    std::size_t longest_word() const { return longest_word_; }  // in bytes

    // {"tokens":["The","dog"],"labels":["DT","NN"]} of each sentence, given the names of labels in quotes.
    static std::string write(const ColumnText& words, std::span<const std::string> quoted,
                             std::span<const std::int32_t> labels, std::string_view before, std::string_view between,
                             std::string_view after);

  private:
    class Scanner;
    bool start(std::string_view body, ColumnText& words);
    bool take_request(Scanner& scanner, ColumnText& words);
    bool take_line(Scanner& scanner, ColumnText& words);
    bool take_sentences(Scanner& scanner, ColumnText& words);
    bool take_words(Scanner& scanner, ColumnText& words);

    std::string text_;  // the body, in which escapes are replaced by what they stand for
    std::string model_, layer_;
    std::size_t longest_word_ = 0;
};

}  // namespace perceptag
