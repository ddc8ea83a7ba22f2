// Python strings as bytes, and the numbers that a dictionary has for values.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/types.hpp"
#include "perceptag/text/ascii.hpp"
#include "perceptag/text/attributes.hpp"
#include "perceptag/text/feature_lists.hpp"

namespace perceptag {

// UTF-8, for as long as the string lives.
inline std::string_view bytes_of(nanobind::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nanobind::python_error();
    return {data, static_cast<std::size_t>(size)};
}

// Attribute chains of one column in training, where new values get numbers: in the dictionaries of Python, which start
// counting after the numbers that stand for padding.
class GrowingReader {
  public:
    GrowingReader(std::vector<AttributeChain> chains, std::vector<nanobind::dict> vocabularies, long reserved)
        : chains_(std::move(chains)),
          vocabularies_(std::move(vocabularies)),
          reserved_(reserved),
          known_(chains_.size()),
          readable_(chains_) {}

    std::size_t attributes() const { return chains_.size(); }

    // The numbers of all attributes of a word; false if Python must find them: words that are not readable here, and
    // NUL.
    bool read(std::string_view word, TypeTable& table, std::vector<std::int32_t>& row) {
        if (word.find('\0') != word.npos) return false;
        const bool word_is_ascii = is_ascii(word);
        if (!readable_.has(word, word_is_ascii)) return false;
        row.clear();
        for (std::size_t a = 0; a < chains_.size(); ++a) {
            if (!chains_[a].is_list()) {
                const auto value = chains_[a].apply(word, word_is_ascii, memory_);
                row.push_back(value ? number(a, *value, TextLexicon::hash(*value)) : kNone);
                continue;
            }
            const auto found = numbers(a, word, table);
            if (!found) return false;
            row.push_back(*found);
        }
        return true;
    }

  private:
    std::optional<std::int32_t> numbers(std::size_t a, std::string_view word, TypeTable& table) {
        auto& [features, hashes, found] = list_;
        const bool has_amounts = chains_[a].has_amounts();
        if (!read_features(word, has_amounts, features)) return std::nullopt;
        hashes.clear();
        for (const ListedFeature& one : features) known_[a].prefetch(hashes.emplace_back(TextLexicon::hash(one.name)));
        found.clear();
        for (std::size_t i = 0; i < features.size(); ++i)
            if (!found.add(number(a, features[i].name, hashes[i]), features[i].amount) && has_amounts)
                return std::nullopt;
        return found.store(table);
    }
    // A number never changes, so one that was found once needs no look at the dictionary.
    std::int32_t number(std::size_t a, std::string_view value, std::uint64_t hash) {
        std::int32_t found = known_[a].find(value, hash);
        if (found != kNone) return found;
        found = number_in(vocabularies_[a], value);
        known_[a].add(value, found);
        return found;
    }
    std::int32_t number_in(nanobind::handle vocabulary, std::string_view value) const {
        const nanobind::str key(value.data(), value.size());
        PyObject* found = PyDict_GetItemWithError(vocabulary.ptr(), key.ptr());  // borrowed
        if (!found && PyErr_Occurred()) throw nanobind::python_error();
        if (found) return nanobind::cast<std::int32_t>(nanobind::handle(found));
        const Py_ssize_t fresh = PyDict_Size(vocabulary.ptr()) + reserved_;
        if (PyDict_SetItem(vocabulary.ptr(), key.ptr(), nanobind::int_(fresh).ptr())) throw nanobind::python_error();
        return to_int32(fresh);
    }

    std::vector<AttributeChain> chains_;
    std::vector<nanobind::dict> vocabularies_;
    long reserved_;
    std::vector<TextLexicon> known_;  // numbers that were found, of each vocabulary
    ReadableWords readable_;
    std::string memory_;  // scratch memory, as is the list
    ListScratch list_;
};

inline std::int32_t checked_type(const nanobind::object& number, const TypeTable& table) {
    if (!number.is_valid()) throw nanobind::python_error();
    const long result = PyLong_AsLong(number.ptr());
    if (result == -1 && PyErr_Occurred()) throw nanobind::python_error();
    if (result < 0 || result >= table.size()) throw nanobind::value_error("a type id is out of range");
    return to_int32(result);
}

// The type id that a lexicon in Python has for a value; `__missing__` makes a new one.
inline std::int32_t type_in(nanobind::handle lexicon, nanobind::handle value, const TypeTable& table) {
    return checked_type(nanobind::steal(PyObject_GetItem(lexicon.ptr(), value.ptr())), table);
}

// The same in training, where most new words get their types from a reader, if there is one. While this runs no other
// thread of Python does.
inline std::int32_t new_type_of(nanobind::handle lexicon, nanobind::handle value, GrowingReader* reader,
                                TypeTable& table) {
    PyObject* found = PyDict_GetItemWithError(lexicon.ptr(), value.ptr());  // borrowed
    if (found) return checked_type(nanobind::borrow(found), table);
    if (PyErr_Occurred()) throw nanobind::python_error();
    std::vector<std::int32_t> row;
    if (!reader || !PyUnicode_Check(value.ptr()) || !reader->read(bytes_of(value), table, row))
        return type_in(lexicon, value, table);
    const std::int32_t type = table.add(row);
    if (PyDict_SetItem(lexicon.ptr(), value.ptr(), nanobind::int_(type).ptr())) throw nanobind::python_error();
    return type;
}

}  // namespace perceptag
