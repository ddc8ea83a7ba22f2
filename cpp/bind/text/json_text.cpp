#include <nanobind/stl/string.h>

#include <optional>

#include "core/vectors.hpp"
#include "perceptag/text/json_sentences.hpp"
#include "text/own_text.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kLong = 1 << 15;  // bytes, from which on other threads of Python may run meanwhile

struct OwnJson : OwnText {
    JsonSentences sentences;
};

struct JsonLabels {
    std::vector<std::string> quoted;
};

std::string_view bytes_in(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

}  // namespace

void bind_json_text(nb::module_& m) {
    nb::class_<JsonLabels>(m, "JsonLabels", "Names of labels, as JSON writes them.")
        .def(
            "__init__",
            [](JsonLabels* self, const std::vector<std::string>& names) {
                new (self) JsonLabels{std::vector<std::string>(names.size())};
                for (std::size_t i = 0; i < names.size(); ++i) append_quoted(names[i], self->quoted[i]);
            },
            "names"_a);

    nb::class_<OwnJson, OwnText>(m, "JsonText", "Sentences of words in JSON, if they are as most clients send them.")
        .def(
            "__init__",
            [](OwnJson* self, const nb::bytes& body, bool by_lines) {
                new (self) OwnJson{{nb::str(""), {}, 1}, {}};
                const std::string_view text = bytes_in(body);
                std::optional<nb::gil_scoped_release> unlocked;
                if (text.size() > kLong) unlocked.emplace();
                const bool is_plain = by_lines ? self->sentences.parse_lines(text, self->columns)
                                               : self->sentences.parse_request(text, self->columns);
                if (!is_plain) self->width = 0;
            },
            "body"_a, "by_lines"_a, "A request with sentences, or lines of one sentence each.")
        .def_prop_ro("model", [](const OwnJson& self) { return self.sentences.model(); })
        .def_prop_ro("layer", [](const OwnJson& self) { return self.sentences.layer(); })
        .def_prop_ro(
            "sizes",
            [](const OwnJson& self) {
                const std::vector<std::int32_t>& begin = self.columns.begin();
                std::int32_t longest = 0;
                for (std::size_t s = 0; s + 1 < begin.size(); ++s) longest = std::max(longest, begin[s + 1] - begin[s]);
                return nb::make_tuple(begin.size() - 1, self.columns.tokens(), longest, self.sentences.longest_word());
            },
            nb::sig("def sizes(self, /) -> tuple[int, int, int, int]"),
            "How many sentences and tokens there are, the tokens of the longest sentence, and the bytes of the longest "
            "word.")
        .def(
            "write_json",
            [](const OwnJson& self, const JsonLabels& names, Array1<std::int32_t> labels, const nb::bytes& before,
               const nb::bytes& between, const nb::bytes& after) {
                check_labels(self, names.quoted.size(), labels);
                std::string out;
                {
                    std::optional<nb::gil_scoped_release> unlocked;
                    if (self.columns.tokens() > kLong / 8) unlocked.emplace();
                    out = JsonSentences::write(self.columns, names.quoted, view(labels), bytes_in(before),
                                               bytes_in(between), bytes_in(after));
                }
                return nb::bytes(out.data(), out.size());
            },
            "names"_a, "labels"_a.noconvert(), "before"_a, "between"_a, "after"_a,
            "The tokens and labels of each sentence as an object of JSON.");
}

}  // namespace perceptag
