#include <memory>

#include "check.hpp"
#include "perceptag/core/types.hpp"
#include "perceptag/text/attributes.hpp"

using namespace perceptag;

namespace {

// rows: the 0, 1,500 1, Paris 2, and Rome in a row that does not exist
std::shared_ptr<const ClassTable> make_table() {
    TextLexicon rows;
    rows.add("the", 0);
    rows.add("1,500", 1);
    rows.add("0,000", 1);
    rows.add("Paris", 2);
    rows.add("Rome", 3);
    return std::make_shared<ClassTable>(rows, std::vector<std::int32_t>{0, 10, 1, 11, 2, 12},
                                        std::vector<std::int32_t>{4, 16});
}

}  // namespace

void test_classes_of_words() {
    const auto table = make_table();
    for (const auto& [word, expected] : std::initializer_list<std::pair<const char*, int>>{
             {"the", 10}, {"THE", 10}, {"7,312", 11}, {"PARIS", 12}, {"pARIS", kNone}, {"Rome", kNone}, {"", kNone}})
        CHECK(table->find(word, 1) == expected);
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
    TextLexicon words;
    for (const char* word : {"walk", "walked", "is"}) words.add(word, 0);
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

void test_tables_of_classes_are_whole() { CHECK_THROWS(ClassTable({}, {1, 2, 3}, {4, 16})); }
