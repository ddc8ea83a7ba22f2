#include "perceptag/core/corpus.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace perceptag {

int Corpus::active() const {
    std::size_t most = 0;
    for (const Sequence& x : sequences)
        for (int t = 0; t < x.T; ++t) most = std::max(most, x.at(0, t).size() + x.at(1, t).size() + x.at(2, t).size());
    return static_cast<int>(most);
}

void Batch::attach(std::size_t i, Sequence& x) const {
    const auto first = static_cast<std::size_t>(begin[i]), n = static_cast<std::size_t>(begin[i + 1]) - first;
    const auto part = [&](std::span<const std::int32_t> all) {
        const auto some = all.empty() ? all : all.subspan(first, n);
        return std::vector<std::int32_t>(some.begin(), some.end());
    };
    x.labels = part(labels);
    x.closed = part(closed);
}

void parallel_for(std::size_t n, int threads, const std::function<void(std::size_t, Worker&)>& work,
                  std::size_t grain) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr error;
    std::mutex guard;
    const auto run = [&] {
        Worker worker;
        try {
            for (std::size_t i; (i = next.fetch_add(grain)) < n;)
                for (std::size_t k = i; k < std::min(n, i + grain); ++k) work(k, worker);
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!error) error = std::current_exception();
            next = n;
        }
    };
    const std::size_t useful = (n + grain - 1) / grain;
    const std::size_t wanted = std::min(useful, static_cast<std::size_t>(std::max(1, threads)));
    std::vector<std::thread> others;
    try {
        others.reserve(wanted);
        while (others.size() + 1 < wanted) others.emplace_back(run);
    } catch (const std::system_error&) {  // the system gives no more threads: those that there are do the same work
    } catch (const std::bad_alloc&) {
    }
    run();
    for (std::thread& other : others) other.join();
    if (error) std::rethrow_exception(error);
}

Corpus encode_new(FeatureIndex& index, const Batch& batch) {
    Corpus corpus;
    corpus.sequences.resize(batch.size());
    LookupScratch scratch;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        Sequence& x = corpus.sequences[i];
        index.insert(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], scratch, x);
        batch.attach(i, x);
        for (int order = 0; order < kOrders; ++order) x.rows[order].shrink_to_fit();
    }
    return corpus;
}

Corpus encode(const FeatureIndex& index, const Batch& batch, int threads) {
    Corpus corpus;
    corpus.sequences.resize(batch.size());
    parallel_for(batch.size(), threads, [&](std::size_t i, Worker& worker) {
        Sequence& x = corpus.sequences[i];
        index.find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], worker.lookup, x);
        batch.attach(i, x);
    });
    return corpus;
}

std::uint32_t label_code(const std::vector<std::int32_t>& labels, std::size_t t, int order, int L) {
    std::uint32_t code = 0;
    for (int back = order; back > 0; --back) {
        const bool inside = t >= static_cast<std::size_t>(back);
        code = code * static_cast<std::uint32_t>(L + 1) +
               static_cast<std::uint32_t>(inside ? labels[t - static_cast<std::size_t>(back)] : L);
    }
    return code * static_cast<std::uint32_t>(L) + static_cast<std::uint32_t>(labels[t]);
}

Support count_support(const Corpus& corpus, int order, std::size_t rows, int labels) {
    // Sort by row, counting; then sort the few codes of each row.
    std::vector<std::uint64_t> begin(rows + 1, 0);
    for (const Sequence& x : corpus.sequences)
        for (const std::int32_t row : x.rows[order]) ++begin[static_cast<std::size_t>(row) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> codes(begin.back());
    std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
    for (const Sequence& x : corpus.sequences) {
        if (x.begin[order].empty()) continue;
        for (int t = 0; t < x.T; ++t) {
            const std::uint32_t code = label_code(x.labels, static_cast<std::size_t>(t), order, labels);
            for (const std::int32_t row : x.at(order, t)) codes[next[static_cast<std::size_t>(row)]++] = code;
        }
    }
    Support support;
    support.begin.push_back(0);
    for (std::size_t r = 0; r < rows; ++r) {
        const auto first = codes.begin() + static_cast<std::ptrdiff_t>(begin[r]);
        const auto last = codes.begin() + static_cast<std::ptrdiff_t>(begin[r + 1]);
        std::sort(first, last);
        for (auto i = first; i != last;) {
            const auto j = std::upper_bound(i, last, *i);
            support.codes.push_back(*i);
            support.counts.push_back(static_cast<std::uint32_t>(j - i));
            i = j;
        }
        support.begin.push_back(static_cast<std::uint32_t>(support.codes.size()));
    }
    return support;
}

Support apply_cutoff(const Support& support, std::uint32_t cutoff, bool whole_rows, int order, FeatureIndex& index,
                     Corpus& corpus) {
    const std::size_t rows = support.begin.size() - 1;
    std::vector<std::int32_t> renumber(rows, -1);
    Support kept;
    kept.begin.push_back(0);
    for (std::size_t r = 0; r < rows; ++r) {
        std::uint64_t total = 0;
        for (std::size_t i = support.begin[r]; i < support.begin[r + 1]; ++i) total += support.counts[i];
        for (std::size_t i = support.begin[r]; i < support.begin[r + 1]; ++i) {
            if ((whole_rows ? total : support.counts[i]) < cutoff) continue;
            kept.codes.push_back(support.codes[i]);
            kept.counts.push_back(support.counts[i]);
        }
        if (kept.codes.size() == kept.begin.back()) continue;
        renumber[r] = static_cast<std::int32_t>(kept.begin.size() - 1);
        kept.begin.push_back(static_cast<std::uint32_t>(kept.codes.size()));
    }
    index.renumber(order, renumber, static_cast<std::int32_t>(kept.begin.size() - 1));
    for (Sequence& x : corpus.sequences) {
        if (x.begin[order].empty()) continue;
        std::vector<std::int32_t> left;
        std::vector<std::int32_t> begin{0};
        for (int t = 0; t < x.T; ++t) {
            for (const std::int32_t row : x.at(order, t))
                if (renumber[static_cast<std::size_t>(row)] >= 0)
                    left.push_back(renumber[static_cast<std::size_t>(row)]);
            begin.push_back(static_cast<std::int32_t>(left.size()));
        }
        x.rows[order].assign(left.begin(), left.end());
        x.begin[order].swap(begin);
    }
    return kept;
}

std::vector<std::uint8_t> unseen_transitions(const Corpus& corpus, int order, int labels, std::uint32_t cutoff) {
    std::size_t width = static_cast<std::size_t>(labels);
    for (int i = 0; i < order; ++i) width *= static_cast<std::size_t>(labels + 1);
    std::vector<std::uint32_t> counts(width, 0);
    for (const Sequence& x : corpus.sequences)
        for (std::size_t t = 0; t < x.labels.size(); ++t) ++counts[label_code(x.labels, t, order, labels)];
    std::vector<std::uint8_t> unseen(width);
    std::transform(counts.begin(), counts.end(), unseen.begin(),
                   [cutoff](std::uint32_t n) { return static_cast<std::uint8_t>(n < std::max(1U, cutoff)); });
    return unseen;
}

namespace {

std::vector<std::size_t> starts(const Corpus& corpus) {
    std::vector<std::size_t> begin{0};
    for (const Sequence& x : corpus.sequences) begin.push_back(begin.back() + static_cast<std::size_t>(x.T));
    return begin;
}

}  // namespace

std::vector<std::int32_t> decode(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                                 int threads) {
    const std::vector<std::size_t> begin = starts(corpus);
    std::vector<std::int32_t> labels(begin.back());
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, Worker& worker) {
        viterbi(weights, corpus.sequences[i], dictionary, worker, labels.data() + begin[i]);
    });
    return labels;
}

std::vector<std::int32_t> tag(const FeatureIndex& index, const Weights& weights, const TagDictionary* dictionary,
                              const Batch& batch, int threads) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(batch.begin.back()));
    parallel_for(batch.size(), threads, [&](std::size_t i, Worker& worker) {
        Sequence& x = worker.sequence;
        index.find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], worker.lookup, x);
        batch.attach(i, x);
        viterbi(weights, x, dictionary, worker, labels.data() + batch.begin[i]);
    });
    return labels;
}

}  // namespace perceptag
