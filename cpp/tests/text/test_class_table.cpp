#include <array>
#include <memory>

#include "check.hpp"
#include "perceptag/core/types.hpp"
#include "perceptag/text/attributes.hpp"

using namespace perceptag;

namespace {

std::pair<std::string, std::string> no_forms(std::string_view word) { return {std::string(word), std::string(word)}; }

// rows: the 0, 1,500 1, Paris 2, paris 3
std::shared_ptr<const ClassTable> make_table(bool in_any_case = false) {
    static constexpr std::array<std::uint32_t, 4> kCounts{40, 30, 20, 2};
    static constexpr std::array<std::uint16_t, 8> kNumbers{0, 10, 1, 11, 2, 12, 3, 13};
    const ListedClasses listed{"the\n1,500\nParis\nparis", kCounts, kNumbers, {4, 16}, in_any_case};
    return std::make_shared<ClassTable>(listed, no_forms);
}

}  // namespace

void test_classes_of_words() {
    const auto table = make_table();
    for (const auto& [word, expected] : std::initializer_list<std::pair<const char*, int>>{
             {"the", 10}, {"THE", 10}, {"7,312", 11}, {"PARIS", 13}, {"Paris", 12}, {"Rome", kNone}, {"", kNone}})
        CHECK(table->find(word, 1) == expected);
    CHECK(make_table(true)->find("paris", 1) == 12);  // ten times rarer than the same with a capital
    CHECK(table->lowered()->size() == 3 && table->lowered()->find("paris") == 2);
    CHECK(table->place_of("class16") == 1);
    CHECK(!table->place_of("class1") && !table->place_of("class160"));

    TypeTable types(1);
    TextLexicon values;
    values.add("0", 7);
    const auto chain = AttributeChain::make({"lower", "class4"}, {table, nullptr});
    CHECK(chain && chain->read("The", values, types) == 7);
    CHECK(chain->read("Paris", values, types) == kNone);
    CHECK(!AttributeChain::make({"class4"}, {}));
}

void test_endings_of_words() {
    const auto words = std::make_shared<TextLexicon>();
    for (const char* word : {"walk", "walked", "is"}) words->add(word, 0);
    const auto table = std::make_shared<EndingTable>(
        words, std::vector<std::pair<std::string, std::string>>{{"s", ""}, {"s", "ed"}, {"", "s"}}, 3);
    CHECK((table->find("Walks") == std::vector<std::string>{"s>", "s>ed"}));
    CHECK(table->find("iss").empty());  // its stem is too short

    TypeTable types(1);
    TextLexicon values;
    values.add("s>", 7);
    const auto chain = AttributeChain::make({"lower", "endings"}, {nullptr, table});
    CHECK(chain && chain->read("Walks", values, types) == 7);
    CHECK(chain->read("walk", values, types) == kNone);
    values.add("s>ed", 8);
    CHECK(chain->read("Walks", values, types) != 7);  // a bag of both
    CHECK(!AttributeChain::make({"endings", "lower"}, {nullptr, table}));
    CHECK(!AttributeChain::make({"endings"}, {}));
}

void test_tables_of_classes_are_whole() {
    static constexpr std::array<std::uint32_t, 1> kCount{1};
    static constexpr std::array<std::uint16_t, 3> kNumbers{1, 2, 3};
    const ListedClasses listed{"a", kCount, kNumbers, {4, 16}, false};
    CHECK_THROWS(ClassTable(listed, no_forms));
}
