// SPDX-License-Identifier: MIT
#include "hw/radeon/ref/vap/walk.h"

#include <algorithm>
#include <string>

#include "hw/radeon/decode/vap/vertex_state.h"

namespace pumice::hw::vap {

using Vf = regs::VAP_VF_CNTL;

uint32_t wanted_vertices(const ChipState& state, Vf vf) {
  return state.chip().has_alt_num_verts && vf.USE_ALT_NUM_VERTS() ? state.get<regs::VAP_ALT_NUM_VERTICES>().NUM_VERTICES()
                                                                  : vf.NUM_VERTICES();
}

IndexWalk::IndexWalk(DrawContext& ctx, const DrawInput& input) : input_(input), vf_(input.vf_cntl) {
  const ChipState& state = ctx.state;
  const uint32_t wanted = wanted_vertices(state, vf_);
  min_ = state.get<regs::VAP_VF_MIN_VTX_INDX>().MIN_INDX();
  max_ = state.get<regs::VAP_VF_MAX_VTX_INDX>().MAX_INDX();
  if (state.chip().has_index_offset) offset_ = int32_t(state.get<regs::VAP_INDEX_OFFSET>().INDEX_OFFSET() << 7) >> 7;  // 25 bits, signed
  flag_words_ = vf_.PRIM_TYPE() == Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS;

  uint64_t available = wanted;
  switch (vf_.PRIM_WALK()) {
    case Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY: {
      const uint64_t words = uint64_t(input.data.size()) * (vf_.INDEX_SIZE() == Vf::INDEX_SIZE__N32_BIT ? 1 : 2);
      available = flag_words_ ? words / 4 * 3 + std::min<uint64_t>(words % 4, 3) : words;
      break;
    }
    case Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY: break;
    case Vf::PRIM_WALK__VERTICES_IN_STREAM:
    case Vf::PRIM_WALK__STATE_BASED:
      embedded_dwords_ =
          vf_.PRIM_WALK() == Vf::PRIM_WALK__STATE_BASED ? state_vertex_dwords(state) : state.get<regs::VAP_VTX_SIZE>().DWORDS_PER_VTX();
      if (embedded_dwords_ != 0) available = input.data.size() / embedded_dwords_;
      break;
  }
  if (available < wanted)
    ctx.report(ReportKind::bad_packet,
               "draw of " + std::to_string(wanted) + " vertices carries data for " + std::to_string(available) + "; shortened");
  count_ = uint32_t(std::min<uint64_t>(wanted, available));
}

/// The offset is added first, then the result is clamped: an application's index range check must hold for what is fetched. UNCONFIRMED.
uint32_t IndexWalk::operator[](uint32_t k) const {
  if (embedded()) return k;
  int64_t index = k;
  if (vf_.PRIM_WALK() == Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY) {
    const uint32_t word = flag_words_ ? k + k / 3 : k;
    index = vf_.INDEX_SIZE() == Vf::INDEX_SIZE__N32_BIT ? input_.data[word] : input_.data[word / 2] >> (16 * (word & 1)) & 0xFFFFu;
  }
  uint32_t first = 0;
  if (dual()) {
    first = uint32_t(index) << 8 & 0xFF000000u;
    index &= 0xFFFF;
  }
  index = std::min<int64_t>(std::max<int64_t>(index + offset_, min_), max_);
  return uint32_t(index) | first;
}

void IndexWalk::numbers(uint32_t first, uint32_t n, uint32_t* out) const {
  const bool indexed = vf_.PRIM_WALK() == Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY;
  if (embedded() || (indexed && (flag_words_ || dual()))) {
    for (uint32_t i = 0; i < n; ++i) out[i] = (*this)[first + i];
    return;
  }
  if (!indexed) {
    for (uint32_t i = 0; i < n; ++i) out[i] = first + i;
  } else if (vf_.INDEX_SIZE() == Vf::INDEX_SIZE__N32_BIT) {
    std::copy_n(&input_.data[first], n, out);
  } else {
    for (uint32_t i = 0; i < n; ++i) out[i] = input_.data[(first + i) / 2] >> (16 * ((first + i) & 1)) & 0xFFFFu;
  }
  if (offset_ == 0) {
    for (uint32_t i = 0; i < n; ++i) out[i] = std::min(std::max(out[i], min_), max_);
  } else {
    for (uint32_t i = 0; i < n; ++i) out[i] = uint32_t(std::min<int64_t>(std::max<int64_t>(int64_t{out[i]} + offset_, min_), max_));
  }
}

}  // namespace pumice::hw::vap
