#include "perceptag/linear/passes.hpp"

#include <stdexcept>
#include <vector>

#include "perceptag/search/nbest.hpp"
#include "perceptag/search/viterbi.hpp"

namespace perceptag {

void Mistakes::count(Labelling gold, Labelling guess) {
    std::int64_t wrong = 0;
    for (std::size_t t = 0; t < gold.size(); ++t) wrong += guess[t] != gold[t];
    labels += wrong;
    sequences += wrong > 0;
}

Mistakes perceptron_pass(Weights& weights, Examples examples, const TagDictionary* dictionary, Worker& worker) {
    Mistakes found;
    std::vector<std::int32_t> guess;
    for (const Sequence* x : examples) {
        guess.resize(x->T);
        viterbi(weights, *x, dictionary, worker, guess);
        const std::int64_t before = found.sequences;
        found.count(x->labels, guess);
        if (found.sequences > before) weights.move(*x, x->labels, guess, 1.0);
        weights.tick();
    }
    return found;
}

Mistakes margin_pass(Weights& weights, Examples examples, const TagDictionary* dictionary, double margin, double step,
                     Worker& worker) {
    Mistakes found;
    for (const Sequence* x : examples) {
        const NBest best = nbest(weights, *x, dictionary, 2, worker);
        if (!is_found(best)) throw std::out_of_range("constraints forbid every labelling");
        const std::int64_t before = found.sequences;
        found.count(x->labels, best[0]);
        if (found.sequences > before)
            weights.move(*x, x->labels, best[0], step);
        else if (best.size() > 1 && best.scores[0] - best.scores[1] <= margin)
            weights.move(*x, x->labels, best[1], step);
        weights.tick();
    }
    return found;
}

}  // namespace perceptag
