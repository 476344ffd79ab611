// SPDX-License-Identifier: MIT
/// Vertex arrays and draw packets (cp-pm4 s.5). A DrawState is all that is left to know once registers are flushed; it is a copy, so that a
/// host step can emit the draw later: indirect draws, primitive restart, vertex layouts the fetch unit cannot read, triangles whose
/// vertices read each other's attributes.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "icd/cs.h"
#include "icd/vertex_input.h"

namespace pumice::icd {

/// The payload of 3D_LOAD_VBPNTR.
struct ArrayPacket {
  std::array<uint32_t, 1 + (hw::most::vertex_arrays + 1) / 2 * 3> dword;
  uint32_t dwords = 0;
  std::span<const uint32_t> payload() const { return std::span(dword).first(dwords); }
};

struct DrawState {
  std::vector<VertexArray> arrays;
  // Of the arrays, looked at once and not by each draw:
  bool translate = false;     ///< some array needs the host
  bool per_instance = false;  ///< some array goes on with the instance
  bool corners = false;       ///< some array is of another vertex of the triangle (triangles.h)
  bool from_memory = false;   ///< some array of vertices lies in a buffer
  uint32_t last = 0;          ///< greatest index that stays inside all arrays
  ArrayPacket packet;         ///< of all draws; none: it depends on the draw
  const compiler::Program* program = nullptr;
  bool draw_constants = false;  ///< it reads driver values that change from draw to draw
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool restart = false;
  hw::GpuAddress index_address = 0;
  uint64_t index_bytes = 0;
  bool wide = false;
};

struct DrawCall {
  bool indexed = false;
  uint32_t count = 0, instances = 1, first = 0, first_instance = 0;
  int32_t vertex_offset = 0;
};

DrawState draw_state(RadeonDevice& device, const GfxState& g);
/// Whether only the host can prepare it, when the chip has come there.
bool needs_host(const DrawState& s, const DrawCall& call);
/// Emits everything, `state` being readable by the chip.
void emit_draw(RadeonDevice& device, Cs& cs, const DrawState& state, const DrawCall& call);
/// For host steps: rewrites vertices and splits at restart indices first.
void emit_draw_on_host(RadeonDevice& device, Cs& cs, DrawState state, const DrawCall& call);

}  // namespace pumice::icd
