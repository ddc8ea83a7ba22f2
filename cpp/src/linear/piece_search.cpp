#include "perceptag/linear/piece_search.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace perceptag {

PieceSearch::~PieceSearch() {
    {
        const std::lock_guard lock(guard_);
        has_ended_ = true;
    }
    work_.notify_all();
    for (std::thread& other : others_) other.join();
}

void PieceSearch::add(Piece& piece) {
    Batch& batch = piece.batch_;
    batch.tables = predictor_.tables();
    for (const auto& ids : piece.columns) batch.columns.push_back(ids.data());
    batch.begin = piece.begin;
    piece.labels.resize(piece.tokens());
    predictor_.prepare(batch, 1);
    if (!piece.sequences()) return;
    {
        const std::lock_guard lock(guard_);
        waiting_.push_back(&piece);
    }
    start_others((piece.sequences() + kGrain - 1) / kGrain);
    work_.notify_all();
}

void PieceSearch::start_others(std::size_t useful) {
    useful_ += useful;
    const std::size_t wanted = std::min<std::size_t>(useful_, std::max(1, threads_));
    try {
        while (others_.size() + 1 < wanted) others_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {  // the system allows no more threads: the existing ones do all the work
        threads_ = 1;
    } catch (const std::bad_alloc&) {
        threads_ = 1;
    }
}

std::optional<PieceSearch::Task> PieceSearch::take() {
    if (waiting_.empty()) return std::nullopt;
    Piece* piece = waiting_.front();
    const std::size_t first = piece->taken_, last = std::min(first + kGrain, piece->sequences());
    piece->taken_ = last;
    if (last == piece->sequences()) waiting_.pop_front();
    return Task{piece, first, last};
}

void PieceSearch::search(const Task& task, Worker& worker, std::unique_lock<std::mutex>& lock) {
    Piece& piece = *task.piece;
    const bool has_failed = error_ != nullptr;
    lock.unlock();
    std::exception_ptr error;
    try {
        for (std::size_t i = task.first; i < task.last && !has_failed; ++i)
            predictor_.best(nullptr, piece.batch_, i, worker, piece.batch_.part(piece.labels, i));
    } catch (...) {
        error = std::current_exception();
    }
    lock.lock();
    if (error && !error_) error_ = error;
    piece.done_ += task.last - task.first;
    if (piece.done_ == piece.sequences()) done_.notify_all();
}

void PieceSearch::run() {
    Worker worker;
    std::unique_lock lock(guard_);
    while (!has_ended_) {
        if (const auto task = take())
            search(*task, worker, lock);
        else
            work_.wait(lock);
    }
}

void PieceSearch::finish(Piece& piece) {
    std::unique_lock lock(guard_);
    while (piece.done_ < piece.sequences()) {
        if (const auto task = take())
            search(*task, own_, lock);
        else
            done_.wait(lock);
    }
    if (error_) std::rethrow_exception(error_);
}

}  // namespace perceptag
