#include "perceptag/linear/rivals.hpp"

#include <utility>

#include "perceptag/search/rival_paths.hpp"

namespace perceptag {

std::vector<Rival> rivals(const Weights& weights, const Sequence& x, Labelling labels, const TagDictionary* dictionary,
                          Worker& worker) {
    const auto search = [&](const TagDictionary* used) {
        weights.lattice(x, used, worker.lattice);
        return rival_paths(worker.lattice, labels);
    };
    RivalPaths all = with_fallback(dictionary, search, [](const RivalPaths& found) { return found.is_found; });
    std::vector<Rival> found(x.T);
    for (std::size_t t = 0; t < all.paths.size(); ++t) {
        if (all.paths[t].empty()) continue;
        found[t] = {std::move(all.paths[t]), 0};
        found[t].margin = weights.margin(x, labels, found[t].labels);
    }
    return found;
}

}  // namespace perceptag
