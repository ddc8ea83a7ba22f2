#include "check.hpp"
#include "perceptag/text/json_sentences.hpp"

using namespace perceptag;

namespace {

bool is_request(std::string_view body) {
    ColumnText words;
    return JsonSentences().parse_request(body, words);
}

bool are_lines(std::string_view body) {
    ColumnText words;
    return JsonSentences().parse_lines(body, words);
}

}  // namespace

void test_json_sentences() {
    ColumnText words;
    JsonSentences request;
    CHECK(request.parse_request(
        R"( {"layer":"l", "sentences" : [["The","d\u00f6g"], ["\ud83d\ude00\"\n"]],"model":"m"} )", words));
    CHECK(words.tokens() == 3 && words.begin() == std::vector<std::int32_t>({0, 2, 3}));
    CHECK(words.field(0, 0) == "The" && words.field(1, 0) == "d\xC3\xB6g");
    CHECK(words.field(2, 0) == "\xF0\x9F\x98\x80\"\n");
    CHECK(request.model() == "m" && request.layer() == "l" && request.longest_word() == 6);

    const std::vector<std::string> quoted{"\"O\"", "\"N\""};
    const std::vector<std::int32_t> labels{0, 1, 0};
    CHECK(JsonSentences::write(words, quoted, labels, "<", ";", ">") ==
          "<{\"tokens\":[\"The\",\"d\xC3\xB6g\"],\"labels\":[\"O\",\"N\"]};"
          "{\"tokens\":[\"\xF0\x9F\x98\x80\\\"\\n\"],\"labels\":[\"O\"]}>");

    JsonSentences lines;
    CHECK(lines.parse_lines("[\"a\"]\n\n {\"tokens\": [\"b\", \"c\"]} ", words));
    CHECK(words.tokens() == 3 && words.begin() == std::vector<std::int32_t>({0, 1, 3}));
    CHECK(lines.model().empty() && lines.longest_word() == 1);
}

void test_other_json_is_left_to_python() {
    CHECK(is_request(R"({"sentences":[["a"]]})") && are_lines(R"(["a"])"));
    for (const char* body : {"",
                             "{",
                             "{}",
                             "[]",
                             R"({"sentences":[]})",
                             R"({"sentences":[[]]})",
                             R"({"sentences":[[""]]})",
                             R"({"sentences":[["a"]],"n":1})",
                             R"({"sentences":[["a"]],"sentences":[["a"]]})",
                             R"({"sentences":[["a]]})",
                             R"({"sentences":[["\u0000"]]})",
                             R"({"sentences":[["\ud800"]]})",
                             R"({"sentences":[["\udc00"]]})",
                             R"({"sentences":[["\u00g0"]]})",
                             R"({"sentences":[["\x"]]})",
                             R"({"sentences":[["\)",
                             R"({"sentences":[["\u00)",
                             "{\"sentences\":[[\"\n\"]]}",
                             "{\"sentences\":[[\"\xFF\"]]}",
                             "{\"sentences\":[[\"\xED\xA0\x80\"]]}"})
        CHECK(!is_request(body));
    for (const char* body :
         {"", "\n", "[]", "[\"a\"]\r\n", "[\"a\"] [\"b\"]", "[\"a\",\n\"b\"]", R"({"tokens":["a"],"n":1})"})
        CHECK(!are_lines(body));
}

void test_quoted() {
    std::string out;
    append_quoted(std::string_view("a\"\\/\b\f\n\r\t\x01\x1F\x7F\xC3\xA9\0b", 16), out);
    CHECK(out == "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7F\xC3\xA9\\u0000b\"");
}
