// How the weights of a model are divided: into features that look at something, by their order, and transitions that
// look at nothing but labels, by theirs.
//
//   block   0          1            2              3         4
//           * y0       * y-1 y0     * y-2 y-1 y0   y-1 y0    y-2 y-1 y0
#pragma once

#include "perceptag/core/label_codes.hpp"

namespace perceptag {

// The block of the transitions of order 1 or 2.
constexpr int plain_block(int order) { return kOrders + order - 1; }
constexpr int kPlainEdges = plain_block(1), kPlainTrigrams = plain_block(2);
constexpr int kBlocks = plain_block(kOrders);
// Behind them: features of whole spans, with a weight for each type of spans.
constexpr int kSpanBlock = kBlocks;

constexpr bool is_plain(int block) { return block >= kOrders; }
// How many labels before the current one the weights of a block look at.
constexpr int order_of(int block) { return is_plain(block) ? block - plain_block(0) : block; }

}  // namespace perceptag
