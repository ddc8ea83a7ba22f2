#include "perceptag/guided/guided.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/arrays.hpp"
#include "core/batch.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

void check_weights(const GuidedWeights& weights, std::size_t word_rows, std::size_t observations) {
    if (word_rows > weights.words.block(0).rows || observations > weights.contexts.observations())
        throw std::invalid_argument("the sequences were encoded for another model");
}

void check(const GuidedWeights& weights, const Sequence& x, const TagDictionary* dictionary) {
    for (const int order : {0, 1})
        for (const std::int32_t row : x.rows[order])
            check_weights(weights, order == 0 ? row + std::size_t{1} : 0, order == 1 ? row + std::size_t{1} : 0);
    for (const std::int32_t y : x.labels)
        if (y < 0 || y >= weights.words.L()) throw std::invalid_argument("a gold label is out of range");
    if (!dictionary) return;
    for (const std::int32_t entry : x.closed)
        if (entry >= 0 && (!is_index(entry, dictionary->allowed.size()) ||
                           std::ssize(dictionary->allowed[entry]) != weights.words.L()))
            throw std::invalid_argument("the sequence was encoded for another tag dictionary");
}

void check_token(const GuidedSearch& search, int token) {
    if (token < 0 || token >= search.T()) throw nb::index_error();
}

// An action may look at labels only where there are tokens.
void check_action(const Action& action, int T, int labels) {
    const auto is_label = [labels](std::int32_t y) { return y >= 0 && y < labels; };
    if (action.token < 0 || action.token >= T) throw nb::index_error();
    bool is_sound = is_label(action.label);
    constexpr int kOffsets[4] = {-2, -1, 1, 2};
    for (std::size_t k = 0; k < 4; ++k) {
        const int place = action.token + kOffsets[k];
        is_sound &= action.beside[k] == kUnknown || (is_label(action.beside[k]) && place >= 0 && place < T);
    }
    if (!is_sound) throw std::invalid_argument("a label of an action is out of range or outside the sequence");
}

void bind_contexts(nb::module_& m) {
    nb::class_<ContextWeights>(m, "ContextWeights", "Rows of weights for labels next to a token, by exact keys.")
        .def(
            "__init__",
            [](ContextWeights* self, int labels, const std::vector<std::pair<int, unsigned>>& templates,
               Array1<std::int32_t> observations) {
                std::vector<ContextTemplate> made;
                for (const auto& [observation, mask] : templates) made.push_back({observation, mask});
                new (self)
                    ContextWeights(labels, std::move(made), {view(observations).begin(), view(observations).end()});
            },
            "labels"_a, "templates"_a, "observations"_a.noconvert())
        .def("__len__", [](const ContextWeights& self) { return self.keys().size(); })
        .def(
            "get",
            [](const ContextWeights& self) {
                const Block& block = self.block();
                std::vector<float> w(block.size());
                for (std::size_t i = 0; i < w.size(); ++i) w[i] = block.get(i);
                return std::tuple(to_numpy(std::vector<std::uint64_t>(self.keys().begin(), self.keys().end())),
                                  to_numpy(std::move(w)), to_numpy(std::vector<double>(block.sum)));
            },
            "Keys, weights and their sums.")
        .def(
            "load_dense",
            [](ContextWeights& self, Array1<std::uint64_t> keys, Array1<float> w, Array1<double> sum) {
                self.load_dense(view(keys), view(w), view(sum));
            },
            "keys"_a.noconvert(), "w"_a.noconvert(), "sum"_a.noconvert())
        .def(
            "load_compact",
            [](ContextWeights& self, Array1<std::uint64_t> keys, Array1<std::uint32_t> begin,
               Array1<std::uint32_t> codes,
               Array1<float> w) { self.load_compact(view(keys), view(begin), view(codes), view(w)); },
            "keys"_a.noconvert(), "begin"_a.noconvert(), "codes"_a.noconvert(), "w"_a.noconvert())
        .def(
            "compact",
            [](const ContextWeights& self) {
                ContextWeights::Compact found = self.compact();
                return std::tuple(to_numpy(std::move(found.observations)), to_numpy(std::move(found.keys)),
                                  to_numpy(std::move(found.begin)), to_numpy(std::move(found.codes)),
                                  to_numpy(std::move(found.w)));
            },
            "The rows of the observations that a weight needs, which are numbered again in this order, and what "
            "`load_compact` reads then: keys, begin, codes, w.")
        .def(
            "take_over",
            [](ContextWeights& self, const ContextWeights& earlier, Array1<std::int32_t> templates,
               Array1<std::int32_t> labels) {
                const auto fit = [](std::span<const std::int32_t> numbers, std::size_t size, std::size_t limit) {
                    return numbers.size() == size &&
                           std::ranges::all_of(numbers, [&](std::int32_t n) { return is_index(n, limit); });
                };
                if (!fit(view(templates), earlier.templates().size(), self.templates().size()) ||
                    !fit(view(labels), earlier.block().width, self.block().width))
                    throw std::invalid_argument("expected a number for each earlier template and label");
                self.take_over(earlier, view(templates), view(labels));
            },
            "earlier"_a, "templates"_a.noconvert(), "labels"_a.noconvert(),
            "Start from earlier weights, whose templates and labels have these numbers here.")
        .def(
            "contributions",
            [](const ContextWeights& self, const Sequence& x, const Action& action, std::int32_t rival) {
                check_action(action, x.T, self.L());
                std::vector<ContextEntry> entries;
                self.entries(x, action.token, entries);
                std::vector<std::tuple<std::int32_t, std::uint32_t, double, double>> found;
                const ContextTerms terms = self.terms(action.beside);
                for (const ContextEntry& entry : entries) {
                    if (!terms.fit(entry)) continue;
                    const std::uint64_t key = terms.key(entry);
                    const auto [row, pattern] = self.kind(entry);
                    found.emplace_back(row, pattern, self.value(key, action.label), self.value(key, rival));
                }
                return found;
            },
            "x"_a, "action"_a, "rival"_a,
            "What each label context gives to the label of an action and to a rival: (row of the observation, -1 for "
            "the "
            "bias, number of the template, weight, weight).");
}

void bind_weights(nb::module_& m) {
    nb::class_<Action>(m, "Action", "A label for a token, and the labels next to it that were known.")
        .def(
            "__init__",
            [](Action* self, int token, std::int32_t label, const Beside& beside) {
                new (self) Action{token, label, beside, 0};
            },
            "token"_a, "label"_a, "beside"_a = Beside{kUnknown, kUnknown, kUnknown, kUnknown})
        .def_ro("token", &Action::token)
        .def_ro("label", &Action::label)
        .def_prop_ro(
            "beside", [](const Action& self) { return self.beside; }, "y-2, y-1, y+1, y+2; -1 where unknown.")
        .def_ro("score", &Action::score, "The action score, as the search saw it.");

    nb::class_<GuidedWeights>(m, "GuidedWeights", "Weights of word features and of label contexts.")
        .def(
            "__init__",
            [](GuidedWeights* self, const Weights& words, const ContextWeights& contexts) {
                if (words.L() != contexts.L()) throw std::invalid_argument("expected weights of the same labels");
                new (self) GuidedWeights{words, contexts};
            },
            "words"_a, "contexts"_a)
        .def_prop_ro(
            "words", [](GuidedWeights& self) -> Weights& { return self.words; }, nb::rv_policy::reference_internal)
        .def_prop_ro(
            "contexts", [](GuidedWeights& self) -> ContextWeights& { return self.contexts; },
            nb::rv_policy::reference_internal)
        .def(
            "add",
            [](GuidedWeights& self, const Sequence& x, const Action& action, double scale) {
                check_action(action, x.T, self.words.L());
                self.add(x, action, scale);
            },
            "x"_a, "action"_a, "scale"_a, "w += scale * f(action)")
        .def("tick", &GuidedWeights::tick, "One example has passed.")
        .def("averaged", &GuidedWeights::averaged, "active"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("frozen", &GuidedWeights::frozen);
}

Direction direction_of(const std::string& name) {
    if (name == "both") return Direction::kBoth;
    if (name == "left-to-right") return Direction::kLeftToRight;
    if (name == "right-to-left") return Direction::kRightToLeft;
    throw std::invalid_argument("direction: expected both, left-to-right or right-to-left");
}

void bind_search(nb::module_& m) {
    nb::class_<GuidedRules>(m, "GuidedRules", "How the search goes about it.")
        .def(
            "__init__",
            [](GuidedRules* self, int beam, const std::string& direction, double margin) {
                if (beam < 1) throw std::invalid_argument("beam: expected a number from 1");
                new (self) GuidedRules{beam, direction_of(direction), margin};
            },
            "beam"_a = 3, "direction"_a = "both", "margin"_a = 0.0);

    nb::class_<GuidedSearch>(m, "GuidedSearch", "Bidirectional search: accepted spans and candidates of one sequence.")
        .def(nb::init<const GuidedWeights&, GuidedRules, const TagDictionary*>(), "weights"_a, "rules"_a,
             "dictionary"_a.none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 4>())
        .def(
            "start",
            [](GuidedSearch& self, const Sequence& x) {
                check(self.weights(), x, self.dictionary());
                self.start(x);
            },
            "x"_a, nb::keep_alive<1, 2>(), "Make the candidates of a sequence.")
        .def("choose", &GuidedSearch::choose, "The token to label next, or -1.")
        .def(
            "accept",
            [](GuidedSearch& self, int token) {
                check_token(self, token);
                if (!self.is_candidate(token)) throw std::invalid_argument("the token is not a candidate");
                self.accept(token);
            },
            "token"_a, "Move a candidate to the accepted spans.")
        .def(
            "rescore",
            [](GuidedSearch& self, const Action& up, const Action& down) {
                check_action(up, self.T(), self.weights().words.L());
                check_action(down, self.T(), self.weights().words.L());
                if (up.token != down.token) throw std::invalid_argument("expected two actions at one token");
                self.rescore(up, down);
            },
            "up"_a, "down"_a,
            "Score again what has changed after the weights moved up along one action and down along another.")
        .def(
            "gold_state",
            [](const GuidedSearch& self, int token) {
                check_token(self, token);
                return self.gold_state(token);
            },
            "token"_a, "The place of the gold labelling in the span of a token: 0 if it is on top, -1 if it is lost.")
        .def(
            "top_action",
            [](const GuidedSearch& self, int token) {
                check_token(self, token);
                return self.top_action(token);
            },
            "token"_a, "The last action of the best hypothesis.")
        .def(
            "with_gold",
            [](const GuidedSearch& self, const Action& action) {
                check_action(action, self.T(), self.weights().words.L());
                if (!self.has_gold()) throw std::invalid_argument("the sequence has no gold labels");
                return self.with_gold(action);
            },
            "action"_a, "The same action with gold labels.")
        .def(
            "actions",
            [](const GuidedSearch& self, int token) {
                check_token(self, token);
                return self.actions(token);
            },
            "token"_a, "All actions of the best hypothesis, the last one first.")
        .def(
            "scores",
            [](const GuidedSearch& self, const Action& action) {
                check_action(action, self.T(), self.weights().words.L());
                return to_numpy(self.scores(action));
            },
            "action"_a, "The action score of every label, next to the same known labels.")
        .def("accepted", &GuidedSearch::accepted, "Accepted spans: first and last token.")
        .def("candidates", &GuidedSearch::candidates, "Tokens that can be labelled next.")
        .def(
            "beam",
            [](const GuidedSearch& self, int token) {
                check_token(self, token);
                return self.beam(token);
            },
            "token"_a, "The scores of the hypotheses of a span, the best first.")
        .def("check", &GuidedSearch::check, "Raise an error if the spans are not as they must be.");
}

}  // namespace

void bind_guided(nb::module_& m) {
    bind_contexts(m);
    bind_weights(m);
    bind_search(m);
    m.def(
        "guided_decode",
        [](const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
           const TagDictionary* dictionary, int threads) {
            for (const Sequence& x : corpus.sequences) check(weights, x, dictionary);
            std::vector<std::int32_t> labels;
            {
                const nb::gil_scoped_release unlocked;
                labels = guided_decode(weights, rules, corpus, dictionary, threads);
            }
            return to_numpy(std::move(labels));
        },
        "weights"_a, "rules"_a, "corpus"_a, "dictionary"_a.none() = nb::none(), "threads"_a = 1);
    m.def(
        "guided_scores",
        [](const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
           const TagDictionary* dictionary, int threads) {
            for (const Sequence& x : corpus.sequences) check(weights, x, dictionary);
            GuidedScores found;
            {
                const nb::gil_scoped_release unlocked;
                found = guided_scores(weights, rules, corpus, dictionary, threads);
            }
            return std::pair(to_numpy(std::move(found.labels)), to_numpy(std::move(found.scores)));
        },
        "weights"_a, "rules"_a, "corpus"_a, "dictionary"_a.none() = nb::none(), "threads"_a = 1,
        "Labels, and the scores of all labels in the actions that gave them: [tokens], flat [tokens, L].");
    m.def(
        "guided_nbest",
        [](const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
           const TagDictionary* dictionary, int n, int threads) {
            if (n < 1) throw std::invalid_argument("n: expected a number from 1");
            for (const Sequence& x : corpus.sequences) check(weights, x, dictionary);
            const nb::gil_scoped_release unlocked;
            return guided_nbest(weights, rules, corpus, dictionary, n, threads);
        },
        "weights"_a, "rules"_a, "corpus"_a, "dictionary"_a.none(), "n"_a, "threads"_a = 1,
        "For each sequence the best hypotheses of the last beam, with their scores.");
    m.def(
        "guided_tag",
        [](const FeatureIndex& index, const GuidedWeights& weights, const GuidedRules& rules,
           const TagDictionary* dictionary, const std::vector<const TypeTable*>& tables,
           const std::vector<Ids>& columns, Ids begin, Ids closed, int threads) {
            check_weights(weights, index.rows(0), index.rows(1));
            const Batch batch = make_batch(tables, columns, view(begin), {}, view(closed));
            std::vector<std::int32_t> labels;
            {
                const nb::gil_scoped_release unlocked;
                labels = guided_tag(index, weights, rules, dictionary, batch, threads);
            }
            return to_numpy(std::move(labels));
        },
        "index"_a, "weights"_a, "rules"_a, "dictionary"_a.none(), "tables"_a, "columns"_a, "begin"_a, "closed"_a,
        "threads"_a = 1, "Labels of a batch, one after the other.");
}

}  // namespace perceptag
