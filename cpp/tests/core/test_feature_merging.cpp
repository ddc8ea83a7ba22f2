// Indices of parts of the data, merged one after the other.
#include <stdexcept>

#include "check.hpp"
#include "perceptag/core/features.hpp"

using namespace perceptag;

namespace {

struct Lists {
    std::vector<std::vector<std::int32_t>> values, rows;

    explicit Lists(const FeatureIndex& index) : values(index.templates().size()), rows(values.size()) {
        for (std::size_t n = 0; n < values.size(); ++n) index.list(static_cast<int>(n), values[n], rows[n]);
    }
    std::vector<FeatureList> views() const {
        std::vector<FeatureList> made;
        for (std::size_t n = 0; n < values.size(); ++n) made.push_back({values[n], rows[n]});
        return made;
    }
};

FeatureIndex make_index() {
    return {{{{{0, 0, 0}}, 0}, {{}, 0}, {{{0, 0, -1}, {0, 0, 0}}, 0}, {{{0, 0, 0}}, 1}}, 1, {{9}}};
}

void insert(FeatureIndex& index, const TypeTable& table, const std::vector<std::int32_t>& types) {
    const TypeTable* const tables[] = {&table};
    const std::int32_t* const columns[] = {types.data()};
    const std::int32_t begin[] = {0, static_cast<std::int32_t>(types.size())};
    Sequence x;
    index.insert(tables, columns, begin, {&x, 1}, 1);
}

}  // namespace

void test_indices_of_parts_are_merged() {
    TypeTable table(1);
    for (std::int32_t value = 2; value < 9; ++value) table.add(std::vector{value});
    FeatureIndex whole = make_index(), merged = make_index();
    for (const std::vector<std::int32_t>& part : {std::vector{3, 1, 3}, std::vector{0, 1, 5, 3}, std::vector{1, 3}}) {
        FeatureIndex own = make_index();
        insert(own, table, part);
        insert(whole, table, part);
        const auto rows = merged.merge(Lists(own).views());
        CHECK(std::ssize(rows[0]) == own.rows(0) && std::ssize(rows[1]) == own.rows(1));
    }
    CHECK(Lists(merged).values == Lists(whole).values);
    CHECK(Lists(merged).rows == Lists(whole).rows);
    Lists wrong(whole);
    wrong.rows[0][0] = wrong.rows[1][0];
    CHECK_THROWS(merged.merge(wrong.views()));
    wrong = Lists(whole);
    wrong.values[2][0] = 9;
    CHECK_THROWS(merged.merge(wrong.views()));
}
