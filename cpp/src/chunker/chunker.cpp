#include "perceptag/chunker/chunker.hpp"

#include <algorithm>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"

namespace perceptag {
namespace {

using Item = ChunkWorker::Item;

// The signature after `length` more words of one category.
Signature moved(const Signature& before, int length, std::int32_t category) {
    Signature after;
    for (int d = 0; d < kMaxWindow; ++d) after[d] = d < length ? category : before[d - length];
    return after;
}

class Search {
  public:
    Search(const ChunkModel& model, const ChunkSentence& x, ChunkWorker& worker, Recognition& out)
        : model_(model), x_(x), worker_(worker), out_(out), width_(window()) {}

    void run() {
        score_words();
        auto& items = worker_.items;
        if (items.size() < x_.T + 1U) items.resize(x_.T + 1U);
        Signature nothing;
        nothing.fill(-1);
        items[0].assign(1, Item{0.0, nothing, 0, 0, -1});
        for (int j = 1; j <= x_.T; ++j) extend(j);
        trace();
    }

  private:
    int window() const { return model_.context == Context::kNothing ? 0 : model_.features.phrase_window(); }

    void score_words() {
        out_.begin.resize(x_.T);
        out_.inside.resize(x_.T);
        for (int t = 0; t < x_.T; ++t) {
            double scores[2];
            model_.features.word(x_, t, worker_.features);
            model_.words.score(worker_.features.ids, worker_.words, scores);
            out_.begin[t] = scores[kBegin];
            out_.inside[t] = scores[kIn];
        }
    }

    // All chunkings of the first j words, best first among those that look alike.
    void extend(int j) {
        auto& items = worker_.items;
        items[j].clear();
        const auto before = to_int32(items[j - 1].size());
        for (std::int32_t i = 0; i < before; ++i) {
            const Item& item = items[j - 1][i];
            offer(j, Item{item.score + model_.outside.score, moved(item.signature, 1, -1), j - 1, i, -1});
        }
        for (int s = j - 1; s >= std::max(0, j - kLongestChunk); --s) {
            if (s < j - 1 && out_.inside[s + 1] <= model_.outside.filter) break;
            if (out_.begin[s] > model_.outside.filter) add_phrases(s, j);
        }
    }

    void add_phrases(int s, int j) {
        const auto n = to_int32(worker_.items[s].size());
        const int K = model_.phrases.columns();
        worker_.scores.resize(K);
        for (std::int32_t i = 0; i < n; ++i) {
            const Item item = worker_.items[s][i];
            const LeftContext left(item.signature.data(), width_);
            model_.features.phrase(x_, s, j - 1, left, model_.gazetteer, worker_.features);
            model_.phrases.score(worker_.features.ids, worker_.phrases, worker_.scores.data());
            ++out_.candidates;
            for (std::int32_t k = 0; k < K; ++k)
                offer(j, Item{item.score + worker_.scores[k], moved(item.signature, j - s, k), s, i, k});
        }
    }

    void offer(int j, const Item& fresh) {
        auto& here = worker_.items[j];
        for (Item& item : here) {
            if (model_.context == Context::kExact &&
                !std::equal(item.signature.begin(), item.signature.begin() + width_, fresh.signature.begin()))
                continue;
            if (fresh.score > item.score) item = fresh;
            return;
        }
        here.push_back(fresh);
    }

    std::size_t best(int j) const {
        const auto& here = worker_.items[j];
        std::size_t best = 0;
        for (std::size_t i = 1; i < here.size(); ++i)
            if (here[i].score > here[best].score) best = i;
        return best;
    }

    void trace() {
        const auto& items = worker_.items;
        out_.lefts.clear();
        for (int s = 0; s < x_.T; ++s) out_.lefts.push_back(items[s][best(s)].signature);
        std::size_t i = best(x_.T);
        out_.score = items[x_.T][i].score;
        for (int j = x_.T; j > 0;) {
            const Item& item = items[j][i];
            i = item.from;
            if (item.k >= 0) {
                out_.phrases.push_back({item.s, j - 1, item.k});
                out_.own.push_back(items[item.s][i].signature);
            }
            j = item.s;
        }
        std::reverse(out_.phrases.begin(), out_.phrases.end());
        std::reverse(out_.own.begin(), out_.own.end());
    }

    const ChunkModel& model_;
    const ChunkSentence& x_;
    ChunkWorker& worker_;
    Recognition& out_;
    std::size_t width_;  // how much of a signature the features see
};

}  // namespace

const Signature& Recognition::left(int s, int e) const {
    const auto place = std::ranges::lower_bound(phrases, s, {}, &Phrase::s);
    const bool is_own = place != phrases.end() && place->s == s && place->e == e;
    return is_own ? own[place - phrases.begin()] : lefts[s];
}

void recognise(const ChunkModel& model, const ChunkSentence& x, ChunkWorker& worker, Recognition& out) {
    out.phrases.clear(), out.own.clear();
    out.candidates = 0;
    Search(model, x, worker, out).run();
}

std::vector<std::vector<Phrase>> recognise_all(const ChunkModel& model, const ChunkBatch& batch, int threads) {
    std::vector<std::vector<Phrase>> found(batch.begin.size() - 1);
    parallel_for(found.size(), threads, [&](std::size_t i, ChunkWorker& worker) {
        Recognition result;
        worker.sentence.fill(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1]);
        recognise(model, worker.sentence, worker, result);
        found[i] = std::move(result.phrases);
    });
    return found;
}

}  // namespace perceptag
