#include <algorithm>
#include <random>

#include "check.hpp"
#include "perceptag/linear/piece_flow.hpp"

using namespace perceptag;

namespace {

constexpr std::int32_t kWords = 20, kPadding = 1, kLabels = 5;

// Sentences of up to 6 words, and a model with one feature: the word.
struct Model {
    TypeTable types{1};
    FeatureIndex index{{{{{0, 0, 0}}, 0}}, kPadding, {{2 * kPadding + kWords}}};
    Weights weights{kLabels, true, false};
    std::vector<std::int32_t> words, begin{0};

    Model() {
        std::mt19937 random(5);
        const auto below = [&](std::int32_t n) { return static_cast<std::int32_t>(random() % n); };
        for (std::int32_t w = 2 * kPadding; w < 2 * kPadding + kWords; ++w) types.add({&w, 1});
        for (int sentence = 0; sentence < 200; ++sentence) {
            for (std::int32_t length = below(7); length > 0; --length) words.push_back(below(kWords));
            begin.push_back(static_cast<std::int32_t>(words.size()));
        }
        encode_new(index, batch(), 1);
        weights.make_dense(0, index.rows(0));
        for (const int block : {0, static_cast<int>(kPlainEdges)})
            for (std::size_t i = 0; i < weights.block(block).size(); ++i)
                weights.block(block).set(i, static_cast<float>(below(9)) - 4.0F);
    }
    Batch batch() const { return {{&types}, {words.data()}, begin, {}, {}}; }
    Predictor predictor() const { return {index, weights, {&types}, 1 << 16}; }
};

// Counts what is read ahead, and checks the order of calls.
class CheckedFlow final : public PieceFlow {
  public:
    CheckedFlow(const Model& model, std::size_t last) : model_(model), last_(last) {}

    bool is_at_end() const override { return next_ == model_.begin.size() - 1; }
    bool read(std::size_t tokens, Piece& piece) override {
        CHECK(!is_unlocked_);
        const std::int32_t first = model_.begin[next_];
        for (; !is_at_end() && piece.tokens() < tokens; ++next_) piece.begin.push_back(model_.begin[next_ + 1] - first);
        piece.columns = {{model_.words.begin() + first, model_.words.begin() + model_.begin[next_]}};
        most_read_ahead = std::max(most_read_ahead, ++pieces - written_);
        return pieces <= last_;
    }
    void run_unlocked(const std::function<void()>& work) override {
        is_unlocked_ = true;
        work();
        is_unlocked_ = false;
    }
    void find_types(Piece&) override { CHECK(is_unlocked_); }
    void write(const Piece& piece) override {
        CHECK(!is_unlocked_);
        ++written_;
        labels.insert(labels.end(), piece.labels.begin(), piece.labels.end());
    }

    std::vector<std::int32_t> labels;
    std::size_t pieces = 0, most_read_ahead = 0;

  private:
    const Model& model_;
    std::size_t last_, next_ = 0, written_ = 0;
    bool is_unlocked_ = false;
};

}  // namespace

void test_pieces_have_the_labels_of_the_batch() {
    const Model model;
    Predictor whole = model.predictor();
    const std::vector<std::int32_t> expected = whole.tag(nullptr, model.batch(), 1);
    CHECK(std::ranges::count(expected, expected[0]) < std::ssize(expected));
    for (const int threads : {1, 3})
        for (const std::size_t tokens : {1, 7, 100, 10000}) {
            Predictor predictor = model.predictor();
            CheckedFlow flow(model, model.begin.size());
            CHECK(label_pieces(predictor, flow, threads, tokens));
            CHECK(flow.labels == expected);
            CHECK(flow.most_read_ahead <= (threads > 1 ? 3U : 1U));
            CHECK(tokens > 1 || flow.pieces > 100);
        }
}

void test_a_piece_that_cannot_be_read_ends_the_batch() {
    const Model model;
    for (const int threads : {1, 3}) {
        Predictor predictor = model.predictor();
        CheckedFlow flow(model, 4);
        CHECK(!label_pieces(predictor, flow, threads, 7));
        CHECK(flow.pieces == 5);
    }
}
