#include "perceptag/linear/rivals.hpp"

#include <utility>

#include "perceptag/search/rival_paths.hpp"

namespace perceptag {

Rivals rivals(const Weights& weights, const Sequence& x, Labelling labels, const TagDictionary* dictionary,
              Worker& worker) {
    const auto search = [&](const TagDictionary* used) {
        weights.lattice(x, used, worker.lattice);
        return rival_paths(worker.lattice, labels);
    };
    RivalPaths all = with_fallback(dictionary, search, [](const RivalPaths& tried) { return tried.is_found; });
    Rivals rivals{std::vector<Rival>(x.T), all.steps};
    for (std::size_t t = 0; t < all.paths.size(); ++t) {
        if (all.paths[t].empty()) continue;
        Rival& rival = rivals.found[t];
        rival.labels = std::move(all.paths[t]);
        rival.margin = weights.margin(x, labels, rival.labels);
        rival.where = where_they_differ(labels, rival.labels);
    }
    return rivals;
}

}  // namespace perceptag
