// SPDX-License-Identifier: MIT
/// Vertex fetch: arrays in memory -> one stream of dwords per vertex -> PSC elements -> PVS input registers (pipeline s.2.1, s.2.2).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "hw/radeon/memory/memory.h"
#include "hw/radeon/ref/vap/pvs_engine.h"

namespace pumice::hw::vap {

/// One PSC element (half of VAP_PROG_STREAM_CNTL and _EXT).
struct StreamElement {
  uint32_t type = 0;         ///< VAP_PROG_STREAM_CNTL.DATA_TYPE_0
  uint32_t first_dword = 0;  ///< in the vertex' stream
  uint32_t destination = 0;  ///< input register; 16 and up are dropped
  bool is_signed = false, normalize = false;
  uint32_t norm_method = 0;  ///< VAP_PSC_SGN_NORM_CNTL
  std::array<uint8_t, 4> swizzle{};
  uint8_t write_mask = 0;
};

/// One array: `dwords` dwords per vertex at stream position `first_dword`.
struct VertexArray {
  GpuAddress address = 0;
  uint32_t stride = 0;  ///< bytes; 0 repeats
  uint32_t first_dword = 0, dwords = 0;
};

struct VertexLayout {
  std::vector<StreamElement> elements;
  std::vector<VertexArray> arrays;
  uint32_t stream_dwords = 0;  ///< what the elements read
  uint32_t swap = 0;           ///< VAP_CNTL_STATUS.VC_SWAP
  std::string complaint;       ///< reserved encodings, empty when none
};

/// 16 elements of at most 8 dwords and 15 skipped.
inline constexpr uint32_t kMaxStreamDwords = 16 * (8 + 15);
using VertexStream = std::array<uint32_t, kMaxStreamDwords>;

VertexLayout decode_layout(const ChipState& state);
/// The stream of vertex `index`; array 0 is read at `index0` (the same but with DUAL_INDEX_MODE). Unbacked memory and dwords beyond the
/// arrays read as zero.
void fetch_stream(const VertexLayout& layout, const Memory& memory, uint32_t index0, uint32_t index, VertexStream& stream);
/// PSC: stream -> inputs. Dwords beyond the stream's end read as zero.
void convert_stream(const VertexLayout& layout, std::span<const uint32_t> stream, PvsInputs& inputs);

}  // namespace pumice::hw::vap
