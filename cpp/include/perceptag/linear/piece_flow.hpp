// Labels a batch that is read and written in pieces, and schedules this: the next pieces are read while earlier ones
// are searched (piece_search.hpp).
#pragma once

#include <cstddef>
#include <functional>

#include "perceptag/linear/piece_search.hpp"

namespace perceptag {

// Where sequences come from, and where their labels go. The thread that calls `label_pieces` makes all calls.
class PieceFlow {
  public:
    PieceFlow() = default;
    PieceFlow(const PieceFlow&) = delete;
    PieceFlow& operator=(const PieceFlow&) = delete;
    virtual ~PieceFlow() = default;

    virtual bool is_at_end() const = 0;
    // Reads the next sequences, of about `tokens` tokens or one sequence, and sets where each begins. Returns false if
    // the batch cannot be labelled this way.
    virtual bool read(std::size_t tokens, Piece& piece) = 0;
    // Calls `work`, which searches and needs nothing but `find_types`. The caller may release a lock meanwhile.
    virtual void run_unlocked(const std::function<void()>& work) = 0;
    // Sets the type ids of the piece that was read last.
    virtual void find_types(Piece& piece) = 0;
    // Pieces come in the order in which they were read.
    virtual void write(const Piece& piece) = 0;
};

// Returns false as soon as a piece cannot be read. `tokens`: the size of a piece; if there are several threads, the
// first piece is smaller, so that all threads soon have work.
bool label_pieces(Predictor& predictor, PieceFlow& flow, int threads, std::size_t tokens);

}  // namespace perceptag
