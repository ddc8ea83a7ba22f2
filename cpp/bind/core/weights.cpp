#include "perceptag/core/weights.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/span_labels.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

void bind_labels(nb::module_& m) {
    nb::class_<Labels>(m, "Labels", "A labelling: one label id for each token.")
        .def(
            "__init__",
            [](Labels* self, Array1<std::int32_t> ids) { new (self) Labels{{view(ids).begin(), view(ids).end()}}; },
            "ids"_a.noconvert())
        .def("__len__", [](const Labels& self) { return self.y.size(); })
        .def("__getitem__",
             [](const Labels& self, std::size_t i) {
                 if (i >= self.y.size()) throw nb::index_error();
                 return self.y[i];
             })
        .def(
            "__eq__", [](const Labels& self, const Labels& other) { return self == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def(
            "__ne__", [](const Labels& self, const Labels& other) { return !(self == other); }, nb::is_operator(),
            nb::sig("def __ne__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const Labels& self) {
                 std::uint64_t h = self.y.size();
                 for (const std::int32_t y : self.y) h = (h ^ static_cast<std::uint32_t>(y)) * 0x100000001B3u;
                 return static_cast<std::int64_t>(h >> 2);
             })
        .def("numpy", [](const Labels& self) { return to_numpy(std::vector<std::int32_t>(self.y)); });
}

}  // namespace

void bind_weights(nb::module_& m) {
    bind_labels(m);
    nb::class_<TagDictionary>(m, "TagDictionary", "Which labels the words of a closed list may carry.")
        .def(
            "__init__",
            [](TagDictionary* self, const std::vector<std::vector<int>>& entries, int labels) {
                require_labels(0, labels);
                TagDictionary made;
                for (const std::vector<int>& entry : entries) {
                    std::vector<std::uint8_t> allowed(labels, 0);
                    for (const int y : entry) allowed.at(y) = 1;
                    made.allowed.push_back(std::move(allowed));
                }
                new (self) TagDictionary(std::move(made));
            },
            "entries"_a, "labels"_a)
        .def("__len__", [](const TagDictionary& self) { return self.allowed.size(); });

    nb::class_<Weights>(m, "Weights", "The weights of a model: all that a learner reads and changes.")
        .def(nb::init<int, bool, bool>(), "labels"_a, "plain_edges"_a, "plain_trigrams"_a)
        .def(
            "compose",
            [](Weights& self, std::size_t count, Array1<std::uint32_t> begin, Array1<std::uint32_t> parts) {
                self.compose(LabelParts(self.L(), count, view(begin), view(parts)));
            },
            "count"_a, "begin"_a.noconvert(), "parts"_a.noconvert(),
            "Give labels parts: those of label y are parts[begin[y] : begin[y + 1]], each from L to count - 1.")
        .def_prop_ro("node_width", &Weights::node_width, "How many weights a row of order 0 has at most.")
        .def("make_dense", &Weights::make_dense, "order"_a, "rows"_a)
        .def("make_lined", &Weights::make_lined, "rows"_a,
             "A weight for every label, of order 0, in little memory where few weights move.")
        .def(
            "is_dense", [](const Weights& self, int block) { return self.block(block).is_dense(); }, "block"_a)
        .def(
            "is_lined", [](const Weights& self, int block) { return self.block(block).is_lined(); }, "block"_a)
        .def(
            "make_compact",
            [](Weights& self, int order, Array1<std::uint32_t> begin, Array1<std::uint32_t> codes) {
                self.make_compact(order, view(begin), view(codes));
            },
            "order"_a, "begin"_a.noconvert(), "codes"_a.noconvert())
        .def(
            "load_compact",
            [](Weights& self, int order, Array1<std::uint32_t> begin, Array1<std::uint32_t> codes, Array1<float> w) {
                const nb::gil_scoped_release unlocked;
                self.load_compact(order, view(begin), view(codes), view(w));
            },
            "order"_a, "begin"_a.noconvert(), "codes"_a.noconvert(), "w"_a.noconvert(),
            "The same with weights that are known and not trained.")
        .def(
            "load_packed",
            [](Weights& self, int order, Array1<std::uint32_t> begin, const std::vector<Array1<std::uint8_t>>& codes,
               const std::vector<Array1<std::uint8_t>>& w, std::size_t n, int bits) {
                PackedPairs packed{{}, {}, n, bits};
                for (const auto& plane : codes) packed.wholes.push_back(view(plane));
                for (const auto& plane : w) packed.reals.push_back(view(plane));
                const nb::gil_scoped_release unlocked;
                self.load_packed(order, view(begin), packed);
            },
            "order"_a, "begin"_a.noconvert(), "codes"_a, "w"_a, "n"_a, "bits"_a,
            "The same for n codes and n weights in planes, as `join_planes` and `join_grid` take them.")
        .def(
            "make_spans",
            [](Weights& self, std::vector<std::int32_t> kind, const std::vector<int>& letter, int classes, int longest,
               std::size_t rows) {
                self.make_spans(make_span_labels(std::move(kind), letter, classes, longest), rows);
            },
            "kind"_a, "letter"_a, "classes"_a, "longest"_a, "rows"_a,
            "Features of whole spans, each with a weight for each type: block SPAN_BLOCK.")
        .def_prop_ro("has_spans", [](const Weights& self) { return !self.span_labels().empty(); })
        .def_prop_ro(
            "span_states", [](const Weights& self) { return self.span_labels().states(); },
            "How many states the search over labels with lengths has.")
        .def(
            "fired_spans",
            [](const Weights& self, const Sequence& x, const Labels& labels) {
                check(self, x);
                std::vector<std::tuple<int, int, int, std::int32_t, double>> found;
                for (const Weights::FiredSpan& f : self.fired_spans(x, labels.checked(x, self.L())))
                    found.emplace_back(f.start, f.length, f.kind, f.row, f.weight);
                return found;
            },
            "x"_a, "labels"_a, "First word, length, type, row and weight of the features of all spans of a labelling.")
        .def(
            "fix_plain",
            [](Weights& self, int order, Array1<std::uint8_t> fixed) { self.fix_plain(order, view(fixed)); }, "order"_a,
            "fixed"_a.noconvert())
        .def(
            "constrain",
            [](Weights& self, Array1<std::uint8_t> allowed, Array1<std::uint8_t> last) {
                self.constrain(view(allowed), view(last));
            },
            "allowed"_a.noconvert(), "last"_a.noconvert())
        .def("prefer", &Weights::prefer, "label"_a, "score"_a,
             "Add a score to one label at every token; it replaces an earlier one.")
        .def("preferred", &Weights::preferred, "label"_a, "The score that `prefer` adds to a label.")
        .def_prop_ro("labels", &Weights::L)
        .def_prop_ro("order", &Weights::order)
        .def_prop_rw("ticks", &Weights::ticks, &Weights::set_ticks)
        .def("tick", &Weights::tick, "One example has passed.")
        .def(
            "score",
            [](const Weights& self, const Sequence& x, const Labels& labels) {
                check(self, x);
                return self.score(x, labels.checked(x, self.L()));
            },
            "x"_a, "labels"_a)
        .def(
            "add",
            [](Weights& self, const Sequence& x, const Labels& labels, double scale) {
                check(self, x);
                self.add(x, labels.checked(x, self.L()), scale);
            },
            "x"_a, "labels"_a, "scale"_a = 1.0, "w += scale * Phi(x, labels)")
        .def(
            "move",
            [](Weights& self, const Sequence& x, const Labels& toward, const Labels& away, double scale) {
                check(self, x);
                self.move(x, toward.checked(x, self.L()), away.checked(x, self.L()), scale);
            },
            "x"_a, "toward"_a, "away"_a, "scale"_a = 1.0, "w += scale * (Phi(x, toward) - Phi(x, away))")
        .def("averaged", &Weights::averaged, "active"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("rounded", &Weights::rounded, "active"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("frozen", &Weights::frozen, nb::call_guard<nb::gil_scoped_release>())
        .def("condensed", &Weights::condensed, "threads"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
             "The same weights and sums without the zeros of dense rows.")
        .def("prepare", &Weights::prepare, "Get ready to search; any change of the weights undoes it.")
        .def(
            "get",
            [](const Weights& self, int block) {
                const Block& b = self.block(block);
                std::vector<float> w;
                std::vector<double> sum;
                {
                    const nb::gil_scoped_release unlocked;
                    w.resize(b.size());
                    sum.resize(b.has_sums() ? b.size() : 0);
                    for (std::size_t i = 0; i < w.size(); ++i) w[i] = b.get(i);
                    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = b.get_sum(i);
                }
                return std::pair(to_numpy(std::move(w)), to_numpy(std::move(sum)));
            },
            "block"_a, "The weights of one block and their sums.")
        .def(
            "set",
            [](Weights& self, int block, Array1<float> w, Array1<double> sum) {
                Block& b = self.block(block);
                if (w.shape(0) != b.size() || (sum.shape(0) != b.size() && sum.shape(0) != 0))
                    throw std::invalid_argument("expected " + std::to_string(b.size()) + " weights");
                b.assign(view(w), view(sum));
            },
            "block"_a, "w"_a.noconvert(), "sum"_a.noconvert())
        .def(
            "owners",
            [](const Weights& self, int block, Array1<std::int64_t> places) {
                if (block >= kBlocks) throw nb::index_error();  // types of spans are not labels
                const Block& b = self.block(block);
                const int order = order_of(block);
                const std::size_t n = places.shape(0);
                std::vector<std::int32_t> rows(n), labels((order + 1) * n);
                for (std::size_t i = 0; i < n; ++i) {
                    if (!is_index(places.data()[i], b.size())) throw nb::index_error();
                    const Owner owner = b.owner(places.data()[i]);
                    std::int32_t some[kOrders];
                    if (order == 0)
                        some[0] = to_int32(owner.code);
                    else
                        read_label_code(owner.code, order, self.L(), some);
                    rows[i] = to_int32(owner.row);
                    for (int k = 0; k <= order; ++k) labels[k * n + i] = some[k];
                }
                return std::pair(to_numpy(std::move(rows)), to_numpy(std::move(labels), order + 1));
            },
            "block"_a, "places"_a.noconvert(),
            "What the weights at some places of a block belong to: rows [n] and labels [order + 1, n], the earliest "
            "label first; the number of labels stands for the start of a sequence.")
        .def(
            "places",
            [](const Weights& self, int block, Array1<std::int32_t> rows, Array1<std::uint32_t> codes) {
                const Block& b = self.block(block);
                if (rows.shape(0) != codes.shape(0)) throw std::invalid_argument("expected a code for each row");
                std::vector<std::int64_t> places(rows.shape(0));
                for (std::size_t i = 0; i < places.size(); ++i) {
                    const std::size_t row = rows.data()[i], code = codes.data()[i];
                    if (row >= b.rows || code >= b.width) throw std::invalid_argument("no such weight");
                    places[i] = b.is_dense() ? row * b.width + code : b.place(row, codes.data()[i]);
                    if (places[i] < 0) throw std::invalid_argument("no such weight");
                }
                return to_numpy(std::move(places));
            },
            "block"_a, "rows"_a.noconvert(), "codes"_a.noconvert(),
            "The inverse of `owners`, with labels as `label_codes` numbers them.")
        .def(
            "fired",
            [](const Weights& self, const Sequence& x, const Labels& labels, int t) {
                check(self, x);
                if (t < 0 || t >= x.T) throw nb::index_error();
                std::vector<std::tuple<int, std::size_t, double, float>> found;
                for (const Fired& f : self.fired(x, labels.checked(x, self.L()), t))
                    found.emplace_back(f.block, f.row, f.weight, f.amount);
                return found;
            },
            "x"_a, "labels"_a, "t"_a, "Block, row, contribution and amount of everything that scores at token t.")
        .def(
            "fired_parts",
            [](const Weights& self, const Sequence& x, int label, int t) {
                check(self, x);
                if (t < 0 || t >= x.T || label < 0 || label >= self.L()) throw nb::index_error();
                std::vector<std::tuple<std::size_t, std::uint32_t, double, float>> found;
                for (const auto& [f, part] : self.fired_parts(x, label, t))
                    found.emplace_back(f.row, part, f.weight, f.amount);
                return found;
            },
            "x"_a, "label"_a, "t"_a,
            "Row, part, contribution and amount of the features of order 0 that score for a label at token t.")
        .def(
            "size", [](const Weights& self, int block) { return self.block(block).size(); }, "block"_a,
            "The number of weights of a block.")
        .def(
            "rows", [](const Weights& self, int block) { return self.block(block).rows; }, "block"_a)
        .def(
            "value",
            [](const Weights& self, int block, std::size_t row, std::uint32_t code) {
                const Block& b = self.block(block);
                if (row >= b.rows || code >= b.width) throw std::invalid_argument("no such weight");
                return b.value(row, code);
            },
            "block"_a, "row"_a, "code"_a, "One weight, by its labels as `label_codes` numbers them.");
}

}  // namespace perceptag
