#include "perceptag/core/types.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perceptag/core/limits.hpp"

namespace perceptag {

bool is_amount(float amount) {
    const float units = amount / kAmountUnit;
    return std::abs(amount) <= kMaxAmount && units == std::nearbyint(units);
}

TypeTable::TypeTable(int attributes) : attributes_(attributes) {
    if (attributes < 0) throw std::invalid_argument("attributes of a type table: expected a number from 0");
    // The vectors themselves must never change while others read.
    chunks_.resize(kMaxChunks);
    bags_.resize(kMaxBagChunks);
}

std::int32_t TypeTable::add(std::span<const std::int32_t> row) {
    if (std::ssize(row) != attributes_) throw std::invalid_argument("expected one value for each attribute");
    const std::lock_guard lock(guard_);
    const auto exists = [&](std::int32_t v) { return v >= kNone || kBag - v < bag_count_; };
    if (!std::all_of(row.begin(), row.end(), exists)) throw std::invalid_argument("a bag of values is out of range");
    const std::int32_t type = size();
    const std::size_t chunk = type / kChunk;
    if (chunk >= kMaxChunks) throw LimitExceeded("more than 64 million distinct values in one column");
    if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<std::int32_t[]>(kChunk * attributes_);
    const std::size_t place = type % kChunk * attributes_;
    std::copy(row.begin(), row.end(), chunks_[chunk].get() + place);
    size_.store(type + 1, std::memory_order_release);
    return type;
}

std::int32_t TypeTable::add_bag(std::span<const std::int32_t> values, std::span<const float> amounts) {
    if (std::any_of(values.begin(), values.end(), [](std::int32_t v) { return v < 0; }))
        throw std::invalid_argument("values in a bag: expected numbers from 0");
    if (!amounts.empty() && amounts.size() != values.size())
        throw std::invalid_argument("amounts in a bag: expected one for each value");
    if (!std::all_of(amounts.begin(), amounts.end(), is_amount))
        throw std::invalid_argument("amounts in a bag: expected multiples of 1/64 from -16 to 16");
    const std::lock_guard lock(guard_);
    const std::size_t chunk = bag_count_ / kChunk;
    if (chunk >= kMaxBagChunks) throw LimitExceeded("more than 4 million bags of attribute values");
    if (!bags_[chunk]) bags_[chunk] = std::make_unique<Bag[]>(kChunk);
    bags_[chunk][bag_count_ % kChunk] = {{values.begin(), values.end()}, {amounts.begin(), amounts.end()}};
    return kBag - bag_count_++;
}

}  // namespace perceptag
