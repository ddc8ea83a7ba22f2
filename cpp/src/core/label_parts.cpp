#include "perceptag/core/label_parts.hpp"

#include <map>
#include <stdexcept>
#include <utility>

#include "perceptag/core/integers.hpp"

namespace perceptag {

LabelParts::LabelParts(std::size_t labels, std::size_t count, std::span<const std::uint32_t> begin,
                       std::span<const std::uint32_t> parts)
    : count_(count), begin_(begin.begin(), begin.end()), parts_(parts.begin(), parts.end()) {
    if (begin.size() != labels + 1 || begin.front() != 0 || begin.back() != parts.size() || count < labels)
        throw std::invalid_argument("parts of labels: expected a list for each label");
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    for (std::size_t y = 0; y < labels; ++y) {
        if (begin[y] > begin[y + 1] || begin[y + 1] > parts.size())
            throw std::invalid_argument("parts of labels: expected lists one after the other");
        std::uint32_t at = 0;
        for (std::size_t i = begin[y]; i < begin[y + 1]; ++i) {
            if (parts[i] < labels || parts[i] >= count || (i > begin[y] && parts[i] <= parts[i - 1]))
                throw std::invalid_argument("parts of labels: expected sorted numbers behind those of the labels");
            const auto [found, is_new] = known.try_emplace({at, parts[i]}, to_uint32(known.size() + 1));
            if (is_new) beginnings_.push_back({at, parts[i]});
            at = found->second;
        }
        whole_.push_back(at);
        most_ = std::max<std::size_t>(most_, 1 + begin[y + 1] - begin[y]);
    }
}

void LabelParts::add_up(const float* part, std::vector<float>& sums, float* label) const {
    sums.resize(beginnings_.size() + 1);
    float* sum = sums.data();
    sum[0] = 0;
    for (std::size_t i = 0; i < beginnings_.size(); ++i)
        sum[i + 1] = sum[beginnings_[i].before] + part[beginnings_[i].part];
    for (std::size_t y = 0; y < whole_.size(); ++y) label[y] = part[y] + sum[whole_[y]];
}

}  // namespace perceptag
