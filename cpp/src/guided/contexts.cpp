#include "perceptag/guided/contexts.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/limits.hpp"

namespace perceptag {

ContextWeights::ContextWeights(int labels, std::vector<ContextTemplate> templates,
                               std::vector<std::int32_t> observations)
    : L_(labels),
      radix_(labels + 1U),
      power_{radix_ * radix_ * radix_, radix_ * radix_, radix_, 1},
      templates_(std::move(templates)),
      observations_(std::move(observations)) {
    if (labels < 1) throw std::invalid_argument("a model needs at least one label");
    int count = 1;
    for (const ContextTemplate& pattern : templates_) {
        if (pattern.observation < 0 || pattern.mask == 0 || pattern.mask > (kLeft | kRight))
            throw std::invalid_argument("expected context templates that use a label, found one that uses none");
        count = std::max(count, pattern.observation + 1);
    }
    by_observation_.resize(count);
    for (std::uint32_t c = 0; c < templates_.size(); ++c) by_observation_[templates_[c].observation].push_back(c);
    for (const std::int32_t o : observations_)
        if (o < 1 || o >= count)
            throw std::invalid_argument("expected observations of context templates, found another");
    const auto width = [](std::uint64_t n) { return std::bit_width(n); };
    const auto bits = width(observations_.size() + 1) + width(templates_.size()) + 4 * width(radix_);
    if (bits > 64) throw LimitExceeded("too many labels or features for 64-bit keys of label contexts");
    block_.width = labels;
}

// ---------------------------------------------------------------------------------------------- keys

// A key is (row * templates + template) * (L+1)^4 + four digits, one for each label next to the token: 0 for none, or
// the label + 1. Row 0 is the bias.
ContextWeights::Key ContextWeights::read(std::uint64_t key) const {
    Key result{};
    for (std::size_t k = 4; k-- > 0; key /= radix_) result.beside[k] = to_int32(key % radix_) - 1;
    const std::uint64_t row = key / templates_.size();
    // A row that is too large for a model is not one of its rows, whatever its value here.
    result.kind.row = to_int32(std::min<std::uint64_t>(row, observations_.size() + 1)) - 1;
    result.kind.pattern = to_uint32(key % templates_.size());
    return result;
}

std::uint64_t ContextWeights::write(const Key& key) const {
    std::uint64_t result = base(key.kind);
    for (std::size_t k = 0; k < 4; ++k) result += (key.beside[k] + 1) * power_[k];
    return result;
}

void ContextWeights::entries(const Sequence& x, int t, std::vector<ContextEntry>& out) const {
    const auto push = [&](std::size_t observation, std::int32_t row) {
        for (const std::uint32_t c : by_observation_[observation]) out.push_back({base({row, c}), templates_[c].mask});
    };
    push(0, -1);
    if (x.begin[1].empty()) return;
    for (const std::int32_t row : x.at(1, t)) push(observations_[row], row);
}

ContextTerms ContextWeights::terms(const Beside& beside) const {
    ContextTerms result{{}, 0};
    for (unsigned k = 0; k < 4; ++k) {
        if (beside[k] == kUnknown) continue;
        result.known |= 1U << k;
        result.terms[k] = (beside[k] + 1) * power_[k];
    }
    return result;
}

void ContextWeights::add_to(std::span<const ContextEntry> entries, const ContextTerms& terms, float* out) const {
    // All keys first, so that their slots are on the way from memory when the first one is looked at.
    constexpr std::size_t kAtOnce = 16;
    std::array<std::uint64_t, kAtOnce> keys;
    for (std::size_t i = 0; i < entries.size();) {
        std::size_t n = 0;
        for (; i < entries.size() && n < kAtOnce; ++i) {
            if (!terms.fit(entries[i])) continue;
            keys[n] = terms.key(entries[i]);
            rows_.prefetch(keys[n++]);
        }
        for (std::size_t k = 0; k < n; ++k) {
            const std::int32_t row = rows_.find(keys[k]);
            if (row >= 0) block_.add_row(row, 1.0F, out);
        }
    }
}

double ContextWeights::value(std::uint64_t key, std::int32_t label) const {
    const std::int32_t row = rows_.find(key);
    return row < 0 ? 0.0 : block_.value(row, label);
}

void ContextWeights::move(std::uint64_t key, std::int32_t label, double delta, double tick) {
    if (!block_.is_dense() || block_.sum.size() != block_.w.size())
        throw std::logic_error("averaged weights cannot be trained");
    const auto fresh = to_int32(block_.rows);
    const std::int32_t row = rows_.insert(key, fresh);
    if (row == fresh) {
        ++block_.rows;
        keys_.push_back(key);
        block_.w.resize(block_.w.size() + block_.width, 0.0F);
        block_.sum.resize(block_.w.size(), 0.0);
    }
    block_.move(row, label, delta, tick);
}

// ------------------------------------------------------------------------------------------- loading

void ContextWeights::check_key(std::uint64_t key) const {
    if (templates_.empty()) throw std::invalid_argument("expected templates for the label contexts, found none");
    const auto [kind, beside] = read(key);
    const ContextTemplate& pattern = templates_[kind.pattern];
    const bool belongs = kind.row < 0
                             ? pattern.observation == 0
                             : kind.row < std::ssize(observations_) && observations_[kind.row] == pattern.observation;
    if (!belongs) throw std::invalid_argument("a label context has an unknown observation");
    for (unsigned k = 0; k < 4; ++k)
        if ((pattern.mask >> k & 1) == (beside[k] == kUnknown))
            throw std::invalid_argument("a label context does not fit its template");
}

void ContextWeights::load_keys(std::span<const std::uint64_t> keys) {
    for (const std::uint64_t key : keys) check_key(key);
    if (!rows_.number(keys)) throw std::invalid_argument("a label context is listed twice");
    keys_.assign(keys.begin(), keys.end());
    block_ = Block();
    block_.width = L_;
    block_.rows = keys.size();
}

void ContextWeights::load_dense(std::span<const std::uint64_t> keys, std::span<const float> w,
                                std::span<const double> sum) {
    if (w.size() != keys.size() * L_ || (!sum.empty() && sum.size() != w.size()))
        throw std::invalid_argument("the label contexts and their weights differ in number");
    load_keys(keys);
    block_.w.assign(w.begin(), w.end());
    block_.sum.assign(sum.begin(), sum.end());
}

void ContextWeights::load_compact(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> begin,
                                  std::span<const std::uint32_t> codes, std::span<const float> w) {
    if (begin.size() != keys.size() + 1 || begin.front() != 0 || begin.back() != codes.size() ||
        codes.size() != w.size())
        throw std::invalid_argument("the label contexts and their weights differ in number");
    for (std::size_t r = 0; r < keys.size(); ++r) {
        if (begin[r] > begin[r + 1] || begin[r + 1] > codes.size()) throw std::invalid_argument("rows overlap");
        for (std::size_t i = begin[r]; i < begin[r + 1]; ++i)
            if (!is_index(codes[i], L_) || (i > begin[r] && codes[i] <= codes[i - 1]))
                throw std::invalid_argument("the labels of a row are out of range or not sorted");
    }
    load_keys(keys);
    block_.layout = Layout::kCompact;
    block_.begin.assign(begin.begin(), begin.end());
    block_.slots.resize(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) block_.slots[i] = {codes[i], w[i]};
}

// --------------------------------------------------------------------------- renumbering

ContextWeights::Compact ContextWeights::compact() const {
    Compact result;
    std::vector<std::size_t> rows;                                // those that stay
    std::vector<std::int32_t> numbers(observations_.size(), -1);  // new ones; -1: no row needs the observation
    for (std::size_t r = 0; r < block_.rows; ++r) {
        const std::size_t before = result.w.size();
        for (std::uint32_t y = 0; y < block_.width; ++y) {
            const auto w = static_cast<float>(block_.value(r, y));
            if (w == 0) continue;
            result.codes.push_back(y);
            result.w.push_back(w);
        }
        if (result.w.size() == before) continue;
        result.begin.push_back(to_uint32(result.w.size()));
        rows.push_back(r);
        if (const std::int32_t row = read(keys_[r]).kind.row; row >= 0) numbers[row] = 0;
    }
    for (std::int32_t o = 0; o < std::ssize(observations_); ++o) {
        if (numbers[o] < 0) continue;
        numbers[o] = to_int32(result.observations.size());
        result.observations.push_back(o);
    }
    for (const std::size_t r : rows) {
        Key key = read(keys_[r]);
        if (key.kind.row >= 0) key.kind.row = numbers[key.kind.row];
        result.keys.push_back(write(key));
    }
    return result;
}

void ContextWeights::take_over(const ContextWeights& earlier, std::span<const std::int32_t> templates,
                               std::span<const std::int32_t> labels) {
    std::vector<std::uint64_t> keys;
    std::vector<float> w(earlier.block_.rows * block_.width, 0.0F);
    for (std::size_t r = 0; r < earlier.block_.rows; ++r) {
        Key key = earlier.read(earlier.keys_[r]);
        key.kind.pattern = templates[key.kind.pattern];
        for (std::int32_t& label : key.beside)
            if (label != kUnknown) label = labels[label];
        keys.push_back(write(key));
        for (std::uint32_t y = 0; y < earlier.block_.width; ++y)
            w[r * block_.width + labels[y]] = static_cast<float>(earlier.block_.value(r, y));
    }
    load_dense(keys, w, std::vector<double>(w.size(), 0.0));
}

}  // namespace perceptag
