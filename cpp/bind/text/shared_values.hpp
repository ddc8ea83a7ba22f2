// The values of a text as Python strings.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/arrays.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/text/column_text.hpp"

namespace perceptag {

// Equal values as one object: a file has few different values, but many copies of each would take much memory.
class SharedValues {
  public:
    nb::handle get(std::string_view text) {
        const auto byte = static_cast<unsigned char>(text[0]);
        if (text.size() > 1 || byte >= kAscii) return look_up(text);
        if (!single_[byte].is_valid()) single_[byte] = nb::borrow(look_up(text));
        return single_[byte];
    }

    // Called between sentences, so that memory stays bounded.
    void forget_if_many() {
        if (objects_.size() <= kMost) return;
        texts_ = {};
        objects_.clear();
    }

  private:
    nb::handle look_up(std::string_view text) {
        std::int32_t number = texts_.find(text);
        if (number < 0) {
            number = to_int32(objects_.size());
            objects_.emplace_back(text.data(), text.size());
            texts_.add(text, number);
        }
        return objects_[number];
    }

    static constexpr std::size_t kMost = 1 << 17, kAscii = 128;
    TextLexicon texts_;
    std::vector<nb::str> objects_;
    std::array<nb::object, kAscii> single_;  // of one character: a third of all values, "_" above all
};

// The values of a sentence by column, from column `first` of the text on.
inline nb::dict columns_of(const ColumnText& text, std::size_t sentence, const nb::tuple& names, std::size_t first,
                           SharedValues& values) {
    nb::dict columns;
    const std::int32_t begin = text.begin()[sentence], count = text.begin()[sentence + 1] - begin;
    for (std::size_t c = 0; c < names.size(); ++c) {
        nb::object list = nb::steal(PyList_New(count));
        if (!list.is_valid()) throw nb::python_error();
        for (std::int32_t t = 0; t < count; ++t)
            PyList_SET_ITEM(list.ptr(), t, values.get(text.field(begin + t, first + c)).inc_ref().ptr());
        columns[names[c]] = list;
    }
    return columns;
}

}  // namespace perceptag
