// Clustering of words by exchange: Martin, Liermann and Ney (1998), "Algorithms for bigram and trigram word
// clustering".
//
// A class bigram model gives a text the likelihood
//
//     F = Σ N(g,h) log N(g,h) − Σ N(g·) log N(g·) − Σ N(·h) log N(·h) + Σ N(·w) log N(·w)
//
// where g and h are classes, w words, and N counts of bigrams. Each word in turn moves to the class where F is highest.
// Of equally good classes it takes its own, or else the one with the lowest number. A word that is alone in its class
// stays: F cannot rise by joining two classes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/classes/bigram_counts.hpp"
#include "perceptag/classes/information.hpp"

namespace perceptag {

class Exchange {
  public:
    // `start`: the class of each word, from 0 to classes - 1. `counts` must live as long as this.
    // Throws std::invalid_argument if a class is out of range.
    Exchange(const BigramCounts& counts, int classes, std::vector<std::int32_t> start);

    // Visits the words in [first, last); returns how many moved.
    std::size_t visit(std::size_t first, std::size_t last);

    // The class of each word.
    std::span<const std::int32_t> classes() const { return std::span(class_of_).first(counts_.words.size()); }
    // F: the log-likelihood of the text, its borders of sentences included, with all rare words as one word.
    Information likelihood() const;

  private:
    // How often a word stands before and after words of each class, without those pairs in which it meets itself.
    struct Context {
        std::vector<std::uint32_t> after, before;   // [K]
        std::vector<std::int32_t> follow, precede;  // the classes for which these are not 0
        std::uint64_t as_first = 0, as_second = 0;  // how often the word begins and ends a bigram
        std::uint32_t twice = 0;
    };

    void count_all();
    bool move(std::size_t word);
    void find_context(std::size_t word);
    void take(std::size_t word, std::int32_t from);
    void put(std::size_t word, std::int32_t to);
    void change(std::int32_t row, std::int32_t column, std::uint32_t by);
    void score_all();

    const BigramCounts& counts_;
    InformationTable information_;
    std::size_t k_, K_;                          // classes of words; and with those of rare words and of the border
    std::vector<std::int32_t> class_of_;         // [numbers]
    std::vector<std::uint32_t> members_;         // [k]
    std::vector<std::uint32_t> pairs_, mirror_;  // [K, K] N(g,h), and the same with rows and columns exchanged
    std::vector<std::uint64_t> first_, second_;  // [K] N(g·) and N(·h)
    Information of_words_ = 0;                   // the part of F that does not depend on classes
    Context context_;
    std::vector<Information> scores_;  // [k] what F gains if the word joins a class
};

}  // namespace perceptag
