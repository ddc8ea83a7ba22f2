#include "perceptag/classes/exchange.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kTable = std::size_t{1} << 18;

// scores[h] += f(row[h] + more) − f(row[h])
PERCEPTAG_CLONES void add_gains(const Information* table, const std::uint32_t* row, std::uint32_t more, std::size_t k,
                                Information* scores) {
    const Information* const shifted = table + more;
    for (std::size_t h = 0; h < k; ++h) scores[h] += shifted[row[h]] - table[row[h]];
}

void add_large_gains(const InformationTable& table, const std::uint32_t* row, std::uint32_t more, std::size_t k,
                     Information* scores) {
    for (std::size_t h = 0; h < k; ++h) scores[h] += table(std::uint64_t{row[h]} + more) - table(row[h]);
}

}  // namespace

Exchange::Exchange(const BigramCounts& counts, int classes, std::vector<std::int32_t> start)
    : counts_(counts), information_(kTable), k_(classes), K_(k_ + 2), class_of_(std::move(start)) {
    if (class_of_.size() != counts.words.size()) throw std::invalid_argument("expected a class for each word");
    members_.assign(k_, 0);
    for (const std::int32_t g : class_of_) {
        if (g < 0 || g >= classes) throw std::invalid_argument("a class is out of range");
        ++members_[g];
    }
    class_of_.push_back(classes);
    class_of_.push_back(classes + 1);
    pairs_.assign(K_ * K_, 0);
    mirror_.assign(K_ * K_, 0);
    first_.assign(K_, 0);
    second_.assign(K_, 0);
    context_.after.assign(K_, 0);
    context_.before.assign(K_, 0);
    scores_.resize(k_);
    count_all();
}

void Exchange::count_all() {
    const auto count = [this](std::int32_t g, std::int32_t h, std::uint32_t n) {
        change(g, h, n);
        first_[g] += n;
        second_[h] += n;
    };
    for (std::size_t w = 0; w < counts_.numbers(); ++w) {
        count(class_of_[w], class_of_[w], counts_.twice[w]);
        for (const auto [next, n] : counts_.after.of(w)) count(class_of_[w], class_of_[next], n);
        std::uint64_t seen = counts_.twice[w];
        for (const auto [last, n] : counts_.before.of(w)) seen += n;
        of_words_ += information_(seen);
    }
}

void Exchange::change(std::int32_t row, std::int32_t column, std::uint32_t by) {
    pairs_[row * K_ + column] += by;  // modulo 2^32, so that this takes away too
    mirror_[column * K_ + row] += by;
}

std::size_t Exchange::visit(std::size_t first, std::size_t last) {
    std::size_t moved = 0;
    for (std::size_t w = first; w < last; ++w) moved += move(w);
    return moved;
}

bool Exchange::move(std::size_t word) {
    const std::int32_t own = class_of_[word];
    if (members_[own] == 1) return false;
    find_context(word);
    take(word, own);
    score_all();
    std::int32_t best = own;
    for (std::int32_t h = 0; h < to_int32(k_); ++h)
        if (scores_[h] > scores_[best]) best = h;
    if (scores_[best] == scores_[own]) best = own;
    put(word, best);
    return best != own;
}

void Exchange::find_context(std::size_t word) {
    Context& here = context_;
    const auto collect = [this](std::span<const Adjacency::Entry> entries, std::vector<std::uint32_t>& sums,
                                std::vector<std::int32_t>& used) {
        for (const std::int32_t g : used) sums[g] = 0;
        used.clear();
        std::uint64_t total = 0;
        for (const auto [other, n] : entries) {
            std::uint32_t& sum = sums[class_of_[other]];
            if (sum == 0) used.push_back(class_of_[other]);
            sum += n;
            total += n;
        }
        return total;
    };
    here.twice = counts_.twice[word];
    here.as_first = collect(counts_.after.of(word), here.after, here.follow) + here.twice;
    here.as_second = collect(counts_.before.of(word), here.before, here.precede) + here.twice;
}

void Exchange::take(std::size_t word, std::int32_t from) {
    const Context& here = context_;
    for (const std::int32_t g : here.follow) change(from, g, 0 - here.after[g]);
    for (const std::int32_t g : here.precede) change(g, from, 0 - here.before[g]);
    change(from, from, 0 - here.twice);
    first_[from] -= here.as_first;
    second_[from] -= here.as_second;
    --members_[from];
    class_of_[word] = -1;
}

void Exchange::put(std::size_t word, std::int32_t to) {
    const Context& here = context_;
    for (const std::int32_t g : here.follow) change(to, g, here.after[g]);
    for (const std::int32_t g : here.precede) change(g, to, here.before[g]);
    change(to, to, here.twice);
    first_[to] += here.as_first;
    second_[to] += here.as_second;
    ++members_[to];
    class_of_[word] = to;
}

void Exchange::score_all() {
    const Context& here = context_;
    const InformationTable& f = information_;
    for (std::size_t h = 0; h < k_; ++h)
        scores_[h] = f(first_[h]) - f(first_[h] + here.as_first) + f(second_[h]) - f(second_[h] + here.as_second);
    const auto add = [&](const std::uint32_t* row, std::uint64_t total, std::uint32_t more) {
        if (total + more < kTable)
            add_gains(f.data(), row, more, k_, scores_.data());
        else
            add_large_gains(f, row, more, k_, scores_.data());
    };
    for (const std::int32_t g : here.follow) add(&mirror_[g * K_], second_[g], here.after[g]);
    for (const std::int32_t g : here.precede) add(&pairs_[g * K_], first_[g], here.before[g]);
    // So far the count of a class after itself was raised twice, by a part each time.
    for (std::size_t h = 0; h < k_; ++h) {
        const std::uint32_t a = here.after[h], b = here.before[h];
        if ((a | b | here.twice) == 0) continue;
        const std::uint64_t n = pairs_[h * K_ + h];
        scores_[h] += f(n + a + b + here.twice) - f(n + a) - f(n + b) + f(n);
    }
}

Information Exchange::likelihood() const {
    Information sum = of_words_;
    for (const std::uint32_t n : pairs_) sum += information_(n);
    for (const std::uint64_t n : first_) sum -= information_(n);
    for (const std::uint64_t n : second_) sum -= information_(n);
    return sum;
}

}  // namespace perceptag
