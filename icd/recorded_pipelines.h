// SPDX-License-Identifier: MIT
/// Cache of a command buffer's recently bound pipelines: the registers that their atoms state, so that binding one again is only a
/// comparison of words, and what draws with it need.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "icd/cs.h"
#include "icd/draw.h"

namespace pumice::icd {

class Pipeline;

struct RecordedPipeline {
  const Pipeline* pipeline = nullptr;
  const compiler::Program* program = nullptr;
  bool stated = false;                ///< `registers` hold for the viewport, targets and so on that are set
  std::vector<Cs::Stated> registers;  ///< of the atoms that read kPipeline
  uint64_t epoch = 0;                 ///< Cs::state_all
  bool drawn = false;                 ///< `draw` holds for the vertex buffers that are bound
  DrawState draw;
};

/// The last few. Pipelines live until the command buffer is reset.
class RecordedPipelines {
 public:
  RecordedPipeline& find(const Pipeline* pipeline, const compiler::Program* program) {
    RecordedPipeline& e = entry_[(reinterpret_cast<uintptr_t>(pipeline) * 0x9E3779B97F4A7C15u) >> 60];
    if (e.pipeline != pipeline || e.program != program) {
      e.stated = e.drawn = false;
      e.pipeline = pipeline;
      e.program = program;
    }
    return e;
  }
  void forget_registers() {
    for (RecordedPipeline& e : entry_) e.stated = false;
  }
  void forget_draws() {
    for (RecordedPipeline& e : entry_) e.drawn = false;
  }
  void reset() {
    for (RecordedPipeline& e : entry_) e.pipeline = nullptr;
  }

 private:
  std::array<RecordedPipeline, 16> entry_;
};

}  // namespace pumice::icd
