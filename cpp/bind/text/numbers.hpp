// Python strings as bytes, and the numbers that a dictionary has for values.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "perceptag/core/types.hpp"
#include "perceptag/text/attributes.hpp"

namespace perceptag {

// UTF-8, for as long as the string lives.
inline std::string_view bytes_of(nanobind::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nanobind::python_error();
    return {data, static_cast<std::size_t>(size)};
}

// The type id that a lexicon has for a value. New ASCII words get theirs from the reader, if there is one; all others
// from `__missing__` of the lexicon. While this runs no other thread of Python does.
inline std::int32_t type_of(nanobind::handle lexicon, nanobind::handle value, const AttributeReader* reader,
                            TypeTable& table) {
    PyObject* found = PyDict_GetItemWithError(lexicon.ptr(), value.ptr());  // borrowed
    nanobind::object number = nanobind::borrow(found);
    if (!found && PyErr_Occurred()) throw nanobind::python_error();
    if (!found && reader && PyUnicode_Check(value.ptr())) {
        std::vector<std::int32_t> row;
        if (reader->read(bytes_of(value), table, row)) {
            number = nanobind::int_(table.add(row));
            if (PyDict_SetItem(lexicon.ptr(), value.ptr(), number.ptr())) throw nanobind::python_error();
        }
    }
    if (!number.is_valid()) number = nanobind::steal(PyObject_GetItem(lexicon.ptr(), value.ptr()));
    if (!number.is_valid()) throw nanobind::python_error();
    const long result = PyLong_AsLong(number.ptr());
    if (result == -1 && PyErr_Occurred()) throw nanobind::python_error();
    if (result < 0 || result >= table.size()) throw nanobind::value_error("a type id is out of range");
    return static_cast<std::int32_t>(result);
}

}  // namespace perceptag
