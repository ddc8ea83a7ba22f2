// Scratch memory of the n-best search: for every node of the trellis, its derivations from the best
// downwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perceptag {

// One array for each field, one entry for each derivation. The first of node i is derivation i; later ones
// are added at the end in the order in which they are found. There are at most T·(states + n), of 20 bytes each;
// the memory stays with the worker for its next search.
struct Derivations {
    std::vector<double> value;
    std::vector<std::uint32_t> back;  // the derivation that this one extends, one position earlier
    std::vector<std::uint32_t> pred;  // and the cursor by which it was reached
    std::vector<std::uint32_t> next;  // the next best of the same node

    // For each node: its worst derivation so far, and where its cursors begin.
    std::vector<std::uint32_t> tail;
    std::vector<std::size_t> opened;
    // One cursor for each predecessor of an opened node: the first derivation not used yet, and what it would
    // give.
    std::vector<std::uint32_t> cursor;
    std::vector<double> offer;

    std::vector<std::size_t> chain;  // [T+1] the states on the way down
};

}  // namespace perceptag
