// Patterns over a sequence, compiled to nondeterministic automata, and the longest match from each place.
//
// A program is run from the end of the sequence to its beginning. At each boundary between two items every node knows
// the largest end of a match that leads from it to node 0, which accepts. So one pass finds the longest match from
// every place, in time proportional to the items and the nodes, whatever the pattern: nothing is tried twice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perceptag {

enum class Op : std::int32_t { Accept, One, Split, At, Look };
enum class Edge : std::int32_t { Begin, End, Word };

struct ProgramNode {
    Op op;
    std::int32_t first;   // One: a test; Split: a node; At: an edge; Look: the number of a look-around
    std::int32_t second;  // the node after it
};

class Program {
  public:
    // Three numbers for each node. Throws std::invalid_argument if they are not sound.
    Program(std::span<const std::int32_t> nodes, std::int32_t start);

    std::int32_t start() const { return start_; }
    std::size_t size() const { return nodes_.size(); }
    const ProgramNode& node(std::int32_t number) const { return nodes_[number]; }
    // The nodes that lead to a node: those that read an item, and the others.
    std::span<const std::int32_t> readers(std::int32_t node) const { return readers_.of(node); }
    std::span<const std::int32_t> others(std::int32_t node) const { return others_.of(node); }
    // The tests of the nodes that may read the first item of a match, and the last one.
    const std::vector<std::int32_t>& first_tests() const { return first_tests_; }
    const std::vector<std::int32_t>& last_tests() const { return last_tests_; }
    std::int32_t largest_test() const { return largest_test_; }

  private:
    struct Lists {
        std::vector<std::int32_t> begin, items;
        std::span<const std::int32_t> of(std::int32_t i) const {
            return {items.data() + begin[i], static_cast<std::size_t>(begin[i + 1] - begin[i])};
        }
    };
    template <typename Leads>
    Lists turned(Leads leads) const;
    // The tests of the nodes that read an item and are reached from a node without reading. `leads(node, test, go)`
    // calls `test` for the tests that read at a node, and `go` for the nodes that come next without reading.
    template <typename Leads>
    std::vector<std::int32_t> tests_reached(std::int32_t from, Leads leads) const;

    std::vector<ProgramNode> nodes_;
    std::int32_t start_;
    Lists readers_, others_;
    std::vector<std::int32_t> first_tests_, last_tests_;
    std::int32_t largest_test_ = -1;
};

// A run of a program over a sequence, from its end to its beginning.
class ProgramRun {
  public:
    bool is_alive() const { return !active_.empty(); }
    void clear() { active_.clear(); }
    // Whether one of the nodes that the run has reached can read an item.
    template <typename Reads>
    bool can_read(const Program& program, Reads reads) const {
        return std::ranges::any_of(active_, [&](const Reached& one) {
            return std::ranges::any_of(program.readers(one.node),
                                       [&](std::int32_t reader) { return reads(program.node(reader).first); });
        });
    }

    // Goes on to the boundary before an item, or to the last boundary. `reads(test)`: whether the item after the
    // boundary passes a test; `is_at(node)`: whether the boundary is what an At or a Look asks for. Returns the largest
    // end of a match that begins here, or -1.
    template <typename Reads, typename IsAt>
    std::int32_t step(const Program& program, std::int32_t boundary, bool may_end, Reads reads, IsAt is_at) {
        if (seen_.size() != program.size()) seen_.assign(program.size(), 0), epoch_ = 0;
        ++epoch_;
        next_.clear();
        // The nodes come from the largest end to the smallest, so the first to reach a node is the best.
        for (const auto& [node, end] : active_)
            for (const std::int32_t reader : program.readers(node))
                if (!is_seen(reader) && reads(program.node(reader).first)) reach(program, reader, end, is_at);
        if (may_end && !is_seen(0)) reach(program, 0, boundary, is_at);
        active_.swap(next_);
        return is_seen(program.start()) ? end_of_start_ : -1;
    }

  private:
    struct Reached {
        std::int32_t node, end;
    };
    bool is_seen(std::int32_t node) const { return seen_[node] == epoch_; }

    template <typename IsAt>
    void reach(const Program& program, std::int32_t first, std::int32_t end, IsAt is_at) {
        stack_.assign(1, first);
        seen_[first] = epoch_;
        while (!stack_.empty()) {
            const std::int32_t node = stack_.back();
            stack_.pop_back();
            if (node == program.start()) end_of_start_ = end;
            if (!program.readers(node).empty()) next_.push_back({node, end});
            for (const std::int32_t other : program.others(node)) {
                const auto& found = program.node(other);
                if (is_seen(other) || (found.op != Op::Split && !is_at(found))) continue;
                seen_[other] = epoch_;
                stack_.push_back(other);
            }
        }
    }

    std::vector<Reached> active_, next_;
    std::vector<std::int32_t> stack_;
    std::vector<std::uint64_t> seen_;
    std::uint64_t epoch_ = 0;
    std::int32_t end_of_start_ = -1;
};

}  // namespace perceptag
