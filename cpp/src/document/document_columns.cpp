#include "perceptag/document/document_columns.hpp"

#include <algorithm>
#include <array>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/scratch.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kMaxOccurrences = 8;  // whose neighbours are looked at

constexpr std::array<std::string_view, 9> kNames{"doc_recurs",     "doc_lower", "doc_inside",
                                                 "doc_before",     "doc_after", "doc_name_before",
                                                 "doc_name_after", "gazetteer", "gazetteer_bilu"};

// Adds types to the table of a batch: all values of some types with single values.
class TypeMaker {
  public:
    TypeMaker(const TypeTable& singles, TypeTable& table) : singles_(singles), table_(table) {
        row_.assign(singles.attributes(), kNone);
        table_.add(row_);  // type 0
    }

    std::int32_t make(std::span<const std::int32_t> types) {
        if (types.empty()) return 0;
        for (std::size_t a = 0; a < row_.size(); ++a) {
            values_.clear();
            for (const std::int32_t type : types) add_values(singles_.row(type)[a]);
            row_[a] = values_.empty() ? kNone : values_.size() == 1 ? values_[0] : table_.add_bag(values_);
        }
        const bool has_none = std::ranges::all_of(row_, [](std::int32_t v) { return v == kNone; });
        return has_none ? 0 : table_.add(row_);
    }

  private:
    void add_values(std::int32_t value) {
        if (value == kNone) return;
        if (value > kNone) return add_value(value);
        for (const std::int32_t one : singles_.bag(value).values) add_value(one);
    }
    void add_value(std::int32_t value) {
        if (std::ranges::find(values_, value) == values_.end()) values_.push_back(value);
    }

    const TypeTable& singles_;
    TypeTable& table_;
    std::vector<std::int32_t> row_, values_;
};

// Where the capitalised words of a document occur.
class Occurrences {
    // Kept from call to call, with -1 for every word: a short document must not pay for all words that are known.
    struct Numbers {
        std::vector<std::int32_t> of_words;
    };

  public:
    explicit Occurrences(const WordFacts& words) : number_(thread_scratch<Numbers>().of_words) {
        if (std::ssize(number_) < words.size()) number_.resize(words.size(), -1);
    }
    Occurrences(const Occurrences&) = delete;
    Occurrences& operator=(const Occurrences&) = delete;
    ~Occurrences() { clear(); }

    void read(const DocumentTokens& tokens, std::size_t document) {
        clear();
        for (std::int32_t s = tokens.documents[document]; s < tokens.documents[document + 1]; ++s)
            for (std::int32_t t = tokens.begin[s]; t < tokens.begin[s + 1]; ++t)
                add(tokens.words[t], t, t > tokens.begin[s]);
    }

    struct Word {
        int count = 0, later = 0;  // how often it occurs, and not as the first word of its sentence
        std::array<std::int32_t, kMaxOccurrences + 1> places{};  // one of them may be the place that looks
    };
    const Word& operator[](std::int32_t word) const { return words_here_[number_[word]]; }
    bool has(std::int32_t word) const { return number_[word] >= 0; }

  private:
    void clear() {
        for (const std::int32_t word : seen_) number_[word] = -1;
        seen_.clear();
        words_here_.clear();
    }
    void add(std::int32_t word, std::int32_t t, bool later) {
        if (number_[word] < 0) {
            seen_.push_back(word);  // first: if memory runs out, what is not in `seen_` would keep its number for ever
            words_here_.emplace_back();
            number_[word] = to_int32(words_here_.size() - 1);
        }
        Word& here = words_here_[number_[word]];
        if (here.count < std::ssize(here.places)) here.places[here.count] = t;
        ++here.count;
        here.later += later;
    }

    std::vector<std::int32_t>& number_;  // [words] in this document, or -1
    std::vector<std::int32_t> seen_;
    std::vector<Word> words_here_;
};

class Columns {
  public:
    Columns(const WordFacts& words, Borders borders, std::span<const ValueColumn> columns, const Phrases& phrases,
            const DocumentTokens& tokens)
        : words_(words), borders_(borders), columns_(columns), phrases_(phrases), tokens_(tokens) {
        for (const ValueColumn& column : columns) {
            made_.push_back({std::vector<std::int32_t>(tokens.words.size(), 0),
                             std::make_unique<TypeTable>(column.singles->attributes())});
            makers_.emplace_back(*column.singles, *made_.back().table);
        }
    }

    std::vector<ComputedColumn> compute() {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (has_phrases(columns_[c].kind)) lists_.push_back(c);
            if (columns_[c].kind < DocumentColumn::kBefore) flags_.push_back({c, makers_[c].make(columns_[c].types)});
            if (has_words(columns_[c].kind)) neighbours_.push_back(c);
        }
        if (!lists_.empty()) compute_phrases();
        if (!flags_.empty() || !neighbours_.empty()) compute_documents();
        return std::move(made_);
    }

  private:
    void compute_documents() {
        Occurrences where(words_);
        is_first_.assign(tokens_.words.size() + 1, 0);
        for (const std::int32_t t : tokens_.begin) is_first_[t] = 1;
        for (std::size_t d = 0; d + 1 < tokens_.documents.size(); ++d) {
            where.read(tokens_, d);
            for (std::int32_t s = tokens_.documents[d]; s < tokens_.documents[d + 1]; ++s)
                for (std::int32_t t = tokens_.begin[s]; t < tokens_.begin[s + 1]; ++t)
                    if (words_.is_capital(tokens_.words[t])) compute_token(where, t);
        }
    }

    void compute_token(const Occurrences& where, std::int32_t t) {
        const std::int32_t word = tokens_.words[t];
        const Occurrences::Word& here = where[word];
        const bool is_first = is_first_[t];
        for (const auto& [c, type] : flags_) {
            const bool holds = columns_[c].kind == DocumentColumn::kRecurs  ? here.count > 1
                               : columns_[c].kind == DocumentColumn::kLower ? where.has(words_.lower(word))
                                                                            : here.later > (is_first ? 0 : 1);
            if (holds) made_[c].ids[t] = type;
        }
        if (here.count < 2) return;
        for (std::size_t i = 0; i < neighbours_.size(); ++i) {
            const std::size_t c = neighbours_[i];
            const DocumentColumn kind = columns_[c].kind;
            const bool is_before = kind == DocumentColumn::kBefore || kind == DocumentColumn::kNameBefore;
            find_neighbours(here, t, is_before, kind >= DocumentColumn::kNameBefore);
            for (std::int32_t& one : values_) one = words_.type(one, i);
            made_[c].ids[t] = makers_[c].make(values_);
        }
    }

    // The different words before or after the first other places of a word: names alone, or all in lower case.
    void find_neighbours(const Occurrences::Word& here, std::int32_t t, bool is_before, bool names) {
        values_.clear();
        const std::size_t known = std::min<std::size_t>(here.count, here.places.size());
        std::size_t seen = 0;
        for (std::size_t i = 0; i < known && seen < kMaxOccurrences; ++i) {
            if (here.places[i] == t) continue;
            ++seen;
            const std::int32_t word = neighbour(here.places[i], is_before);
            if (names && !words_.is_capital(word)) continue;
            const std::int32_t value = names ? word : words_.lower(word);
            if (std::ranges::find(values_, value) == values_.end()) values_.push_back(value);
        }
    }

    std::int32_t neighbour(std::int32_t t, bool is_before) const {
        if (is_before) return is_first_[t] ? borders_.start : tokens_.words[t - 1];
        return is_first_[t + 1] ? borders_.end : tokens_.words[t + 1];
    }

    void compute_phrases() {
        std::vector<std::vector<std::int32_t>> marks, others;
        std::vector<std::int32_t> numbers;
        for (std::size_t s = 0; s + 1 < tokens_.begin.size(); ++s) {
            const auto sentence = tokens_.words.subspan(tokens_.begin[s], tokens_.begin[s + 1] - tokens_.begin[s]);
            match(phrases_.as_written, &WordFacts::phrase_word, sentence, numbers, marks);
            match(phrases_.in_lower_case, &WordFacts::phrase_word_in_lower_case, sentence, numbers, others);
            for (const std::size_t c : lists_)
                for (std::size_t t = 0; t < sentence.size(); ++t) {
                    values_.clear();
                    for (const std::int32_t mark : marks[t])
                        values_.push_back(columns_[c].types[phrases_.marks_as_written[mark]]);
                    for (const std::int32_t mark : others[t])
                        values_.push_back(columns_[c].types[phrases_.marks_in_lower_case[mark]]);
                    made_[c].ids[tokens_.begin[s] + t] = makers_[c].make(values_);
                }
        }
    }

    using Number = std::int32_t (WordFacts::*)(std::int32_t) const;
    void match(const PhraseTable* phrases, Number number, std::span<const std::int32_t> sentence,
               std::vector<std::int32_t>& numbers, std::vector<std::vector<std::int32_t>>& marks) const {
        if (marks.size() < sentence.size()) marks.resize(sentence.size());
        for (std::size_t t = 0; t < sentence.size(); ++t) marks[t].clear();
        if (!phrases) return;
        numbers.clear();
        for (const std::int32_t word : sentence) numbers.push_back((words_.*number)(word));
        if (std::ranges::any_of(numbers, [](std::int32_t n) { return n >= 0; })) phrases->match(numbers, marks);
    }

    struct Flag {
        std::size_t column;
        std::int32_t type;
    };

    const WordFacts& words_;
    Borders borders_;
    std::span<const ValueColumn> columns_;
    const Phrases& phrases_;
    const DocumentTokens& tokens_;
    std::vector<ComputedColumn> made_;
    std::vector<TypeMaker> makers_;
    std::vector<Flag> flags_;
    std::vector<std::size_t> neighbours_;  // the columns of words
    std::vector<std::size_t> lists_;       // the columns of phrases
    std::vector<std::uint8_t> is_first_;   // [tokens + 1] whether a sentence begins there
    std::vector<std::int32_t> values_;
};

}  // namespace

std::optional<DocumentColumn> document_column(std::string_view name) {
    const auto place = std::ranges::find(kNames, name);
    if (place == kNames.end()) return std::nullopt;
    return static_cast<DocumentColumn>(place - kNames.begin());
}

std::vector<ComputedColumn> compute_columns(const WordFacts& words, Borders borders,
                                            std::span<const ValueColumn> columns, const Phrases& phrases,
                                            const DocumentTokens& tokens) {
    return Columns(words, borders, columns, phrases, tokens).compute();
}

}  // namespace perceptag
