#include "perceptag/document/label_roles.hpp"

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

// As `read_mentions`: whether label y after label v (L: the start) is the first of a mention.
bool opens_after(const LabelReading& reading, int v, int y) {
    const int tag = reading.tag[y];
    if (tag == kOutside) return false;
    return always_opens(tag) || v == std::ssize(reading.tag) || reading.kind[y] != reading.kind[v] ||
           always_ends(reading.tag[v]);
}

// Whether constraints allow a label at the last token: as the score of a sequence of one token without features says.
bool may_be_last(const Weights& weights, int y) {
    Sequence x;
    x.T = 1;
    Lattice lattice;
    weights.lattice(x, nullptr, lattice);
    return lattice.node[y] != kForbiddenScore;
}

}  // namespace

LabelRoles label_roles(const LabelReading& reading, const Weights& weights) {
    const int L = weights.L();
    const Block& edges = weights.block(kPlainEdges);
    const auto is_possible = [&](std::size_t v, int y) {
        return !edges.rows || edges.get(v * L + y) != kForbiddenScore;
    };
    LabelRoles roles;
    for (int y = 0; y < L; ++y) {
        bool opens = false, closes = reading.tag[y] != kOutside && may_be_last(weights, y), continues = false;
        for (int v = 0; v <= L; ++v) opens = opens || (is_possible(v, y) && opens_after(reading, v, y));
        for (int next = 0; reading.tag[y] != kOutside && next < L; ++next) {
            if (!is_possible(y, next)) continue;
            const bool is_end = reading.tag[next] == kOutside || opens_after(reading, y, next);
            (is_end ? closes : continues) = true;
        }
        roles.opens.push_back(opens);
        roles.opens_single.push_back(opens && closes);
        roles.opens_longer.push_back(opens && continues);
        roles.closes.push_back(closes);
    }
    return roles;
}

}  // namespace perceptag
