#include "perceptag/text/conllu_text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kMostDigits = 9;

// Whether a line has so many fields between tabs, none of them empty.
bool has_fields(std::string_view row, std::size_t width) {
    std::size_t fields = 0;
    char previous = '\t';
    for (const char c : row) {
        if (c == '\t' && previous == '\t') return false;
        fields += c != '\t' && previous == '\t';
        previous = c;
    }
    return fields == width && previous != '\t';
}

bool is_number(std::string_view text, std::int32_t expected) {
    char digits[16];
    const char* end = std::to_chars(digits, digits + sizeof digits, expected).ptr;
    return text == std::string_view(digits, end - digits);
}

// A number of at most nine ASCII digits at the start of a text, and what stands after it; -1 if there is none.
std::int32_t take_number(std::string_view& text) {
    std::int32_t number = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && '0' <= text[digits] && text[digits] <= '9'; ++digits) {
        if (digits == kMostDigits) return -1;
        number = number * 10 + (text[digits] - '0');
    }
    text.remove_prefix(digits);
    return digits ? number : -1;
}

// `# newdoc`, alone or with more after a blank.
bool is_newdoc(std::string_view comment) {
    constexpr std::string_view kWord = "newdoc", kBlanks = " \t";
    const std::size_t at = comment.find_first_not_of(kBlanks, 1);
    if (at == comment.npos || comment.substr(at, kWord.size()) != kWord) return false;
    const std::size_t end = at + kWord.size();
    return end == comment.size() || kBlanks.find(comment[end]) != kBlanks.npos;
}

}  // namespace

bool ConlluText::parse(std::string_view text, ColumnText& words) {
    text_ = text;
    sentences_.clear();
    extra_.clear();
    words.start(text, '\t', kWidth);
    if (text.size() < std::numeric_limits<std::int32_t>::max() && parse_lines(words)) return true;
    sentences_.clear();
    extra_.clear();
    words.clear();
    return false;
}

bool ConlluText::parse_lines(ColumnText& words) {
    bool is_open = false;
    std::uint32_t line = 0;
    for (std::size_t first = 0; first < text_.size(); ++line) {
        const std::size_t last = std::min(text_.find('\n', first), text_.size());
        const std::uint32_t begin = to_uint32(first), end = to_uint32(last);
        if (last == first) {
            if (is_open && !close(words)) return false;
            is_open = false;
        } else {
            if (!is_open) {
                open_ = {.begin = begin, .line = line};
                count_ = range_end_ = part_ = 0;
                is_open = true;
            }
            if (!add_row(begin, end, words)) return false;
            open_.end = end;
        }
        first = last + 1;
    }
    return !is_open || close(words);
}

bool ConlluText::add_row(std::uint32_t first, std::uint32_t last, ColumnText& words) {
    const std::string_view row = text_.substr(first, last - first);
    if (row[0] == '#') {
        if (count_ == 0 && is_newdoc(row)) open_.starts_document = true;
        add_extra(first, last);
        return true;
    }
    const std::string_view id = row.substr(0, row.find('\t'));
    if (is_number(id, count_ + 1)) {
        ++count_;
        part_ = 0;
        return words.add_line(first, last);
    }
    if (!has_fields(row, kWidth) || !add_id(id)) return false;
    add_extra(first, last);
    return true;
}

// The id of a range such as 3-4, or of an empty node such as 3.1; false if it is wrong here.
bool ConlluText::add_id(std::string_view id) {
    const std::int32_t first = take_number(id);
    if (first < 0 || id.empty()) return false;
    const char mark = id[0];
    id.remove_prefix(1);
    const std::int32_t second = take_number(id);
    if (second < 0 || !id.empty()) return false;
    if (mark == '-' && first == count_ + 1 && second > first) {
        range_end_ = std::max(range_end_, second);
        return true;
    }
    const bool is_node = mark == '.' && first == count_ && second > part_;
    if (is_node) part_ = second;
    return is_node;
}

void ConlluText::add_extra(std::uint32_t first, std::uint32_t last) {
    open_.line += count_ == 0;
    extra_.push_back({first, last, count_});
}

bool ConlluText::close(ColumnText& words) {
    if (count_ == 0 || range_end_ > count_) return false;
    open_.extra_end = to_uint32(extra_.size());
    if (open_.starts_document) words.start_document();
    sentences_.push_back(open_);
    words.end_sentence();
    return true;
}

std::string ConlluText::write(const ColumnText& words, std::span<const std::string> names,
                              std::span<const std::int32_t> labels, std::size_t column) const {
    std::string out;
    out.reserve(text_.size() + words.tokens() * 8);
    for (std::size_t s = 0; s < sentences_.size(); ++s) {
        std::size_t at = sentences_[s].begin;
        for (std::int32_t t = words.begin()[s]; t < words.begin()[s + 1]; ++t) {
            const std::string_view old = words.field(t, column);
            const std::size_t place = old.data() - text_.data();
            out.append(text_, at, place - at).append(names[labels[t]]);
            at = place + old.size();
        }
        out.append(text_, at, sentences_[s].end - at).append("\n\n");
    }
    return out;
}

}  // namespace perceptag
