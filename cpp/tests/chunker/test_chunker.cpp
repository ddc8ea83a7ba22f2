// Kernels in all their forms, and recognition against enumeration of all chunkings.
#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "check.hpp"
#include "perceptag/chunker/chunker.hpp"
#include "perceptag/chunker/dense_index.hpp"
#include "perceptag/chunker/linear_kernel.hpp"

using namespace perceptag;

namespace {

using Ids = std::vector<std::int32_t>;

Ids random_ids(std::mt19937& random, int features, int one_in) {
    Ids ids;
    for (int f = 0; f < features; ++f)
        if (static_cast<int>(random() % static_cast<unsigned>(one_in)) == 0) ids.push_back(f);
    return ids;
}

SupportVectors random_vectors(std::mt19937& random, int features, int columns, int degree, int moves) {
    SupportVectors vectors(features, columns, degree);
    for (int i = 0; i < moves; ++i) {
        vectors.tick(static_cast<std::int64_t>(random() % 3));
        vectors.add(random_ids(random, features, 4), static_cast<int>(random() % static_cast<unsigned>(columns)),
                    random() % 2 ? 1 : -1);
    }
    return vectors;
}

std::vector<double> scores_of(const Scorer& scorer, const Ids& x) {
    ScoreScratch scratch;
    std::vector<double> out(scorer.columns());
    scorer.score(x, scratch, out.data());
    return out;
}

// A sentence of `T` words without any predicates of their own: only positions tell them apart.
ChunkSentence plain_sentence(int T, std::mt19937& random) {
    TypeTable table(kSlots);
    std::vector<std::int32_t> types;
    for (int t = 0; t < T; ++t) {
        const auto value = static_cast<std::int32_t>(random() % 4);
        types.push_back(table.add(std::vector<std::int32_t>{value, value, value, value}));
    }
    const TypeTable* tables[] = {&table};
    const std::int32_t* columns[] = {types.data()};
    ChunkSentence x;
    x.fill(tables, columns, 0, T);
    return x;
}

struct Problem {
    explicit Problem(std::mt19937& random, int K)
        : features(1, 2), x(plain_sentence(1 + static_cast<int>(random() % 5), random)) {
        std::vector<std::int32_t> left(2);
        features.count_words(x);
        for (int s = 0; s < x.T; ++s)
            for (int e = s; e < x.T; ++e)
                for (left[0] = -1; left[0] < K; ++left[0])
                    for (left[1] = -1; left[1] < K; ++left[1]) features.count_phrase(x, s, e, left, gazetteer);
        features.words.freeze(0), features.phrases.freeze(0);
    }
    ChunkFeatures features;
    Gazetteer gazetteer;
    ChunkSentence x;
};

// The best score of all chunkings of words s …, given the categories of the words before.
double best_from(const Problem& p, const Recognition& seen, const Scorer& phrases, std::vector<std::int32_t>& before,
                 int s) {
    if (s >= p.x.T) return 0;
    before.push_back(-1);
    double best = best_from(p, seen, phrases, before, s + 1);
    before.pop_back();
    if (seen.begin[s] <= 0) return best;
    std::vector<std::int32_t> left(2, -1);
    for (std::size_t d = 0; d < 2 && d < before.size(); ++d) left[d] = before[before.size() - 1 - d];
    for (int e = s; e < p.x.T && (e == s || seen.inside[e] > 0); ++e) {
        FoundFeatures found;
        p.features.phrase(p.x, s, e, left, p.gazetteer, found);
        const std::vector<double> scores = scores_of(phrases, found.ids);
        for (std::size_t k = 0; k < scores.size(); ++k) {
            before.insert(before.end(), static_cast<std::size_t>(e - s + 1), static_cast<std::int32_t>(k));
            best = std::max(best, scores[k] + best_from(p, seen, phrases, before, e + 1));
            before.resize(before.size() - static_cast<std::size_t>(e - s + 1));
        }
    }
    return best;
}

}  // namespace

void test_all_forms_of_a_kernel_score_alike() {
    std::mt19937 random(1);
    for (int degree = 1; degree <= 3; ++degree) {
        const SupportVectors vectors = random_vectors(random, 40, 3, degree, 90).averaged();
        const DenseIndex dense(vectors);
        for (int i = 0; i < 50; ++i) {
            const Ids x = random_ids(random, 40, 3);
            std::vector<double> wanted(3);  // by the definition
            for (std::size_t l = 0; l < vectors.size(); ++l)
                for (std::size_t c = 0; c < 3; ++c) wanted[c] += vectors.coefficient(l, c) * vectors.kernel(x, l);
            CHECK(scores_of(vectors, x) == wanted);
            CHECK(scores_of(dense, x) == wanted);
            if (degree == 1) CHECK(scores_of(LinearKernel(vectors), x) == wanted);
        }
        if (degree > 1) CHECK_THROWS(LinearKernel(vectors));
    }
}

void test_exact_context_equals_enumeration() {
    std::mt19937 random(2);
    int with_phrases = 0;
    for (int i = 0; i < 60; ++i) {
        const int K = 1 + static_cast<int>(random() % 2);
        const Problem p(random, K);
        SupportVectors words = random_vectors(random, static_cast<int>(p.features.words.size()), 2, 1, 12);
        words.add({}, kBegin, 3), words.add({}, kIn, 3);
        const SupportVectors phrases = random_vectors(random, static_cast<int>(p.features.phrases.size()), K, 1, 12);
        ChunkWorker worker;
        Recognition seen;
        recognise({p.features, words, phrases, p.gazetteer, Context::kExact}, p.x, worker, seen);
        std::vector<std::int32_t> before;
        CHECK(seen.score == best_from(p, seen, phrases, before, 0));
        with_phrases += seen.phrases.size() > 1;
    }
    CHECK(with_phrases > 5);
}
