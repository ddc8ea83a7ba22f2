// A small coverage-guided fuzzer: it keeps the inputs that reach new code and changes them again. It needs only gcc.
//
// The code under test is compiled with -fsanitize-coverage=trace-pc,trace-cmp; this file and the target are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using Input = std::vector<std::uint8_t>;

// The code under test. An exception of the standard library is a refusal; any other failure is a finding.
void try_out(const Input& input);
// Inputs to start from.
std::vector<Input> seeds();

// Reads numbers from an input; after its end it reads zeros.
class Source {
  public:
    explicit Source(const Input& input) : input_(input) {}

    std::uint8_t byte() { return at_ < input_.size() ? input_[at_++] : 0; }
    // Small numbers are more likely: one byte says how many bytes follow.
    std::int64_t number() {
        const std::uint8_t head = byte();
        if (head < 200) return head;
        if (head == 255) return -1 - static_cast<std::int64_t>(byte());
        std::uint64_t value = 0;
        for (int i = 0; i < (head - 199) % 9; ++i) value = value << 8 | byte();
        return static_cast<std::int64_t>(value);
    }
    int below(int n) { return static_cast<int>(byte()) % n; }
    template <class T>
    std::vector<T> list(std::size_t most = 64) {
        std::vector<T> values(std::min(static_cast<std::size_t>(byte()), most));
        for (T& value : values) value = static_cast<T>(number());
        return values;
    }
    bool done() const { return at_ >= input_.size(); }

  private:
    const Input& input_;
    std::size_t at_ = 0;
};

// Writes what Source reads: seeds are made with it.
class Sink {
  public:
    Sink& byte(int value) {
        input.push_back(static_cast<std::uint8_t>(value));
        return *this;
    }
    Sink& number(std::int64_t value) {
        if (value >= 0 && value < 200) return byte(static_cast<int>(value));
        if (value < 0 && value >= -200) return byte(255).byte(static_cast<int>(-1 - value));
        byte(199 + 8);
        for (int i = 7; i >= 0; --i) byte(static_cast<int>(static_cast<std::uint64_t>(value) >> (8 * i) & 255));
        return *this;
    }
    template <class T>
    Sink& list(std::initializer_list<T> values) {
        byte(static_cast<int>(values.size()));
        for (const T value : values) number(static_cast<std::int64_t>(value));
        return *this;
    }

    Input input;
};
