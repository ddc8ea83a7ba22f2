#include <nanobind/stl/string.h>

#include <stdexcept>

#include "core/memory_views.hpp"
#include "core/vectors.hpp"
#include "perceptag/text/lines.hpp"
#include "text/numbers.hpp"
#include "text/own_text.hpp"
#include "text/shared_values.hpp"

namespace perceptag {

void bind_column_text(nb::module_& m) {
    m.def(
        "has_indented_line", [](nb::str text) { return has_indented_line(bytes_of(text)); }, "text"_a,
        "Whether a line begins with a space or a tab.");

    nb::class_<TextLexicon>(m, "TextLexicon", "Numbers for the values of one column, by their bytes.")
        .def(nb::init<>())
        .def("__len__", &TextLexicon::size)
        .def(
            "add", [](TextLexicon& self, nb::str text, std::int32_t number) { self.add(bytes_of(text), number); },
            "text"_a, "number"_a)
        .def("find", [](const TextLexicon& self, nb::str text) { return self.find(bytes_of(text)); }, "text"_a);

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
            [](const OwnText& self, std::size_t column, TextLexicon& texts,
               nb::typed<nb::dict, nb::any, nb::any> lexicon, TypeTable& table, const AttributeReader* reader) {
                if (column >= self.width) throw nb::index_error();
                std::vector<std::int32_t> ids(self.columns.tokens());
                for (std::size_t t = 0; t < ids.size(); ++t) {
                    const std::string_view field = self.columns.field(t, column);
                    ids[t] = texts.find(field);
                    if (ids[t] >= 0) continue;
                    ids[t] = type_of(lexicon, nb::str(field.data(), field.size()), reader, table);
                    texts.add(field, ids[t]);
                }
                return to_view(std::move(ids));
            },
            "column"_a, "texts"_a, "lexicon"_a, "table"_a, "reader"_a.none(),
            "Type ids of one column; new values get theirs from the lexicon.")
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
