#include "perceptag/core/features.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "core/arrays.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

SpanIndex& spans_of(FeatureIndex& index) {
    if (!index.spans()) throw std::invalid_argument("the index has no features of spans");
    return *index.spans();
}
const SpanIndex& spans_of(const FeatureIndex& index) {
    if (!index.spans()) throw std::invalid_argument("the index has no features of spans");
    return *index.spans();
}

// Features of whole spans.
void bind_spans(nb::class_<FeatureIndex>& index) {
    using FieldTuple = std::tuple<int, int, int, int>;
    index
        .def(
            "make_spans",
            [](FeatureIndex& self, const std::vector<std::vector<FieldTuple>>& templates, int longest) {
                std::vector<SpanTemplate> made;
                for (const auto& fields : templates) {
                    SpanTemplate& pattern = made.emplace_back();
                    for (const auto& [place, column, attribute, offset] : fields) {
                        if (place < 0 || place > static_cast<int>(SpanPlace::kAny))
                            throw std::invalid_argument("place in a span: expected 0 to 4");
                        pattern.push_back({static_cast<SpanPlace>(place), column, attribute, offset});
                    }
                }
                self.make_spans(std::move(made), longest);
            },
            "templates"_a, "longest"_a,
            "Templates of whole spans: fields of place (0 first, 1 last, 2 all, 3 length, 4 any), column, attribute, "
            "offset.")
        .def_prop_ro("span_rows", [](const FeatureIndex& self) { return self.spans() ? self.spans()->rows() : 0; })
        .def(
            "span_list",
            [](const FeatureIndex& self, std::size_t number) {
                std::vector<std::int32_t> values, rows;
                spans_of(self).list(number, values, rows);
                return std::pair(to_numpy(std::move(values)), to_numpy(std::move(rows)));
            },
            "number"_a, "The values and rows of all features of one template of spans.")
        .def(
            "span_load",
            [](FeatureIndex& self, std::size_t number, Array1<std::int32_t> values, Array1<std::int32_t> rows) {
                const nb::gil_scoped_release unlocked;
                spans_of(self).load(number, view(values), view(rows));
            },
            "number"_a, "values"_a.noconvert(), "rows"_a.noconvert(), "The inverse, after the trees.")
        .def_prop_ro("span_trees", [](const FeatureIndex& self) { return spans_of(self).trees(); })
        .def(
            "span_tree",
            [](const FeatureIndex& self, std::size_t number) {
                return to_numpy(std::vector<std::int32_t>(spans_of(self).tree(number).list()));
            },
            "number"_a, "Sequences of values as a tree: the node before and the value of each node but the root.")
        .def(
            "span_load_tree",
            [](FeatureIndex& self, std::size_t number, Array1<std::int32_t> list) {
                const nb::gil_scoped_release unlocked;
                spans_of(self).load_tree(number, view(list));
            },
            "number"_a, "list"_a.noconvert())
        .def("has_every_span_row", [](const FeatureIndex& self) { return spans_of(self).has_every_row(); });
}

}  // namespace

void bind_features(nb::module_& m) {
    nb::class_<TypeTable>(m, "TypeTable", "The types of one column, each with a row of attribute values.")
        .def(nb::init<int>(), "attributes"_a)
        .def(
            "add", [](TypeTable& self, const std::vector<std::int32_t>& row) { return self.add(row); }, "row"_a)
        .def(
            "add_bag",
            [](TypeTable& self, const std::vector<std::int32_t>& values, const std::vector<float>& amounts) {
                return self.add_bag(values, amounts);
            },
            "values"_a, "amounts"_a = std::vector<float>(),
            "Store several values, and what each counts; the number that stands for them in a row.")
        .def(
            "row",
            [](const TypeTable& self, std::int32_t type) {
                if (type < 0 || type >= self.size()) throw nb::index_error();
                return std::vector<std::int32_t>(self.row(type), self.row(type) + self.attributes());
            },
            "type"_a, "The attribute values of a type.")
        .def("__len__", &TypeTable::size);

    using FieldTuple = std::tuple<int, int, int>;
    using TemplateTuple = std::pair<std::vector<FieldTuple>, int>;
    nb::class_<FeatureIndex> index(m, "FeatureIndex", "From attribute values at a position to rows of weights.");
    bind_spans(index);
    index
        .def(
            "__init__",
            [](FeatureIndex* self, const std::vector<TemplateTuple>& templates, int padding,
               std::vector<std::vector<std::int32_t>> vocabularies) {
                std::vector<Template> made;
                for (const auto& [fields, order] : templates) {
                    Template pattern{{}, order};
                    for (const auto& [column, attribute, offset] : fields)
                        pattern.fields.push_back({column, attribute, offset});
                    made.push_back(std::move(pattern));
                }
                new (self) FeatureIndex(std::move(made), padding, std::move(vocabularies));
            },
            "templates"_a, "padding"_a, "vocabularies"_a)
        .def(
            "rows",
            [](const FeatureIndex& self, int order) {
                if (order < 0 || order >= kOrders) throw nb::index_error();
                return self.rows(order);
            },
            "order"_a)
        .def(
            "has_every_row",
            [](const FeatureIndex& self, int order) {
                if (order < 0 || order >= kOrders) throw nb::index_error();
                const nb::gil_scoped_release unlocked;
                return self.has_every_row(order);
            },
            "order"_a, "Whether each row of an order belongs to one feature.")
        .def(
            "list",
            [](const FeatureIndex& self, int number) {
                std::vector<std::int32_t> values, rows;
                self.list(number, values, rows);
                return std::pair(to_numpy(std::move(values)), to_numpy(std::move(rows)));
            },
            "number"_a, "The values and rows of all features of one template.")
        .def(
            "load",
            [](FeatureIndex& self, int number, Array1<std::int32_t> values, Array1<std::int32_t> rows) {
                const nb::gil_scoped_release unlocked;
                self.load(number, view(values), view(rows));
            },
            "number"_a, "values"_a.noconvert(), "rows"_a.noconvert())
        .def(
            "merge",
            [](FeatureIndex& self, const std::vector<std::pair<Array1<std::int32_t>, Array1<std::int32_t>>>& lists) {
                std::vector<FeatureList> views;
                for (const auto& [values, rows] : lists) views.push_back({view(values), view(rows)});
                std::array<std::vector<std::int32_t>, kOrders> rows;
                {
                    const nb::gil_scoped_release unlocked;
                    rows = self.merge(views);
                }
                auto& [zero, one, two] = rows;
                return std::tuple(to_numpy(std::move(zero)), to_numpy(std::move(one)), to_numpy(std::move(two)));
            },
            "lists"_a,
            "Add the features of another index over the same vocabularies, as `list` gives them for each template. "
            "Returns the row here of each row there, for each order.");
}

}  // namespace perceptag
