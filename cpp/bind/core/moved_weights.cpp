#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>

#include "core/arrays.hpp"
#include "perceptag/core/weights.hpp"

// Weights without their zeros, for copies and files.

namespace perceptag {
namespace {

struct Moved {
    std::vector<std::int64_t> places;
    std::vector<float> w;
    std::vector<double> sum;

    // `of_average`: its sum, or null if there are no sums.
    void add(std::size_t place, float weight, const double* of_average) {
        places.push_back(place);
        w.push_back(weight);
        if (of_average) sum.push_back(*of_average);
    }
};

Moved moved_weights(const Block& block) {
    Moved found;
    for (std::size_t row = 0; row < block.rows; ++row)
        block.for_each(row, [&](const Block::Entry& one) {
            if (block.is_compact() || one.w != 0 || (one.sum && *one.sum != 0))
                found.add(row * block.width + one.code, one.w, one.sum);
        });
    return found;
}

void put_moved(Weights& weights, int number, const Array1<std::int64_t>& places, const Array1<float>& w,
               const Array1<double>& sum) {
    Block& block = weights.block(number);
    const std::size_t n = places.shape(0);
    if (!block.is_lined()) throw std::invalid_argument("expected lined rows");
    if (w.shape(0) != n || (sum.shape(0) != n && sum.shape(0) != 0))
        throw std::invalid_argument("expected a weight for each place");
    for (std::size_t i = 0; i < n; ++i)
        if (!is_index(places.data()[i], block.size())) throw std::invalid_argument("no such weight");
    block.lines.start(block.rows, block.width, sum.shape(0) == n);
    for (std::size_t i = 0; i < n; ++i) {
        const LinedRows::Spot spot = block.spot(places.data()[i]);
        *spot.w = w.data()[i];
        if (spot.sum) *spot.sum = sum.data()[i];
    }
}

}  // namespace

void bind_moved_weights(nb::module_& m) {
    m.def(
        "moved_weights",
        [](const Weights& weights, int block) {
            Moved found;
            {
                const nb::gil_scoped_release unlocked;
                found = moved_weights(weights.block(block));
            }
            return std::tuple(to_numpy(std::move(found.places)), to_numpy(std::move(found.w)),
                              to_numpy(std::move(found.sum)));
        },
        "weights"_a, "block"_a,
        "Places, weights and sums: of compact rows all, of others those that are not zero. Places are those of dense "
        "rows.");
    m.def("put_moved", &put_moved, "weights"_a, "block"_a, "places"_a.noconvert(), "w"_a.noconvert(),
          "sum"_a.noconvert(),
          "Set the weights of lined rows from what `moved_weights` gives; all others become zero.");
}

}  // namespace perceptag
