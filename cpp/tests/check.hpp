// The smallest test frame that will do: CHECK counts and prints what fails, main returns whether anything
// did.
#pragma once

#include <cstdio>
#include <exception>

inline int failures = 0;

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            ++failures;                                                                  \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                                \
    } while (false)

#define CHECK_THROWS(expression)          \
    do {                                  \
        bool thrown = false;              \
        try {                             \
            (void)(expression);           \
        } catch (const std::exception&) { \
            thrown = true;                \
        }                                 \
        CHECK(thrown && #expression);     \
    } while (false)
