// SPDX-License-Identifier: MIT
/// Vertex attributes to PSC elements and vertex arrays. An array per shader input, in the order of the inputs.
#pragma once
#include "icd/gfx_state.h"

namespace pumice::icd {

class RadeonDevice;

/// One element list of the PSC: destination register, type and conversion.
struct StreamElement {
  uint32_t reg = 0;
  uint8_t type = 0;
  bool is_signed = false, normalize = false;
  std::array<uint8_t, 4> select{0, 1, 2, 3};
};

/// The element list for the program's inputs.
std::vector<StreamElement> stream_elements(const FixedState& f, const compiler::Program& program, const hw::Capabilities& chip);

/// Where an input's data lies. Resolved while recording; everything but `translate` is ready for VAP_VTX_AOS_*.
struct VertexArray {
  hw::GpuAddress address = 0;  ///< of vertex 0
  uint32_t stride = 0;         ///< bytes
  uint32_t dwords = 1;         ///< fetched per vertex
  uint32_t last = 0;           ///< greatest vertex (or instance) index that stays inside the buffer
  bool per_instance = false;
  /// Set: the fetch unit cannot read the array in place; the driver rewrites it before the draw, dword aligned,
  /// as FLOAT_4 with `convert`, else with its bytes as they are.
  const FormatInfo* translate = nullptr;
  bool convert = false;
  bool identity = false;  ///< reads 0, 1, 2, ...
  uint8_t corner = 0;     ///< compiler::VertexInput::corner
};

std::vector<VertexArray> vertex_arrays(RadeonDevice& device, const GfxState& g, const compiler::Program& program);

}  // namespace pumice::icd
