// SPDX-License-Identifier: MIT
/// The state of vertex fetch and of the conversion to window vertices, decoded from registers to the form of batch.h.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/vertex/batch.h"
#include "hw/radeon/ref/vap/fetch.h"

namespace pumice::hw::fast::vertex {

/// Dwords of one array, consecutive in memory and in Batch::stage.
struct FetchRun {
  uint32_t array = 0;   ///< of VertexLayout::arrays
  uint32_t offset = 0;  ///< bytes within the vertex of the array
  uint32_t row = 0, count = 0;
};

struct Layout {
  vap::VertexLayout reference;
  FetchPlan plan;
  std::vector<FetchRun> runs;          ///< vertices in memory
  std::vector<uint32_t> zero_rows;     ///< that no array supplies
  std::vector<uint32_t> stream_dword;  ///< by row: dword of the stream, for vertices that came with the draw

  std::array<uint32_t, 8 + 8 + 3 + 8> registers{};  ///< what it was made from, but for addresses
  std::optional<Profile> profile;
};

/// Makes it again when the registers changed; addresses are read each time.
void update_layout(const ChipState& state, Layout& layout);
void make_emit_plan(const ChipState& state, EmitPlan& plan);

}  // namespace pumice::hw::fast::vertex
