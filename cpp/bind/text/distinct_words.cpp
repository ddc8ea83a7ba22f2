// Words of running text, each of which gets a number when it occurs for the first time.
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/arrays.hpp"
#include "core/memory_views.hpp"
#include "perceptag/text/column_text.hpp"
#include "text/words.hpp"

namespace perceptag {
namespace {

class DistinctWords {
  public:
    // The numbers of the words at these places.
    std::vector<std::int32_t> add(nb::str text, std::span<const std::int64_t> begin,
                                  std::span<const std::int64_t> end) {
        const auto size = static_cast<std::int64_t>(PyUnicode_GET_LENGTH(text.ptr()));
        if (begin.size() != end.size()) throw std::invalid_argument("expected an end for each word");
        for (std::size_t i = 0; i < begin.size(); ++i)
            if (begin[i] < 0 || end[i] < begin[i] || end[i] > size)
                throw std::invalid_argument("expected places in the text");
        std::vector<std::int32_t> numbers(begin.size());
        const bool is_ascii = PyUnicode_IS_COMPACT_ASCII(text.ptr());
        const char* data = is_ascii ? static_cast<const char*>(PyUnicode_DATA(text.ptr())) : nullptr;
        for (std::size_t i = 0; i < begin.size(); ++i) {
            const std::string_view bytes =
                is_ascii ? std::string_view(data + begin[i], static_cast<std::size_t>(end[i] - begin[i]))
                         : encoded(text, begin[i], end[i]);
            const std::uint64_t hash = TextLexicon::hash(bytes);
            numbers[i] = numbers_.find(bytes, hash);
            if (numbers[i] < 0) {
                numbers[i] = static_cast<std::int32_t>(words_.size());
                numbers_.add(bytes, numbers[i]);
                words_.append(nb::str(bytes.data(), bytes.size()));
            }
        }
        return numbers;
    }
    const nb::list& words() const { return words_; }

  private:
    // In UTF-8, until the next call.
    std::string_view encoded(nb::str text, std::int64_t begin, std::int64_t end) {
        memory_.clear();
        for (std::int64_t i = begin; i < end; ++i)
            if (!append_utf8(memory_, PyUnicode_READ_CHAR(text.ptr(), static_cast<Py_ssize_t>(i))))
                throw std::invalid_argument("expected text without lone surrogates");
        return memory_;
    }

    TextLexicon numbers_;
    nb::list words_;
    std::string memory_;
};

}  // namespace

void bind_distinct_words(nb::module_& m) {
    nb::class_<DistinctWords>(m, "DistinctWords", "The different words of running text, in order of appearance.")
        .def(nb::init<>())
        .def(
            "add",
            [](DistinctWords& self, nb::str text, Array1<std::int64_t> begin, Array1<std::int64_t> end) {
                return to_view(self.add(text, view(begin), view(end)));
            },
            "text"_a, "begin"_a.noconvert(), "end"_a.noconvert(), "The numbers of the words at these places.")
        .def_prop_ro("words", &DistinctWords::words, nb::sig("def words(self) -> list[str]"), "By number.");
}

}  // namespace perceptag
