#include <nanobind/stl/string.h>

#include <stdexcept>

#include "core/memory_views.hpp"
#include "core/vectors.hpp"
#include "perceptag/text/lines.hpp"
#include "text/numbers.hpp"
#include "text/own_text.hpp"
#include "text/shared_values.hpp"
#include "text/words.hpp"

namespace perceptag {

void bind_column_text(nb::module_& m) {
    m.def(
        "has_indented_line", [](nb::str text) { return has_indented_line(bytes_of(text)); }, "text"_a,
        "Whether a line begins with a space or a tab.");

    nb::class_<TypeNumbers>(m, "TypeNumbers", "The types of one column, by the bytes of their values.")
        .def(nb::init<TypeTable&, const AttributeReader*>(), "table"_a, "reader"_a.none(), nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>())
        .def("__len__", &TypeNumbers::size);

    nb::class_<SharedValues>(m, "SharedValues", "Equal values of a file as one object.").def(nb::init<>());

    nb::class_<OwnText>(m, "ColumnText", "Lines of a column file, if they are plain.")
        .def(
            "__init__",
            [](OwnText* self, nb::str text, const std::string& separator, std::size_t width) {
                if (separator != " " && separator != "\t")
                    throw nb::value_error("separator: expected a space or a tab");
                new (self) OwnText{text, {}, width};
                const std::string_view bytes = bytes_of(text);
                const nb::gil_scoped_release unlocked;
                if (!self->columns.parse(bytes, separator[0], width)) self->width = 0;
            },
            "text"_a, "separator"_a, "width"_a)
        .def_prop_ro("is_plain", [](const OwnText& self) { return self.width > 0; })
        .def("__len__", [](const OwnText& self) { return self.columns.tokens(); })
        .def_prop_ro(
            "begin", [](const OwnText& self) { return to_view(std::vector(self.columns.begin())); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "documents", [](const OwnText& self) { return to_view(self.columns.documents()); },
            nb::rv_policy::automatic, "Which sentences documents have, as offsets.")
        .def(
            "tables",
            [](const OwnText& self, nb::tuple names, SharedValues& values) {
                if (names.size() != self.width) throw nb::value_error("expected a name for each column");
                nb::list tables;
                for (std::size_t s = 0; s + 1 < self.columns.begin().size(); ++s) {
                    tables.append(columns_of(self.columns, s, names, 0, values));
                    values.forget_if_many();
                }
                return tables;
            },
            "names"_a, "values"_a,
            nb::sig("def tables(self, names: tuple[str, ...], values: SharedValues) -> list[dict[str, list[str]]]"),
            "The columns of each sentence.")
        .def(
            "type_ids",
            [](const OwnText& self, std::size_t column, nb::typed<nb::dict, nb::any, nb::any> lexicon,
               TypeNumbers& numbers) {
                if (column >= self.width) throw nb::index_error();
                std::vector<std::int32_t> ids(self.columns.tokens());
                {
                    const nb::gil_scoped_release unlocked;
                    std::vector<std::string_view> fields(ids.size());
                    for (std::size_t t = 0; t < ids.size(); ++t) fields[t] = self.columns.field(t, column);
                    find_types(lexicon, numbers, fields, ids.data());
                }
                return to_view(std::move(ids));
            },
            "column"_a, "lexicon"_a, "numbers"_a,
            "Type ids of one column; those of words that only Python can read come from the lexicon.")
        .def(
            "write",
            [](const OwnText& self, const std::vector<std::string>& names, Array1<std::int32_t> labels,
               std::size_t column, bool replace) {
                check_labels(self, names.size(), labels);
                if (column > self.width || (replace && column == self.width)) throw nb::index_error();
                std::string out;
                {
                    const nb::gil_scoped_release unlocked;
                    out = self.columns.write(names, view(labels), column, replace);
                }
                return nb::bytes(out.data(), out.size());
            },
            "names"_a, "labels"_a.noconvert(), "column"_a, "replace"_a,
            "The lines with labels in place of a column, or before it.");
}

}  // namespace perceptag
