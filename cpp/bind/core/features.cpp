#include "perceptag/core/features.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "core/arrays.hpp"
#include "core/vectors.hpp"

namespace perceptag {

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
    nb::class_<FeatureIndex>(m, "FeatureIndex", "From attribute values at a position to rows of weights.")
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
