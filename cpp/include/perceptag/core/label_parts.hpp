// Labels with parts, such as Case=Nom|Number=Sing: the score of a label is the sum of those of its parts and its own.
//
//   score(y) = part[y] + Σ_p part[p]     for the parts p >= L of y; the first L numbers stand for whole labels
//
// Labels that begin with the same parts share their sums, so labels cost little more than one addition each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perceptag {

class LabelParts {
  public:
    LabelParts() = default;
    // Label y has the parts parts[begin[y] .. begin[y+1]), sorted, each from L to count - 1.
    LabelParts(std::size_t labels, std::size_t count, std::span<const std::uint32_t> begin,
               std::span<const std::uint32_t> parts);

    // Whether labels have no parts.
    bool empty() const { return begin_.empty(); }
    std::size_t count() const { return count_; }
    // The largest number of scores that a label is the sum of.
    std::size_t most() const { return most_; }
    std::span<const std::uint32_t> of(std::size_t y) const {
        return {parts_.data() + begin_[y], parts_.data() + begin_[y + 1]};
    }
    // Calls visit(p) for the label itself and for its parts.
    template <class Visit>
    void for_each(std::size_t y, Visit visit) const {
        visit(static_cast<std::uint32_t>(y));
        for (const std::uint32_t p : of(y)) visit(p);
    }
    // Calls visit(p, sign) for what two different labels do not share: +1 of the first, -1 of the second.
    template <class Visit>
    void for_each_difference(std::size_t toward, std::size_t away, Visit visit) const {
        visit(static_cast<std::uint32_t>(toward), 1.0F);
        visit(static_cast<std::uint32_t>(away), -1.0F);
        const std::span<const std::uint32_t> plus = of(toward), minus = of(away);
        for (std::size_t i = 0, k = 0; i < plus.size() || k < minus.size();) {
            if (k == minus.size() || (i < plus.size() && plus[i] < minus[k]))
                visit(plus[i++], 1.0F);
            else if (i == plus.size() || minus[k] < plus[i])
                visit(minus[k++], -1.0F);
            else
                ++i, ++k;
        }
    }
    // The scores of all labels from those of all parts. `sums` is scratch memory.
    void add_up(const float* part, std::vector<float>& sums, float* label) const;

  private:
    // What several labels begin with: a part after another beginning.
    struct Beginning {
        std::uint32_t before, part;
    };

    std::size_t count_ = 0, most_ = 1;
    std::vector<std::uint32_t> begin_, parts_;
    std::vector<Beginning> beginnings_;  // number 0 is empty, and not listed
    std::vector<std::uint32_t> whole_;   // [L] which beginning has all parts of a label
};

}  // namespace perceptag
