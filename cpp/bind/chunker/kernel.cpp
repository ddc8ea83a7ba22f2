#include "perceptag/chunker/kernel.hpp"

#include <nanobind/stl/tuple.h>

#include <cmath>
#include <stdexcept>

#include "chunker/instances.hpp"
#include "core/arrays.hpp"
#include "perceptag/chunker/dense_index.hpp"
#include "perceptag/chunker/linear_kernel.hpp"

namespace perceptag {
namespace {

int checked(const Scorer& scorer, int column) {
    if (column < 0 || column >= scorer.columns()) throw nb::index_error();
    return column;
}

}  // namespace

void bind_kernel(nb::module_& m) {
    nb::class_<Scorer>(m, "Scorer", "Scores instances for several functions at once.")
        .def_prop_ro("columns", &Scorer::columns)
        .def_prop_ro("features", &Scorer::features)
        .def(
            "score",
            [](const Scorer& self, Array1<std::int32_t> x) {
                const auto ids = instance(x, self.features());
                ScoreScratch scratch;
                std::vector<double> out(self.columns());
                self.score(ids, scratch, out.data());
                return to_numpy(std::move(out));
            },
            "x"_a.noconvert(), "The value of every function.");

    nb::class_<SupportVectors, Scorer>(m, "SupportVectors", "Kernel perceptrons in dual form.")
        .def(nb::init<std::size_t, int, int>(), "features"_a, "columns"_a, "degree"_a)
        .def(
            "add",
            [](SupportVectors& self, Array1<std::int32_t> x, int column, int sign) {
                self.add(instance(x, self.features()), checked(self, column), sign);
            },
            "x"_a.noconvert(), "column"_a, "sign"_a, "The function `column` moves by sign·x.")
        .def("tick", &SupportVectors::tick, "decisions"_a, "So many decisions have been taken by every function.")
        .def("averaged", &SupportVectors::averaged, "With the coefficients that all vectors together vote with.")
        .def("frozen", &SupportVectors::frozen)
        .def(
            "kernel",
            [](const SupportVectors& self, Array1<std::int32_t> x, std::size_t row) {
                if (row >= self.size()) throw nb::index_error();
                return self.kernel(instance(x, self.features()), row);
            },
            "x"_a.noconvert(), "row"_a)
        .def(
            "row",
            [](const SupportVectors& self, std::size_t i) {
                if (i >= self.size()) throw nb::index_error();
                const Instance x = self.row(i);
                return to_numpy(std::vector<std::int32_t>(x.begin(), x.end()));
            },
            "i"_a)
        .def(
            "coefficient",
            [](const SupportVectors& self, std::size_t i, int column) {
                if (i >= self.size()) throw nb::index_error();
                return self.coefficient(i, checked(self, column));
            },
            "i"_a, "column"_a)
        .def("__len__", &SupportVectors::size)
        .def_prop_ro("degree", &SupportVectors::degree)
        .def_prop_ro("clock", &SupportVectors::clock)
        .def_prop_ro("longest", &SupportVectors::longest, "Features of the largest support vector.")
        .def(
            "arrays",
            [](const SupportVectors& self) {
                auto a = self.arrays();
                return std::tuple(to_numpy(std::move(a.begin)), to_numpy(std::move(a.ids)),
                                  to_numpy(std::move(a.coefficients)), to_numpy(std::move(a.moments)));
            },
            "Where rows begin, their features, coefficients and moments [columns, rows].")
        .def(
            "load",
            [](SupportVectors& self, Array1<std::uint64_t> begin, Array1<std::int32_t> ids, Array1<double> coefficients,
               Array1<double> moments, double clock) {
                for (const auto& numbers : {view(coefficients), view(moments)})
                    for (const double number : numbers)
                        if (!std::isfinite(number)) throw std::invalid_argument("a coefficient is not finite");
                self.load(view(begin), view(ids), view(coefficients), view(moments), clock);
            },
            "begin"_a.noconvert(), "ids"_a.noconvert(), "coefficients"_a.noconvert(), "moments"_a.noconvert(),
            "clock"_a);

    nb::class_<DenseIndex, Scorer>(m, "DenseIndex", "The inverted index, dense where features are frequent.")
        .def(nb::init<const SupportVectors&>(), "vectors"_a, nb::call_guard<nb::gil_scoped_release>());

    nb::class_<LinearKernel, Scorer>(m, "LinearKernel", "A kernel of degree 1 as weights of features.")
        .def(nb::init<const SupportVectors&>(), "vectors"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace perceptag
