// Words of Python strings, copied, so that they can be looked up without the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/text/type_numbers.hpp"
#include "text/numbers.hpp"

namespace perceptag {

// False for a lone surrogate.
inline bool append_utf8(std::string& bytes, Py_UCS4 c) {
    if (c >= 0xD800 && c <= 0xDFFF) return false;
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;  // bytes after the first
    bytes.push_back(static_cast<char>(more ? (0xFF00u >> (more + 1) & 0xFF) | c >> 6 * more : c));
    for (int k = more - 1; k >= 0; --k) bytes.push_back(static_cast<char>(0x80 | (c >> 6 * k & 0x3F)));
    return true;
}

class Words {
  public:
    // False if the value is not a string, or has NUL or a lone surrogate.
    bool add(PyObject* value) {
        if (!PyUnicode_CheckExact(value)) return false;
        const std::size_t n = PyUnicode_GET_LENGTH(value);
        if (PyUnicode_IS_COMPACT_ASCII(value)) {
            const char* data = static_cast<const char*>(PyUnicode_DATA(value));
            if (std::memchr(data, 0, n)) return false;
            bytes_.append(data, n);
        } else if (!add_letters(value, n)) {
            return false;
        }
        ends_.push_back(bytes_.size());
        return true;
    }
    // The same for text in UTF-8.
    bool add(std::string_view text) {
        if (text.find('\0') != text.npos) return false;
        bytes_ += text;
        ends_.push_back(bytes_.size());
        return true;
    }
    std::size_t size() const { return ends_.size(); }
    void clear() {
        bytes_.clear();
        ends_.clear();
    }
    // Valid until the next change.
    std::span<const std::string_view> views() {
        views_.clear();
        for (std::size_t i = 0, first = 0; i < ends_.size(); first = ends_[i++])
            views_.emplace_back(bytes_.data() + first, ends_[i] - first);
        return views_;
    }

  private:
    // Without the copy in UTF-8 that the string would keep.
    bool add_letters(PyObject* value, Py_ssize_t n) {
        for (Py_ssize_t i = 0; i < n; ++i) {
            const Py_UCS4 c = PyUnicode_READ_CHAR(value, i);
            if (c == 0 || !append_utf8(bytes_, c)) return cut(), false;
        }
        return true;
    }
    void cut() { bytes_.resize(ends_.empty() ? 0 : ends_.back()); }

    std::string bytes_;
    std::vector<std::size_t> ends_;
    std::vector<std::string_view> views_;
};

// The types of words, which are looked up without the GIL. It is taken again for those that only Python can
// read: their types are in the lexicon.
inline void find_types(nanobind::handle lexicon, TypeNumbers& numbers, std::span<const std::string_view> words,
                       std::int32_t* ids) {
    std::vector<std::size_t> left;
    numbers.find(words, ids, left);
    if (left.empty()) return;
    const nanobind::gil_scoped_acquire locked;
    for (const std::size_t i : left) {
        ids[i] = type_in(lexicon, nanobind::str(words[i].data(), words[i].size()), numbers.table());
        numbers.add(words[i], ids[i]);
    }
}

}  // namespace perceptag
