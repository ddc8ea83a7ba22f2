#include "perceptag/text/json_sentences.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "perceptag/text/letters.hpp"

namespace perceptag {
namespace {

constexpr std::string_view kShortEscapes = "\"\\/bfnrt", kEscaped = "\"\\/\b\f\n\r\t";
constexpr std::size_t kHex = 4;

// Which bytes a string has as they are.
constexpr std::array<bool, 256> kPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < plain.size(); ++c) plain[c] = c != '"' && c != '\\';
    return plain;
}();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

}  // namespace

void append_quoted(std::string_view text, std::string& out) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out.push_back('"');
    while (!text.empty()) {
        const auto end = std::ranges::find_if_not(text, is_plain);
        const std::size_t length = end - text.begin();
        out.append(text, 0, length);
        if (length == text.size()) break;
        const char c = text[length];
        const std::size_t found = kEscaped.find(c);
        if (found != kEscaped.npos) {
            out.append({'\\', kShortEscapes[found]});
        } else {
            out.append("\\u00").append({kDigits[c >> 4], kDigits[c & 15]});
        }
        text.remove_prefix(length + 1);
    }
    out.push_back('"');
}

// Takes what is expected next from a text; every step says whether it was there.
class JsonSentences::Scanner {
  public:
    Scanner(std::string& text, std::string_view blanks) : text_(text), blanks_(blanks) {}

    bool is_at_end() { return skip_blanks() == text_.size(); }
    bool take(char c) {
        if (skip_blanks() == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    // A string, whose escapes are replaced in place: what they stand for is never longer.
    bool take_string() {
        if (!take('"')) return false;
        first_ = at_;
        while (at_ < text_.size() && is_plain(text_[at_])) ++at_;
        last_ = at_;
        while (at_ < text_.size() && text_[at_] != '"')
            if (!take_character()) return false;
        return take('"');
    }
    // The place of the last string, and what it says.
    std::size_t first() const { return first_; }
    std::size_t last() const { return last_; }
    std::string_view string() const { return std::string_view(text_).substr(first_, last_ - first_); }

  private:
    std::size_t skip_blanks() {
        while (at_ < text_.size() && blanks_.find(text_[at_]) != blanks_.npos) ++at_;
        return at_;
    }
    bool take_character() {
        if (is_plain(text_[at_])) {
            text_[last_++] = text_[at_++];
            return true;
        }
        if (text_[at_] != '\\' || at_ + 1 == text_.size()) return false;
        const char kind = text_[at_ + 1];
        if (kind == 'u') return take_code();
        const std::size_t found = kShortEscapes.find(kind);
        if (found == kShortEscapes.npos) return false;
        text_[last_++] = kEscaped[found];
        at_ += 2;
        return true;
    }
    // One escaped character, which may be written as two surrogates. Refuses NUL and a surrogate alone.
    bool take_code() {
        std::uint32_t code = 0, low = 0;
        if (!take_hex(code) || code == 0 || (code >= 0xDC00 && code < 0xE000)) return false;
        if (code >= 0xD800 && code < 0xDC00) {
            if (!take_hex(low) || low < 0xDC00 || low >= 0xE000) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        bytes_.clear();
        append_code(code, bytes_);
        last_ = std::ranges::copy(bytes_, text_.begin() + static_cast<std::ptrdiff_t>(last_)).out - text_.begin();
        return true;
    }
    bool take_hex(std::uint32_t& code) {
        if (text_.size() - at_ < 2 + kHex || text_[at_] != '\\' || text_[at_ + 1] != 'u') return false;
        const char *digits = text_.data() + at_ + 2, *end = digits + kHex;
        at_ += 2 + kHex;
        return std::from_chars(digits, end, code, 16).ptr == end;
    }

    std::string& text_;
    std::string_view blanks_;
    std::size_t at_ = 0, first_ = 0, last_ = 0;
    std::string bytes_;
};

bool JsonSentences::start(std::string_view body, ColumnText& words) {
    model_.clear();
    layer_.clear();
    longest_word_ = 0;
    text_ = body;
    words.start(text_, '\n', 1);
    return text_.size() < std::numeric_limits<std::int32_t>::max() && is_sound(text_);
}

bool JsonSentences::parse_request(std::string_view body, ColumnText& words) {
    Scanner scanner(text_, " \t\n\r");
    if (start(body, words) && take_request(scanner, words) && scanner.is_at_end()) return true;
    words.clear();
    return false;
}

bool JsonSentences::parse_lines(std::string_view body, ColumnText& words) {
    Scanner scanner(text_, " \t");  // a carriage return would end a line, too
    bool is_right = start(body, words);
    while (is_right && !scanner.is_at_end())
        is_right = scanner.take('\n') || (take_line(scanner, words) && (scanner.is_at_end() || scanner.take('\n')));
    if (is_right && words.tokens()) return true;
    words.clear();
    return false;
}

bool JsonSentences::take_request(Scanner& scanner, ColumnText& words) {
    bool has_model = false, has_layer = false;
    if (!scanner.take('{')) return false;
    do {
        if (!scanner.take_string()) return false;
        const std::string_view key = scanner.string();
        const bool is_model = key == "model" && !has_model, is_layer = key == "layer" && !has_layer;
        if (!(is_model || is_layer || (key == "sentences" && !words.tokens())) || !scanner.take(':')) return false;
        if (!(is_model || is_layer ? scanner.take_string() : take_sentences(scanner, words))) return false;
        if (is_model) model_ = scanner.string();
        if (is_layer) layer_ = scanner.string();
        has_model |= is_model;
        has_layer |= is_layer;
    } while (scanner.take(','));
    return scanner.take('}') && words.tokens();
}

bool JsonSentences::take_sentences(Scanner& scanner, ColumnText& words) {
    if (!scanner.take('[')) return false;
    do {
        if (!take_words(scanner, words)) return false;
    } while (scanner.take(','));
    return scanner.take(']');
}

bool JsonSentences::take_line(Scanner& scanner, ColumnText& words) {
    if (!scanner.take('{')) return take_words(scanner, words);
    const bool is_right = scanner.take_string() && scanner.string() == "tokens" && scanner.take(':');
    return is_right && take_words(scanner, words) && scanner.take('}');
}

bool JsonSentences::take_words(Scanner& scanner, ColumnText& words) {
    if (!scanner.take('[')) return false;
    do {
        if (!scanner.take_string() || scanner.string().empty()) return false;
        longest_word_ = std::max(longest_word_, scanner.string().size());
        words.add_word(scanner.first(), scanner.last());
    } while (scanner.take(','));
    words.end_sentence();
    return scanner.take(']');
}

std::string JsonSentences::write(const ColumnText& words, std::span<const std::string> quoted,
                                 std::span<const std::int32_t> labels, std::string_view before,
                                 std::string_view between, std::string_view after) {
    constexpr std::size_t kRoom = 48, kRoomOfToken = 24;  // enough for most, and memory may grow
    const std::span begin(words.begin());
    std::string out;
    out.reserve(before.size() + after.size() + kRoom * begin.size() + kRoomOfToken * words.tokens());
    out.append(before);
    for (std::size_t s = 0; s + 1 < begin.size(); ++s) {
        out.append(s ? between : "").append("{\"tokens\":");
        for (std::int32_t t = begin[s]; t < begin[s + 1]; ++t) {
            out.push_back(t == begin[s] ? '[' : ',');
            append_quoted(words.field(t, 0), out);
        }
        out.append("],\"labels\":");
        for (std::int32_t t = begin[s]; t < begin[s + 1]; ++t) {
            out.push_back(t == begin[s] ? '[' : ',');
            out.append(quoted[labels[t]]);
        }
        out.append("]}");
    }
    return out.append(after);
}

}  // namespace perceptag
