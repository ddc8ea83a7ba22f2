#include "perceptag/text/column_text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr std::string_view kMark = "-DOCSTART-";

std::uint64_t mix(std::uint64_t h) {
    h *= 0x9E3779B97F4A7C15u;
    return h ^ (h >> 32);
}

template <class Word>
std::uint64_t read(const char* data) {
    Word word;
    std::memcpy(&word, data, sizeof(word));
    return word;
}

constexpr std::size_t kShort = 7;

// At most 7 bytes as a number. Reads that overlap see the same bytes.
std::uint64_t packed(const char* data, std::size_t n) {
    if (n >= 4) return read<std::uint32_t>(data) | read<std::uint32_t>(data + n - 4) << 8 * (n - 4);
    if (n >= 2) return read<std::uint16_t>(data) | read<std::uint16_t>(data + n - 2) << 8 * (n - 2);
    return n ? read<std::uint8_t>(data) : 0;
}

// Short texts of equal length have different hashes, since nothing is lost on the way.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t h = std::uint64_t{text.size()} << 56;
    while (text.size() > kShort) {
        h = mix(h ^ read<std::uint64_t>(text.data()));
        text.remove_prefix(8);
    }
    return mix(h ^ packed(text.data(), text.size()));
}

constexpr std::uint64_t kUpper = 0xFFFFFFFF00000000u;

std::uint64_t slot_of(std::size_t entry, std::uint64_t hash) { return (hash & kUpper) | (entry + 1); }
// A line whose first field is the mark.
bool is_mark_line(std::string_view line, char separator) {
    return line.starts_with(kMark) && (line.size() == kMark.size() || line[kMark.size()] == separator);
}

bool is_alike(std::uint64_t slot, std::uint64_t hash) { return ((slot ^ hash) & kUpper) == 0; }

}  // namespace

bool TextLexicon::is_same(const Entry& entry, std::uint64_t hash, std::string_view text) const {
    if (entry.hash != hash || entry.length != text.size()) return false;
    return text.size() <= kShort || std::memcmp(bytes_.data() + entry.begin, text.data(), text.size()) == 0;
}

void TextLexicon::prefetch_entry(std::uint64_t hash) const {
    if (slots_.empty()) return;
    const std::uint64_t slot = slots_[hash & (slots_.size() - 1)];
    if (slot) fetch_ahead(&entry(slot));
}

// The slot of a text, or the free one where it belongs.
std::size_t TextLexicon::place(std::uint64_t hash, std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash & mask;
    while (slots_[i] && !(is_alike(slots_[i], hash) && is_same(entry(slots_[i]), hash, text))) i = (i + 1) & mask;
    return i;
}

std::uint64_t TextLexicon::hash(std::string_view text) { return hash_of(text); }

std::int32_t TextLexicon::find(std::string_view text, std::uint64_t hash) const {
    if (slots_.empty()) return -1;
    const std::uint64_t slot = slots_[place(hash, text)];
    return slot ? entry(slot).number : -1;
}

void TextLexicon::reserve(std::size_t n) {
    const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(1024, n * 2));
    if (wanted <= slots_.size()) return;
    slots_.assign(wanted, 0);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
        std::size_t i = entries_[e].hash & (slots_.size() - 1);
        while (slots_[i]) i = (i + 1) & (slots_.size() - 1);
        slots_[i] = slot_of(e, entries_[e].hash);
    }
}

void TextLexicon::reserve_exactly(std::size_t n, std::size_t bytes) {
    reserve(n);
    entries_.reserve(n);
    bytes_.reserve(bytes);
}

void TextLexicon::set(std::string_view text, std::uint64_t hash, std::int32_t number) {
    if (add(text, hash, number)) return;
    entries_[static_cast<std::uint32_t>(slots_[place(hash, text)]) - 1].number = number;
}

bool TextLexicon::add(std::string_view text, std::uint64_t hash, std::int32_t number) {
    const std::size_t known = size();
    this->number(text, hash, number);
    return size() > known;
}

std::int32_t TextLexicon::number(std::string_view text, std::uint64_t hash, std::int32_t fresh) {
    reserve(entries_.size() + 1);
    std::uint64_t& slot = slots_[place(hash, text)];
    if (slot) return entry(slot).number;
    // The slot comes last: if memory runs out, it stays free.
    const std::size_t begin = bytes_.size();
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    entries_.push_back({hash, begin, to_uint32(text.size()), fresh});
    slot = slot_of(entries_.size() - 1, hash);
    return fresh;
}

void ColumnText::clear() {
    fields_.clear();
    ends_.clear();
    begin_.assign(1, 0);
    marks_.clear();
}

void ColumnText::start(std::string_view text, char separator, std::size_t width) {
    clear();
    text_ = text;
    separator_ = separator;
    width_ = width;
}

bool ColumnText::parse(std::string_view text, char separator, std::size_t width) {
    start(text, separator, width);
    const char other = separator == ' ' ? '\t' : ' ';
    const bool is_plain = text.size() < std::numeric_limits<std::int32_t>::max() && width > 0 &&
                          text.find(other) == text.npos && parse_lines();
    if (!is_plain) clear();
    return is_plain;
}

bool ColumnText::parse_lines() {
    const bool has_marks = text_.find(kMark) != text_.npos;
    bool is_marked = false;  // a mark waits for its sentence
    for (std::size_t first = 0; first < text_.size();) {
        const std::size_t last = std::min(text_.find('\n', first), text_.size());
        const bool is_open = to_int32(tokens()) > begin_.back();
        const bool is_mark = has_marks && last > first && is_mark_line(text_.substr(first, last - first), separator_);
        if (is_mark) {
            const bool is_alone = last + 1 < text_.size() && text_[last + 1] == '\n';
            if (is_open || is_marked || !is_alone) return false;
            start_document(first, last);
            is_marked = true;
        } else if (last > first) {
            if (has_marks && text_.substr(first, last - first).find(kMark) != text_.npos) return false;
            if (!add_line(first, last)) return false;
            is_marked = false;
        } else if (is_open) {
            end_sentence();
        }
        first = last + 1;
    }
    if (to_int32(tokens()) > begin_.back()) end_sentence();
    return !is_marked;
}

void ColumnText::start_document(std::size_t first, std::size_t last) {
    marks_.push_back({to_int32(begin_.size() - 1), to_uint32(first), to_uint32(last)});
}

std::vector<std::int32_t> ColumnText::documents() const {
    const auto sentences = to_int32(begin_.size() - 1);
    std::vector<std::int32_t> found;
    for (std::int32_t s = 0; s < (marks_.empty() ? sentences : marks_[0].sentence); ++s) found.push_back(s);
    for (const Mark& mark : marks_) found.push_back(mark.sentence);
    found.push_back(sentences);
    return found;
}

bool ColumnText::add_line(std::size_t first, std::size_t last) {
    std::size_t at = first;
    for (std::size_t c = 0; c < width_; ++c) {
        const std::size_t end = c + 1 < width_ ? text_.find(separator_, at) : last;
        if (end == text_.npos || end <= at || end > last) return false;
        fields_.push_back(to_uint32(at));
        if (c + 1 == width_ && text_.substr(at, end - at).find(separator_) != text_.npos) return false;
        at = end + 1;
    }
    ends_.push_back(to_uint32(last));
    return true;
}

std::string_view ColumnText::field(std::size_t token, std::size_t column) const {
    const std::size_t first = fields_[token * width_ + column];
    const std::size_t end = column + 1 < width_ ? fields_[token * width_ + column + 1] - 1 : ends_[token];
    return text_.substr(first, end - first);
}

std::string ColumnText::write(std::span<const std::string> names, std::span<const std::int32_t> labels,
                              std::size_t column, bool replace) const {
    std::string out;
    out.reserve(text_.size() + tokens() * 8);
    const std::size_t fields = width_ + (column == width_ || !replace);
    std::size_t m = 0;
    for (std::int32_t s = 0; s + 1 < std::ssize(begin_); ++s) {
        if (m < marks_.size() && marks_[m].sentence == s) write_mark(marks_[m++], fields, out);
        for (std::int32_t t = begin_[s]; t < begin_[s + 1]; ++t) {
            const std::size_t line = fields_[t * width_], end = ends_[t];
            const std::string& name = names[labels[t]];
            if (column == width_) {
                out.append(text_, line, end - line).push_back(separator_);
                out.append(name);
            } else {
                const std::size_t place = fields_[t * width_ + column];
                const std::size_t rest = replace ? place + field(t, column).size() : place;
                out.append(text_, line, place - line).append(name);
                if (!replace) out.push_back(separator_);
                out.append(text_, rest, end - rest);
            }
            out.push_back('\n');
        }
        out.push_back('\n');
    }
    return out;
}

void ColumnText::write_mark(const Mark& mark, std::size_t width, std::string& out) const {
    const std::string_view line = text_.substr(mark.begin, mark.end - mark.begin);
    std::size_t fields = 1;  // runs of separators lie between them
    for (std::size_t i = 1; i < line.size(); ++i) fields += line[i] == separator_ && line[i - 1] != separator_;
    out.append(line);
    for (; fields < width; ++fields) out.append(1, separator_).push_back('O');
    out.append("\n\n");
}

}  // namespace perceptag
