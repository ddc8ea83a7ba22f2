#include "perceptag/core/lattice.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "core/arrays.hpp"
#include "core/span_labels.hpp"
#include "core/vectors.hpp"
#include "perceptag/search/forward_backward.hpp"
#include "perceptag/search/max_marginals.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/rival_paths.hpp"
#include "perceptag/search/viterbi.hpp"

namespace perceptag {
namespace {

std::vector<float> copy(const Array1<float>& array, std::size_t size, const char* message) {
    if (array.shape(0) != size) throw std::invalid_argument(message);
    const auto is_score = [](float s) { return s < std::numeric_limits<float>::infinity(); };  // false for NaN
    if (!std::ranges::all_of(view(array), is_score))
        throw std::invalid_argument("scores: expected finite numbers, or minus infinity for what is forbidden");
    return {array.data(), array.data() + size};
}

// A lattice made by hand, which owns all its scores.
struct OwnLattice : Lattice {
    std::vector<float> edges, trigrams;
    SpanLabels own_span_labels;

    OwnLattice(const OwnLattice&) = delete;  // the lattice points into them
    OwnLattice& operator=(const OwnLattice&) = delete;
    OwnLattice(int tokens, int labels, int order_, Array1<float> node_, Array1<float> edge_, Array1<float> trigram_,
               bool observed) {
        T = tokens, L = labels, order = order_;
        if (T < 0 || L < 1 || order < 0 || order > 2)
            throw std::invalid_argument("expected T >= 0, L >= 1 and an order from 0 to 2");
        const std::size_t l = L, n = T;
        node = copy(node_, n * l, "node must have T*L scores");
        const std::size_t pairs = observed ? observed_edge_at(T, l) : combinations(1, l);
        const std::size_t triples = observed ? observed_trigram_at(T, 0, l) : combinations(2, l);
        if (order >= 1) edges = copy(edge_, pairs, "edge has the wrong number of scores");
        if (order == 2) trigrams = copy(trigram_, triples, "trigram has the wrong number of scores");
        if (observed) {
            observed_edge = edges;
            observed_trigram = trigrams;
        } else {
            plain_edge = order >= 1 ? edges.data() : nullptr;
            plain_trigram = order == 2 ? trigrams.data() : nullptr;
        }
    }
};

}  // namespace

void bind_lattice(nb::module_& m) {
    nb::class_<OwnLattice>(m, "Lattice", "Scores of one sequence, given as flat arrays.")
        .def(nb::init<int, int, int, Array1<float>, Array1<float>, Array1<float>, bool>(), "T"_a, "L"_a, "order"_a,
             "node"_a.noconvert(), "edge"_a.noconvert(), "trigram"_a.noconvert(), "observed"_a = false)
        .def(
            "set_spans",
            [](OwnLattice& self, std::vector<std::int32_t> kind, const std::vector<int>& letter, int classes,
               int longest, Array1<float> scores) {
                self.own_span_labels = make_span_labels(std::move(kind), letter, classes, longest);
                self.own_span_labels.check(self.L);
                const std::size_t T = self.T;
                self.span = copy(scores, T * longest * classes, "expected a score for each span and type");
                self.span_labels = &self.own_span_labels;
            },
            "kind"_a, "letter"_a, "classes"_a, "longest"_a, "scores"_a.noconvert(),
            "Scores of whole spans, flat [T, longest, classes]: by the first word, the length less 1 and the type.")
        .def("viterbi",
             [](const OwnLattice& self) {
                 Worker worker;
                 std::vector<std::int32_t> labels(self.T);
                 const double score = viterbi(self, worker, labels);
                 return std::pair(to_numpy(std::move(labels)), score);
             })
        .def(
            "nbest",
            [](const OwnLattice& self, int n) {
                Worker worker;
                const nb::gil_scoped_release unlocked;
                return nbest(self, n, worker);
            },
            "n"_a, "The n best labellings.")
        .def(
            "max_marginals",
            [](const OwnLattice& self) {
                std::vector<float> found(self.node.size());
                const double score = max_marginals(self, found.data());
                return std::pair(to_numpy(std::move(found)), score);
            },
            "What each label at each token costs, flat [T, L], and the score of the best labelling.")
        .def(
            "rivals",
            [](const OwnLattice& self, Array1<std::int32_t> labels) {
                if (std::ssize(view(labels)) != self.T)
                    throw std::invalid_argument("expected one label for each token");
                return rival_paths(self, view(labels)).paths;
            },
            "labels"_a.noconvert(),
            "For each token the best labelling with another label there, or an empty list; no list if all is "
            "forbidden.")
        .def(
            "forward_backward",
            [](const OwnLattice& self, double scale, bool in_logs) {
                const std::size_t n = self.T, pairs = combinations(1, self.L), triples = combinations(2, self.L);
                ForwardBackward posterior;
                const Potentials plain(self, scale);
                const double log_z = in_logs ? posterior.run_in_logs(self, scale) : posterior.run(self, plain, scale);
                std::vector<double> node(posterior.node());
                std::vector<double> edges(n * pairs), trigrams(self.order == 2 ? n * triples : 0);
                posterior.add_edges(edges.data(), pairs);
                if (self.order == 2) posterior.add_trigrams(trigrams.data(), triples);
                return std::tuple(log_z, to_numpy(std::move(node)), to_numpy(std::move(edges)),
                                  to_numpy(std::move(trigrams)));
            },
            "scale"_a = 1.0, "in_logs"_a = false,
            "log Z and the marginals of one, two and three labels: [T, L], [T, L+1, L], [T, L+1, L+1, L], all flat.")
        .def(
            "score",
            [](const OwnLattice& self, Array1<std::int32_t> labels) {
                if (std::ssize(view(labels)) != self.T)
                    throw std::invalid_argument("expected one label for each token");
                for (const std::int32_t y : view(labels))
                    if (y < 0 || y >= self.L) throw std::invalid_argument("a label is out of range");
                return self.score(view(labels));
            },
            "labels"_a.noconvert());
}

}  // namespace perceptag
