#include "perceptag/linear/orders.hpp"

#include <vector>

namespace perceptag {
namespace {

using Blocks = std::span<const Block* const>;

void set_mean_of_places(Block& to, Blocks of) {
    const auto n = static_cast<double>(of.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
        double w = 0, sum = 0;
        for (const Block* block : of) {
            w += block->get(i);
            sum += block->get_sum(i);
        }
        to.set(i, static_cast<float>(w / n));
        to.set_sum(i, sum / n);
    }
}

// The same where few weights have moved: others are not stored.
void set_mean_of_lines(Block& to, Blocks of) {
    const auto n = static_cast<double>(of.size());
    to.make_lined(to.rows);
    std::vector<double> w(to.width), sums(to.width);
    for (std::size_t row = 0; row < to.rows; ++row) {
        for (const Block* block : of)
            block->for_each(row, [&](const Block::Entry& entry) {
                w[entry.code] += entry.w;
                sums[entry.code] += *entry.sum;
            });
        for (const Block* block : of)
            block->for_each(row, [&](const Block::Entry& entry) {
                to.set(entry.place, static_cast<float>(w[entry.code] / n));
                to.set_sum(entry.place, sums[entry.code] / n);
            });
        for (const Block* block : of)
            block->for_each(row, [&](const Block::Entry& entry) { w[entry.code] = sums[entry.code] = 0; });
    }
}

}  // namespace

void set_mean(Weights& to, std::span<const Weights* const> of) {
    for (int b = 0; b <= kSpanBlock; ++b) {
        std::vector<const Block*> blocks;
        for (const Weights* weights : of) blocks.push_back(&weights->block(b));
        Block& block = to.block(b);
        block.is_lined() ? set_mean_of_lines(block, blocks) : set_mean_of_places(block, blocks);
    }
    to.set_ticks(of.front()->ticks());
}

}  // namespace perceptag
