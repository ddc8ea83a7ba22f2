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
struct GrowingReader {
    std::vector<AttributeChain> chains;
    std::vector<nanobind::dict> vocabularies;
    long reserved;

    // The numbers of all attributes of a word; false if Python must find them: words with other letters, unless all
    // chains are lists, and NUL.
    bool read(std::string_view word, TypeTable& table, std::vector<std::int32_t>& row) const {
        if (word.find('\0') != word.npos) return false;
        if (!std::ranges::all_of(chains, &AttributeChain::is_list) && !is_ascii(word)) return false;
        row.clear();
        std::string memory;
        for (std::size_t a = 0; a < chains.size(); ++a) {
            if (!chains[a].is_list()) {
                const auto value = chains[a].apply(word, memory);
                row.push_back(value ? number(vocabularies[a], *value) : kNone);
                continue;
            }
            const auto found = numbers(vocabularies[a], word, chains[a].has_amounts(), table);
            if (!found) return false;
            row.push_back(*found);
        }
        return true;
    }

  private:
    std::optional<std::int32_t> numbers(nanobind::handle vocabulary, std::string_view word, bool has_amounts,
                                        TypeTable& table) const {
        std::vector<ListedFeature> features;
        if (!read_features(word, has_amounts, features)) return std::nullopt;
        ListedNumbers found;
        for (const ListedFeature& one : features)
            if (!found.add(number(vocabulary, one.name), one.amount) && has_amounts) return std::nullopt;
        return found.store(table);
    }
    std::int32_t number(nanobind::handle vocabulary, std::string_view value) const {
        const nanobind::str key(value.data(), value.size());
        PyObject* found = PyDict_GetItemWithError(vocabulary.ptr(), key.ptr());  // borrowed
        if (!found && PyErr_Occurred()) throw nanobind::python_error();
        if (found) return nanobind::cast<std::int32_t>(nanobind::handle(found));
        const Py_ssize_t fresh = PyDict_Size(vocabulary.ptr()) + reserved;
        if (PyDict_SetItem(vocabulary.ptr(), key.ptr(), nanobind::int_(fresh).ptr())) throw nanobind::python_error();
        return to_int32(fresh);
    }
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
inline std::int32_t new_type_of(nanobind::handle lexicon, nanobind::handle value, const GrowingReader* reader,
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
