// SPDX-License-Identifier: MIT
/// Vertex state memory: the VAP_VTX_ST_* registers, from which draws with PRIM_WALK 0 take their vertices. The documents list the registers
/// but do not describe their operation; the choices made here (UNCONFIRMED) are listed in README.md.
#pragma once
#include <functional>
#include <span>

#include "hw/radeon/regfile/register_file.h"

namespace pumice::hw::vap {

/// Vectors of 4 dwords; number n lies at VAP_VTX_ST_POS_0_X_4 + 16 n and is part of a vertex when bit n of VAP_VSM_VTX_ASSM is set.
inline constexpr uint32_t kStateVectors = 23;
/// Dwords of a vertex assembled from state.
uint32_t state_vertex_dwords(const ChipState& state);

class VertexState {
 public:
  using Vertex = std::function<void(std::span<const uint32_t>)>;
  /// vertex: called with each assembled vertex; end: VAP_VTX_ST_END_OF_PKT was written.
  VertexState(const ChipState& state, RegisterFile& registers, Vertex vertex, std::function<void()> end);

 private:
  void write(uint32_t offset, uint32_t value);
  void send() const;

  const ChipState& state_;
  RegisterFile& registers_;
  Vertex vertex_;
  std::function<void()> end_;
};

}  // namespace pumice::hw::vap
