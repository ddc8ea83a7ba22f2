#include <stdexcept>

#include "core/arrays.hpp"
#include "perceptag/classes/bigram_counter.hpp"
#include "perceptag/classes/exchange.hpp"
#include "text/numbers.hpp"

namespace perceptag {
namespace {

void bind_counts(nb::module_& m) {
    nb::class_<BigramCounts>(m, "BigramCounts", "How often each word of a text is followed by each other.")
        .def("__len__", [](const BigramCounts& self) { return self.words.size(); })
        .def_prop_ro(
            "words",
            [](const BigramCounts& self) {
                nb::list words;
                for (const std::string& word : self.words) words.append(nb::str(word.data(), word.size()));
                return words;
            },
            nb::sig("def words(self) -> list[str]"), "The words, the most frequent first.")
        .def_prop_ro(
            "counts", [](const BigramCounts& self) { return to_numpy(std::vector(self.counts)); },
            nb::rv_policy::automatic, "How often each word occurs.")
        .def_prop_ro(
            "fingerprint", [](const BigramCounts& self) { return self.fingerprint(); },
            "A number that differs, in all likelihood, if other words or bigrams were counted.");
}

void bind_counter(nb::module_& m) {
    nb::class_<BigramCounter>(m, "BigramCounter", "Counts the words and bigrams of a text in bounded memory.")
        .def(nb::init<std::size_t, std::size_t>(), "most_words"_a, "most_bigrams"_a)
        .def(
            "add_text",
            [](BigramCounter& self, nb::str text) {
                const std::string_view bytes = bytes_of(text);
                const nb::gil_scoped_release unlocked;
                self.add_text(bytes);
            },
            "text"_a, "Count whole lines: sentences of words that are separated by spaces or tabs.")
        .def(
            "add_sentence",
            [](BigramCounter& self, nb::typed<nb::sequence, nb::str> words) {
                const nb::object all = nb::steal(PySequence_Tuple(words.ptr()));
                if (!all.is_valid()) throw nb::python_error();
                std::vector<std::string_view> bytes;
                for (nb::handle word : nb::borrow<nb::tuple>(all)) bytes.push_back(bytes_of(word));
                self.add_sentence(bytes);
            },
            "words"_a, "Count the words of one sentence.")
        .def(
            "finish",
            [](BigramCounter& self, std::uint32_t least) {
                const nb::gil_scoped_release unlocked;
                return self.finish(least);
            },
            "least"_a, "The counts, with the words seen less often than `least` counted together; empties this.")
        .def_prop_ro("tokens", &BigramCounter::tokens)
        .def_prop_ro("sentences", &BigramCounter::sentences)
        .def_prop_ro("types", &BigramCounter::types)
        .def_prop_ro("bigrams", &BigramCounter::bigrams)
        .def_prop_ro("dropped_words", &BigramCounter::dropped_words)
        .def_prop_ro("dropped_bigrams", &BigramCounter::dropped_bigrams);
}

}  // namespace

void bind_classes(nb::module_& m) {
    bind_counts(m);
    bind_counter(m);
    m.def("information", &compute_information, "n"_a, "n log2 n in units of 2^-20, rounded.");
    nb::class_<Exchange>(m, "Exchange", "Clusters words: each moves to the class where the likelihood is highest.")
        .def(
            "__init__",
            [](Exchange* self, const BigramCounts& counts, int classes, Array1<std::int32_t> start) {
                if (classes < 1) throw std::invalid_argument("expected one class or more");
                new (self) Exchange(counts, classes, {view(start).begin(), view(start).end()});
            },
            nb::keep_alive<1, 2>(), "counts"_a, "classes"_a, "start"_a.noconvert())
        .def(
            "visit",
            [](Exchange& self, std::size_t first, std::size_t last) {
                const std::size_t words = self.classes().size();
                if (first > last || last > words) throw std::invalid_argument("expected a range of words");
                const nb::gil_scoped_release unlocked;
                return self.visit(first, last);
            },
            "first"_a, "last"_a, "Let the words in this range move, one after the other; return how many did.")
        .def_prop_ro(
            "classes",
            [](const Exchange& self) { return to_numpy(std::vector(self.classes().begin(), self.classes().end())); },
            nb::rv_policy::automatic, "The class of each word.")
        .def_prop_ro("likelihood", &Exchange::likelihood, "The log-likelihood of the text, in units of 2^-20 bits.");
}

}  // namespace perceptag
