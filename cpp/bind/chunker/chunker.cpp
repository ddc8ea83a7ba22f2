#include "perceptag/chunker/chunker.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <string>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/scratch.hpp"

namespace perceptag {
namespace {

using Ids = Array1<std::int32_t>;
using PhraseTuple = std::tuple<int, int, int>;

void check_columns(const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns,
                   std::span<const std::int32_t> begin) {
    if (tables.size() != columns.size()) throw std::invalid_argument("expected one column for each table");
    if (begin.empty() || begin.front() != 0) throw std::invalid_argument("sequences start at 0");
    for (std::size_t i = 0; i + 1 < begin.size(); ++i)
        if (begin[i] > begin[i + 1]) throw std::invalid_argument("sequences overlap");
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (tables[c]->attributes() != kSlots)
            throw std::invalid_argument("expected type tables of the chunker, found another");
        if (std::cmp_not_equal(columns[c].shape(0), begin.back()))
            throw std::invalid_argument("expected columns with the same number of tokens");
        for (const std::int32_t type : view(columns[c]))
            if (type < 0 || type >= tables[c]->size()) throw std::invalid_argument("a type id is out of range");
    }
}

ChunkBatch make_batch(const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns,
                      std::span<const std::int32_t> begin) {
    check_columns(tables, columns, begin);
    ChunkBatch batch{tables, {}, begin};
    for (const Ids& column : columns) batch.columns.push_back(column.data());
    return batch;
}

ChunkModel make_model(const ChunkFeatures& features, const Scorer& words, const Scorer& phrases,
                      const Gazetteer& gazetteer, const std::string& context, const Outside& outside) {
    if (words.columns() != 2) throw std::invalid_argument("the word layer has two functions");
    if (words.features() != features.words.size() || phrases.features() != features.phrases.size())
        throw std::invalid_argument("the functions belong to other features");
    if (context != "none" && context != "best" && context != "exact")
        throw std::invalid_argument("context: expected none, best or exact, found " + context);
    const Context kind = context == "none" ? Context::kNothing : context == "best" ? Context::kBest : Context::kExact;
    return {features, words, phrases, gazetteer, kind, outside};
}

void check_phrase(const ChunkSentence& x, int s, int e) {
    if (s < 0 || e < s || e >= x.T) throw nb::index_error();
}

auto left_of(const ChunkFeatures& features, const std::vector<std::int32_t>& left) {
    if (std::ssize(left) > features.phrase_window())
        throw std::invalid_argument("the left context is longer than the window");
    return LeftContext(left);
}

void bind_chunk_features(nb::module_& m) {
    nb::class_<ChunkSentence>(m, "ChunkSentence", "A sentence as predicate numbers.")
        .def("__len__", [](const ChunkSentence& self) { return self.T; });
    nb::class_<Gazetteer>(m, "Gazetteer", "Categories of phrases and of their words.")
        .def(nb::init<>())
        .def(
            "add",
            [](Gazetteer& self, const ChunkFeatures& features, std::int32_t node, std::int32_t category) {
                if (node < 1 || !is_index(node, features.trie.parents.size()) || category < 0)
                    throw std::invalid_argument("a phrase or category is out of range");
                self.add(features.trie, node, category);
            },
            "features"_a, "node"_a, "category"_a);

    nb::class_<ChunkFeatures>(m, "ChunkFeatures", "Features of words and phrases.")
        .def(nb::init<int, int>(), "word_window"_a, "phrase_window"_a)
        .def(
            "insert_form",
            [](ChunkFeatures& self, const std::vector<std::int32_t>& words) {
                std::int32_t node = 0;
                for (const std::int32_t word : words) {
                    if (word < 0) throw std::invalid_argument("a word has no number");
                    node = self.trie.insert(node, word);
                }
                return node;
            },
            "words"_a, "The number of a sequence of words, made if need be.")
        .def("count_words", &ChunkFeatures::count_words, "x"_a)
        .def(
            "count_phrase",
            [](ChunkFeatures& self, const ChunkSentence& x, int s, int e, const std::vector<std::int32_t>& left,
               const Gazetteer& gazetteer) {
                check_phrase(x, s, e);
                self.count_phrase(x, s, e, left_of(self, left), gazetteer);
            },
            "x"_a, "s"_a, "e"_a, "left"_a, "gazetteer"_a)
        .def(
            "freeze",
            [](ChunkFeatures& self, std::uint32_t cutoff) { self.words.freeze(cutoff), self.phrases.freeze(cutoff); },
            "cutoff"_a, "Drop rare features and number the others.")
        .def(
            "word",
            [](const ChunkFeatures& self, const ChunkSentence& x, int i) {
                check_phrase(x, i, i);
                FoundFeatures found;
                self.word(x, i, found);
                return to_numpy(std::move(found.ids));
            },
            "x"_a, "i"_a, "The instance of a word.")
        .def(
            "phrase",
            [](const ChunkFeatures& self, const ChunkSentence& x, int s, int e, const std::vector<std::int32_t>& left,
               const Gazetteer& gazetteer) {
                check_phrase(x, s, e);
                FoundFeatures found;
                self.phrase(x, s, e, left_of(self, left), gazetteer, found);
                return to_numpy(std::move(found.ids));
            },
            "x"_a, "s"_a, "e"_a, "left"_a, "gazetteer"_a, "The instance of a phrase from s to e, both included.")
        .def("fit", &ChunkFeatures::fit, "window"_a, "inside"_a, "categories"_a,
             "Whether all features have a meaning in a model with these numbers of predicates and categories.")
        .def_prop_ro("phrase_window", &ChunkFeatures::phrase_window)
        .def_prop_ro(
            "word_keys", [](const ChunkFeatures& self) { return to_numpy(std::vector(self.words.keys())); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "phrase_keys", [](const ChunkFeatures& self) { return to_numpy(std::vector(self.phrases.keys())); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "trie",
            [](const ChunkFeatures& self) {
                return std::pair(to_numpy(std::vector(self.trie.parents)), to_numpy(std::vector(self.trie.words)));
            },
            nb::rv_policy::automatic)
        .def(
            "load",
            [](ChunkFeatures& self, Array1<std::uint64_t> words, Array1<std::uint64_t> phrases, Ids parents,
               Ids forms) {
                if (parents.shape(0) != forms.shape(0) || parents.shape(0) == 0)
                    throw std::invalid_argument(
                        "forms of phrases: expected a parent for each word, found another number");
                for (std::int32_t i = 1; i < to_int32(parents.shape(0)); ++i) {
                    const std::int32_t parent = parents.data()[i];
                    if (!is_index(parent, i) || forms.data()[i] < 0 || self.trie.insert(parent, forms.data()[i]) != i)
                        throw std::invalid_argument("forms of phrases: expected each after its parent, and none twice");
                }
                self.words.load(view(words)), self.phrases.load(view(phrases));
            },
            "words"_a.noconvert(), "phrases"_a.noconvert(), "parents"_a.noconvert(), "forms"_a.noconvert());
}

}  // namespace

void bind_chunker(nb::module_& m) {
    m.attr("LONGEST_CHUNK") = kLongestChunk;
    bind_chunk_features(m);
    nb::class_<Recognition>(m, "Recognition", "What was recognised in a sentence, and on what grounds.")
        .def_prop_ro("phrases",
                     [](const Recognition& self) {
                         std::vector<PhraseTuple> phrases;
                         for (const Phrase& p : self.phrases) phrases.emplace_back(p.s, p.e, p.k);
                         return phrases;
                     })
        .def_ro("begin", &Recognition::begin)
        .def_ro("inside", &Recognition::inside)
        .def_ro("score", &Recognition::score)
        .def_ro("candidates", &Recognition::candidates)
        .def(
            "left",
            [](const Recognition& self, int s, int e) {
                if (!is_index(s, self.lefts.size())) throw nb::index_error();
                const Signature& left = self.left(s, e);
                return std::vector<std::int32_t>(left.begin(), left.end());
            },
            "s"_a, "e"_a, "Categories of the words before s, nearest first, as phrases from s to e saw them.");

    m.def(
        "read_chunk_key",
        [](std::uint64_t key) {
            const ChunkFeature found = read_key(key);
            return std::tuple(std::string(found.kind), found.first, found.last, found.value, found.pattern);
        },
        "key"_a,
        "What a key stands for: its kind, the offsets of the first and the last word, the number of a predicate, a "
        "form "
        "or a category, or the types of some words.");
    m.def(
        "encode_chunks",
        [](const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns, Ids begin) {
            const ChunkBatch batch = make_batch(tables, columns, view(begin));
            std::vector<ChunkSentence> sentences(begin.shape(0) - 1);
            for (std::size_t i = 0; i < sentences.size(); ++i)
                sentences[i].fill(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1]);
            return sentences;
        },
        "tables"_a, "columns"_a, "begin"_a);
    m.def(
        "recognise",
        [](const ChunkFeatures& features, const Scorer& words, const Scorer& phrases, const Gazetteer& gazetteer,
           const std::string& context, const ChunkSentence& x, std::pair<double, double> outside) {
            const ChunkModel model =
                make_model(features, words, phrases, gazetteer, context, {outside.first, outside.second});
            ChunkWorker& worker = thread_scratch<ChunkWorker>();
            Recognition found;
            const nb::gil_scoped_release unlocked;
            recognise(model, x, worker, found);
            return found;
        },
        "features"_a, "words"_a, "phrases"_a, "gazetteer"_a, "context"_a, "x"_a, "outside"_a = std::pair(0.0, 0.0),
        "The best chunking of x.");
    m.def(
        "recognise_all",
        [](const ChunkFeatures& features, const Scorer& words, const Scorer& phrases, const Gazetteer& gazetteer,
           const std::string& context, const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns,
           Ids begin, int threads, std::pair<double, double> outside) {
            const ChunkModel model =
                make_model(features, words, phrases, gazetteer, context, {outside.first, outside.second});
            const ChunkBatch batch = make_batch(tables, columns, view(begin));
            std::vector<std::int32_t> flat;
            {
                const nb::gil_scoped_release unlocked;
                const auto found = recognise_all(model, batch, threads);
                for (std::int32_t i = 0; i < std::ssize(found); ++i)
                    for (const Phrase& p : found[i]) flat.insert(flat.end(), {i, p.s, p.e, p.k});
            }
            return to_numpy(std::move(flat));
        },
        "features"_a, "words"_a, "phrases"_a, "gazetteer"_a, "context"_a, "tables"_a, "columns"_a, "begin"_a,
        "threads"_a = 1, "outside"_a = std::pair(0.0, 0.0),
        "Phrases of a batch: sentence, start, end (included), category of each, one after the other.");
}

}  // namespace perceptag
