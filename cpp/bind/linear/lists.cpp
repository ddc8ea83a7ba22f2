// Labels lists of words. Pieces of a batch are read and written with the GIL and searched without it.
#include <nanobind/stl/optional.h>

#include <functional>
#include <optional>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "perceptag/linear/piece_flow.hpp"
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
};

// Reads and writes lists while it holds the GIL.
class ListFlow final : public PieceFlow {
  public:
    ListFlow(const nb::list& sentences, const ColumnTypes& types, const LabelNames& names,
             std::optional<FeatureJoiner> joiner)
        : sentences_(sentences, types.names, std::move(joiner)),
          types_(types),
          names_(names),
          words_(types.numbers.size()) {}

    bool is_at_end() const override { return sentences_.is_at_end(); }
    bool read(std::size_t tokens, Piece& piece) override {
        for (Words& column : words_) column.clear();
        return sentences_.read(tokens, words_, piece.begin);
    }
    void run_unlocked(const std::function<void()>& work) override {
        if (PyErr_CheckSignals()) throw nb::python_error();  // Ctrl-C is noticed between two pieces
        const nb::gil_scoped_release unlocked;
        work();
    }
    void find_types(Piece& piece) override {
        piece.columns.resize(words_.size());
        for (std::size_t c = 0; c < words_.size(); ++c) {
            piece.columns[c].resize(piece.tokens());
            perceptag::find_types(types_.lexicons[c], *types_.numbers[c], words_[c].views(), piece.columns[c].data());
        }
    }
    void write(const Piece& piece) override {
        for (std::size_t i = 0; i < piece.sequences(); ++i)
            labels.append(names_.list(piece.labels.data() + piece.begin[i], piece.labels.data() + piece.begin[i + 1]));
    }

    nb::list labels;

  private:
    SentenceLists sentences_;
    const ColumnTypes& types_;
    const LabelNames& names_;
    std::vector<Words> words_;  // of the piece that was read last
};

}  // namespace

void bind_lists(nb::module_& m) {
    m.def("longest", &longest, "sentences"_a, nb::sig("def longest(sentences: list[object]) -> int"),
          "How many words the longest of some sentences has, as far as they are lists, or dictionaries of lists.");
    m.def(
        "tag_lists",
        [](Predictor& predictor, nb::list sentences, nb::tuple columns, std::vector<nb::dict> lexicons,
           std::vector<TypeNumbers*> numbers, nb::tuple labels, std::optional<Array2<std::int32_t>> pairs, int threads,
           std::size_t piece, std::optional<bool> numbers_are_features) {
            const ColumnTypes types{columns, std::move(lexicons), std::move(numbers)};
            const LabelNames names{labels, std::move(pairs)};
            types.check(predictor);
            names.check(predictor.weights().L());
            std::optional<FeatureJoiner> joiner;
            if (numbers_are_features) joiner.emplace(*numbers_are_features);
            if (joiner && columns.size() != 1) throw nb::value_error("expected one column, of features");
            ListFlow flow(sentences, types, names, std::move(joiner));
            return label_pieces(predictor, flow, threads, piece) ? nb::object(flow.labels) : nb::none();
        },
        "predictor"_a, "sentences"_a, "columns"_a, "lexicons"_a, "numbers"_a, "labels"_a, "pairs"_a.none(), "threads"_a,
        "piece"_a, "numbers_are_features"_a.none() = nb::none(),
        nb::sig("def tag_lists(predictor: Predictor, sentences: list[object], columns: tuple[str, ...], "
                "lexicons: collections.abc.Sequence[dict[typing.Any, typing.Any]], "
                "numbers: collections.abc.Sequence[TypeNumbers], labels: tuple[str, ...], "
                "pairs: NDArray[numpy.int32] | None, threads: int, piece: int, "
                "numbers_are_features: bool | None = None) -> list[list[str]] | None"),
        "The labels of sentences, which are lists of words, or dictionaries of lists by the names of columns. With "
        "`numbers_are_features`, the tokens of a list are dictionaries of features, and numbers other than 0 and 1 are "
        "features or not. None if a sentence is anything else, or has something that is not a text.");
}

}  // namespace perceptag
