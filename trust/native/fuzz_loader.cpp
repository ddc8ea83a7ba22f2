// Everything that a model file passes to native code: feature index, weights, label contexts, support vectors, the keys
// and the trie of the chunker. Wrong numbers must be refused; what is accepted is used to tag.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "fuzz.hpp"
#include "perceptag/chunker/chunker.hpp"
#include "perceptag/chunker/dense_index.hpp"
#include "perceptag/chunker/linear_kernel.hpp"
#include "perceptag/core/corpus.hpp"
#include "perceptag/guided/guided.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/viterbi.hpp"

using namespace perceptag;

namespace {

std::vector<float> weights_of(Source& in, std::size_t n) {
    std::vector<float> w(n);
    for (float& value : w) value = static_cast<float>(in.number());
    return w;
}

// Python refuses models whose rows do not fit their features (check_rows in models/linear).
void require_rows(const FeatureIndex& index, int order, std::size_t rows) {
    std::vector<std::int32_t> owned;
    for (std::size_t i = 0; i < index.templates().size(); ++i) {
        if (index.templates()[i].order != order) continue;
        std::vector<std::int32_t> values, numbers;
        index.list(static_cast<int>(i), values, numbers);
        owned.insert(owned.end(), numbers.begin(), numbers.end());
    }
    std::sort(owned.begin(), owned.end());
    for (std::size_t i = 0; i < owned.size(); ++i)
        if (owned[i] != static_cast<std::int32_t>(i)) throw std::invalid_argument("rows");
    if (owned.size() != rows) throw std::invalid_argument("rows");
}

FeatureIndex read_index(Source& in, std::vector<std::vector<std::int32_t>>& vocabularies) {
    const int padding = in.below(3);
    vocabularies.assign(static_cast<std::size_t>(1 + in.below(2)), {});
    for (auto& column : vocabularies) {
        column.resize(static_cast<std::size_t>(1 + in.below(2)));
        for (std::int32_t& size : column) size = 2 * padding + in.below(20);  // counted by Python: never wrong
    }
    std::vector<Template> templates(static_cast<std::size_t>(1 + in.below(3)));
    for (Template& pattern : templates) {
        pattern.order = in.below(4);
        pattern.fields.resize(static_cast<std::size_t>(in.below(4)));
        for (Field& field : pattern.fields) {
            field.column = in.below(static_cast<int>(vocabularies.size()));
            field.attribute = in.below(static_cast<int>(vocabularies[static_cast<std::size_t>(field.column)].size()));
            field.offset = static_cast<int>(in.below(9)) - 4;
        }
    }
    FeatureIndex index(templates, padding, vocabularies);
    for (std::size_t i = 0; i < templates.size(); ++i) {
        const auto values = in.list<std::int32_t>(), rows = in.list<std::int32_t>();
        index.load(static_cast<int>(i), values, rows);
    }
    return index;
}

// Tokens whose attributes have every possible value. The tables are made once: they are large, and not under test.
constexpr int kValues = 26;

const TypeTable& table_of(std::size_t attributes) {
    static const auto make = [](int n) {
        auto table = std::make_unique<TypeTable>(n);
        for (int a = 0; a < kValues; ++a)
            for (int b = 0; b < (n > 1 ? kValues : 1); ++b)
                table->add(n > 1 ? std::vector{a - 1, b - 1} : std::vector{a - 1});
        return table;
    };
    static const std::unique_ptr<TypeTable> tables[2] = {make(1), make(2)};
    return *tables[attributes - 1];
}

struct Tokens {
    std::vector<const TypeTable*> tables;
    std::vector<std::vector<std::int32_t>> ids;
    std::vector<const std::int32_t*> columns;

    Tokens(Source& in, const std::vector<std::vector<std::int32_t>>& vocabularies, int T) {
        for (const auto& column : vocabularies) {
            tables.push_back(&table_of(column.size()));
            ids.emplace_back();
            for (int t = 0; t < T; ++t) {
                std::int32_t id = 0;
                for (const std::int32_t size : column) id = id * kValues + in.below(size + 1);  // 0: no value
                ids.back().push_back(id);
            }
        }
        for (const auto& column : ids) columns.push_back(column.data());
    }
};

void try_linear(Source& in) {
    std::vector<std::vector<std::int32_t>> vocabularies;
    const FeatureIndex index = read_index(in, vocabularies);
    const int L = 1 + in.below(4);
    const int plain = in.below(4);
    Weights weights(L, plain & 1, plain & 2);
    for (int order = 0; order < kOrders; ++order) {
        const auto begin = in.list<std::uint32_t>(), codes = in.list<std::uint32_t>();
        require_rows(index, order, begin.empty() ? 0 : begin.size() - 1);
        weights.make_compact(order, begin, codes);
    }
    bool small = true;  // so that sums are exact in any order
    for (int b = 0; b < kBlocks; ++b) {
        Block& block = weights.block(b);
        const std::vector<float> w = weights_of(in, block.size());
        small = small && std::all_of(w.begin(), w.end(), [](float value) { return std::abs(value) < 1e5F; });
        for (std::size_t i = 0; i < w.size(); ++i) block.set(i, w[i]);
    }
    if (in.below(3) == 0) {
        const auto l = static_cast<std::size_t>(L);
        std::vector<std::uint8_t> allowed((l + 1) * l), last(l);
        for (auto& flag : allowed) flag = in.below(4) > 0;
        for (auto& flag : last) flag = in.below(4) > 0;
        weights.constrain(allowed, last);
    }
    const int T = in.below(5);
    const Tokens tokens(in, vocabularies, T);
    Sequence x;
    LookupScratch scratch;
    index.find(tokens.tables, tokens.columns, 0, T, scratch, x);
    Worker worker;
    std::vector<std::int32_t> labels(static_cast<std::size_t>(T));
    const double best = viterbi(weights, x, nullptr, worker, labels);
    for (const std::int32_t y : labels)
        if (y < 0 || y >= L) std::abort();
    if (small && std::isfinite(best) && best != weights.score(x, labels)) std::abort();
}

void try_contexts(Source& in) {
    std::vector<ContextTemplate> templates(static_cast<std::size_t>(in.below(3)));
    for (ContextTemplate& pattern : templates) pattern = {in.below(3), static_cast<unsigned>(in.below(17))};
    const int L = 1 + in.below(4);
    ContextWeights contexts(L, templates, in.list<std::int32_t>(8));
    const auto keys = in.list<std::uint64_t>();
    const auto begin = in.list<std::uint32_t>(), codes = in.list<std::uint32_t>();
    contexts.load_compact(keys, begin, codes, weights_of(in, codes.size()));
    Sequence x;
    x.T = 1;
    x.begin[1] = {0, static_cast<std::int32_t>(contexts.observations())};
    for (std::size_t r = 0; r < contexts.observations(); ++r) x.rows[1].push_back(static_cast<std::int32_t>(r));
    std::vector<ContextEntry> entries;
    contexts.entries(x, 0, entries);
    Beside beside;
    for (std::int32_t& y : beside) y = in.below(contexts.L() + 1) - 1;
    std::vector<float> out(static_cast<std::size_t>(contexts.L()));
    contexts.add_to(entries, contexts.terms(beside), out.data());
}

void try_vectors(Source& in) {
    const auto features = static_cast<std::size_t>(in.below(40));
    const int columns = 1 + in.below(3), degree = 1 + in.below(3);
    SupportVectors vectors(features, columns, degree);
    const auto begin = in.list<std::uint64_t>();
    const auto ids = in.list<std::int32_t>();
    std::vector<double> coefficients(static_cast<std::size_t>(in.byte()));
    for (double& a : coefficients) a = static_cast<double>(in.number());
    vectors.load(begin, ids, coefficients, {}, 1.0);
    std::vector<std::int32_t> instance;
    for (std::size_t f = 0; f < features; ++f)
        if (in.below(2)) instance.push_back(static_cast<std::int32_t>(f));
    ScoreScratch scratch;
    const auto n = static_cast<std::size_t>(vectors.columns());
    std::vector<double> expected(n), found(n);
    const bool small =  // so that sums are exact in any order
        std::all_of(coefficients.begin(), coefficients.end(), [](double a) { return std::abs(a) < 1e6; });
    for (std::size_t l = 0; l < vectors.size(); ++l)
        for (std::size_t c = 0; c < n; ++c) expected[c] += vectors.coefficient(l, c) * vectors.kernel(instance, l);
    const auto compare = [&](const Scorer& scorer) {
        scorer.score(instance, scratch, found.data());
        if (small && found != expected) std::abort();
    };
    compare(vectors);
    compare(DenseIndex(vectors));
    if (vectors.degree() == 1) compare(LinearKernel(vectors));
}

void try_chunk_features(Source& in) {
    const int word_window = 1 + in.below(kMaxWindow), phrase_window = 1 + in.below(kMaxWindow);
    ChunkFeatures features(word_window, phrase_window);
    const auto words = in.list<std::uint64_t>(), phrases = in.list<std::uint64_t>();
    const auto parents = in.list<std::int32_t>(), forms = in.list<std::int32_t>();
    if (parents.size() != forms.size() || parents.empty()) throw std::invalid_argument("forms");
    for (std::size_t i = 1; i < parents.size(); ++i)  // as the binding does
        if (parents[i] < 0 || static_cast<std::size_t>(parents[i]) >= i || forms[i] < 0 ||
            features.trie.insert(parents[i], forms[i]) != static_cast<std::int32_t>(i))
            throw std::invalid_argument("forms");
    features.words.load(words), features.phrases.load(phrases);
    ChunkSentence x;
    x.T = 1 + in.below(4);
    x.window_begin = x.inside_begin = {0};
    for (int t = 0; t < x.T; ++t) {
        x.window.push_back(in.below(20));
        x.inside.push_back(in.below(20));
        x.window_begin.push_back(t + 1), x.inside_begin.push_back(t + 1);
        x.word.push_back(in.below(20) - 1);
        x.type.push_back(static_cast<std::uint8_t>(in.below(kWordTypes)));
    }
    FoundFeatures found;
    const Gazetteer gazetteer;
    for (int s = 0; s < x.T; ++s) {
        features.word(x, s, found);
        for (int e = s; e < x.T; ++e) features.phrase(x, s, e, {}, gazetteer, found);
        for (const std::int32_t id : found.ids)
            if (id < 0) std::abort();
    }
}

}  // namespace

void try_out(const Input& input) {
    Source in(input);
    switch (in.below(4)) {
        case 0:
            return try_linear(in);
        case 1:
            return try_contexts(in);
        case 2:
            return try_vectors(in);
        default:
            return try_chunk_features(in);
    }
}

std::vector<Input> seeds() {
    std::vector<Input> found;
    // One column with one attribute of ten values, three features of one template; two labels, plain edges.
    Sink linear;
    linear.byte(0).byte(1).byte(0).byte(0).byte(8);
    linear.byte(0).byte(0).byte(1).byte(0).byte(0).byte(4);
    linear.list({2, 3, 4}).list({0, 1, 2});
    linear.byte(1).byte(1);
    linear.list({0, 1, 3, 4}).list({0, 0, 1, 1}).list({0}).list<int>({}).list({0}).list<int>({});
    for (int i = 0; i < 10; ++i) linear.number(i);
    linear.byte(1).byte(3);
    found.push_back(linear.input);
    // A template of two fields with edges.
    Sink pairs;
    pairs.byte(0).byte(2).byte(1).byte(0).byte(8).byte(1).byte(6).byte(7);
    pairs.byte(0).byte(1).byte(2).byte(0).byte(0).byte(3).byte(1).byte(1).byte(4);
    pairs.list({1, 2, 3, 4}).list({1, 0});
    pairs.byte(2).byte(0);
    pairs.list({0}).list<int>({}).list({0, 2, 3}).list({0, 5, 1}).list({0}).list<int>({});
    for (int i = 0; i < 3; ++i) pairs.number(i);
    pairs.byte(0);
    found.push_back(pairs.input);
    Sink contexts;  // two templates: the bias with y-1, the first observation with y+1; two labels, radix 3
    contexts.byte(1).byte(2).byte(0).byte(2).byte(1).byte(4).byte(1).list({1});
    contexts.list({1 * 9, (1 * 2 + 1) * 81 + 1 * 3}).list({0, 1, 2}).list({0, 1}).number(5).number(-3).byte(1).byte(1);
    found.push_back(contexts.input);
    Sink vectors;
    vectors.byte(2).byte(8).byte(0).byte(1).list({0, 2, 4, 5}).list({0, 3, 1, 3, 7}).byte(3);
    vectors.number(2).number(-1).number(3);
    found.push_back(vectors.input);
    Sink chunks;
    chunks.byte(3).byte(2).byte(2).list({1, 2, 3}).list({4, 5}).list({0, 0, 1}).list({0, 4, 5}).byte(2).byte(3);
    found.push_back(chunks.input);
    return found;
}
