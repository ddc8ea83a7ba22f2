#include "check.hpp"
#include "perceptag/text/conllu_text.hpp"

using namespace perceptag;

namespace {

std::string row(const std::string& id) { return id + "\ta\tb\t_\t_\t_\t_\t_\t_\tz\n"; }

bool is_right(const std::string& text) {
    ColumnText words;
    return ConlluText().parse(text, words);
}

}  // namespace

void test_conllu_text() {
    const std::string first =
        "# newdoc id = 1\n" + row("1-2") + row("1") + "# c\n" + row("2") + row("2.1") + row("2.4");
    const std::string text = "\n" + first + "\n\n# newdocs\n" + row("1");
    ColumnText words;
    ConlluText lines;
    CHECK(lines.parse(text, words));
    CHECK(words.tokens() == 3 && words.begin() == std::vector<std::int32_t>({0, 2, 3}));
    CHECK(words.field(1, 0) == "2" && words.field(2, 9) == "z");
    CHECK(lines.sentences().size() == 2 && lines.extra().size() == 6);
    CHECK(lines.sentences()[0].starts_document && !lines.sentences()[1].starts_document);
    CHECK(lines.sentences()[0].line == 3 && lines.sentences()[1].line == 11);
    CHECK(lines.extra()[2].before == 1 && lines.extra()[4].before == 2);

    const std::vector<std::string> names{"_", "LABEL"};
    const std::vector<std::int32_t> labels{0, 0, 0}, other{0, 0, 1};
    CHECK(lines.write(words, names, labels, 3) == first + "\n# newdocs\n" + row("1") + "\n");
    CHECK(lines.write(words, names, other, 9).ends_with("\t_\tLABEL\n\n"));
}

void test_faults_of_conllu_text() {
    CHECK(is_right("") && is_right("\n\n") && is_right(row("1")) && is_right(row("0.1") + row("1")));
    for (const char* id : {"2", "01", "", "x", "1.", "1-1", "2-3", "1-2", "1.1", "0.0", "0.1111111111", "-", "1-2-3"})
        CHECK(!is_right(row(id) + row("1")));
    for (const char* wrong : {"1", "1\ta\t_\t_\t_\t_\t_\t_\t_", "1\t\t_\t_\t_\t_\t_\t_\t_\t_",
                              "1\ta\t_\t_\t_\t_\t_\t_\t_\t", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\t_", "# only a comment"})
        CHECK(!is_right(wrong));
}
