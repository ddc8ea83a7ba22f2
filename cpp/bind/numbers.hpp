// Python strings as bytes, and the numbers that a dictionary has for values.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <string_view>

namespace perceptag {

// UTF-8, for as long as the string lives.
inline std::string_view bytes_of(nanobind::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nanobind::python_error();
    return {data, static_cast<std::size_t>(size)};
}

// `__missing__` of the dictionary makes new numbers.
inline std::int32_t number_of(nanobind::handle dictionary, nanobind::handle value) {
    PyObject* found = PyDict_GetItemWithError(dictionary.ptr(), value.ptr());  // borrowed
    nanobind::object number = nanobind::borrow(found);
    if (!found) {
        if (PyErr_Occurred()) throw nanobind::python_error();
        number = nanobind::steal(PyObject_GetItem(dictionary.ptr(), value.ptr()));
        if (!number.is_valid()) throw nanobind::python_error();
    }
    const long result = PyLong_AsLong(number.ptr());
    if (result == -1 && PyErr_Occurred()) throw nanobind::python_error();
    if (result < 0 || result > std::numeric_limits<std::int32_t>::max()) throw nanobind::value_error("not a type id");
    return static_cast<std::int32_t>(result);
}

}  // namespace perceptag
