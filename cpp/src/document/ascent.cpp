#include "perceptag/document/ascent.hpp"

#include <algorithm>
#include <deque>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/viterbi.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kFewestTokens = 64;  // of a document, for each thread: for fewer, one more does not pay

// The candidates of a sentence: its list, and the gold labelling at the end if it is not in it. Where labels are
// missing, that is the best labelling that agrees with those that are known.
struct Candidates {
    std::vector<std::span<const std::int32_t>> labels;
    std::vector<double> listed;        // scores of the list itself
    std::vector<std::uint8_t> agrees;  // 1 for the gold labelling, and for all that agree with the known labels
};

int argmax(std::span<const double> values) { return to_int32(std::ranges::max_element(values) - values.begin()); }

// The best candidate that agrees, or the best that does not; -1 if there is none.
int best(std::span<const double> scores, std::span<const std::uint8_t> agrees, bool wanted) {
    int found = -1;
    for (int k = 0; k < std::ssize(agrees); ++k)
        if (agrees[k] == wanted && (found < 0 || scores[k] > scores[found])) found = k;
    return found;
}

bool agrees_with(const Sequence& known, const TagDictionary& dictionary, std::span<const std::int32_t> labels) {
    for (int t = 0; t < known.T; ++t) {
        const std::int32_t entry = known.closed[t];
        if (entry >= 0 && !dictionary.allowed[entry][labels[t]]) return false;
    }
    return true;
}

class DocumentLearner {
  public:
    DocumentLearner(const Ascent& how, Weights& weights, const NonLocalWeights& global, const AscentDocument& document,
                    const TagDictionary* dictionary)
        : how_(how),
          weights_(weights),
          global_(global),
          document_(document),
          sequences_(document.sequences),
          dictionary_(dictionary),
          scene_(how.reading, how.families, document.tokens, document.joining, how.longest) {}

    void find_candidates(int threads) {
        std::size_t tokens = 0;
        for (const Sequence* x : sequences_) tokens += x->T;
        lists_.resize(sequences_.size());
        const auto work = [&](std::size_t s, Worker& worker) {
            lists_[s] = nbest(weights_, *sequences_[s], dictionary_, how_.n, worker);
        };
        const std::size_t useful = std::max<std::size_t>(1, tokens / kFewestTokens);
        parallel_for(lists_.size(), to_int32(std::min<std::size_t>(threads, useful)), work, 1);
        for (int s = 0; s < size(); ++s) add_candidates(s);
    }

    // Coordinate ascent, as `ascend` in models/document/search.py.
    void infer() {
        for (int s = 0; s < size(); ++s) scene_.choose(s, 0);
        bool changed = true;
        for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
            changed = false;
            for (int s = 0; s < size(); ++s) changed |= choose_best(s);
        }
        for (int s = 0; s < size(); ++s) inferred_.push_back(scene_.chosen(s));
    }

    Mistakes learn() {
        Mistakes found;
        for (int s = 0; s < size(); ++s) {
            const Candidates& own = candidates_[s];
            const int gold = learn_sentence(s), guess = inferred_[s];
            found.count(own.labels[own.agrees[guess] ? guess : gold], own.labels[guess]);
            scene_.choose(s, gold);
            weights_.tick();
        }
        return found;
    }

  private:
    int size() const { return to_int32(sequences_.size()); }

    void add_candidates(int s) {
        Candidates found;
        const Sequence* known = document_.known.empty() ? nullptr : document_.known[s];
        const Labelling gold = known ? best_known(*known) : Labelling(sequences_[s]->labels);
        bool is_listed = false;
        found.listed = lists_[s].scores;
        for (int i = 0; i < to_int32(lists_[s].size()); ++i) {
            const Labelling labels = lists_[s][i];
            const bool is_gold = std::ranges::equal(gold, labels);
            is_listed |= is_gold;
            found.labels.push_back(labels);
            found.agrees.push_back(is_gold || (known && agrees_with(*known, *document_.known_labels, labels)));
        }
        if (!is_listed) {
            found.labels.push_back(gold);
            found.agrees.push_back(1);
        }
        for (const auto labels : found.labels) scene_.add_candidate(s, labels);
        candidates_.push_back(std::move(found));
    }

    // The best labelling under local features that agrees with the known labels.
    Labelling best_known(const Sequence& known) {
        std::vector<std::int32_t>& labels = filled_in_.emplace_back(known.T);
        viterbi(weights_, known, document_.known_labels, worker_, labels);
        return labels;
    }

    // The scores of all candidates of s under non-local features, given what is chosen elsewhere.
    std::vector<double> nonlocal_scores(int s) {
        std::vector<double> scores = scene_.scores(s, how_.own, global_.w);
        for (double& score : scores) score *= how_.scale;
        return scores;
    }

    // Chooses the best candidate of the list of s; returns whether it was another one before.
    bool choose_best(int s) {
        const std::vector<double>& listed = candidates_[s].listed;
        if (listed.size() < 2) return false;
        std::vector<double> total = nonlocal_scores(s);
        total.resize(listed.size());
        for (std::size_t k = 0; k < total.size(); ++k) total[k] = listed[k] + total[k];
        const int best = argmax(total);
        if (best == scene_.chosen(s)) return false;
        scene_.choose(s, best);
        return true;
    }

    // Moves the weights if they must; returns the best candidate that agrees with the known labels.
    int learn_sentence(int s) {
        const std::vector<std::uint8_t>& agrees = candidates_[s].agrees;
        const std::vector<double> local = local_scores(s);  // again: earlier sentences may have moved the weights
        std::vector<double> total = nonlocal_scores(s);
        for (std::size_t k = 0; k < total.size(); ++k) total[k] = local[k] + total[k];
        const int gold = best(total, agrees, true), y = best(total, agrees, false);
        const int gold_local = best(local, agrees, true), y_local = best(local, agrees, false);
        if (y >= 0 && total[gold] - total[y] <= how_.margin) {
            move_local(s, gold, y);  // (A)
            move_nonlocal(s, gold, y);
        } else if (y_local >= 0 && local[gold_local] - local[y_local] <= how_.margin_local) {
            move_local(s, gold_local, y_local);  // (B)
        }
        return gold;
    }

    std::vector<double> local_scores(int s) {
        weights_.lattice(*sequences_[s], dictionary_, worker_.lattice);
        std::vector<double> scores;
        for (const auto labels : candidates_[s].labels) scores.push_back(worker_.lattice.score(labels));
        return scores;
    }

    void move_local(int s, int toward, int away) {
        const auto& labels = candidates_[s].labels;
        weights_.move(*sequences_[s], labels[toward], labels[away], how_.step);
    }

    void move_nonlocal(int s, int toward, int away) {
        const std::array<std::int32_t, 2> both{toward, away};
        const std::vector<float> vectors = scene_.vectors(s, both, how_.own);
        const std::size_t features = vectors.size() / 2;
        const double tick = weights_.ticks() * how_.step;
        for (std::size_t i = 0; i < features; ++i) {
            const double difference = how_.scale * vectors[i] - how_.scale * vectors[features + i];
            global_.w[i] += how_.step * difference;
            global_.sum[i] += tick * difference;
        }
    }

    const Ascent& how_;
    Weights& weights_;
    const NonLocalWeights& global_;
    const AscentDocument& document_;
    std::span<const Sequence* const> sequences_;
    const TagDictionary* dictionary_;
    Scene scene_;
    Worker worker_;
    std::vector<NBest> lists_;
    std::deque<std::vector<std::int32_t>> filled_in_;  // gold labellings of sentences that lack labels
    std::vector<Candidates> candidates_;
    std::vector<int> inferred_;
};

}  // namespace

Mistakes learn_document(const Ascent& how, Weights& weights, const NonLocalWeights& global,
                        const AscentDocument& document, const TagDictionary* dictionary, int threads) {
    DocumentLearner learner(how, weights, global, document, dictionary);
    learner.find_candidates(threads);
    learner.infer();
    return learner.learn();
}

}  // namespace perceptag
