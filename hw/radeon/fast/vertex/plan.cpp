// SPDX-License-Identifier: MIT
#include "hw/radeon/fast/vertex/plan.h"

#include <algorithm>
#include <cmath>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/ref/vap/outputs.h"
#include "hw/radeon/ref/vap/texture_colors.h"

namespace pumice::hw::fast::vertex {
namespace {

using Psc = regs::VAP_PROG_STREAM_CNTL;

uint32_t dwords_of(uint32_t type) {
  switch (type) {
    case Psc::DATA_TYPE_0__FLOAT_2:
    case Psc::DATA_TYPE_0__SHORT_4:
    case Psc::DATA_TYPE_0__FLT16_4: return 2;
    case Psc::DATA_TYPE_0__FLOAT_3: return 3;
    case Psc::DATA_TYPE_0__FLOAT_4: return 4;
    default: return 1;
  }
}

std::array<uint32_t, 8 + 8 + 3 + 8> layout_registers(const ChipState& state) {
  std::array<uint32_t, 8 + 8 + 3 + 8> r{};
  for (uint32_t i = 0; i < 8; ++i) {
    r[i] = state.get<Psc>(i).raw;
    r[8 + i] = state.get<regs::VAP_PROG_STREAM_CNTL_EXT>(i).raw;
    r[19 + i] = state.get<regs::VAP_VTX_AOS_ATTR>(i).raw;
  }
  r[16] = state.get<regs::VAP_PSC_SGN_NORM_CNTL>().raw;
  r[17] = state.get<regs::VAP_CNTL_STATUS>().VC_SWAP();
  r[18] = state.get<regs::VAP_VTX_NUM_ARRAYS>().VTX_NUM_ARRAYS();
  return r;
}

void add(Layout& layout, const vap::StreamElement& e, uint32_t type, uint32_t first_dword, uint32_t destination) {
  if (destination >= uint32_t(kInputs)) return;
  FetchPlan& plan = layout.plan;
  FetchElement& f = plan.element[plan.elements++];
  f.type = uint8_t(type);
  f.row = uint8_t(plan.rows);
  f.destination = uint8_t(destination);
  f.write_mask = e.write_mask;
  for (uint32_t i = 0; i < 4; ++i) f.swizzle[i] = e.swizzle[i];
  f.is_signed = e.is_signed;
  f.normalize = e.normalize;
  f.norm_method = uint8_t(e.norm_method);
  for (uint32_t i = 0; i < dwords_of(type); ++i) {
    const uint32_t dword = first_dword + i, row = plan.rows++;
    layout.stream_dword.push_back(dword);
    bool found = false;
    for (uint32_t a = 0; a < layout.reference.arrays.size() && !found; ++a) {
      const vap::VertexArray& array = layout.reference.arrays[a];
      if (dword < array.first_dword || dword >= array.first_dword + array.dwords) continue;
      found = true;
      const uint32_t offset = 4 * (dword - array.first_dword);
      if (!layout.runs.empty()) {
        FetchRun& last = layout.runs.back();
        if (last.array == a && last.row + last.count == row && last.offset + 4 * last.count == offset) {
          ++last.count;
          continue;
        }
      }
      layout.runs.push_back({a, offset, row, 1});
    }
    if (!found) layout.zero_rows.push_back(row);
  }
}

bool exact_factor(float x) { return x >= 0x1p-20f && x <= 0x1p20f; }

}  // namespace

void update_layout(const ChipState& state, Layout& layout) {
  const auto registers = layout_registers(state);
  if (layout.profile != state.profile || layout.registers != registers || layout.plan.elements == 0) {
    layout = {};
    layout.profile = state.profile;
    layout.registers = registers;
    layout.reference = vap::decode_layout(state);
    layout.plan.swap = layout.reference.swap;
    for (const vap::StreamElement& e : layout.reference.elements) {
      if (e.type == Psc::DATA_TYPE_0__FLOAT_8) {
        add(layout, e, Psc::DATA_TYPE_0__FLOAT_4, e.first_dword, e.destination);
        add(layout, e, Psc::DATA_TYPE_0__FLOAT_4, e.first_dword + 4, e.destination + 1);
      } else {
        add(layout, e, e.type, e.first_dword, e.destination);
      }
    }
    // Arrays that no element uses are fetched as well, and may fault.
    for (uint32_t a = 0; a < layout.reference.arrays.size(); ++a)
      if (layout.reference.arrays[a].dwords != 0 &&
          std::none_of(layout.runs.begin(), layout.runs.end(), [a](const FetchRun& r) { return r.array == a; }))
        layout.runs.push_back({a, 0, 0, 0});
    return;
  }
  for (uint32_t i = 0; i < layout.reference.arrays.size(); ++i)
    layout.reference.arrays[i].address =
        (i & 1 ? state.get<regs::VAP_VTX_AOS_ADDR_ODD>(i / 2).raw : state.get<regs::VAP_VTX_AOS_ADDR_EVEN>(i / 2).raw) & ~3u;
}

void make_emit_plan(const ChipState& state, EmitPlan& plan) {
  plan = {};
  const vap::OutputMap map = vap::decode_output_map(state);
  const bool bypass = state.get<regs::VAP_CNTL_STATUS>().PVS_BYPASS();
  const int32_t base = bypass ? kInputRow : kOutputRow;
  const auto add_attribute = [&](int8_t reg, size_t offset, uint8_t components) {
    if (reg >= 0) plan.attribute[plan.attributes++] = {uint16_t(base + 4 * reg), uint16_t(offset), components};
  };
  for (uint32_t i = 0; i < kMaxColors; ++i) add_attribute(map.color[i], kWindowColor + 16 * i, 4);
  for (uint32_t i = 0; i < kMaxTexcoords; ++i) add_attribute(map.tex[i], kWindowTex + 16 * i, map.tex_components[i]);
  if (map.point_size >= 0) plan.point_size_row = base + 4 * map.point_size;
  plan.position_row = base;
  plan.canonical = !bypass;

  const auto clip = state.get<regs::VAP_CLIP_CNTL>();
  plan.clip = !clip.CLIP_DISABLE();
  plan.dx_near = state.get<regs::VAP_CNTL>().DX_CLIP_SPACE_DEF() == regs::VAP_CNTL::DX_CLIP_SPACE_DEF__DIRECTX_0_Z_W;
  const float adjust[2] = {state.get_float<regs::VAP_GB_HORZ_CLIP_ADJ>(), state.get_float<regs::VAP_GB_VERT_CLIP_ADJ>()};
  const float discard[2] = {state.get_float<regs::VAP_GB_HORZ_DISC_ADJ>(), state.get_float<regs::VAP_GB_VERT_DISC_ADJ>()};
  for (int i = 0; i < 2; ++i) {
    plan.has_clip[i] = num::is_finite(adjust[i]);
    plan.has_discard[i] = num::is_finite(discard[i]);
    plan.careful |= plan.clip && ((plan.has_clip[i] && !exact_factor(adjust[i])) || (plan.has_discard[i] && !exact_factor(discard[i])));
    plan.clip_adjust[i] = adjust[i];
    plan.discard_adjust[i] = discard[i];
  }
  plan.careful |=
      plan.clip && (clip.UCP_ENA_0() | clip.UCP_ENA_1() | clip.UCP_ENA_2() | clip.UCP_ENA_3() | clip.UCP_ENA_4() | clip.UCP_ENA_5());

  plan.careful |= vap::TextureColors(state).any();

  const auto c = state.get<regs::VAP_VTE_CNTL>();
  const bool scale[3] = {bool(c.VPORT_X_SCALE_ENA()), bool(c.VPORT_Y_SCALE_ENA()), bool(c.VPORT_Z_SCALE_ENA())};
  const bool offset[3] = {bool(c.VPORT_X_OFFSET_ENA()), bool(c.VPORT_Y_OFFSET_ENA()), bool(c.VPORT_Z_OFFSET_ENA())};
  const float scales[3] = {state.get_float<regs::VAP_VPORT_XSCALE>(), state.get_float<regs::VAP_VPORT_YSCALE>(),
                           state.get_float<regs::VAP_VPORT_ZSCALE>()};
  const float offsets[3] = {state.get_float<regs::VAP_VPORT_XOFFSET>(), state.get_float<regs::VAP_VPORT_YOFFSET>(),
                            state.get_float<regs::VAP_VPORT_ZOFFSET>()};
  for (int i = 0; i < 3; ++i) {
    plan.scale_enabled[i] = scale[i];
    plan.offset_enabled[i] = offset[i];
    plan.scale[i] = scales[i];
    plan.offset[i] = offsets[i];
    plan.divided[i] =
        i < 2 ? c.VTX_XY_FMT() == regs::VAP_VTE_CNTL::VTX_XY_FMT__PRE_DIVIDED : c.VTX_Z_FMT() == regs::VAP_VTE_CNTL::VTX_Z_FMT__PRE_DIVIDED;
  }
  plan.invert_w = c.VTX_W0_FMT() == regs::VAP_VTE_CNTL::VTX_W0_FMT__INPUT_IS_W_HARDWARE_TAKES_RECIPROCAL;
}

}  // namespace pumice::hw::fast::vertex
