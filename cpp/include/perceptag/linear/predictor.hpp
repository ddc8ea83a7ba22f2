// A linear model made ready to tag: what a token shows by itself is added up once for each type.
//
// Most templates look at one token only: its form, its affixes and shape, a word next to it. All that a type adds to
// the scores of its own place, of the place before, of the one after … is one block of rows, made when the type first
// occurs:
//
//   node_t(y) = Σ_offsets sums[type at t+offset][offset][y]  +  templates that join several tokens
//
// so that a token costs a few additions of vectors instead of a look-up for every template. Where weights are multiples
// of a power of two (Weights::averaged) sums are exact, and labels are those of `tag` in search/viterbi.hpp.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/features.hpp"
#include "perceptag/core/pages.hpp"
#include "perceptag/core/weights.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

class Predictor {
  public:
    // Index, weights and tables must outlive the predictor, and the first two must not change. `memory`: how many bytes
    // the sums may take; types that occur when it is full are added up again each time. `computed`: columns whose table
    // comes with each batch; there type 0 has no values.
    Predictor(const FeatureIndex& index, const Weights& weights, std::vector<const TypeTable*> tables,
              std::size_t memory, std::vector<std::size_t> computed = {});

    const std::vector<const TypeTable*>& tables() const { return tables_; }
    bool is_computed(std::size_t column) const { return columns_[column].is_computed; }
    const Weights& weights() const { return weights_; }

    // Labels of a batch, one after the other: [tokens]. Any number of threads may call this at once.
    std::vector<std::int32_t> tag(const TagDictionary* dictionary, const Batch& batch, int threads);

    // For those who search themselves: get ready for a batch, then score one of its sequences into the lattice of the
    // worker, write its best labelling and return the score of that.
    void prepare(const Batch& batch, int threads) { make_sums(batch, threads); }
    double best(const TagDictionary* dictionary, const Batch& batch, std::size_t i, Worker& worker,
                LabelsOut labels) const;

  private:
    // The templates that look at one token of one column from the same offset.
    struct Group {
        int offset;
        std::vector<std::size_t> templates;
        std::vector<float> outside;  // [2·padding, L] sums of places outside the sequence
    };
    struct Column {
        std::vector<Group> groups;
        bool is_computed = false;               // the table comes with each batch
        std::size_t limit = 0;                  // how many types may have sums
        std::vector<PagedArray<float>> chunks;  // sums: [groups, L] for each type
        std::int32_t made = 0;                  // types that have them; guarded
    };
    static constexpr std::size_t kChunk = 1024;

    void add_template(std::size_t number, std::vector<std::size_t>& joint);
    void fill_outside(Group& group);
    void make_sums(const Batch& batch, int threads);
    void make_type(const TypeTable& table, const Column& column, std::int32_t type, FoundRows& found) const;
    void find_rows(const TypeTable& table, const Group& group, std::int32_t type, FoundRows& found) const;
    // out[L] += the weights of a group's features for a type, or for a number that stands for a place outside
    void add_type(const TypeTable& table, const Group& group, std::int32_t type, FoundRows& found, float* out) const;
    void add_features(std::size_t number, const std::int32_t* values, float* out) const;
    void score(const TagDictionary* dictionary, const Batch& batch, std::size_t i, Worker& worker) const;
    void add_column(std::size_t column, const Batch& batch, std::size_t i, Worker& worker) const;
    // Where the sums of a type are.
    float* sums_place(const Column& column, std::size_t type) const {
        return column.chunks[type / kChunk].get() + type % kChunk * column.groups.size() * width_;
    }
    const float* sums(const Column& column, std::size_t type) const {
        return type < column.limit ? sums_place(column, type) : nullptr;
    }

    const FeatureIndex& index_;
    const Weights& weights_;
    std::vector<const TypeTable*> tables_;
    std::size_t width_;  // how many scores the features of a token have: one for each label, or for each part of one
    std::vector<Column> columns_;
    std::vector<float> everywhere_;  // [L] the features that fire at every token
    Plan joint_;                     // the templates that are looked up at each token
    std::mutex guard_;
};

}  // namespace perceptag
