// Joins the features of a token that is a dictionary or a list into one value (perceptag/text/feature_lists.hpp).
//
// It knows plain dictionaries, lists, strings, numbers and what is made of them. Of anything else, and of anything
// wrong, it says that Python must look at it. No code of a user runs meanwhile.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/text/feature_lists.hpp"

namespace perceptag {

class FeatureJoiner {
  public:
    explicit FeatureJoiner(bool takes_numbers) : takes_numbers_(takes_numbers) {}

    // The features of a token as one value; nothing if Python must look at it.
    std::optional<std::string_view> join(PyObject* token) {
        value_.clear();
        prefix_.clear();
        hashes_.clear();
        amounts_ = 0;
        if (!add(token, 0) || !is_sound()) return std::nullopt;
        return value_;
    }

  private:
    static constexpr int kDeepest = 20;

    bool add(PyObject* token, int depth) {
        if (depth > kDeepest) return false;
        if (PyDict_CheckExact(token)) return add_entries(token, depth);
        if (!PyList_CheckExact(token) && !PyTuple_CheckExact(token)) return false;
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(token); ++i)
            if (!add_feature(PySequence_Fast_GET_ITEM(token, i), nullptr, 1.0)) return false;
        return true;
    }

    bool add_entries(PyObject* entries, int depth) {
        PyObject *name = nullptr, *value = nullptr;
        for (Py_ssize_t i = 0; PyDict_Next(entries, &i, &name, &value);)
            if (!add_entry(name, value, depth)) return false;
        return true;
    }

    bool add_entry(PyObject* name, PyObject* value, int depth) {
        if (PyUnicode_CheckExact(value)) return add_feature(name, value, 1.0);
        if (value == Py_True) return add_feature(name, nullptr, 1.0);
        if (value == Py_False) return PyUnicode_CheckExact(name);
        if (PyFloat_CheckExact(value)) return add_number(name, PyFloat_AS_DOUBLE(value));
        if (PyLong_CheckExact(value)) {
            int overflow = 0;
            const long number = PyLong_AsLongAndOverflow(value, &overflow);
            return !overflow && add_number(name, static_cast<double>(number));
        }
        const std::size_t length = prefix_.size();
        if (!append(name, prefix_)) return false;
        prefix_ += ':';
        const bool is_added = add(value, depth + 1);
        prefix_.resize(length);
        return is_added;
    }

    bool add_number(PyObject* name, double number) {
        if (number == 0) return PyUnicode_CheckExact(name);
        if (number == 1) return add_feature(name, nullptr, 1.0);
        if (!takes_numbers_ || !(std::abs(number) <= kMaxAmount)) return false;
        return add_feature(name, nullptr, number);
    }

    // Adds prefix, name and, if there is one, value.
    bool add_feature(PyObject* name, PyObject* value, double amount) {
        if (!hashes_.empty()) value_ += kFeatureSeparator;
        const std::size_t begin = value_.size();
        value_ += prefix_;
        if (!append(name, value_)) return false;
        if (value) {
            value_ += ':';
            if (!append(value, value_)) return false;
        }
        if (value_.size() == begin) return false;
        const std::uint64_t hash = TextLexicon::hash(std::string_view(value_).substr(begin));
        if (std::ranges::find(hashes_, hash) != hashes_.end()) return false;  // probably twice the same
        hashes_.push_back(hash);
        if (amount == 1) return true;
        ++amounts_;
        value_ += kAmountMark;
        write_amount(amount, value_);
        return true;
    }

    static bool append(PyObject* text, std::string& to) {
        if (!PyUnicode_CheckExact(text)) return false;
        Py_ssize_t size = 0;
        const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
        if (!bytes)
            PyErr_Clear();  // a lone surrogate
        else
            to.append(bytes, size);
        return bytes != nullptr;
    }

    // Whether names have none of the marks.
    bool is_sound() const {
        const std::size_t separators = std::ranges::count(value_, kFeatureSeparator);
        const std::size_t marks = std::ranges::count(value_, kAmountMark);
        return separators + 1 == std::max<std::size_t>(1, hashes_.size()) && marks == amounts_;
    }

    bool takes_numbers_;
    std::string value_, prefix_;
    std::vector<std::uint64_t> hashes_;  // of the features so far
    std::size_t amounts_ = 0;
};

}  // namespace perceptag
