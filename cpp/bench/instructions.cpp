// A fixed amount of work for the core, to count its instructions: encode, learn, average, tag, of first and second
// order. The corpus is generated, so the counts depend only on compiler, C library and instruction set.
//
// Each stage is a function of its own that `callgrind --dump-after` can name; see benchmarks/instructions.py.
#include <gnu/libc-version.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/support.hpp"
#include "perceptag/linear/predictor.hpp"
#include "perceptag/search/viterbi.hpp"

using namespace perceptag;

namespace {

constexpr std::size_t kSums = 1 << 26;  // bytes, more than the predictor needs here
constexpr int kWords = 6000, kPadding = 2, kPasses = 2;
constexpr int kSuffixes = 400, kPrefixes = 300, kShapes = 12;  // values of the attributes besides the word itself

// The linear congruence of Knuth's MMIX: the same numbers everywhere, unlike the distributions of <random>.
struct Random {
    std::uint64_t state;
    std::uint32_t below(std::uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>((state >> 33) % n);
    }
};

// Sentences of 5 to 24 words. Rank r has a probability of about 1/r, as in text; labels follow words, mostly.
struct Generated {
    TypeTable types{4};
    std::vector<std::int32_t> words, labels, begin{0};

    Generated(int sentences, int L, std::uint64_t seed) {
        for (std::int32_t w = 0; w < kWords; ++w)
            types.add(std::vector<std::int32_t>{value(w, kWords), value(w, kSuffixes), value(w, kPrefixes),
                                                value(w, kShapes)});
        Random random{seed};
        for (int i = 0; i < sentences; ++i) {
            for (std::uint32_t t = 5 + random.below(20); t > 0; --t) {
                const double u = random.below(1000000) / 1e6;
                const auto word = static_cast<std::int32_t>(std::pow(kWords, u)) - 1;
                words.push_back(word);
                const bool is_usual = random.below(10) > 0;
                labels.push_back(is_usual ? word % L
                                          : static_cast<std::int32_t>(random.below(static_cast<unsigned>(L))));
            }
            begin.push_back(static_cast<std::int32_t>(words.size()));
        }
    }
    static std::int32_t value(std::int32_t word, std::int32_t values) { return 2 * kPadding + word % values; }
    Batch batch() const { return {{&types}, {words.data()}, begin, labels, {}}; }
};

FeatureIndex make_index() {
    std::vector<Template> templates;
    for (const int offset : {-2, -1, 0, 1, 2}) templates.push_back({{{0, 0, offset}}, 0});
    for (const int attribute : {1, 2, 3}) templates.push_back({{{0, attribute, 0}}, 0});
    for (const int offset : {-1, 1}) {
        templates.push_back({{{0, 1, offset}}, 0});
        templates.push_back({{{0, 0, offset}, {0, 0, 0}}, 0});
    }
    const auto size = [](int values) { return 2 * kPadding + values; };
    return {templates, kPadding, {{size(kWords), size(kSuffixes), size(kPrefixes), size(kShapes)}}};
}

Weights make_weights(const FeatureIndex& index, const Corpus& corpus, int L, int order) {
    Weights weights(L, true, order == 2);
    const std::size_t rows = index.rows(0);
    const Support support = count_support(corpus, 0, rows, L, 1);
    weights.make_compact(0, support.begin, support.codes);
    return weights;
}

void learn(Weights& weights, const Corpus& corpus) {
    Worker worker;
    std::vector<std::int32_t> guess;
    for (int pass = 0; pass < kPasses; ++pass)
        for (const Sequence& x : corpus.sequences) {
            guess.resize(x.T);
            viterbi(weights, x, nullptr, worker, guess);
            if (guess != x.labels) weights.move(x, x.labels, guess, 1);
            weights.tick();
        }
}

double right(const std::vector<std::int32_t>& found, const std::vector<std::int32_t>& gold) {
    int n = 0;
    for (std::size_t i = 0; i < gold.size(); ++i) n += found[i] == gold[i];
    return 100.0 * n / static_cast<double>(gold.size());
}

}  // namespace

#define STAGE extern "C" __attribute__((noinline, noclone)) void

STAGE stage_generate(Generated*& train, Generated*& dev, int sentences, int L) {
    train = new Generated(sentences, L, 1);
    dev = new Generated(sentences / 2, L, 2);
}

STAGE stage_encode(FeatureIndex& index, const Generated& train, Corpus& corpus) {
    corpus = encode_new(index, train.batch(), 1);
}

STAGE stage_learn(Weights& weights, const Corpus& corpus) { learn(weights, corpus); }
STAGE stage_learn_second(Weights& weights, const Corpus& corpus) { learn(weights, corpus); }
STAGE stage_average(Weights& weights, const Corpus& corpus) { weights = weights.averaged(corpus.active()); }

STAGE stage_tag(const FeatureIndex& index, const Weights& weights, const Generated& dev,
                std::vector<std::int32_t>& out) {
    out = Predictor(index, weights, {&dev.types}, kSums).tag(nullptr, dev.batch(), 1);
}

STAGE stage_tag_second(const FeatureIndex& index, const Weights& weights, const Generated& dev,
                       std::vector<std::int32_t>& out) {
    out = Predictor(index, weights, {&dev.types}, kSums).tag(nullptr, dev.batch(), 1);
}

int main() {
    for (const int order : {1, 2}) {
        const int L = order == 1 ? 45 : 16;
        Generated *train = nullptr, *dev = nullptr;
        stage_generate(train, dev, order == 1 ? 2000 : 800, L);
        FeatureIndex index = make_index();
        Corpus corpus;
        stage_encode(index, *train, corpus);
        Weights weights = make_weights(index, corpus, L, order);
        std::vector<std::int32_t> found;
        order == 1 ? stage_learn(weights, corpus) : stage_learn_second(weights, corpus);
        stage_average(weights, corpus);
        (order == 1 ? stage_tag : stage_tag_second)(index, weights, *dev, found);
        std::printf("order %d: %zu tokens, %.1f %% right\n", order, train->words.size(), right(found, dev->labels));
        delete train, delete dev;
    }
    std::printf("compiler: %s\nlibc: %s\navx2: %d\n", __VERSION__, gnu_get_libc_version(),
                __builtin_cpu_supports("avx2") != 0);
}
