#include <string>
#include <thread>

#include "check.hpp"
#include "perceptag/text/type_numbers.hpp"

using namespace perceptag;

// Each thread looks up the same words from another place on. A word gets one type, in whatever order they ask.
void test_threads_number_words_alike() {
    constexpr std::size_t kWords = 500, kThreads = 4;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < kWords; ++i) texts.push_back("word-of-some-length-" + std::to_string(i));
    texts.push_back("na\xC3\xAFve");  // left to Python
    TextLexicon lengths;
    lengths.add("d", 3);
    const AttributeReader reader({*AttributeChain::make({}, {}), *AttributeChain::make({"suffix1"}, {})},
                                 {std::make_shared<TextLexicon>(), std::make_shared<TextLexicon>(lengths)});
    TypeTable table(2);
    TypeNumbers numbers(table, &reader);
    std::vector<std::vector<std::int32_t>> ids(kThreads, std::vector<std::int32_t>(texts.size()));
    std::vector<std::vector<std::size_t>> left(kThreads);
    const auto run = [&](std::size_t k) {
        std::vector<std::string_view> words;
        std::vector<std::int32_t> found(texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) words.push_back(texts[(i + 100 * k) % texts.size()]);
        numbers.find(words, found.data(), left[k]);
        for (std::size_t i = 0; i < texts.size(); ++i) ids[k][(i + 100 * k) % texts.size()] = found[i];
    };
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < kThreads; ++k) threads.emplace_back(run, k);
    for (std::thread& thread : threads) thread.join();
    for (std::size_t k = 0; k < kThreads; ++k) CHECK(ids[k] == ids[0] && left[k].size() == 1);
    CHECK(ids[0].back() == kNone && numbers.size() == kWords && table.size() == static_cast<std::int32_t>(kWords));
    CHECK(table.row(ids[0][0])[0] == kNone && table.row(ids[0][0])[1] == kNone);
    numbers.add(texts.back(), 7);
    run(0);
    CHECK(ids[0].back() == 7);
}
