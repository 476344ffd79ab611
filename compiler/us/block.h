// SPDX-License-Identifier: MIT
/// List scheduling of one straight run of operations.
#pragma once
#include <algorithm>
#include <bit>

#include "compiler/us/lower.h"

namespace pumice::compiler::us {

/// Per group of resources, for building dependences: the last writer of each and the readers since. Reset between blocks.
struct Uses {
  /// The readers are lists in one vector, entry 0 ends them. What is in `mask` has not been written since.
  struct Reader {
    uint32_t node, next;
    uint8_t mask;
  };
  static constexpr uint32_t kNoNode = ~0u;
  struct Writers {
    std::array<uint32_t, 4> of;
    uint32_t last;  ///< the writer of all in `last_mask`
    uint8_t last_mask;
    void set(unsigned mask, uint32_t node) {
      for (unsigned left = mask; left; left &= left - 1) of[static_cast<unsigned>(std::countr_zero(left))] = node;
      last = node;
      last_mask = static_cast<uint8_t>(mask);
    }
  };
  static constexpr Writers kNoWriters{{kNoNode, kNoNode, kNoNode, kNoNode}, kNoNode, 15};
  std::array<Writers, kGroups> writer;
  std::array<uint32_t, kGroups> first_reader;
  Vec<Reader> readers;  ///< working memory of a block
  /// `temps`: how many the program uses; what is kept for others is never looked at.
  explicit Uses(size_t temps) {
    clear(0, std::clamp<size_t>(temps, 1, kTempNames));
    clear(kTempNames, kGroups);
  }

 private:
  void clear(size_t begin, size_t end) {
    std::fill(writer.begin() + begin, writer.begin() + end, kNoWriters);
    std::fill(first_reader.begin() + begin, first_reader.begin() + end, 0);
  }
};

/// Appends the run's slots and counts shared ones; returns whether texture results are still in flight at the end.
/// `uses` is working memory, the same for every run of a program.
bool schedule_run(Operations& run, Scheduled& out, Uses& uses);

}  // namespace pumice::compiler::us
