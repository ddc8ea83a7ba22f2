// The scores of one sequence.
//
//   score(y) = Σ_t  node[t][y_t] + edge_t[y_{t-1}][y_t] + trigram_t[y_{t-2}][y_{t-1}][y_t]
//
// Before the sequence stands the label "start", written as number L. Models with features of whole spans add the score
// of each span of y: search/length_states.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "perceptag/core/label_codes.hpp"
#include "perceptag/core/span_labels.hpp"

namespace perceptag {

struct EdgeBounds;
struct PairBounds;

// Scores that differ by position: those into position t begin here. At t = T: how many there are.
//   edges     [L] from the start, then [T-1, L, L]
//   trigrams  [L] and [L, L] from the start, then [T-2, L, L, L]
constexpr std::size_t observed_edge_at(std::size_t t, std::size_t L) { return t == 0 ? 0 : L + (t - 1) * L * L; }
constexpr std::size_t observed_trigram_at(std::size_t t, std::size_t v, std::size_t L) {
    if (t < 2) return t == 0 ? 0 : L;
    return L + L * L + ((t - 2) * L + v) * L * L;
}

// Of what no labelling may have.
inline constexpr float kForbiddenScore = -std::numeric_limits<float>::infinity();

struct Lattice {
    int T = 0, L = 0;
    int order = 0;  // 0: nodes only; 1: edges as well; 2: trigrams as well

    std::vector<float> node;  // [T, L]
    // Where labels have parts: [T, parts], and scratch memory of their sums.
    std::vector<float> part, part_sums;
    // Edge scores are either the same at every position (not owned: the weights' own, [L+1, L]) …
    const float* plain_edge = nullptr;
    // … or observed.
    std::vector<float> observed_edge;
    // Likewise [L+1, L+1, L], or observed.
    const float* plain_trigram = nullptr;
    std::vector<float> observed_trigram;
    // Scores of whole spans, [T, longest, classes] by the first word, the length less 1 and the type; or none.
    std::vector<float> span;
    const SpanLabels* span_labels = nullptr;  // not owned
    // Of the plain edges, and of plain edges and trigrams, if the caller has them ready.
    const EdgeBounds* edge_bounds = nullptr;
    const PairBounds* bounds = nullptr;

    // Scores of the labels at t: [L].
    const float* nodes(std::size_t t) const { return node.data() + t * L; }
    float* nodes(std::size_t t) { return node.data() + t * L; }

    bool has_spans() const { return !span.empty(); }
    float span_score(std::size_t start, std::size_t length, std::size_t kind) const {
        return span[(start * span_labels->longest + length - 1) * span_labels->classes + kind];
    }

    bool has_edges() const { return plain_edge || !observed_edge.empty(); }
    // Edge scores into position t: [1, L] at t = 0, else [L, L].
    const float* edge(std::size_t t) const {
        if (!observed_edge.empty()) return observed_edge.data() + observed_edge_at(t, L);
        return plain_edge + first_edge(t, L);
    }
    // Scores of y-2 = v into position t: [1, L] at t = 0 and [L, L] at t = 1 (v = start), else [L, L] for each v.
    const float* trigram(std::size_t t, std::size_t v) const {
        if (!observed_trigram.empty()) return observed_trigram.data() + observed_trigram_at(t, v, L);
        return plain_trigram + first_trigram(t, v, L);
    }

    // The score of a labelling, summed in double.
    double score(Labelling labels) const;
};

}  // namespace perceptag
