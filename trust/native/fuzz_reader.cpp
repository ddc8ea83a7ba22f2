// The native reader of column files, the attributes of ASCII words and sentences in JSON, compared with the plainest
// code for the same.
#include <cstdlib>
#include <map>
#include <string>

#include "fuzz.hpp"
#include "perceptag/text/ascii.hpp"
#include "perceptag/text/attributes.hpp"
#include "perceptag/text/column_text.hpp"
#include "perceptag/text/json_sentences.hpp"
#include "perceptag/text/letters.hpp"

using namespace perceptag;

namespace {

using Row = std::vector<std::string>;

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == separator)
            parts.emplace_back();
        else
            parts.back().push_back(c);
    return parts;
}

void require(bool holds) {
    if (!holds) std::abort();
}

// Sentences of rows, or false if a line does not have `width` fields.
bool read_plainly(const std::string& text, char separator, std::size_t width,
                  std::vector<std::vector<Row>>& sentences) {
    bool is_open = false;
    for (const std::string& line : split(text, '\n')) {
        if (line.empty()) {
            is_open = false;
            continue;
        }
        const Row row = split(line, separator);
        if (row.size() != width) return false;
        for (const std::string& field : row)
            if (field.empty()) return false;
        if (!is_open) sentences.emplace_back();
        is_open = true;
        sentences.back().push_back(row);
    }
    return true;
}

void try_text(const std::string& text, char separator, std::size_t width, Source& in) {
    ColumnText found;
    if (!found.parse(text, separator, width)) throw std::invalid_argument("left to Python");
    std::vector<std::vector<Row>> expected;
    require(read_plainly(text, separator, width, expected));
    require(found.begin().size() == expected.size() + 1);
    std::size_t t = 0;
    for (std::size_t s = 0; s < expected.size(); ++s) {
        require(found.begin()[s] == static_cast<std::int32_t>(t));
        for (const Row& row : expected[s]) {
            for (std::size_t c = 0; c < width; ++c) require(found.field(t, c) == row[c]);
            ++t;
        }
    }
    require(found.tokens() == t);
    const std::vector<std::string> names{"O", "B-X"};
    std::vector<std::int32_t> labels(t);
    for (std::int32_t& label : labels) label = in.below(2);
    const std::size_t column = static_cast<std::size_t>(in.below(static_cast<int>(width) + 1));
    const bool replace = column < width && in.below(2);
    const std::string written = found.write(names, labels, column, replace);
    ColumnText again;
    require(again.parse(written, separator, replace ? width : width + 1));
    require(again.tokens() == t && again.begin() == found.begin());
    for (std::size_t i = 0; i < t; ++i) require(again.field(i, column) == names[static_cast<std::size_t>(labels[i])]);
}

void try_words(const std::string& text, Source& in) {
    static const char* const kNames[] = {"lower",  "shape",   "shortshape", "digit",   "upper",
                                         "hyphen", "capital", "prefix3",    "suffix1", "suffix9"};
    letter_source = [](std::uint32_t code) { return Letter{code, code, code % 3 == 0, code % 2 == 0, code % 5 == 0}; };
    std::vector<std::string> names;
    for (int n = in.below(4); n > 0; --n) names.emplace_back(kNames[in.below(10)]);
    const auto chain = AttributeChain::make(names, {});
    require(chain.has_value());
    TextLexicon lexicon;
    std::map<std::string, std::int32_t> numbers;
    std::string memory;
    for (const std::string& word : split(text, '\n')) {
        if (!is_ascii(word) && !is_of_letters(word)) continue;  // which are left to Python
        const auto found = chain->apply(word, is_ascii(word), memory);
        if (!found) continue;
        const std::string value(*found);
        require(!is_ascii(word) || value.size() <= std::max<std::size_t>(1, word.size()));
        const auto [place, is_new] = numbers.emplace(value, static_cast<std::int32_t>(numbers.size()));
        require((lexicon.find(value) < 0) == is_new);
        lexicon.add(value, place->second);
        require(lexicon.find(value) == place->second && lexicon.size() == numbers.size());
    }
}

// What was read is written as JSON; read again, it is the same.
void try_json(const std::string& text, bool by_lines) {
    JsonSentences first, second;
    ColumnText words, again;
    if (!(by_lines ? first.parse_lines(text, words) : first.parse_request(text, words)))
        throw std::invalid_argument("left to Python");
    std::string written;
    for (std::size_t s = 0; s + 1 < words.begin().size(); ++s) {
        require(words.begin()[s] < words.begin()[s + 1]);
        for (std::int32_t t = words.begin()[s]; t < words.begin()[s + 1]; ++t) {
            const std::string_view word = words.field(static_cast<std::size_t>(t), 0);
            require(!word.empty() && word.size() <= first.longest_word() && is_sound(word) &&
                    word.find('\0') == word.npos);
            written += t == words.begin()[s] ? '[' : ',';
            append_quoted(word, written);
        }
        written += "]\n";
    }
    require(second.parse_lines(written, again) && again.begin() == words.begin());
    for (std::size_t t = 0; t < words.tokens(); ++t) require(again.field(t, 0) == words.field(t, 0));
}

}  // namespace

void try_out(const Input& input) {
    Source in(input);
    const int what = in.below(10), width = 1 + in.below(4);
    const std::string text(input.begin() + std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(input.size())),
                           input.end());
    if (what < 5)
        try_text(text, what % 2 ? '\t' : ' ', static_cast<std::size_t>(width), in);
    else if (what < 8)
        try_words(text, in);
    else
        try_json(text, what % 2);
}

std::vector<Input> seeds() {
    const auto make = [](int what, int width, const std::string& text) {
        Input input{static_cast<std::uint8_t>(what), static_cast<std::uint8_t>(width - 1)};
        input.insert(input.end(), text.begin(), text.end());
        return input;
    };
    return {make(0, 2, "The DT\ndog NN\n\nIt PRP\n"),
            make(1, 3, "a\tb\tc\nd\te\tf"),
            make(2, 1, "x\n\n\ny\n"),
            make(6, 1, "Smith-2002\nUS\n\nx\nabcdefghijklm\nX1-"),
            make(8, 1, R"({"model":"m","sentences":[["a","\u00e9\ud83d\ude00\"\n"],["b"]]})"),
            make(9, 1, "[\"a\", \"\\\\\"]\n\n{\"tokens\":[\"\xC3\xA9\"]}")};
}
