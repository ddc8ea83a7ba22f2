// From lists of words to lists of labels. Pieces of a batch are read and written under the lock of Python, and searched
// without it, so that other threads of Python run in between.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "perceptag/linear/piece_search.hpp"
#include "text/sentence_lists.hpp"

namespace perceptag {
namespace {

// What the ids of labels stand for: names, or names of a label and the one before it.
struct LabelNames {
    nb::tuple names;
    std::optional<Array2<std::int32_t>> pairs;  // [L + 1, L] which name; the last row is for the first token

    void check(std::size_t L) const {
        if (!pairs && names.size() != L) throw nb::value_error("expected a name for each label");
        if (!pairs) return;
        if (pairs->shape(0) != L + 1 || pairs->shape(1) != L) throw nb::value_error("expected all pairs of labels");
        for (std::size_t i = 0; i < pairs->size(); ++i)
            if (!is_index(pairs->data()[i], names.size())) throw nb::value_error("a label id is out of range");
    }

    nb::object list(const std::int32_t* first, const std::int32_t* last) const {
        nb::object list = nb::steal(PyList_New(last - first));
        if (!list.is_valid()) throw nb::python_error();
        const std::size_t L = pairs ? pairs->shape(1) : 0;
        for (const std::int32_t* y = first; y < last; ++y) {
            const std::size_t before = y == first ? L : y[-1];
            const std::int32_t number = pairs ? pairs->data()[before * L + *y] : *y;
            PyObject* name = PyTuple_GET_ITEM(names.ptr(), number);
            Py_INCREF(name);
            PyList_SET_ITEM(list.ptr(), y - first, name);
        }
        return list;
    }
};

// The types of a model's columns.
struct ColumnTypes {
    nb::tuple names;
    std::vector<nb::dict> lexicons;
    std::vector<TypeNumbers*> numbers;

    void check(const Predictor& predictor) const {
        const std::size_t n = predictor.tables().size();
        if (n == 0 || names.size() != n || lexicons.size() != n || numbers.size() != n)
            throw nb::value_error("expected a name and the types of each column");
        for (std::size_t c = 0; c < n; ++c)
            if (&numbers[c]->table() != predictor.tables()[c] || predictor.is_computed(c))
                throw nb::value_error("expected the tables of the predictor");
    }

    // Called without the lock of Python.
    void find(std::vector<Words>& words, Piece& piece) const {
        piece.columns.resize(words.size());
        for (std::size_t c = 0; c < words.size(); ++c) {
            piece.columns[c].resize(piece.tokens());
            find_types(lexicons[c], *numbers[c], words[c].views(), piece.columns[c].data());
        }
    }
};

// `piece`: about how many words are read at once. With several threads the first piece is small, so that all of them
// have something to do soon.
nb::object tag_lists(Predictor& predictor, SentenceLists& sentences, const ColumnTypes& types, const LabelNames& names,
                     int threads, std::size_t piece) {
    const std::size_t ahead = threads > 1 ? 2 : 0;  // so many pieces are searched while one is read
    std::vector<Words> words(types.numbers.size());
    std::deque<Piece> pieces;
    PieceSearch search(predictor, threads);
    nb::list labels;
    for (bool is_first = true; !sentences.is_at_end() || !pieces.empty(); is_first = false) {
        if (PyErr_CheckSignals()) throw nb::python_error();  // Ctrl-C is heard between two pieces
        const bool is_read = !sentences.is_at_end();
        if (is_read) {
            for (Words& column : words) column.clear();
            const std::size_t most = is_first && threads > 1 ? piece / 8 : piece;
            if (!sentences.read(std::max<std::size_t>(1, most), words, pieces.emplace_back().begin)) return nb::none();
        }
        const bool is_due = !is_read || pieces.size() > ahead;
        {
            const nb::gil_scoped_release unlocked;
            if (is_read) types.find(words, pieces.back());
            if (is_read) search.add(pieces.back());
            if (is_due) search.finish(pieces.front());
        }
        if (!is_due) continue;
        const Piece& done = pieces.front();
        for (std::size_t i = 0; i < done.sequences(); ++i)
            labels.append(names.list(done.labels.data() + done.begin[i], done.labels.data() + done.begin[i + 1]));
        pieces.pop_front();
    }
    return labels;
}

}  // namespace

void bind_lists(nb::module_& m) {
    m.def("longest", &longest, "sentences"_a, nb::sig("def longest(sentences: list[object]) -> int"),
          "How many words the longest of some sentences has, as far as they are lists, or dictionaries of lists.");
    m.def(
        "tag_lists",
        [](Predictor& predictor, nb::list sentences, nb::tuple columns, std::vector<nb::dict> lexicons,
           std::vector<TypeNumbers*> numbers, nb::tuple labels, std::optional<Array2<std::int32_t>> pairs, int threads,
           std::size_t piece) {
            const ColumnTypes types{columns, std::move(lexicons), std::move(numbers)};
            const LabelNames names{labels, std::move(pairs)};
            types.check(predictor);
            names.check(predictor.weights().L());
            SentenceLists lists(sentences, columns);
            return tag_lists(predictor, lists, types, names, threads, piece);
        },
        "predictor"_a, "sentences"_a, "columns"_a, "lexicons"_a, "numbers"_a, "labels"_a, "pairs"_a.none(), "threads"_a,
        "piece"_a,
        nb::sig("def tag_lists(predictor: Predictor, sentences: list[object], columns: tuple[str, ...], "
                "lexicons: collections.abc.Sequence[dict[typing.Any, typing.Any]], "
                "numbers: collections.abc.Sequence[TypeNumbers], labels: tuple[str, ...], "
                "pairs: NDArray[numpy.int32] | None, threads: int, piece: int) -> list[list[str]] | None"),
        "The labels of sentences, which are lists of words, or dictionaries of lists by the names of columns. None if "
        "one of them is anything else, or has something that is not a text.");
}

}  // namespace perceptag
