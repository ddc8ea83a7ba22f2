// Sentences as users have them in Python, read in pieces: lists of words, dictionaries of such lists, or lists of
// tokens that are dictionaries of features.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "perceptag/core/compiler.hpp"
#include "perceptag/core/integers.hpp"
#include "text/feature_joiner.hpp"
#include "text/words.hpp"

namespace perceptag {

// How many words the longest sentence has.
inline Py_ssize_t longest(const nanobind::list& sentences) {
    Py_ssize_t most = 0;
    const auto look_at = [&](PyObject* values) {
        if (PyList_CheckExact(values)) most = std::max(most, PyList_GET_SIZE(values));
    };
    for (nanobind::handle sentence : sentences) {
        PyObject *name = nullptr, *values = nullptr;
        Py_ssize_t place = 0;
        look_at(sentence.ptr());
        while (PyDict_CheckExact(sentence.ptr()) && PyDict_Next(sentence.ptr(), &place, &name, &values))
            look_at(values);
    }
    return most;
}

// Reads without running code of anybody, so nothing changes meanwhile.
class SentenceLists {
  public:
    // `names`: the columns to read. `joiner`: for tokens that are dictionaries of features, which the only column has.
    SentenceLists(const nanobind::list& sentences, const nanobind::tuple& names,
                  std::optional<FeatureJoiner> joiner = std::nullopt)
        : sentences_(nanobind::steal<nanobind::list>(PyList_GetSlice(sentences.ptr(), 0, PY_SSIZE_T_MAX))),
          names_(names),
          is_of_forms_(names.size() == 1 && nanobind::cast<nanobind::str>(names[0]).equal(nanobind::str("form"))),
          joiner_(std::move(joiner)) {
        if (!sentences_.is_valid()) throw nanobind::python_error();
    }

    bool is_at_end() const { return next_ == sentences_.size(); }

    // The next sentences with about `most` words: the words of each column, and where sentences begin. False if
    // something is not as simple as it usually is; then the rest is of no use.
    bool read(std::size_t most, std::vector<Words>& columns, std::vector<std::int32_t>& begin) {
        for (; !is_at_end() && columns[0].size() < most; ++next_) {
            PyObject* sentence = PyList_GET_ITEM(sentences_.ptr(), next_);
            if (!read_sentence(sentence, columns) || columns[0].size() > kMost) return false;
            begin.push_back(to_int32(columns[0].size()));
        }
        return true;
    }

  private:
    static constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();

    bool read_sentence(PyObject* sentence, std::vector<Words>& columns) {
        if (PyList_CheckExact(sentence))
            return joiner_ ? read_tokens(sentence, columns[0]) : is_of_forms_ && read_list(sentence, columns[0]);
        if (!PyDict_CheckExact(sentence)) return false;
        PyObject *name = nullptr, *values = nullptr;
        Py_ssize_t place = 0, found = 0, length = -1;
        while (PyDict_Next(sentence, &place, &name, &values)) {
            if (!is_simple(name) || !PyList_CheckExact(values)) return false;
            if (length >= 0 && PyList_GET_SIZE(values) != length) return false;
            length = PyList_GET_SIZE(values);
            const Py_ssize_t column = column_of(name);
            found += column >= 0;
            other_.clear();
            if (!read_list(values, column >= 0 ? columns[column] : other_)) return false;
        }
        return found == std::ssize(columns);
    }

    // All are checked, also those that are not read.
    static bool read_list(PyObject* values, Words& words) {
        constexpr Py_ssize_t kAhead = 8;
        const Py_ssize_t n = PyList_GET_SIZE(values);
        for (Py_ssize_t i = 0; i < n; ++i) {
            fetch_ahead(PyList_GET_ITEM(values, std::min(i + kAhead, n - 1)));
            if (!words.add(PyList_GET_ITEM(values, i))) return false;
        }
        return true;
    }

    bool read_tokens(PyObject* tokens, Words& words) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(tokens); ++i) {
            const auto value = joiner_->join(PyList_GET_ITEM(tokens, i));
            if (!value || !words.add(*value)) return false;
        }
        return true;
    }

    bool is_simple(PyObject* name) {
        other_.clear();
        return other_.add(name);
    }

    Py_ssize_t column_of(PyObject* name) const {
        for (std::size_t c = 0; c < names_.size(); ++c) {
            PyObject* wanted = PyTuple_GET_ITEM(names_.ptr(), c);
            if (name == wanted || PyUnicode_Compare(name, wanted) == 0) return c;
        }
        return -1;
    }

    nanobind::list sentences_;  // a copy: its length cannot change
    nanobind::tuple names_;
    bool is_of_forms_;
    std::optional<FeatureJoiner> joiner_;
    std::size_t next_ = 0;
    Words other_;
};

}  // namespace perceptag
