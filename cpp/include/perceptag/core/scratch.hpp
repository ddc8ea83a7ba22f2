// Scratch memory that a thread keeps from one call to the next, for calls that are too short to make it each time.
//
// Within a call, memory is handed down as an argument (parallel_for makes it for each of its threads). Only where a
// call begins, in a binding, it may come from here, and where it is as large as a vocabulary but a document is short.
#pragma once

namespace perceptag {

// One for each thread and type: no two uses of the same type may overlap on a thread.
template <class Scratch>
Scratch& thread_scratch() {
    thread_local Scratch memory;
    return memory;
}

}  // namespace perceptag
