#include "perceptag/document/document_decoder.hpp"

#include <nanobind/stl/array.h>

#include <algorithm>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/memory_views.hpp"
#include "core/vectors.hpp"
#include "linear/predictor_batch.hpp"

namespace perceptag {

namespace {

DocumentWords checked_words(const Ids& words, const Ids& documents, const std::vector<std::int32_t>& joining,
                            std::size_t tokens, std::size_t sequences) {
    if (words.shape(0) != tokens) throw nb::value_error("expected a word for each token");
    std::int32_t highest = -1;
    for (const std::int32_t word : view(words)) {
        if (word < 0) throw nb::value_error("a word is out of range");
        highest = std::max(highest, word);
    }
    const auto offsets = view(documents);
    if (offsets.empty() || offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
        std::cmp_not_equal(offsets.back(), sequences))
        throw nb::value_error("expected the offsets of documents");
    return {view(words), highest + 1U, offsets, joining};
}

}  // namespace

void bind_document_decoder(nb::module_& m) {
    m.attr("SWEEPS") = kSweeps;
    m.def(
        "decode_documents",
        [](const Weights& local, const LabelReading& reading, const Families& families, Array1<double> weights,
           double scale, int n, const Corpus& corpus, const TagDictionary* dictionary, Ids words, Ids documents,
           const std::vector<std::int32_t>& joining, int threads, int longest) {
            check(local, corpus, dictionary);
            const auto w = view(weights);
            const MentionWeights global{reading, families, {w.begin(), w.end()}, scale};
            const std::size_t tokens = corpus.starts().back();
            const DocumentWords all = checked_words(words, documents, joining, tokens, corpus.sequences.size());
            DocumentLabels found;
            {
                const nb::gil_scoped_release unlocked;
                found = decode_documents(local, global, n, corpus, dictionary, all, threads, longest);
            }
            return to_numpy(std::move(found.labels));
        },
        "local"_a, "reading"_a, "families"_a, "weights"_a.noconvert(), "scale"_a, "n"_a, "corpus"_a,
        "dictionary"_a.none(), "words"_a, "documents"_a, "joining"_a, "threads"_a = 1, "longest"_a = kLongestPhrase,
        "Labels of encoded documents, as `DocumentDecoder.tag` finds them, under any local weights.");
    nb::class_<DocumentDecoder>(m, "DocumentDecoder", "Labels of documents under local and non-local features.")
        .def(
            "__init__",
            [](DocumentDecoder* self, Predictor& predictor, const LabelReading& reading, const Families& families,
               Array1<double> weights, double scale, int n, int longest) {
                const auto w = view(weights);
                new (self) DocumentDecoder(predictor, {reading, families, {w.begin(), w.end()}, scale}, n, longest);
            },
            "predictor"_a, "reading"_a, "families"_a, "weights"_a.noconvert(), "scale"_a, "n"_a,
            "longest"_a = kLongestPhrase, nb::keep_alive<1, 2>())
        .def(
            "tag",
            [](const DocumentDecoder& self, const TagDictionary* dictionary,
               const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns, Ids begin, Ids closed,
               Ids words, Ids documents, const std::vector<std::int32_t>& joining, int threads) {
                const Batch sequences = checked_batch(self.predictor(), dictionary, tables, columns, begin, closed);
                const DocumentWords all =
                    checked_words(words, documents, joining, sequences.begin.back(), sequences.size());
                DocumentLabels found;
                {
                    const nb::gil_scoped_release unlocked;
                    found = self.tag(dictionary, sequences, all, threads);
                }
                return nb::make_tuple(to_view(std::move(found.labels)), found.lists, found.steps);
            },
            "dictionary"_a.none(), "tables"_a, "columns"_a, "begin"_a, "closed"_a, "words"_a, "documents"_a,
            "joining"_a, "threads"_a = 1,
            nb::sig(
                "def tag(self, dictionary: TagDictionary | None, tables: collections.abc.Sequence[TypeTable], columns: "
                "collections.abc.Sequence[NDArray[numpy.int32]], begin: NDArray[numpy.int32], closed: "
                "NDArray[numpy.int32], words: "
                "NDArray[numpy.int32], documents: NDArray[numpy.int32], joining: collections.abc.Sequence[int], "
                "threads: int = 1) "
                "-> tuple[NDArray[numpy.int32], int, int]"),
            "Labels of a batch of documents, one after the other, how many n-best lists were made, and how many "
            "phrases "
            "were found and counted. `documents`: which sequences documents have; `words`: equal numbers for equal "
            "words; `joining`: some of these.");
}

}  // namespace perceptag
