#include "perceptag/text/conllu_text.hpp"

#include <nanobind/stl/string.h>

#include "core/vectors.hpp"
#include "text/numbers.hpp"
#include "text/own_text.hpp"
#include "text/shared_values.hpp"

namespace perceptag {
namespace {

struct OwnConllu : OwnText {
    ConlluText lines;
};

nb::str text_of(const OwnConllu& self, std::uint32_t begin, std::uint32_t end) {
    return nb::str(bytes_of(self.text).data() + begin, end - begin);
}

nb::object extra_of(const OwnConllu& self, std::size_t s) {
    const std::size_t first = s ? self.lines.sentences()[s - 1].extra_end : 0;
    const std::size_t count = self.lines.sentences()[s].extra_end - first;
    nb::object lines = nb::steal(PyTuple_New(count));
    if (!lines.is_valid()) throw nb::python_error();
    for (std::size_t i = 0; i < count; ++i) {
        const ConlluText::Extra& line = self.lines.extra()[first + i];
        nb::object pair = nb::make_tuple(line.before, text_of(self, line.begin, line.end));
        PyTuple_SET_ITEM(lines.ptr(), i, pair.release().ptr());
    }
    return lines;
}

}  // namespace

void bind_conllu_text(nb::module_& m) {
    nb::class_<OwnConllu, OwnText>(m, "ConlluText", "Sentences of CoNLL-U, if nothing is wrong with them.")
        .def(
            "__init__",
            [](OwnConllu* self, nb::str text) {
                new (self) OwnConllu{{text, {}, ConlluText::kWidth}, {}};
                const std::string_view bytes = bytes_of(text);
                const nb::gil_scoped_release unlocked;
                if (!self->lines.parse(bytes, self->columns)) self->width = 0;
            },
            "text"_a)
        .def(
            "sentences",
            [](const OwnConllu& self, nb::tuple names, SharedValues& values) {
                if (names.size() + 1 != ConlluText::kWidth) throw nb::value_error("expected nine names");
                nb::list sentences;
                for (std::size_t s = 0; s < self.lines.sentences().size(); ++s) {
                    const ConlluText::Sentence& sentence = self.lines.sentences()[s];
                    sentences.append(nb::make_tuple(columns_of(self.columns, s, names, 1, values), sentence.line,
                                                    sentence.starts_document, extra_of(self, s)));
                    values.forget_if_many();
                }
                return sentences;
            },
            "names"_a, "values"_a,
            nb::sig("def sentences(self, names: tuple[str, ...], values: SharedValues) -> "
                    "list[tuple[dict[str, list[str]], int, bool, tuple[tuple[int, str], ...]]]"),
            "Of each sentence its columns, the lines before its first word, whether it starts a document, and its "
            "lines that are not words, each with the number of words before it.")
        .def(
            "write_labels",
            [](const OwnConllu& self, const std::vector<std::string>& names, Array1<std::int32_t> labels,
               std::size_t column) {
                check_labels(self, names.size(), labels);
                if (column >= ConlluText::kWidth) throw nb::index_error();
                std::string out;
                {
                    const nb::gil_scoped_release unlocked;
                    out = self.lines.write(self.columns, names, view(labels), column);
                }
                return nb::bytes(out.data(), out.size());
            },
            "names"_a, "labels"_a.noconvert(), "column"_a,
            "The text with labels in place of a column; the id is column 0.");
}

}  // namespace perceptag
