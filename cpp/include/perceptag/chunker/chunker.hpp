// Recognition of phrases in two layers: words are filtered, phrases are scored, the best chunking is found.
//
//   best[0] = 0
//   best[j] = max( best[j-1] + o,  max_{s<j, k} best[s] + score_k(s, j-1) )    over (s, j-1) that satisfy BI*
//
// BI*(s, e): word s begins a phrase (h_B > f) and words s+1 … e are inside (h_I > f). Of equal scores a chunking
// without the phrase wins, then the later start, then the lower category. In the paper o = f = 0.
//
// A phrase has at most kLongestChunk words, so that a sentence of T words has at most T · kLongestChunk · K phrases,
// and recognition takes at most T · kLongestChunk² steps for each left context, even if the filters let every word
// pass.
//
// Carreras, Màrquez & Padró (2003), section 2.2.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/chunker/chunk_features.hpp"
#include "perceptag/chunker/kernel.hpp"

namespace perceptag {

// The longest phrase of CoNLL-2000 has 15 words, the longest name of CoNLL-2002 and CoNLL-2003 17.
constexpr int kLongestChunk = 64;

struct Phrase {
    std::int32_t s, e, k;  // from s to e (included), category k
};

// What phrase features may see of the phrases to their left.
enum class Context {
    kNothing,
    kBest,   // the phrases on the best path to the start of the phrase
    kExact,  // each path that looks different to the features is followed by itself
};

// Columns of the word layer.
constexpr int kBegin = 0, kIn = 1;

// What a word outside phrases scores: o against phrases, f against the filters of words. Their units differ.
struct Outside {
    double score = 0, filter = 0;
};

struct ChunkModel {
    const ChunkFeatures& features;
    const Scorer& words;    // two columns: begin, inside
    const Scorer& phrases;  // one column for each category
    const Gazetteer& gazetteer;
    Context context;
    Outside outside{};
};

using Signature = std::array<std::int32_t, kMaxWindow>;  // categories of the last words, nearest first; -1: none

struct Recognition {
    std::vector<double> begin, inside;  // [T] scores of the word layer
    std::vector<Phrase> phrases;        // the best chunking, from left to right
    double score = 0;                   // of the best chunking
    std::int64_t candidates = 0;        // decisions of the phrase layer
    std::vector<Signature> lefts;       // [T] left context on the best path to each start
    std::vector<Signature> own;         // [phrases] left context of each recognised phrase

    // The left context that phrases from s to e were scored with, on the best path.
    const Signature& left(int s, int e) const;
};

// Scratch memory of one thread.
struct ChunkWorker {
    struct Item {  // a prefix of the sentence, chunked
        double score;
        Signature signature;
        std::int32_t s, from, k;  // last step: phrase of category k from s, over item `from` there; k < 0: no phrase
    };
    std::vector<std::vector<Item>> items;  // [T + 1]
    FoundFeatures features;
    std::vector<double> scores;
    ScoreScratch words, phrases;
    ChunkSentence sentence;
};

void recognise(const ChunkModel& model, const ChunkSentence& x, ChunkWorker& worker, Recognition& out);

// The best chunkings of a batch: phrases of each sequence.
struct ChunkBatch {
    std::vector<const TypeTable*> tables;
    std::vector<const std::int32_t*> columns;
    std::span<const std::int32_t> begin;
};
std::vector<std::vector<Phrase>> recognise_all(const ChunkModel& model, const ChunkBatch& batch, int threads);

}  // namespace perceptag
