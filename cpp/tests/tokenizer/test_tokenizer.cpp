#include <random>
#include <thread>

#include "check.hpp"
#include "perceptag/tokenizer/segmenter.hpp"

using namespace perceptag;

namespace {

Alphabet make_alphabet() {
    Alphabet alphabet;
    for (std::uint32_t c = 'a'; c <= 'z'; ++c) alphabet.add(c, {CharacterClass::Lower, 0, c});
    for (std::uint32_t c = 'A'; c <= 'Z'; ++c) alphabet.add(c, {CharacterClass::Upper, 0, c + 32});
    for (const char c : {'.', ','}) alphabet.add(c, {CharacterClass::Punctuation, 0, static_cast<std::uint32_t>(c)});
    for (const char c : {'\n', '\r'}) alphabet.add(c, {CharacterClass::LineEnd, 0, static_cast<std::uint32_t>(c)});
    alphabet.add(' ', {CharacterClass::Space, 0, ' '});
    return alphabet;
}

RunText runs_of(std::string_view text, const Alphabet& alphabet) {
    const std::vector<std::uint32_t> codes{text.begin(), text.end()};
    return make_runs(codes, alphabet.at(codes));
}

std::string random_text(std::mt19937& random, std::size_t size) {
    const std::string_view characters = "abA.,  \n\r\x01";
    std::string text;
    while (text.size() < size) text += characters[random() % characters.size()];
    return text;
}

// What must hold for the tokens of any text, whatever the labels.
void check_tokens(const RunText& text, const Tokens& tokens) {
    CHECK(tokens.begin.size() == tokens.end.size() && tokens.begin.size() == tokens.start.size());
    std::int64_t last = 0;
    for (std::size_t i = 0; i < tokens.begin.size(); ++i) {
        CHECK(last <= tokens.begin[i] && tokens.begin[i] < tokens.end[i]);
        for (std::int64_t place = last; place < tokens.begin[i]; ++place) CHECK(is_space(text.kind(place)));
        CHECK(!is_space(text.kind(tokens.begin[i])) && !is_space(text.kind(tokens.end[i] - 1)));
        last = tokens.end[i];
    }
    for (std::size_t place = last; place < text.codes.size(); ++place) CHECK(is_space(text.kind(place)));
}

}  // namespace

void test_runs() {
    const Alphabet alphabet = make_alphabet();
    const RunText text = runs_of(" Ab, c\r\n\r\nd.\r\ne", alphabet);
    CHECK(text.runs.size() == 4);
    CHECK(text.runs[0].begin == 1 && text.runs[0].end == 4);
    CHECK(text.runs[0].before == 0 && text.runs[0].after == 1 && text.runs[0].gap == 0);
    CHECK(text.runs[1].last.distance == 0 && text.runs[1].last.code == ',' && text.runs[1].after == 0);
    CHECK(text.starts_paragraph(2) && !text.starts_paragraph(3));
    CHECK(alphabet.at(1).kind == CharacterClass::Other && alphabet.at(1).lower == 1 && alphabet.at(1).script == 0);
    CHECK(runs_of("", alphabet).runs.empty() && runs_of(" \n\n ", alphabet).runs.empty());
}

void test_tokens_cover_texts() {
    const Alphabet alphabet = make_alphabet();
    std::mt19937 random(2018);
    for (int round = 0; round < 300; ++round) {
        const RunText text = runs_of(random_text(random, random() % 120), alphabet);
        const std::uint32_t cutoff = 1 + random() % 2;
        CharacterKeys index = find_keys(text, cutoff, {});
        std::vector<Segmenter::Scores> weights(index.size());
        for (Segmenter::Scores& scores : weights)
            for (float& w : scores) w = static_cast<float>(static_cast<int>(random() % 7) - 3);
        Segmenter segmenter(std::move(index), std::move(weights), round % 2 == 0);
        const std::vector<std::uint8_t> labels = segmenter.labels(text);
        check_tokens(text, find_tokens(text, labels));
        CHECK(labels == segmenter.labels(text));  // from what was kept
    }
}

void test_calls_that_overlap() {
    std::mt19937 random(7);
    std::vector<RunText> texts;
    for (int i = 0; i < 8; ++i) texts.push_back(runs_of(random_text(random, 4'000), make_alphabet()));
    CharacterKeys index = find_keys(texts[0], 1, {});
    std::vector<Segmenter::Scores> weights(index.size());
    for (Segmenter::Scores& scores : weights)
        for (float& w : scores) w = static_cast<float>(static_cast<int>(random() % 7) - 3);
    Segmenter segmenter(std::move(index), std::move(weights), true);
    std::vector<std::vector<std::uint8_t>> alone, together(texts.size());
    for (const RunText& text : texts) alone.push_back(segmenter.labels(text));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < texts.size(); ++i)
        threads.emplace_back([&, i] { together[i] = segmenter.labels(texts[i]); });
    for (std::thread& thread : threads) thread.join();
    CHECK(together == alone);
}

void test_encoded_text() {
    const RunText text = runs_of("ab. cd", make_alphabet());
    const CharacterKeys index = find_keys(text, 1, {});
    const std::vector<std::int64_t> begin{0, 3, 6};
    const Corpus corpus = encode(text, index, begin, {});
    CHECK(corpus.sequences.size() == 2 && corpus.sequences[0].T == 3 && corpus.sequences[1].T == 2);
    CHECK(corpus.sequences[0].at(0, 0).size() == kInner + kOuter && corpus.sequences[0].at(0, 1).size() == kInner);
    CHECK_THROWS(CharacterKeys({1, 2, 1}));
}
