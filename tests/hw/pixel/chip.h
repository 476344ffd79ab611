// SPDX-License-Identifier: MIT
/// A memory and a register file around the pixel blocks, which are called directly.
#pragma once
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::test {

struct Chip {
  std::unique_ptr<Memory> memory = Memory::create();
  std::unique_ptr<ChipState> state_storage = std::make_unique<ChipState>(Profile::r500);
  ChipState& state = *state_storage;
  DrawCounters counters;
  Listener config;
  std::vector<std::string> reports;
  DrawContext ctx{.state = state, .memory = *memory, .counters = counters, .config = config};

  /// Every register zero, 64 KiB of memory at kColor and as much at kDepth.
  static constexpr uint32_t kColor = 0x100000, kDepth = 0x200000, kTargetStride = 0x10000;
  Chip() {
    config.on_report = [this](const Report& r) { reports.push_back(r.text); };
    memory->map(kColor, 4 * kTargetStride);
    memory->map(kDepth, kTargetStride);
  }
  Chip(const Chip&) = delete;

  template <class R>
  void set(R value, uint32_t i = 0) {
    state.set(value, i);
  }
};

inline PixelQuad quad_at(int32_t x, int32_t y) {
  PixelQuad q;
  q.quad.x = x, q.quad.y = y, q.quad.coverage = 0xF;
  return q;
}

}  // namespace pumice::hw::test
