#include "perceptag/document/ascent.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

using Numbers = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;  // which change

void check_sentence(const Weights& weights, const Sequence* x, const std::vector<std::int32_t>& tokens,
                    std::size_t words, const TagDictionary* dictionary) {
    if (!x) throw std::invalid_argument("expected sequences, found None");
    check(weights, *x, dictionary);
    Labels{x->labels}.checked(*x, weights.L());
    if (std::ssize(tokens) != x->T) throw std::invalid_argument("expected a word for each token");
    for (const std::int32_t word : tokens)
        if (!is_index(word, words)) throw std::invalid_argument("a word id is out of range");
}

void check_document(const Weights& weights, const AscentDocument& document, const TagDictionary* dictionary) {
    if (document.sequences.size() != document.tokens.size())
        throw std::invalid_argument("expected the words of each sequence");
    for (std::size_t s = 0; s < document.tokens.size(); ++s)
        check_sentence(weights, document.sequences[s], document.tokens[s], document.joining.size(), dictionary);
}

void check_known(const Weights& weights, const AscentDocument& document) {
    if (document.known.empty()) return;
    if (document.known.size() != document.sequences.size() || !document.known_labels)
        throw std::invalid_argument("expected the known labels of each sequence, and their dictionary");
    for (std::size_t s = 0; s < document.known.size(); ++s) {
        const Sequence* x = document.known[s];
        if (!x) continue;
        check(weights, *x, document.known_labels);
        if (x->T != document.sequences[s]->T || std::ssize(x->closed) != x->T)
            throw std::invalid_argument("expected known labels for each token");
    }
}

void check_how(const Ascent& how, const Weights& weights) {
    if (how.n < 1) throw std::invalid_argument("n: expected a number from 1");
    if (how.longest < 1) throw std::invalid_argument("longest: expected a number from 1");
    if (std::isnan(how.margin) || std::isnan(how.margin_local) || !std::isfinite(how.step) || !std::isfinite(how.scale))
        throw std::invalid_argument("expected numbers");
    if (std::ssize(how.reading.tag) != weights.L()) throw std::invalid_argument("expected a tag for each label");
}

}  // namespace

void bind_ascent(nb::module_& m) {
    nb::class_<Ascent>(m, "Ascent", "How documents are searched, and when weights move.")
        .def(
            "__init__",
            [](Ascent* self, const LabelReading& reading, const Families& families, bool own, double scale, int n,
               double margin, double margin_local, double step, int longest) {
                new (self) Ascent{reading, families, own, scale, n, margin, margin_local, step, longest};
            },
            "reading"_a, "families"_a, "own"_a, "scale"_a, "n"_a, "margin"_a, "margin_local"_a, "step"_a,
            "longest"_a = kLongestPhrase)
        .def(
            "learn",
            [](const Ascent& self, Weights& weights, Numbers w, Numbers sum,
               const std::vector<const Sequence*>& sequences, std::vector<std::vector<std::int32_t>> tokens,
               Array1<std::uint8_t> joining, const TagDictionary* dictionary, int threads,
               const std::vector<const Sequence*>& known, const TagDictionary* known_labels) {
                check_how(self, weights);
                const auto flags = view(joining);
                const AscentDocument document{
                    sequences, std::move(tokens), {flags.begin(), flags.end()}, known, known_labels};
                check_document(weights, document, dictionary);
                check_known(weights, document);
                const std::size_t features = MentionFeatures(self.reading.classes, self.families).size();
                if (w.shape(0) != features || sum.shape(0) != features)
                    throw std::invalid_argument("expected one weight for each feature");
                const NonLocalWeights global{{w.data(), features}, {sum.data(), features}};
                const nb::gil_scoped_release unlocked;
                const Mistakes found = learn_document(self, weights, global, document, dictionary, threads);
                return std::pair(found.sequences, found.labels);
            },
            "weights"_a, "w"_a.noconvert(), "sum"_a.noconvert(), "sequences"_a, "tokens"_a, "joining"_a.noconvert(),
            "dictionary"_a.none(), "threads"_a = 1, "known"_a = std::vector<const Sequence*>{},
            "known_labels"_a.none() = nb::none(),
            "The loop of `perceptag.learn.ascent` for one document: the number of wrong sequences and of wrong labels. "
            "`w` and `sum`, of the non-local features, change as well. `known`: sequences with entries of "
            "`known_labels` "
            "for the labels that their tokens may have, or None where no label is missing.");
}

}  // namespace perceptag
