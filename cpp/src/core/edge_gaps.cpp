#include "perceptag/core/edge_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/lanes.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kChanges = 4;  // for each label, until gaps are found again
// A difference of two edges, the slack added to it, and the last place of an edge are each off by 2^-23 of the largest
// edge at most; 2^-20 is more than all three.
constexpr float kRounding = 0x1p-20F;

// What is larger, for differences of which one may not be a number: minus infinity less itself.
PERCEPTAG_INLINE float at_least(float known, float other) { return other > known ? other : known; }

PERCEPTAG_CLONES void find_gaps(const float* edge, std::size_t L, float slack, float* gap) {
    for (std::size_t k = 0; k < L; ++k)
        for (std::size_t v = 0; v < L; ++v) {
            const float *more = edge + v * L, *less = edge + k * L;
            float most[kLanes];
            std::fill_n(most, kLanes, -std::numeric_limits<float>::infinity());
            std::size_t y = 0;
            for (; y + kLanes <= L; y += kLanes)
                for (std::size_t i = 0; i < kLanes; ++i) most[i] = at_least(most[i], more[y + i] - less[y + i]);
            for (; y < L; ++y) most[0] = at_least(most[0], more[y] - less[y]);
            gap[k * L + v] = largest(most, kLanes) + slack;
        }
}

}  // namespace

void EdgeGaps::set(const float* edge, std::size_t L) {
    L_ = L;
    changes_ = 0;
    reach_ = 0;
    for (std::size_t i = 0; i < L * L; ++i)
        if (std::isfinite(edge[i])) reach_ = std::max(reach_, std::abs(edge[i]));
    reach_ *= 2;  // room to change
    slack_ = kRounding * reach_;
    gap_.resize(L * L);
    find_gaps(edge, L, slack_, gap_.data());
}

void EdgeGaps::change(const float* edge, const float* transposed, std::size_t from, std::size_t to) {
    const float own = edge[from * L_ + to];
    if (++changes_ > kChanges * L_ || std::abs(own) > reach_) {
        set(edge, L_);
        return;
    }
    const float* others = transposed + to * L_;
    for (std::size_t k = 0; k < L_; ++k) {
        float& more = gap_[k * L_ + from];
        more = at_least(more, own - others[k] + slack_);
        float& less = gap_[from * L_ + k];
        less = at_least(less, others[k] - own + slack_);
    }
}

}  // namespace perceptag
