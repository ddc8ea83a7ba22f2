// The code points of text in UTF-8 that is known to be sound, since it comes from strings of Python.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace perceptag {

inline void append_codes(std::string_view text, std::vector<std::uint32_t>& codes) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
            codes.push_back(byte);
        else if (byte >= 0xC0)
            codes.push_back(byte & (byte >= 0xF0 ? 0x07 : byte >= 0xE0 ? 0x0F : 0x1F));
        else if (!codes.empty())
            codes.back() = codes.back() << 6 | (byte & 0x3F);
    }
}

}  // namespace perceptag
