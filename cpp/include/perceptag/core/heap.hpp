#pragma once

namespace perceptag {

// Gives back what the heap has kept of memory that was freed, where the C library can do that.
void trim_heap() noexcept;

}  // namespace perceptag
