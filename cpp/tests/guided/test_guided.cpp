// Bidirectional search and learning on random sequences: spans stay in order, gold stays on top, and with an unlimited
// beam no labelling scores more in the order that the search took.
#include <random>

#include "check.hpp"
#include "perceptag/guided/guided.hpp"

using namespace perceptag;

namespace {

constexpr int kRows = 6, kLabels = 3;

Sequence random_sequence(std::mt19937& random, int T) {
    Sequence x;
    x.T = T;
    for (int order = 0; order < 2; ++order) {
        x.begin[order].push_back(0);
        for (int t = 0; t < T; ++t) {
            // One or two different rows: a feature fires once at a token.
            const auto first = static_cast<std::int32_t>(random() % kRows);
            x.rows[order].push_back(first);
            if (order == 0 && random() % 2) x.rows[order].push_back((first + 1) % kRows);
            x.begin[order].push_back(static_cast<std::int32_t>(x.rows[order].size()));
        }
    }
    for (int t = 0; t < T; ++t) x.labels.push_back(static_cast<std::int32_t>(random() % kLabels));
    return x;
}

GuidedWeights make_weights() {
    Weights words(kLabels, false, false);
    words.make_dense(0, kRows);
    const std::vector<ContextTemplate> templates{{0, 0b0010}, {0, 0b0110}, {1, 0b0011}, {1, 0b1100}, {0, 0b1001}};
    return {words, ContextWeights(kLabels, templates, std::vector<std::int32_t>(kRows, 1))};
}

void learn(GuidedWeights& weights, GuidedSearch& search, const Sequence& x) {
    search.start(x);
    int updates = 0;
    for (int token; (token = search.choose()) >= 0 && updates < 500;) {
        search.check();
        if (search.gold_state(token) == 0) {
            search.accept(token);
            for (const Action& action : search.actions(token)) CHECK(action.label == x.labels[action.token]);
            continue;
        }
        const Action wrong = search.top_action(token), right = search.with_gold(wrong);
        weights.add(x, right, 1);
        weights.add(x, wrong, -1);
        search.rescore(right, wrong);
        ++updates;
    }
    weights.tick();
}

// The score of a labelling if its tokens are labelled in the order of these actions.
double score_of(const GuidedSearch& search, Sequence x, const std::vector<Action>& actions, int labelling) {
    for (int t = 0; t < x.T; ++t, labelling /= kLabels) x.labels[t] = labelling % kLabels;
    GuidedSearch other(search.weights(), {}, nullptr);
    other.start(x);
    double total = 0;
    for (const Action& action : actions) {
        const Action changed = other.with_gold(action);
        total += other.scores(changed)[changed.label];
    }
    return total;
}

}  // namespace

void test_guided() {
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        GuidedWeights weights = make_weights();
        const Direction direction = round % 4 == 3   ? Direction::kLeftToRight
                                    : round % 4 == 2 ? Direction::kRightToLeft
                                                     : Direction::kBoth;
        GuidedSearch learner(weights, {1 + round % 3, direction, round % 2 ? 1.0 : 0.0}, nullptr);
        for (int i = 0; i < 10; ++i) {
            const Sequence x = random_sequence(random, 1 + static_cast<int>(random() % 7));
            learn(weights, learner, x);
        }
        const Sequence x = random_sequence(random, 1 + static_cast<int>(random() % 5));
        GuidedSearch search(weights, {1000, direction, 0}, nullptr);
        search.start(x);
        int last = -1;
        for (int token; (token = search.choose()) >= 0; last = token) search.accept(token);
        search.check();
        const std::vector<Action> actions = search.actions(last);
        int labellings = 1;
        for (int t = 0; t < x.T; ++t) labellings *= kLabels;
        double best = -1e9;
        for (int y = 0; y < labellings; ++y) best = std::max(best, score_of(search, x, actions, y));
        CHECK(best == search.beam(last)[0]);
        const GuidedWeights average = weights.averaged(2);
        CHECK(average.contexts.keys().size() == weights.contexts.keys().size());
    }
    CHECK_THROWS(ContextWeights(kLabels, {{0, 0}}, {}));
    CHECK_THROWS(ContextWeights(kLabels, {{0, 1}}, {1}));
}
