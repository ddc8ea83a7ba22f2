#include "perceptag/linear/mixing.hpp"

#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

using Shards = std::vector<const ShardChanges*>;

MixRule rule_of(const std::string& name) {
    if (name == "uniform") return MixRule::kUniform;
    if (name == "present") return MixRule::kPresent;
    if (name == "touched") return MixRule::kTouched;
    throw std::invalid_argument("rule: expected 'uniform', 'present' or 'touched'");
}

// Both were made from the same weights, and can be trained.
void check_same(const Weights& a, const Weights& b) {
    for (int i = 0; i < kBlocks; ++i) {
        const Block &one = a.block(i), &other = b.block(i);
        if (one.size() != other.size() || one.rows != other.rows || one.dense != other.dense)
            throw std::invalid_argument("the weights have another layout");
        if (one.sum.size() != one.size() || other.sum.size() != other.size())
            throw std::invalid_argument("averaged weights cannot be trained");
    }
}

void check_changes(const Weights& weights, const Shards& changes) {
    for (const ShardChanges* shard : changes) {
        if (!shard) throw std::invalid_argument("expected changes, found None");
        for (int b = 0; b < kBlocks; ++b)
            for (const Moved& moved : shard->blocks[b])
                if (moved.place >= weights.block(b).size())
                    throw std::invalid_argument("the changes belong to other weights");
    }
}

void check_presence(const Weights& weights, const Presence& presence) {
    for (int order = 0; order < kOrders; ++order)
        if (presence[order].size() != weights.block(order).rows)
            throw std::invalid_argument("the shards belong to other weights");
}

void bind_changes(nb::module_& m) {
    nb::class_<ShardChanges>(m, "ShardChanges", "What one shard did to the weights in a part of a pass.")
        .def_ro("ticks", &ShardChanges::ticks)
        .def("__len__", [](const ShardChanges& self) {
            std::size_t total = 0;
            for (const auto& block : self.blocks) total += block.size();
            return total;
        });
    nb::class_<Presence>(m, "Presence", "In how many shards each feature occurs.")
        .def(
            "__init__",
            [](Presence* self, const Weights& weights, const Corpus& corpus, Array1<std::int32_t> shard_of,
               int shards) {
                check(weights, corpus, nullptr);
                if (shards < 1 || shard_of.shape(0) != corpus.sequences.size())
                    throw std::invalid_argument("expected a shard for each sequence");
                for (const std::int32_t shard : view(shard_of))
                    if (shard < 0 || shard >= shards) throw std::invalid_argument("a shard is out of range");
                new (self) Presence(count_presence(weights, corpus, view(shard_of), shards));
            },
            "weights"_a, "corpus"_a, "shard_of"_a.noconvert(), "shards"_a);
}

}  // namespace

void bind_mixing(nb::module_& m) {
    bind_changes(m);
    m.def("worker_weights", &worker_weights, "weights"_a, "The same weights, for one shard after the other to move.");
    m.def("start_part", &start_part, "own"_a, "Get ready for a part of a pass, which moves weights of its own.");
    m.def(
        "take_changes",
        [](Weights& own, const Weights& start) {
            check_same(own, start);
            const nb::gil_scoped_release unlocked;
            return take_changes(own, start);
        },
        "own"_a, "start"_a, "What a part has changed since it started; own becomes start again.");
    m.def(
        "mix",
        [](Weights& weights, const Shards& changes, const std::string& rule, int shards, double unit,
           const Presence& presence) {
            check_same(weights, weights);
            check_changes(weights, changes);
            check_presence(weights, presence);
            if (shards < 1 || !(unit > 0)) throw std::invalid_argument("expected shards and a unit above 0");
            mix(weights, changes, rule_of(rule), shards, unit, presence);
        },
        "weights"_a, "changes"_a, "rule"_a, "shards"_a, "unit"_a, "presence"_a,
        "Move the weights by the changes of all shards, each sum divided by a number of shards.");
    m.def(
        "follow",
        [](Weights& own, const Weights& weights, const Shards& changes) {
            check_same(own, weights);
            check_changes(weights, changes);
            follow(own, weights, changes);
        },
        "own"_a, "weights"_a, "changes"_a, "Take over the weights that changes have moved.");
}

}  // namespace perceptag
