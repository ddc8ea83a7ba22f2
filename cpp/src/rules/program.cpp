#include "perceptag/rules/program.hpp"

#include <algorithm>
#include <stdexcept>

namespace perceptag {

Program::Program(std::span<const std::int32_t> nodes, std::int32_t start) : start_(start) {
    const auto size = static_cast<std::int32_t>(nodes.size() / 3);
    const auto is_node = [&](std::int32_t number) { return number >= 0 && number < size; };
    if (nodes.size() % 3 || !is_node(start)) throw std::invalid_argument("a program has nodes that are not there");
    for (std::size_t i = 0; i < nodes.size(); i += 3) {
        const auto op = static_cast<Op>(nodes[i]);
        const bool is_sound = nodes[i] >= 0 && nodes[i] <= static_cast<std::int32_t>(Op::Look) &&
                              (op == Op::Accept) == (i == 0) && nodes[i + 1] >= 0 && is_node(nodes[i + 2]) &&
                              (op != Op::Split || is_node(nodes[i + 1]));
        if (!is_sound) throw std::invalid_argument("a program has a node that is not sound");
        nodes_.push_back({op, nodes[i + 1], nodes[i + 2]});
        if (op == Op::One) largest_test_ = std::max(largest_test_, nodes[i + 1]);
    }
    readers_ = turned([](const ProgramNode& node, auto put) {
        if (node.op == Op::One) put(node.second);
    });
    others_ = turned([](const ProgramNode& node, auto put) {
        if (node.op == Op::One || node.op == Op::Accept) return;
        put(node.second);
        if (node.op == Op::Split) put(node.first);
    });
    last_tests_ = tests_reached(0, [this](std::int32_t node, auto test, auto go) {
        for (const std::int32_t reader : readers(node)) test(nodes_[reader].first);
        for (const std::int32_t other : others(node)) go(other);
    });
    first_tests_ = tests_reached(start_, [this](std::int32_t number, auto test, auto go) {
        const auto& node = nodes_[number];
        if (node.op == Op::One) return test(node.first);
        if (node.op == Op::Accept) return;
        go(node.second);
        if (node.op == Op::Split) go(node.first);
    });
}

template <typename Leads>
Program::Lists Program::turned(Leads leads) const {
    Lists lists;
    lists.begin.assign(nodes_.size() + 1, 0);
    for (const auto& node : nodes_) leads(node, [&](std::int32_t to) { ++lists.begin[to + 1]; });
    for (std::size_t i = 1; i < lists.begin.size(); ++i) lists.begin[i] += lists.begin[i - 1];
    lists.items.resize(lists.begin.back());
    auto place = lists.begin;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        leads(nodes_[i], [&](std::int32_t to) { lists.items[place[to]++] = static_cast<std::int32_t>(i); });
    return lists;
}

template <typename Leads>
std::vector<std::int32_t> Program::tests_reached(std::int32_t from, Leads leads) const {
    std::vector<bool> is_seen(nodes_.size());
    std::vector<std::int32_t> stack{from}, tests;
    is_seen[from] = true;
    const auto go = [&](std::int32_t node) {
        if (!is_seen[node]) stack.push_back(node);
        is_seen[node] = true;
    };
    while (!stack.empty()) {
        const std::int32_t node = stack.back();
        stack.pop_back();
        leads(node, [&](std::int32_t test) { tests.push_back(test); }, go);
    }
    std::ranges::sort(tests);
    tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
    return tests;
}

}  // namespace perceptag
