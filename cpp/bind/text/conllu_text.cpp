#include "perceptag/text/conllu_text.hpp"

#include <nanobind/stl/string.h>

#include <array>

#include "core/vectors.hpp"
#include "text/numbers.hpp"
#include "text/own_text.hpp"

namespace perceptag {
namespace {

struct OwnConllu : OwnText {
    ConlluText lines;
};

// Equal values as one object: a file has few different values, but many copies of each would take much memory.
class SharedValues {
  public:
    nb::handle get(std::string_view text) {
        const auto byte = static_cast<unsigned char>(text[0]);
        if (text.size() > 1 || byte >= kAscii) return look_up(text);
        if (!single_[byte].is_valid()) single_[byte] = nb::borrow(look_up(text));
        return single_[byte];
    }

    // Called between sentences, so that memory stays bounded.
    void forget_if_many() {
        if (objects_.size() <= kMost) return;
        texts_ = {};
        objects_.clear();
    }

  private:
    nb::handle look_up(std::string_view text) {
        std::int32_t number = texts_.find(text);
        if (number < 0) {
            number = static_cast<std::int32_t>(objects_.size());
            objects_.emplace_back(text.data(), text.size());
            texts_.add(text, number);
        }
        return objects_[number];
    }

    static constexpr std::size_t kMost = 1 << 17, kAscii = 128;
    TextLexicon texts_;
    std::vector<nb::str> objects_;
    std::array<nb::object, kAscii> single_;  // of one character: a third of all values, "_" above all
};

nb::str text_of(const OwnConllu& self, std::uint32_t begin, std::uint32_t end) {
    return nb::str(bytes_of(self.text).data() + begin, end - begin);
}

nb::dict columns_of(const OwnConllu& self, std::size_t s, const nb::tuple& names, SharedValues& values) {
    nb::dict columns;
    const std::int32_t first = self.columns.begin()[s], count = self.columns.begin()[s + 1] - first;
    for (std::size_t c = 1; c < ConlluText::kWidth; ++c) {
        nb::object list = nb::steal(PyList_New(count));
        if (!list.is_valid()) throw nb::python_error();
        for (std::int32_t t = 0; t < count; ++t)
            PyList_SET_ITEM(list.ptr(), t, values.get(self.columns.field(first + t, c)).inc_ref().ptr());
        columns[names[c - 1]] = list;
    }
    return columns;
}

nb::object extra_of(const OwnConllu& self, std::size_t s) {
    const std::size_t first = s ? self.lines.sentences()[s - 1].extra_end : 0;
    const std::size_t count = self.lines.sentences()[s].extra_end - first;
    nb::object lines = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
    if (!lines.is_valid()) throw nb::python_error();
    for (std::size_t i = 0; i < count; ++i) {
        const ConlluText::Extra& line = self.lines.extra()[first + i];
        nb::object pair = nb::make_tuple(line.before, text_of(self, line.begin, line.end));
        PyTuple_SET_ITEM(lines.ptr(), static_cast<Py_ssize_t>(i), pair.release().ptr());
    }
    return lines;
}

}  // namespace

void bind_conllu_text(nb::module_& m) {
    nb::class_<SharedValues>(m, "SharedValues", "Equal values of a file as one object.").def(nb::init<>());

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
                    sentences.append(nb::make_tuple(columns_of(self, s, names, values), sentence.line,
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
