// Weights of features that use labels next to the token, wherever those are known.
//
//   observation at the token, labels next to it ──exact 64-bit key──▶ row of L weights
//
// A row is made when a learner first moves it, so there are rows only where training made a mistake.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/features.hpp"
#include "perceptag/core/weights.hpp"

namespace perceptag {

// Labels next to a token: y-2, y-1, y+1, y+2, or kUnknown.
using Beside = std::array<std::int32_t, 4>;
constexpr std::int32_t kUnknown = -1;

// Bits of a mask: which of the four a template looks at.
constexpr unsigned kLeft = 0b0011, kRight = 0b1100;

struct ContextTemplate {
    int observation;  // 0: the bias; k: the k-th template of order 1 of the feature index
    unsigned mask;
};

// One template at one token: its key where no label is known.
struct ContextEntry {
    std::uint64_t base;
    unsigned mask;
};

// What a key says apart from the labels: the row of the observation, -1 for the bias, and the template.
struct ContextKind {
    std::int32_t row;
    std::uint32_t pattern;
};

// Labels next to a token, ready to be added to keys.
struct ContextTerms {
    std::array<std::uint64_t, 4> terms;
    unsigned known;

    bool fit(const ContextEntry& entry) const { return (entry.mask & known) == entry.mask; }
    // The key of an entry that fits: only the labels that it looks at take part in it.
    std::uint64_t key(const ContextEntry& entry) const {
        std::uint64_t key = entry.base;
        for (unsigned k = 0; k < 4; ++k) key += entry.mask >> k & 1 ? terms[k] : 0;
        return key;
    }
};

class ContextWeights {
  public:
    // `observations[r]`: which observation the row r of order 1 belongs to, from 1.
    ContextWeights(int labels, std::vector<ContextTemplate> templates, std::vector<std::int32_t> observations);

    int L() const { return L_; }
    const std::vector<ContextTemplate>& templates() const { return templates_; }
    std::size_t observations() const { return observations_.size(); }
    // All templates that can fire at t.
    void entries(const Sequence& x, int t, std::vector<ContextEntry>& out) const;

    ContextTerms terms(const Beside& beside) const;
    // out[L] += the rows of all entries that fit.
    void add_to(std::span<const ContextEntry> entries, const ContextTerms& terms, float* out) const;
    // What an entry's key says apart from the labels.
    ContextKind kind(const ContextEntry& entry) const { return read(entry.base).kind; }
    double value(std::uint64_t key, std::int32_t label) const;
    // Moves one weight; makes the row if it does not exist yet.
    void move(std::uint64_t key, std::int32_t label, double delta, double tick);

    // Rows as they are, and back. Loading replaces everything; all numbers are checked.
    std::span<const std::uint64_t> keys() const { return keys_; }
    const Block& block() const { return block_; }
    Block& block() { return block_; }
    void load_dense(std::span<const std::uint64_t> keys, std::span<const float> w, std::span<const double> sum);
    void load_compact(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> begin,
                      std::span<const std::uint32_t> codes, std::span<const float> w);

    // What `load_compact` reads: weights of zero and rows without others are left out. Only observations that some row
    // has are left, and they are numbered again in their order; `observations` says which they were.
    struct Compact {
        std::vector<std::int32_t> observations;
        std::vector<std::uint64_t> keys;
        std::vector<std::uint32_t> begin{0}, codes;
        std::vector<float> w;
    };
    Compact compact() const;
    // Starts from the weights of an earlier model. templates[i], labels[y]: what its i-th template and its label y are
    // here. Observations have kept their rows.
    void take_over(const ContextWeights& earlier, std::span<const std::int32_t> templates,
                   std::span<const std::int32_t> labels);

  private:
    // A key taken apart, and put together.
    struct Key {
        ContextKind kind;
        Beside beside;
    };
    Key read(std::uint64_t key) const;
    std::uint64_t base(ContextKind kind) const {
        return ((kind.row + 1) * templates_.size() + kind.pattern) * power_[0] * radix_;
    }
    std::uint64_t write(const Key& key) const;
    void load_keys(std::span<const std::uint64_t> keys);
    void check_key(std::uint64_t key) const;

    int L_;
    std::uint64_t radix_;                 // a digit of a key: none, or a label + 1
    std::array<std::uint64_t, 4> power_;  // of the radix, for y-2 … y+2
    std::vector<ContextTemplate> templates_;
    std::vector<std::int32_t> observations_;
    std::vector<std::vector<std::uint32_t>> by_observation_;  // templates of each
    KeyMap rows_;
    std::vector<std::uint64_t> keys_;  // [rows]
    Block block_;
};

}  // namespace perceptag
