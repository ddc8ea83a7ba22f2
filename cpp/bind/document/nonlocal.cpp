#include "perceptag/document/nonlocal.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

LabelReading make_reading(int classes, std::vector<std::int32_t> tag, std::vector<std::int32_t> kind) {
    if (classes < 0 || tag.size() != kind.size())
        throw std::invalid_argument("expected a tag and a class for each label");
    for (std::size_t y = 0; y < tag.size(); ++y)
        if (tag[y] < 0 || tag[y] >= kLabelTags || kind[y] >= classes || (tag[y] == kOutside) != (kind[y] < 0))
            throw std::invalid_argument("the tag or class of a label is out of range");
    return {classes, std::move(tag), std::move(kind)};
}

// float64[T * L]: the best score of a candidate with a label at a token, minus infinity where no candidate has it.
std::vector<double> best_by_label(const std::vector<const Labels*>& candidates, std::span<const double> scores, int L) {
    if (candidates.empty() || candidates.size() != scores.size() || L < 1)
        throw std::invalid_argument("expected a score for each candidate");
    const std::size_t T = candidates[0]->y.size();
    std::vector<double> best(T * L, -std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < scores.size(); ++k) {
        const std::vector<std::int32_t>& y = candidates[k]->y;
        if (y.size() != T) throw std::invalid_argument("expected candidates of the same length");
        for (std::size_t t = 0; t < T; ++t) {
            if (!is_index(y[t], L)) throw std::invalid_argument("a label is out of range");
            best[t * L + y[t]] = std::max(best[t * L + y[t]], scores[k]);
        }
    }
    return best;
}

}  // namespace

void bind_nonlocal(nb::module_& m) {
    m.attr("LONGEST_PHRASE") = kLongestPhrase;
    nb::class_<LabelReading>(m, "LabelReading", "How label ids are read as chunks: tag and class of each.")
        .def(
            "__init__",
            [](LabelReading* self, int classes, std::vector<std::int32_t> tag, std::vector<std::int32_t> kind) {
                new (self) LabelReading(make_reading(classes, std::move(tag), std::move(kind)));
            },
            "classes"_a, "tag"_a, "kind"_a);

    nb::class_<Scene>(m, "Scene", "A document with candidate labellings, and its non-local features.")
        .def(
            "__init__",
            [](Scene* self, const LabelReading& reading, const Families& families,
               const std::vector<std::vector<std::int32_t>>& tokens, Array1<std::uint8_t> joining, int longest) {
                if (longest < 1) throw std::invalid_argument("longest: expected a number from 1");
                for (const auto& sentence : tokens)
                    for (const std::int32_t word : sentence)
                        if (!is_index(word, joining.shape(0))) throw std::invalid_argument("a word id is out of range");
                new (self) Scene(reading, families, tokens, view(joining), longest);
            },
            "reading"_a, "families"_a, "tokens"_a, "joining"_a.noconvert(), "longest"_a = kLongestPhrase)
        .def_prop_ro("features", &Scene::features)
        .def_prop_ro("steps", &Scene::steps, "How many phrases it found and counted.")
        .def(
            "add", [](Scene& self, int s, const Labels& labels) { self.add_candidate(s, labels.y); }, "s"_a, "labels"_a)
        .def("choose", &Scene::choose, "s"_a, "k"_a)
        .def("chosen", &Scene::chosen, "s"_a)
        .def(
            "vectors",
            [](Scene& self, int s, const std::vector<std::int32_t>& candidates, bool own) {
                return to_numpy(self.vectors(s, candidates, own));
            },
            "s"_a, "candidates"_a, "own"_a = false,
            "Features with each of some candidates of s in turn: float32[candidates * features].")
        .def(
            "scores",
            [](Scene& self, int s, Array1<double> weights, bool own) {
                return to_numpy(self.scores(s, own, view(weights)));
            },
            "s"_a, "weights"_a.noconvert(), "own"_a = false)
        .def("document", [](Scene& self) { return to_numpy(self.document()); });

    m.def(
        "best_by_label",
        [](const std::vector<const Labels*>& candidates, Array1<double> scores, int labels) {
            return to_numpy(best_by_label(candidates, view(scores), labels));
        },
        "candidates"_a, "scores"_a.noconvert(), "labels"_a,
        "The best score of a candidate with each label at each token: float64[T * labels], minus infinity without "
        "one.");
}

}  // namespace perceptag
