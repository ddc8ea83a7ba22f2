// The values of one attribute and their numbers, as a model file lists them. They never change, so that everything
// that reads the same values can share them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "perceptag/text/column_text.hpp"

namespace perceptag {

class ValueTable {
  public:
    // `text`: values, each of which ends with NUL; the first one has the number `reserved`. Throws if a value is there
    // twice, or if the last one does not end.
    ValueTable(std::string_view text, std::int32_t reserved);

    std::int32_t reserved() const { return reserved_; }
    const std::shared_ptr<const TextLexicon>& values() const { return values_; }

  private:
    std::int32_t reserved_;
    std::shared_ptr<const TextLexicon> values_;
};

}  // namespace perceptag
