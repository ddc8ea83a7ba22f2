// The types of one column by the bytes of their values, for tagging: many words are looked up at once, without Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "perceptag/core/types.hpp"
#include "perceptag/text/attributes.hpp"
#include "perceptag/text/column_text.hpp"

namespace perceptag {

// Any number of threads may use it.
class TypeNumbers {
  public:
    // Both must outlive it. Without a reader every new word is left to Python.
    TypeNumbers(TypeTable& table, const AttributeReader* reader) : table_(table), reader_(reader) {}

    // The types of some words, in `ids`. A new word gets a new type; if only Python can read its attributes it gets
    // kNone, and its place goes to `left`.
    void find(std::span<const std::string_view> words, std::int32_t* ids, std::vector<std::size_t>& left);
    // Remembers a type that Python has found.
    void add(std::string_view word, std::int32_t type);
    const TypeTable& table() const { return table_; }
    std::size_t size() const;

  private:
    std::int32_t add_new(std::string_view word);

    TypeTable& table_;
    const AttributeReader* reader_;
    TextLexicon lexicon_;
    AttributeScratch scratch_;
    mutable std::mutex guard_;  // of the lexicon and the scratch memory
};

}  // namespace perceptag
