// Lists that come from Python as std::vector. The caster of nanobind may not throw, so memory that runs out while it
// copies a list would end the process. This one remembers it and throws when the list is handed over.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/detail/nb_list.h>

#include <new>
#include <vector>

namespace nanobind::detail {

template <class Type, class Alloc>
struct type_caster<std::vector<Type, Alloc>> {
    using Value = std::vector<Type, Alloc>;
    using Entry = make_caster<Type>;
    static constexpr auto Name = list_caster<Value, Type>::Name;
    template <class T>
    using Cast = movable_cast_t<T>;
    template <class T>
    static constexpr bool can_cast() {
        return true;
    }

    template <class Flags>
    bool from_python(handle source, Flags flags, cleanup_list* cleanup) noexcept {
        PyObject* const list = source.ptr();
        if (PyUnicode_Check(list) || PyBytes_Check(list) || !PySequence_Check(list)) return false;
        PyObject* const items = PySequence_Fast(list, "");
        if (!items) return PyErr_Clear(), false;
        bool fits = false;
        try {
            fits = copy(items, flags_for_local_caster<Type>(flags), cleanup);
        } catch (const std::bad_alloc&) {
            fits = out_of_memory_ = true;
        }
        Py_DECREF(items);
        return fits;
    }

    template <class T>
    static handle from_cpp(T&& source, rv_policy policy, cleanup_list* cleanup) noexcept {
        return list_caster<Value, Type>::from_cpp(std::forward<T>(source), policy, cleanup);
    }

    explicit operator Value*() { return &get(); }
    explicit operator Value&() { return get(); }
    explicit operator Value&&() { return std::move(get()); }

  private:
    template <class Flags>
    bool copy(PyObject* items, Flags flags, cleanup_list* cleanup) {
        const std::size_t size = PySequence_Fast_GET_SIZE(items);
        value_.clear();
        value_.reserve(size);
        Entry entry;
        for (std::size_t i = 0; i < size; ++i) {
            if (!entry.from_python(PySequence_Fast_ITEMS(items)[i], flags, cleanup) || !entry.template can_cast<Type>())
                return false;
            value_.push_back(entry.operator cast_t<Type>());
        }
        return true;
    }

    Value& get() {
        if (out_of_memory_) throw std::bad_alloc();
        return value_;
    }

    Value value_;
    bool out_of_memory_ = false;
};

}  // namespace nanobind::detail
