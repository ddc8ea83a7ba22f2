// The search of a batch that comes in pieces: while one piece is being searched, the next can be read.
//
//   caller:   read 1   add 1   read 2   add 2   finish 1 (searches too)   write 1   read 3   add 3   finish 2 …
//   others:            ─────── search 1 ────────────────── search 2 ──────────────────────────── search 3 …
//
// Each sequence is searched by itself, so the labels do not depend on the pieces or on the threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "perceptag/linear/predictor.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

// Some sequences of a batch.
struct Piece {
    std::vector<std::int32_t> begin{0};              // [sequences + 1]
    std::vector<std::vector<std::int32_t>> columns;  // type ids of all tokens, for each column
    std::vector<std::int32_t> labels;                // [tokens], once it is finished

    std::size_t sequences() const { return begin.size() - 1; }
    std::size_t tokens() const { return begin.back(); }

  private:
    friend class PieceSearch;
    Batch batch_;
    std::size_t taken_ = 0, done_ = 0;  // sequences; guarded
};

class PieceSearch {
  public:
    // `threads`: how many search, with the calling one. The others are started when there is work for them.
    PieceSearch(Predictor& predictor, int threads) : predictor_(predictor), threads_(threads) {}
    PieceSearch(const PieceSearch&) = delete;
    PieceSearch& operator=(const PieceSearch&) = delete;
    ~PieceSearch();

    // Begins the search of a piece, which must stay where it is until it is finished or the search has been destroyed.
    void add(Piece& piece);
    // Returns when all labels of a piece are there; the calling thread searches too.
    void finish(Piece& piece);

  private:
    struct Task {
        Piece* piece;
        std::size_t first, last;  // sequences
    };
    std::optional<Task> take();
    void start_others(std::size_t useful);
    void run();
    // Both are called and return with the guard locked.
    void search(const Task& task, Worker& worker, std::unique_lock<std::mutex>& lock);

    static constexpr std::size_t kGrain = 16;

    Predictor& predictor_;
    int threads_;
    Worker own_;  // of the calling thread
    std::mutex guard_;
    std::condition_variable work_, done_;
    std::deque<Piece*> waiting_;  // pieces with sequences that nobody has taken; this and the next two are guarded
    bool has_ended_ = false;
    std::exception_ptr error_;
    std::size_t useful_ = 0;  // how many threads had something to do if they came all at once
    std::vector<std::thread> others_;
};

}  // namespace perceptag
