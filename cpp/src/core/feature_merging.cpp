// The features of another index, added in the order in which it met them.
#include <limits>
#include <stdexcept>

#include "perceptag/core/features.hpp"
#include "perceptag/core/limits.hpp"

namespace perceptag {

std::vector<FeatureIndex::Listed> FeatureIndex::by_row(int order, std::span<const FeatureList> lists) const {
    std::size_t total = 0;
    for (std::size_t n = 0; n < lists.size(); ++n)
        if (templates_[n].order == order) total += lists[n].rows.size();
    constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
    std::vector<Listed> found(total, {kNobody, nullptr});
    for (std::size_t n = 0; n < lists.size(); ++n) {
        if (templates_[n].order != order) continue;
        const std::size_t arity = templates_[n].fields.size();
        for (std::size_t i = 0; i < lists[n].rows.size(); ++i) {
            const std::size_t row = lists[n].rows[i];
            if (row >= total || found[row].number != kNobody)
                throw std::invalid_argument("expected features that have all rows, each row once");
            found[row] = {n, lists[n].values.data() + i * arity};
        }
    }
    return found;
}

std::array<std::vector<std::int32_t>, kOrders> FeatureIndex::merge(std::span<const FeatureList> lists) {
    if (lists.size() != templates_.size()) throw std::invalid_argument("expected features for each template");
    for (std::size_t n = 0; n < lists.size(); ++n) check_values(n, lists[n].values, lists[n].rows.size());
    std::array<std::vector<Listed>, kOrders> all;
    for (int order = 0; order < kOrders; ++order) all[order] = by_row(order, lists);
    std::array<std::vector<std::int32_t>, kOrders> rows;
    for (int order = 0; order < kOrders; ++order) {
        rows[order].reserve(all[order].size());
        for (const auto& [number, values] : all[order]) {
            if (next_[order] == std::numeric_limits<std::int32_t>::max())
                throw LimitExceeded("expected at most 2147483647 features of an order");
            rows[order].push_back(features_[number].insert(values, next_[order]));
            if (rows[order].back() == next_[order]) ++next_[order];
        }
    }
    return rows;
}

}  // namespace perceptag
