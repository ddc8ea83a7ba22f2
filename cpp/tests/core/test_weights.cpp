// Weights on random sequences: the lattice they give scores labellings as they do themselves.
#include <cmath>

#include "check.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/viterbi.hpp"
#include "random_lattice.hpp"

using namespace perceptag;

namespace {

constexpr int kRows = 4;

Sequence random_sequence(std::mt19937& random, int T, int orders) {
    Sequence x;
    x.T = T;
    for (int order = 0; order < orders; ++order) {
        x.begin[order].push_back(0);
        for (int t = 0; t < T; ++t) {
            for (auto n = random() % 4; n > 0; --n)
                x.rows[order].push_back(static_cast<std::int32_t>(random() % kRows));
            x.begin[order].push_back(static_cast<std::int32_t>(x.rows[order].size()));
        }
    }
    for (int t = 0; t < T; ++t) x.closed.push_back(static_cast<std::int32_t>(random() % 3) - 1);
    return x;
}

// Every second combination of labels has a place.
void make_half_compact(Weights& weights, int order) {
    std::vector<std::uint32_t> begin{0}, codes;
    for (int row = 0; row < kRows; ++row) {
        for (std::uint32_t c = static_cast<std::uint32_t>(row % 2); c < weights.block(order).width; c += 2)
            codes.push_back(c);
        begin.push_back(static_cast<std::uint32_t>(codes.size()));
    }
    weights.make_compact(order, begin, codes);
}

Weights random_weights(std::mt19937& random, int L) {
    Weights weights(L, random() % 2 == 0, random() % 3 == 0);
    for (int order = 0; order < kOrders; ++order) {
        if (random() % 3 == 0) continue;
        if (random() % 2 == 0)
            weights.make_dense(order, kRows);
        else
            make_half_compact(weights, order);
    }
    for (int b = 0; b < kBlocks; ++b)
        for (std::size_t i = 0; i < weights.block(b).size(); ++i)
            weights.block(b).set(i, static_cast<float>(static_cast<int>(random() % 9) - 4));
    if (random() % 2 == 0) {
        const auto flags = [&](std::size_t n) {
            std::vector<std::uint8_t> result(n);
            for (auto& flag : result) flag = random() % 4 > 0;
            return result;
        };
        const std::size_t l = L;
        weights.constrain(flags((l + 1) * l), flags(l));
    }
    return weights;
}

// Rows of orders for which the weights have none would belong to another model.
Sequence fitting_sequence(std::mt19937& random, const Weights& weights) {
    Sequence x = random_sequence(random, static_cast<int>(random() % 5), 1 + static_cast<int>(random() % kOrders));
    for (int order = 0; order < kOrders; ++order)
        if (weights.block(order).rows == 0) x.rows[order].clear(), x.begin[order].clear();
    return x;
}

}  // namespace

void test_lattice_scores_as_weights_do() {
    std::mt19937 random(11);
    Worker worker;
    for (int round = 0; round < 2000; ++round) {
        const int L = 1 + static_cast<int>(random() % 3);
        const Weights weights = random_weights(random, L);
        const Sequence x = fitting_sequence(random, weights);
        weights.lattice(x, nullptr, worker.lattice);
        std::vector<std::int32_t> labels(x.T);
        for (int i = 0; i < 10; ++i) {
            for (auto& y : labels) y = static_cast<std::int32_t>(random() % static_cast<unsigned>(L));
            CHECK(worker.lattice.score(labels) == weights.score(x, labels));
        }
        const std::vector<Scored> all = enumerate(worker.lattice);
        const NBest found = nbest(weights, x, nullptr, 50, worker);
        CHECK(found.size() == std::min<std::size_t>(50, all.size()));
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(found.scores[i] == weights.score(x, found[i]));
    }
}

void test_threads_do_not_change_lists() {
    std::mt19937 random(17);
    for (int round = 0; round < 5; ++round) {
        const Weights weights = random_weights(random, 3);
        Corpus corpus;
        for (int i = 0; i < 50; ++i) corpus.sequences.push_back(fitting_sequence(random, weights));
        const TagDictionary dictionary{{{1, 0, 1}, {0, 1, 0}}};
        const std::vector<NBest> alone = nbest_batch(weights, corpus, &dictionary, 9, 1);
        const std::vector<NBest> together = nbest_batch(weights, corpus, &dictionary, 9, 3);
        for (std::size_t i = 0; i < alone.size(); ++i)
            CHECK(alone[i].labels == together[i].labels && alone[i].scores == together[i].scores);
        CHECK_THROWS(nbest_batch(weights, corpus, &dictionary, 0, 3));
    }
}

void test_dictionary_is_ignored_where_it_leaves_nothing() {
    Weights weights(2, true, false);
    const std::vector<std::uint8_t> no_start_with_1{1, 1, 1, 1, 1, 0}, any{1, 1};
    weights.constrain(no_start_with_1, any);
    Sequence x;
    x.T = 1;
    x.closed = {0};
    Worker worker;
    const TagDictionary only_1{{{0, 1}}}, only_0{{{1, 0}}};
    CHECK(nbest(weights, x, &only_1, 5, worker).labels == std::vector<std::int32_t>{0});
    CHECK(nbest(weights, x, &only_0, 5, worker).labels == std::vector<std::int32_t>{0});
    std::int32_t label = -1;
    viterbi(weights, x, &only_1, worker, {&label, 1});
    CHECK(label == 0);
}

// Adding and moving agree, and the average of one tick is the weights themselves.
void test_move_is_two_additions() {
    std::mt19937 random(13);
    for (int round = 0; round < 200; ++round) {
        const int L = 1 + static_cast<int>(random() % 3);
        Weights moved = random_weights(random, L);
        const Sequence x = fitting_sequence(random, moved);
        std::vector<std::int32_t> gold(x.T), guess(gold);
        for (auto* labels : {&gold, &guess})
            for (auto& y : *labels) y = static_cast<std::int32_t>(random() % static_cast<unsigned>(L));
        Weights added(moved);
        moved.tick(), added.tick();
        moved.move(x, gold, guess, 1);
        added.add(x, gold, 1);
        added.add(x, guess, -1);
        for (int b = 0; b < kBlocks; ++b)
            for (std::size_t i = 0; i < moved.block(b).size(); ++i) {
                CHECK(moved.block(b).get(i) == added.block(b).get(i));
                CHECK(moved.block(b).sum[i] == added.block(b).sum[i]);
            }
    }
}

// Averaged weights are multiples of a step so large that float32 holds every sum that the search forms: the
// score at one token, all orders together, stays within 2^21 steps.
void test_averaged_weights_leave_room_for_every_order() {
    Weights weights(2, true, true);
    weights.make_dense(0, 1);
    for (const int b : {0, 3, 4})
        for (std::size_t i = 0; i < weights.block(b).size(); ++i) weights.block(b).set(i, 1.0F / 3);
    const Weights averaged = weights.averaged(1);
    const double steps = averaged.block(0).get(0) * std::exp2(21);
    CHECK(steps == std::nearbyint(steps));
    CHECK(std::abs(averaged.block(0).get(0) - 1.0 / 3) < std::exp2(-21));
    CHECK_THROWS(averaged.averaged(1));
}

void test_features_of_every_order_are_counted() {
    Corpus corpus;
    std::mt19937 random(3);
    corpus.sequences.push_back(random_sequence(random, 3, 0));
    CHECK(corpus.active() == 0);
    Sequence x;
    x.T = 2;
    x.rows = {{{0, 1, 2}, {0, 1}, {}}};
    x.begin = {{{0, 1, 3}, {0, 2, 2}, {}}};
    corpus.sequences.push_back(x);
    CHECK(corpus.active() == 3);
}

void test_orders_are_checked() {
    Weights weights(2, true, true);
    const std::vector<std::uint8_t> flags(12);
    CHECK_THROWS((weights.make_dense(3, 1), 0));
    CHECK_THROWS((weights.make_compact(-1, {}, {}), 0));
    CHECK_THROWS((weights.fix_plain(0, flags), 0));
    CHECK_THROWS((weights.block(kSpanBlock + 1), 0));
}
