#include "perceptag/linear/piece_flow.hpp"

#include <algorithm>
#include <deque>

namespace perceptag {
namespace {

constexpr std::size_t kPiecesAhead = 2;    // are searched by other threads while one is read
constexpr std::size_t kFirstFraction = 8;  // of a piece

}  // namespace

bool label_pieces(Predictor& predictor, PieceFlow& flow, int threads, std::size_t tokens) {
    const bool has_others = threads > 1;
    std::size_t size = has_others ? tokens / kFirstFraction : tokens;
    std::deque<Piece> pieces;  // declared before the search, which uses them until it is destroyed
    PieceSearch search(predictor, threads);
    for (; !flow.is_at_end() || !pieces.empty(); size = tokens) {
        const bool is_read = !flow.is_at_end();
        if (is_read && !flow.read(std::max<std::size_t>(1, size), pieces.emplace_back())) return false;
        const bool is_due = !is_read || pieces.size() > (has_others ? kPiecesAhead : 0);
        flow.run_unlocked([&] {
            if (is_read) flow.find_types(pieces.back());
            if (is_read) search.add(pieces.back());
            if (is_due) search.finish(pieces.front());
        });
        if (!is_due) continue;
        flow.write(pieces.front());
        pieces.pop_front();
    }
    return true;
}

}  // namespace perceptag
