#include "perceptag/guided/guided_weights.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perceptag/core/integers.hpp"

namespace perceptag {

void GuidedWeights::add(const Sequence& x, const Action& action, double scale) {
    const double tick = words.ticks();
    Block& block = words.block(0);
    if (block.sum.size() != block.size()) throw std::logic_error("averaged weights cannot be trained");
    if (!x.begin[0].empty())
        for (const std::int32_t row : x.at(0, action.token)) block.move(row, action.label, scale, tick);
    std::vector<ContextEntry> entries;
    contexts.entries(x, action.token, entries);
    const ContextTerms terms = contexts.terms(action.beside);
    for (const ContextEntry& entry : entries)
        if (terms.fit(entry)) contexts.move(terms.key(entry), action.label, scale, tick);
}

GuidedWeights GuidedWeights::frozen() const {
    GuidedWeights result{words.frozen(), contexts};
    result.contexts.block().sum.clear();
    return result;
}

GuidedWeights GuidedWeights::averaged(int active) const {
    GuidedWeights result = frozen();
    const double ticks = std::max(1.0, words.ticks());
    const std::array<const Block*, 2> from{&words.block(0), &contexts.block()};
    const std::array<Block*, 2> to{&result.words.block(0), &result.contexts.block()};
    const auto mean = [&](const Block& block, std::size_t i) { return block.get(i) - block.sum[i] / ticks; };
    double largest = 0;
    for (const Block* block : from)
        for (std::size_t i = 0; i < block->size(); ++i) largest = std::max(largest, std::abs(mean(*block, i)));
    const double bound = largest * std::max(1, active + to_int32(contexts.templates().size()));
    const double grid = bound > 0 ? std::exp2(21 - std::ceil(std::log2(bound))) : 1.0;
    for (std::size_t b = 0; b < from.size(); ++b)
        for (std::size_t i = 0; i < from[b]->size(); ++i)
            to[b]->set(i, static_cast<float>(std::nearbyint(mean(*from[b], i) * grid) / grid));
    return result;
}

}  // namespace perceptag
