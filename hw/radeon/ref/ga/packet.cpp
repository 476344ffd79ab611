// SPDX-License-Identifier: MIT
/// Layout and contents of the vertex packet (pipeline s.3, s.5).
///
/// Texcoord slots: first every set that comes from VAP, in set order, with as many slots as it has components; then the generated
/// ("stuffed") sets in set order with two or three slots. Counts are PS3_VTX_FMT's in shader model 3 mode (a count of 1 takes two slots,
/// as the register text says), VAP_OUT_VTX_FMT_1's otherwise. VAP wins where both claim a set. A generated set keeps its slots, as zeros,
/// for kinds of primitive whose stuffing is off.
/// Colour pointers count the colours present, 0 and 1 first. A colour replaced by a texcoord (COLORn_TEX_OVERRIDE) is present.
/// Colours keep FP32: the FP20 of the chip (GA_ROUND_MODE.COLOR_ROUND) is not modelled.
#include "hw/radeon/ref/ga/packet.h"

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::ga {

namespace {

// Fields repeated in equal steps are read by shifting the one wanted into the place of the first.
uint32_t vap_count(const ChipState& s, uint32_t set) {
  return regs::VAP_OUT_VTX_FMT_1{s.get<regs::VAP_OUT_VTX_FMT_1>().raw >> (3 * set)}.TEX_0_COMP_CNT();
}
uint32_t ps3_count(const ChipState& s, uint32_t set) {
  return regs::PS3_VTX_FMT{s.get<regs::PS3_VTX_FMT>().raw >> (3 * set)}.TEX_0_COMP_CNT();
}
uint32_t ps3_source(const ChipState& s, uint32_t set) {
  return regs::PS3_TEX_SOURCE{s.get<regs::PS3_TEX_SOURCE>().raw >> (2 * set)}.TEX0_SOURCE();
}
uint32_t gb_source(const ChipState& s, uint32_t set) {
  return set > 7 ? 0 : regs::GB_ENABLE{s.get<regs::GB_ENABLE>().raw >> (2 * set)}.TEX0_SOURCE();
}
uint32_t tex_shading(const ChipState& s, uint32_t set) {
  return regs::GA_COLOR_CONTROL_PS3{s.get<regs::GA_COLOR_CONTROL_PS3>().raw >> (2 * set)}.TEX0_SHADING_PS3();
}
bool wraps(const ChipState& s, uint32_t set, uint32_t component) {
  if (set < 8) return regs::SU_TEX_WRAP{s.get<regs::SU_TEX_WRAP>().raw >> (4 * set + component)}.T0C0() != 0;
  const auto r = s.get<regs::SU_TEX_WRAP_PS3>();  // set 9 lies below set 8
  return regs::SU_TEX_WRAP_PS3{r.raw >> ((set == 9 ? 0 : 4) + component)}.T9C0() != 0;
}

float clamp01(float v) { return v >= 0 ? (v <= 1 ? v : 1.0f) : 0.0f; }

/// Cylindrical wrap: the shorter way round from point 0.
float wrapped(float from, float to) {
  const float d = to - from;
  return d > 0.5f ? to - 1.0f : d < -0.5f ? to + 1.0f : to;
}

/// GA_FILL_* are floats on R5xx, GA_SOLID_* S3.12 on R3xx.
float solid(const ChipState& s, uint32_t channel) {
  if (s.chip().has_float_fill_color) {
    switch (channel) {
      case 0: return s.get_float<regs::GA_FILL_R>();
      case 1: return s.get_float<regs::GA_FILL_G>();
      case 2: return s.get_float<regs::GA_FILL_B>();
      default: return s.get_float<regs::GA_FILL_A>();
    }
  }
  constexpr float kOne = 1 << 12;  // S3.12
  const auto rg = s.get<regs::GA_SOLID_RG>();
  const auto ba = s.get<regs::GA_SOLID_BA>();
  const std::array<uint32_t, 4> fixed = {rg.COLOR_RED(), rg.COLOR_GREEN(), ba.COLOR_BLUE(), ba.COLOR_ALPHA()};
  return static_cast<int16_t>(fixed[channel]) / kOne;
}

}  // namespace

Packet::Packet(const ChipState& state, const Shape& shape) : state_(state), shape_(shape), chip_(state.chip()) {
  ps3_ = chip_.has_shader_model_3 && state.get<regs::PS3_ENABLE>().PS3_MODE() == regs::PS3_ENABLE::PS3_MODE__SHADER_MODEL_3;
  lay_out_texcoords();
  lay_out_colors();
}

void Packet::lay_out_texcoords() {
  const auto format = state_.get<regs::VAP_OUT_VTX_FMT_0>();
  const auto clip = state_.get<regs::VAP_CLIP_CNTL>();
  const uint32_t sets = ps3_ ? kMaxTexcoords : kPlainTexcoords;
  std::array<uint32_t, kMaxTexcoords> generated{};
  for (uint32_t n = 0; n < sets; ++n) {
    const bool from_vap = n < 8    ? vap_count(state_, n) != 0
                          : n == 8 ? format.VTX_COLOR_2_PRESENT() && clip.COLOR2_IS_TEXTURE()
                                   : format.VTX_COLOR_3_PRESENT() && clip.COLOR3_IS_TEXTURE();
    const uint32_t source = ps3_ ? ps3_source(state_, n) : gb_source(state_, n);
    if (!from_vap && source == regs::PS3_TEX_SOURCE::TEX0_SOURCE__GENERATED_S_T) generated[n] = 2;
    if (!from_vap && source == regs::PS3_TEX_SOURCE::TEX0_SOURCE__GENERATED_S_T_R) generated[n] = 3;
    if (generated[n]) continue;
    uint32_t count = ps3_ ? ps3_count(state_, n) : vap_count(state_, n);
    if (ps3_ && count == regs::PS3_VTX_FMT::TEX_0_COMP_CNT__N1_IN_2_TO_SU) count = 2;
    for (uint32_t c = 0; c < count && c < 4; ++c) slot_[slots_++] = {static_cast<uint8_t>(n), static_cast<uint8_t>(c), false};
  }
  for (uint32_t n = 0; n < sets; ++n)
    for (uint32_t c = 0; c < generated[n]; ++c) slot_[slots_++] = {static_cast<uint8_t>(n), static_cast<uint8_t>(c), true};
}

void Packet::lay_out_colors() {
  const auto format = state_.get<regs::VAP_OUT_VTX_FMT_0>();
  const auto clip = state_.get<regs::VAP_CLIP_CNTL>();
  const auto replace = state_.get<regs::GA_COLOR_CONTROL_PS3>();
  const std::array<bool, 4> present = {format.VTX_COLOR_0_PRESENT() || (chip_.has_texture_as_color && replace.COLOR0_TEX_OVERRIDE()),
                                       format.VTX_COLOR_1_PRESENT() || (chip_.has_texture_as_color && replace.COLOR1_TEX_OVERRIDE()),
                                       format.VTX_COLOR_2_PRESENT() && !(chip_.has_color_as_texture && clip.COLOR2_IS_TEXTURE()),
                                       format.VTX_COLOR_3_PRESENT() && !(chip_.has_color_as_texture && clip.COLOR3_IS_TEXTURE())};
  for (uint32_t n = 0; n < 4; ++n) {
    if (!present[n]) continue;
    const bool back = n < 2 && shape_.back_facing && present[n + 2];
    color_[colors_++] = {static_cast<uint8_t>(n), static_cast<uint8_t>(back ? n + 2 : n)};
  }
}

Packet::TexcoordSource Packet::texcoord_source(uint32_t slot) const {
  if (slot >= slots_) return {};
  const Slot s = slot_[slot];
  // Code 0 is "undefined" in the guide's prose and "solid fill" in its table; it interpolates here like the reserved code 3.
  const bool flat = ps3_ && tex_shading(state_, s.set) == regs::GA_COLOR_CONTROL_PS3::TEX0_SHADING_PS3__FLAT;
  const auto select = state_.get<regs::GB_SELECT>();
  const bool fog = chip_.has_fog_stuff && !s.stuffed && select.FOG_STUFF_ENABLE() && select.FOG_STUFF_TEX() == s.set &&
                   select.FOG_STUFF_COMP() == s.component;
  return {true, s.stuffed, flat && !fog, !flat && !fog && !s.stuffed && wraps(state_, s.set, s.component), fog, s.set, s.component};
}

Packet::Component Packet::texcoord(uint32_t slot) const {
  Component out;
  const TexcoordSource s = texcoord_source(slot);
  if (!s.present) return out;
  if (s.fog) return fog();
  out.perspective = !s.generated;
  for (int i = 0; i < 3; ++i)
    out.value[i] = s.generated ? shape_.stuffed[i][s.component] : (s.flat ? shape_.provoking : shape_.vertex[i])->tex[s.set][s.component];
  if (s.wraps)
    for (int i = 1; i < 3; ++i) out.value[i] = wrapped(out.value[0], out.value[i]);
  return out;
}

/// GA_FOG_SCALE and GA_FOG_OFFSET of what FOG_SELECT names, at the vertices.
Packet::Component Packet::fog() const {
  using Select = regs::GB_SELECT;
  const auto select = state_.get<Select>();
  const uint32_t source = select.FOG_SELECT();
  const float scale = state_.get_float<regs::GA_FOG_SCALE>(), offset = state_.get_float<regs::GA_FOG_OFFSET>();
  Component out;
  if (source < Select::FOG_SELECT__W) out = color(color_pointer(source), 3);
  for (int i = 0; i < 3; ++i) {
    const WindowVertex& v = *shape_.vertex[i];
    if (source == Select::FOG_SELECT__W)
      out.value[i] = select.W_SELECT() == Select::W_SELECT__N1_0 ? 1.0f : num::flush_denormal(1.0f / num::flush_denormal(v.inv_w));
    else if (source >= Select::FOG_SELECT__Z)
      out.value[i] = source == Select::FOG_SELECT__Z ? num::flush_denormal(v.z) : 0.0f;
    out.value[i] = num::add(num::mul(out.value[i], scale), offset);
  }
  return out;
}

uint32_t Packet::color_pointer(uint32_t number) const {
  uint32_t p = 0;
  while (p < colors_ && color_[p].number != number) ++p;
  return p;
}

Packet::Component Packet::color(uint32_t pointer, uint32_t channel) const {
  Component out;
  if (pointer >= colors_) return out;
  const uint32_t n = color_[pointer].source;
  const auto control = state_.get<regs::GA_COLOR_CONTROL>();
  const auto set = regs::GA_COLOR_CONTROL{control.raw >> (4 * n)};
  const uint32_t shading = channel < 3 ? set.RGB0_SHADING() : set.ALPHA0_SHADING();
  uint32_t replaced_by = 0;  // k + 1
  if (chip_.has_texture_as_color && color_[pointer].number < 2) {
    const auto replace = state_.get<regs::GA_COLOR_CONTROL_PS3>();
    replaced_by = color_[pointer].number == 0 ? replace.COLOR0_TEX_OVERRIDE() : replace.COLOR1_TEX_OVERRIDE();
    if (replaced_by > kMaxTexcoords) replaced_by = 0;
  }
  const auto mode = state_.get<regs::GA_ROUND_MODE>();
  const bool keep = channel < 3 ? mode.RGB_CLAMP() != 0 : mode.ALPHA_CLAMP() != 0;
  for (int i = 0; i < 3; ++i) {
    const WindowVertex& v = shading == regs::GA_COLOR_CONTROL::RGB0_SHADING__FLAT ? *shape_.provoking : *shape_.vertex[i];
    float value = shading == regs::GA_COLOR_CONTROL::RGB0_SHADING__SOLID_FILL ? solid(state_, channel)
                  : replaced_by                                               ? v.tex[replaced_by - 1][channel]
                                                                              : v.color[n][channel];
    if (!keep)
      value = clamp01(value);
    else if (!chip_.has_float_colors)
      value = value >= -8 ? (value <= 8 ? value : 8.0f) : (value < -8 ? -8.0f : 0.0f);
    out.value[i] = value;
  }
  return out;
}

}  // namespace pumice::hw::ga
