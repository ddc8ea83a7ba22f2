// Column files without an object for every token: lines of fields to type ids, labels back into the lines.
//
//   text ──ColumnText──▶ places of fields ──TextLexicon──▶ type ids … labels ──write──▶ text
//
// Only plain text is accepted: single separators, the same number of fields in every line, none empty; marks of
// documents alone between blank lines, each before a sentence. Everything else, and every error, is left to the reader
// in Python (perceptag/text/columns.py), which says what is wrong where.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/core/compiler.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/pages.hpp"

namespace perceptag {

// Numbers for strings of bytes.
class TextLexicon {
  public:
    // The number of a text, or -1.
    std::int32_t find(std::string_view text) const { return find(text, hash(text)); }
    // The same in steps, for those who look for several texts at once.
    static std::uint64_t hash(std::string_view text);
    void prefetch(std::uint64_t hash) const {
        if (!slots_.empty()) fetch_ahead(&slots_[hash & (slots_.size() - 1)]);
    }
    void prefetch_entry(std::uint64_t hash) const;  // when the first is there
    std::int32_t find(std::string_view text, std::uint64_t hash) const;
    // Does nothing if the text has a number; whether it had none.
    bool add(std::string_view text, std::int32_t number) { return add(text, hash(text), number); }
    bool add(std::string_view text, std::uint64_t hash, std::int32_t number);
    // The number of a text, which gets `fresh` if it has none.
    std::int32_t number(std::string_view text, std::uint64_t hash, std::int32_t fresh);
    // Changes the number of a text, or adds it.
    void set(std::string_view text, std::uint64_t hash, std::int32_t number);
    // Make room for n texts.
    void reserve(std::size_t n);
    // The same for texts that are all known now, with so many bytes in total: no room to grow.
    void reserve_exactly(std::size_t n, std::size_t bytes);
    std::size_t size() const { return entries_.size(); }
    // The texts in the order in which they were added.
    std::string_view text(std::size_t i) const { return {bytes_.data() + entries_[i].begin, entries_[i].length}; }
    std::uint64_t hash_at(std::size_t i) const { return entries_[i].hash; }
    std::int32_t number_at(std::size_t i) const { return entries_[i].number; }

  private:
    struct Entry {
        std::uint64_t hash;
        std::size_t begin;  // in the bytes
        std::uint32_t length;
        std::int32_t number;
    };
    std::size_t place(std::uint64_t hash, std::string_view text) const;
    const Entry& entry(std::uint64_t slot) const { return entries_[static_cast<std::uint32_t>(slot) - 1]; }
    bool is_same(const Entry& entry, std::uint64_t hash, std::string_view text) const;

    std::vector<char, PageAllocator<char>> bytes_;
    std::vector<Entry, PageAllocator<Entry>> entries_;
    // Number of an entry + 1, and in the upper half a part of its hash, so that other entries need not be looked at.
    std::vector<std::uint64_t, PageAllocator<std::uint64_t>> slots_;  // 0: free
};

// Lines of fields; the text must stay where it is.
class ColumnText {
  public:
    // False if the text is not plain; then there is nothing in it.
    bool parse(std::string_view text, char separator, std::size_t width);

    std::size_t tokens() const { return ends_.size(); }
    const std::vector<std::int32_t>& begin() const { return begin_; }  // where sentences begin, and the last ends
    std::string_view field(std::size_t token, std::size_t column) const;

    // Where documents begin, and how many sentences there are, given which sentences begin one. Each sentence before
    // the first of these is a document.
    std::vector<std::int32_t> documents() const;

    // The lines with the names of labels in place of a column, or before it; a blank line after each sentence.
    std::string write(std::span<const std::string> names, std::span<const std::int32_t> labels, std::size_t column,
                      bool replace) const;

    // For those who find the lines themselves: a text without lines, its next line, the end of a sentence.
    void start(std::string_view text, char separator, std::size_t width);
    // False if the line does not have the right number of fields, or an empty one.
    bool add_line(std::size_t first, std::size_t last);
    // The same for a word that is not empty, in a text of one column.
    void add_word(std::size_t first, std::size_t last) {
        fields_.push_back(to_uint32(first));
        ends_.push_back(to_uint32(last));
    }
    void end_sentence() { begin_.push_back(to_int32(tokens())); }
    void clear();
    // The next sentence begins a document. `first`, `last`: the line that says so; none if it is elsewhere.
    void start_document(std::size_t first = 0, std::size_t last = 0);

  private:
    bool parse_lines();
    struct Mark {
        std::int32_t sentence;
        std::uint32_t begin, end;  // its line
    };
    // Writes a mark with as many fields as the lines of tokens.
    void write_mark(const Mark& mark, std::size_t width, std::string& out) const;

    std::string_view text_;
    char separator_ = ' ';
    std::size_t width_ = 0;
    std::vector<std::uint32_t> fields_;  // [tokens, width] where fields begin
    std::vector<std::uint32_t> ends_;    // [tokens] where lines end
    std::vector<std::int32_t> begin_;    // [sentences + 1]
    std::vector<Mark> marks_;
};

}  // namespace perceptag
