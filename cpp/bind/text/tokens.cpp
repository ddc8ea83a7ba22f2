// Lists of Python strings to numbers and back: plain loops over Python objects, the only ones in perceptag.
#include <cstring>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/memory_views.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/integers.hpp"
#include "text/numbers.hpp"
#include "text/words.hpp"

namespace perceptag {
namespace {

using Lexicon = nb::typed<nb::dict, nb::any, nb::any>;
using Sequences = nb::typed<nb::sequence, nb::any>;

// Calls visit(value) for every value of some sequences. It may run code of the user, so lengths are read again and
// values are held.
template <class Visit>
void for_each_value(const Sequences& sequences, Visit visit) {
    for (nb::handle sequence : sequences) {
        const nb::object values = nb::steal(PySequence_Fast(sequence.ptr(), "expected lists of values"));
        if (!values.is_valid()) throw nb::python_error();
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(values.ptr()); ++i)
            visit(nb::borrow(PySequence_Fast_GET_ITEM(values.ptr(), i)));
    }
}

// Words are copied and looked up in pieces, so that others can run meanwhile; all else is looked up in the lexicon.
auto type_ids(const Lexicon& lexicon, const Sequences& sequences, TypeNumbers& numbers) {
    constexpr std::size_t kPiece = 8192;
    std::vector<std::int32_t> ids, found;
    std::vector<std::size_t> places;  // of the words
    Words words;
    const auto look_up = [&] {
        found.resize(words.size());
        {
            const nb::gil_scoped_release unlocked;
            find_types(lexicon, numbers, words.views(), found.data());
        }
        for (std::size_t i = 0; i < places.size(); ++i) ids[places[i]] = found[i];
        words.clear();
        places.clear();
    };
    for_each_value(sequences, [&](const nb::object& value) {
        const bool is_word = words.add(value.ptr());
        if (is_word) places.push_back(ids.size());
        ids.push_back(is_word ? kNone : type_in(lexicon, value, numbers.table()));
        if (words.size() == kPiece) look_up();
    });
    look_up();
    return to_view(std::move(ids));
}

// Whether a string has neither NUL nor a lone surrogate.
bool is_text(PyObject* value) {
    const Py_ssize_t n = PyUnicode_GET_LENGTH(value);
    if (PyUnicode_IS_ASCII(value)) return !std::memchr(PyUnicode_DATA(value), 0, n);
    for (Py_ssize_t i = 0; i < n; ++i)
        if (const Py_UCS4 c = PyUnicode_READ_CHAR(value, i); c == 0 || (c >= 0xD800 && c <= 0xDFFF)) return false;
    return true;
}

}  // namespace

void bind_tokens(nb::module_& m) {
    m.def(
        "are_texts",
        [](nb::handle values) {
            const nb::object list = nb::steal(PySequence_Fast(values.ptr(), "expected a list of values"));
            if (!list.is_valid()) throw nb::python_error();
            PyObject** items = PySequence_Fast_ITEMS(list.ptr());
            for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.ptr()); ++i)
                if (!PyUnicode_Check(items[i]) || !is_text(items[i])) return false;
            return true;
        },
        "values"_a, nb::sig("def are_texts(values: collections.abc.Iterable[object]) -> bool"),
        "Whether all values are strings without NUL and lone surrogates.");
    m.def(
        "type_ids",
        [](Lexicon lexicon, Sequences sequences, TypeNumbers& numbers) {
            return type_ids(lexicon, sequences, numbers);
        },
        "lexicon"_a, "sequences"_a, "numbers"_a, "The numbers of all values of some sequences, one after the other.");
    m.def(
        "new_type_ids",
        [](Lexicon lexicon, Sequences sequences, TypeTable& table, GrowingReader* reader) {
            if (reader && table.attributes() != to_int32(reader->attributes()))
                throw nb::value_error("expected a table with the attributes of the reader");
            std::vector<std::int32_t> ids;
            for_each_value(sequences,
                           [&](const nb::object& value) { ids.push_back(new_type_of(lexicon, value, reader, table)); });
            return to_numpy(std::move(ids));
        },
        "lexicon"_a, "sequences"_a, "table"_a, "reader"_a.none(),
        "The same in training: new attribute values get new numbers.");
    m.def(
        "name_lists",
        [](nb::tuple names, Array1<std::int32_t> ids, Array1<std::int32_t> begin) {
            const auto count = to_int32(names.size());
            const auto tokens = to_int32(ids.shape(0));
            for (const std::int32_t id : view(ids))
                if (id < 0 || id >= count) throw nb::value_error("a label id is out of range");
            nb::list lists;
            for (std::size_t i = 0; i + 1 < begin.shape(0); ++i) {
                const std::int32_t first = begin.data()[i], last = begin.data()[i + 1];
                if (first < 0 || first > last || last > tokens) throw nb::value_error("sequences overlap");
                nb::object list = nb::steal(PyList_New(last - first));
                if (!list.is_valid()) throw nb::python_error();
                for (std::int32_t t = first; t < last; ++t) {
                    PyObject* name = PyTuple_GET_ITEM(names.ptr(), ids.data()[t]);
                    Py_INCREF(name);
                    PyList_SET_ITEM(list.ptr(), t - first, name);
                }
                lists.append(list);
            }
            return lists;
        },
        "names"_a, "ids"_a.noconvert(), "begin"_a.noconvert(),
        nb::sig("def name_lists(names: tuple[str, ...], ids: "
                "NDArray[numpy.int32], begin: NDArray[numpy.int32]) -> list[list[str]]"),
        "The names of ids, cut at the offsets where sequences begin.");
}

}  // namespace perceptag
