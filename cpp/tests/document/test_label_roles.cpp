#include "check.hpp"
#include "perceptag/document/label_roles.hpp"

using namespace perceptag;

namespace {

using Flags = std::vector<std::uint8_t>;

const LabelReading kReading{1, {kOutside, kOpening, kInside}, {-1, 0, 0}};  // O, B and I of one class

}  // namespace

void test_roles_of_labels_follow_from_constraints() {
    Weights weights(3, true, false);
    // I only after B and I; B only before I, and not at the end: every mention has two tokens or more.
    const Flags allowed{1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0}, last{1, 0, 1};
    weights.constrain(allowed, last);
    const LabelRoles roles = label_roles(kReading, weights);
    CHECK(roles.opens == (Flags{0, 1, 0}));
    CHECK(roles.opens_single == (Flags{0, 0, 0}));
    CHECK(roles.opens_longer == (Flags{0, 1, 0}));
    CHECK(roles.closes == (Flags{0, 0, 1}));
}

void test_without_constraints_every_label_of_a_mention_has_every_role() {
    const Weights weights(3, true, false);
    const LabelRoles roles = label_roles(kReading, weights);
    for (const Flags& role : {roles.opens, roles.opens_single, roles.opens_longer, roles.closes})
        CHECK(role == (Flags{0, 1, 1}));
}
