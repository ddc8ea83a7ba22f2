#include <random>

#include "check.hpp"
#include "perceptag/classes/bigram_counter.hpp"
#include "perceptag/classes/exchange.hpp"

using namespace perceptag;

namespace {

constexpr std::size_t kMany = 1'000'000;

std::string random_text(std::mt19937& random, std::size_t tokens) {
    std::string text;
    for (std::size_t i = 0; i < tokens; ++i) {
        text += static_cast<char>('a' + random() % 9);
        text += "  \t\n"[random() % 4];
    }
    return text;
}

BigramCounts count(std::string_view text, std::uint32_t least) {
    BigramCounter counter(kMany, kMany);
    counter.add_text(text);
    return counter.finish(least);
}

std::vector<std::int32_t> dealt(std::size_t words, int classes) {
    std::vector<std::int32_t> start(words);
    for (std::size_t i = 0; i < words; ++i) start[i] = static_cast<std::int32_t>(i) % classes;
    return start;
}

std::uint64_t pairs(const BigramCounts& counts, const Adjacency& side) {
    std::uint64_t sum = 0;
    for (const Adjacency::Entry& entry : side.entries) sum += entry.count;
    for (const std::uint32_t count : counts.twice) sum += count;
    return sum;
}

}  // namespace

void test_bigrams_are_counted() {
    const BigramCounts counts = count("b a a\n\n a\tb c \nb", 2);
    CHECK(counts.words == (std::vector<std::string>{"a", "b"}) && counts.counts == (std::vector<std::uint32_t>{3, 3}));
    CHECK(counts.twice == (std::vector<std::uint32_t>{1, 0, 0, 0}));  // a, b, rare words, the border
    CHECK(counts.after.of(0).size() == 2 && counts.before.of(counts.rare())[0].word == 1);
    CHECK(counts.after.of(counts.border()).size() == 2 && pairs(counts, counts.after) == 10);
    CHECK(pairs(counts, counts.before) == 10);
    CHECK(counts.fingerprint() != count("b a a\n\n a\tb c \na", 2).fingerprint());
}

void test_limits_of_counting() {
    std::mt19937 random(1998);
    BigramCounter counter(5, 20);
    for (int i = 0; i < 50; ++i) {
        counter.add_text(random_text(random, 40));
        CHECK(counter.types() <= 40 && counter.bigrams() <= 20);
    }
    CHECK(counter.tokens() == 2000 && counter.dropped_words() > 0 && counter.dropped_bigrams() > 0);
    const BigramCounts counts = counter.finish(1);
    CHECK(pairs(counts, counts.after) == pairs(counts, counts.before));
    CHECK(counter.types() == 0 && counter.bigrams() == 0);
}

// What a word gains by a move is what the likelihood gains when it is computed again.
void test_exchange_keeps_its_tables() {
    std::mt19937 random(1998);
    for (int round = 0; round < 100; ++round) {
        const BigramCounts counts = count(random_text(random, 20 + random() % 200), 1 + random() % 2);
        const int classes = 2 + static_cast<int>(random() % 4);
        if (counts.words.size() < static_cast<std::size_t>(classes)) continue;
        Exchange exchange(counts, classes, dealt(counts.words.size(), classes));
        for (int pass = 0; pass < 3; ++pass) {
            const Information before = exchange.likelihood();
            const std::size_t moved = exchange.visit(0, counts.words.size());
            CHECK(moved ? exchange.likelihood() > before : exchange.likelihood() == before);
            const auto found = exchange.classes();
            CHECK(Exchange(counts, classes, {found.begin(), found.end()}).likelihood() == exchange.likelihood());
        }
    }
}

void test_exchange_checks_classes() {
    const BigramCounts counts = count("a b c a b c", 1);
    CHECK_THROWS(Exchange(counts, 2, {0, 1}));
    CHECK_THROWS(Exchange(counts, 2, {0, 1, 2}));
    CHECK_THROWS(Exchange(counts, 2, {0, 1, -1}));
}

// Large counts are computed, small ones come from a table: the border between them must not show.
void test_information() {
    const InformationTable table(100);
    for (std::uint64_t n = 0; n < 1000; ++n) CHECK(table(n) == compute_information(n));
    CHECK(compute_information(0) == 0 && compute_information(1) == 0 &&
          compute_information(8) == Information{24} << 20);
    CHECK(compute_information(kMostTokens - 1) > compute_information(kMostTokens - 2));
}
