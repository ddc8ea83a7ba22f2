// Loops over Python objects as cpp/bind/text/tokens.cpp has them, for both ABIs: benchmarks/stable_abi.py
#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <vector>
namespace nb = nanobind;
#ifdef Py_LIMITED_API
// only functions: no look into objects
static bool is_text(PyObject* v) {
    Py_ssize_t n = 0;
    const char* data = PyUnicode_AsUTF8AndSize(v, &n);  // fails for lone surrogates
    if (!data) {
        PyErr_Clear();
        return false;
    }
    return !std::memchr(data, 0, (size_t)n);
}
static Py_ssize_t size_of(PyObject* l) { return PyList_Size(l); }
static PyObject* item(PyObject* l, Py_ssize_t i) { return PyList_GetItem(l, i); }
static void set_item(PyObject* l, Py_ssize_t i, PyObject* v) { PyList_SetItem(l, i, v); }
static PyObject* tuple_item(PyObject* l, Py_ssize_t i) { return PyTuple_GetItem(l, i); }
#else
static bool is_text(PyObject* value) {
    const Py_ssize_t n = PyUnicode_GET_LENGTH(value);
    if (PyUnicode_IS_ASCII(value)) return !std::memchr(PyUnicode_DATA(value), 0, static_cast<std::size_t>(n));
    for (Py_ssize_t i = 0; i < n; ++i)
        if (const Py_UCS4 c = PyUnicode_READ_CHAR(value, i); c == 0 || (c >= 0xD800 && c <= 0xDFFF)) return false;
    return true;
}
static Py_ssize_t size_of(PyObject* l) { return PyList_GET_SIZE(l); }
static PyObject* item(PyObject* l, Py_ssize_t i) { return PyList_GET_ITEM(l, i); }
static void set_item(PyObject* l, Py_ssize_t i, PyObject* v) { PyList_SET_ITEM(l, i, v); }
static PyObject* tuple_item(PyObject* l, Py_ssize_t i) { return PyTuple_GET_ITEM(l, i); }
#endif
NB_MODULE(MODULE, m) {
    m.def("are_texts", [](nb::list l) {
        for (Py_ssize_t i = 0; i < size_of(l.ptr()); ++i) {
            PyObject* x = item(l.ptr(), i);
            if (!PyUnicode_Check(x) || !is_text(x)) return false;
        }
        return true;
    });
    m.def("type_ids", [](nb::dict d, nb::list l) {
        std::int64_t sum = 0;
        for (Py_ssize_t i = 0; i < size_of(l.ptr()); ++i) {
            nb::object o = nb::borrow(item(l.ptr(), i));
            nb::object n = nb::borrow(PyDict_GetItemWithError(d.ptr(), o.ptr()));
            sum += PyLong_AsLong(n.ptr());
        }
        return sum;
    });
    m.def("name_list", [](nb::tuple names, nb::bytes ids) {
        Py_ssize_t n = (Py_ssize_t)ids.size();
        const unsigned char* p = (const unsigned char*)ids.c_str();
        nb::object list = nb::steal(PyList_New(n));
        for (Py_ssize_t i = 0; i < n; ++i) {
            PyObject* x = tuple_item(names.ptr(), p[i]);
            Py_INCREF(x);
            set_item(list.ptr(), i, x);
        }
        return list;
    });
}
