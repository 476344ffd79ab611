// SPDX-License-Identifier: MIT
/// VAP_OUT_VTX_FMT: packed order of the vertex program's outputs, fixed order with TCL bypass (pvs-isa s.11).
#include "hw/radeon/ref/vap/outputs.h"

#include <algorithm>

#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::vap {

namespace {
/// TCL bypass: input registers that stand for the outputs.
constexpr int8_t kBypassPointSize = 1, kBypassColor = 2, kBypassTex = 6;
}  // namespace

OutputMap decode_output_map(const ChipState& state) {
  const auto fmt0 = state.get<regs::VAP_OUT_VTX_FMT_0>();
  const auto fmt1 = state.get<regs::VAP_OUT_VTX_FMT_1>();
  const auto clip = state.get<regs::VAP_CLIP_CNTL>();
  const bool bypass = state.get<regs::VAP_CNTL_STATUS>().PVS_BYPASS();
  const bool color_as_texture = state.chip().has_color_as_texture;
  const bool color_present[4] = {bool(fmt0.VTX_COLOR_0_PRESENT()), bool(fmt0.VTX_COLOR_1_PRESENT()), bool(fmt0.VTX_COLOR_2_PRESENT()),
                                 bool(fmt0.VTX_COLOR_3_PRESENT())};
  OutputMap map;
  int8_t next = 1;  // the position is always there
  if (fmt0.VTX_PT_SIZE_PRESENT()) map.point_size = bypass ? kBypassPointSize : next++;
  for (int8_t i = 0; i < 4; ++i)
    if (color_present[i]) map.color[i] = bypass ? int8_t(kBypassColor + i) : next++;
  for (int8_t i = 0; i < 8; ++i) {
    const uint32_t components = regs::VAP_OUT_VTX_FMT_1{fmt1.raw >> (3 * i)}.TEX_0_COMP_CNT();
    if (components == 0) continue;
    map.tex[i] = bypass ? int8_t(kBypassTex + i) : next++;
    map.tex_components[i] = uint8_t(std::min(components, 4u));  // 5..7 are reserved: 4
  }
  const bool is_texture[2] = {color_as_texture && clip.COLOR2_IS_TEXTURE(), color_as_texture && clip.COLOR3_IS_TEXTURE()};
  for (uint32_t i = 0; i < 2; ++i) {
    if (!is_texture[i]) continue;
    map.tex[8 + i] = map.color[2 + i];
    map.tex_components[8 + i] = 4;
    map.color[2 + i] = -1;
  }
  return map;
}

ClipVertex map_outputs(const OutputMap& map, const std::array<Vec4, kPvsOutputs>& registers) {
  ClipVertex v;
  for (uint32_t i = 0; i < 4; ++i) v.position[i] = num::flush_denormal(registers[0][i]);  // what TCL bypass fetched may be denormal
  if (map.point_size >= 0) v.window.point_size = registers[map.point_size][0];
  for (uint32_t i = 0; i < kMaxColors; ++i)
    if (map.color[i] >= 0) v.window.color[i] = registers[map.color[i]];
  for (uint32_t i = 0; i < kMaxTexcoords; ++i) {
    if (map.tex[i] < 0) continue;
    v.window.tex[i] = kDefaultVector;
    std::copy_n(registers[map.tex[i]].begin(), map.tex_components[i], v.window.tex[i].begin());
  }
  return v;
}

}  // namespace pumice::hw::vap
