// Columns of documents after memory ran out: a thread keeps numbers of words from call to call, which must be right.
#include <array>
#include <new>
#include <string>
#include <vector>

#include "check.hpp"
#include "failing_memory.hpp"
#include "perceptag/document/document_columns.hpp"

namespace perceptag {
namespace {

constexpr std::int32_t kWords = 40;

std::vector<std::int32_t> recurring(const WordFacts& words, const TypeTable& singles,
                                    const std::vector<std::int32_t>& tokens) {
    const std::array<std::int32_t, 2> begin{0, static_cast<std::int32_t>(tokens.size())}, documents{0, 1};
    const std::array columns{ValueColumn{DocumentColumn::kRecurs, &singles, {1}}};
    return compute_columns(words, {0, 0}, columns, {}, {tokens, begin, documents})[0].ids;
}

}  // namespace
}  // namespace perceptag

void test_columns_of_documents_after_memory_ran_out() {
    using namespace perceptag;
    WordFacts words(0);
    TypeTable singles(1);
    singles.add(std::array{kNone});
    singles.add(std::array<std::int32_t, 1>{1});
    std::vector<std::int32_t> many, few{3, 5, 7, 5};
    for (std::int32_t i = 0; i < kWords; ++i) {
        words.add("Word" + std::to_string(i), std::array{-1, 1, -1, -1});
        many.push_back(i);
    }
    const std::vector<std::int32_t> expected = recurring(words, singles, few);
    CHECK(expected[1] > 0 && expected[2] == 0);
    int failed = 0;
    for (bool is_reached = true; is_reached; failed += is_reached) {
        fail_allocation(failed + 1);
        try {
            recurring(words, singles, many);
        } catch (const std::bad_alloc&) {
        }
        is_reached = stop_failing();
        CHECK(recurring(words, singles, few) == expected);
    }
    CHECK(failed > 10);
}
