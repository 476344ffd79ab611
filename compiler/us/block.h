// SPDX-License-Identifier: MIT
/// List scheduling of one straight run of operations.
#pragma once
#include "compiler/us/lower.h"

namespace pumice::compiler::us {

/// Per resource, for building dependences: the last writer and the readers since. Reset between blocks.
struct Uses {
  /// The readers are lists in one vector, entry 0 ends them.
  struct Reader {
    uint32_t node, next;
  };
  static constexpr uint32_t kNobody = ~0u;
  std::array<uint32_t, kResources> writer;
  std::array<uint32_t, kResources> first_reader{};
  Vec<Reader> readers{Reader{}};
  Uses() { writer.fill(kNobody); }
};

/// Appends the run's slots and counts shared ones; returns whether texture results are still in flight at the end.
/// `uses` is working memory, the same for every run of a program.
bool schedule_run(Operations& run, Scheduled& out, Uses& uses);

}  // namespace pumice::compiler::us
