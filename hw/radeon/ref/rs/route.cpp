// SPDX-License-Identifier: MIT
/// RS program and interpolation (pipeline s.5).
///
/// Not modelled because no visible effect is known: TX_OFFSET and OFFSET_EN (an offset of at most range/8K against edge artefacts),
/// TEX_ADJ (no effect with one sample per pixel), HIRES_EN (all coordinates have full precision here), W_CN. Colours are interpolated
/// like texture coordinates, with perspective, in full precision.
#include "hw/radeon/ref/rs/rs.h"

namespace pumice::hw::rs {

namespace {

Channel fixed(float v) { return {Interpolation::constant, su::Interpolant::fixed(v)}; }

}  // namespace

Program::Program(const ChipState& state, const Shape& shape, const su::Planes& planes) : unit_(shape.unit) {
  for (int i = 0; i < 3; ++i) inv_w_[i] = num::flush_denormal(shape.vertex[i]->inv_w);
  // The same w everywhere is the affine case exactly.
  perspective_ =
      state.get<regs::GB_SELECT>().W_SELECT() == regs::GB_SELECT::W_SELECT__N1_W && !(inv_w_[0] == inv_w_[1] && inv_w_[0] == inv_w_[2]);
  if (perspective_) inv_w_plane_ = su::Interpolant::along(planes.through(inv_w_[0], inv_w_[1], inv_w_[2]), unit_);
  const ga::Packet packet(state, shape);
  if (state.chip().has_texture_pointers)
    read_r500(state, packet, planes, shape.back_facing);
  else
    read_r300(state, packet, planes);
}

Channel Program::channel(const ga::Packet::Component& c, const su::Planes& planes) const {
  const double a = num::flush_denormal(c.value[0]), b = num::flush_denormal(c.value[1]), d = num::flush_denormal(c.value[2]);
  if (a == b && a == d) return fixed(c.value[0]);  // keeps flat values, integers among them, as they are
  if (!perspective_ || !c.perspective) return {Interpolation::affine, su::Interpolant::along(planes.through(a, b, d), unit_)};
  return {Interpolation::perspective, su::Interpolant::along(planes.through(a * inv_w_[0], b * inv_w_[1], d * inv_w_[2]), unit_)};
}

Output& Program::add(uint32_t address) {
  Output& o = output_[count_++];
  o.address = static_cast<uint8_t>(address);
  return o;
}

void Program::add_color(uint32_t address, uint32_t pointer, uint32_t format, const ga::Packet& packet, const su::Planes& planes) {
  using Ip = regs::RS_IP;  // the codes are those of R3xx too
  Output& o = add(address);
  float rgb = 0, alpha = 0;
  bool rgb_from_packet = false, alpha_from_packet = false;
  switch (format) {
    case Ip::COL_FMT__RGBA: rgb_from_packet = alpha_from_packet = true; break;
    case Ip::COL_FMT__RGB0: rgb_from_packet = true; break;
    case Ip::COL_FMT__RGB1: rgb_from_packet = true, alpha = 1; break;
    case Ip::COL_FMT__N000A: alpha_from_packet = true; break;
    case Ip::COL_FMT__N0001: alpha = 1; break;
    case Ip::COL_FMT__N111A: rgb = 1, alpha_from_packet = true; break;
    case Ip::COL_FMT__N1110: rgb = 1; break;
    case Ip::COL_FMT__N1111: rgb = alpha = 1; break;
    default: break;  // 0000; reserved codes as well
  }
  for (uint32_t c = 0; c < 4; ++c) {
    const bool routed = c < 3 ? rgb_from_packet : alpha_from_packet;
    o.channel[c] = routed ? channel(packet.color(pointer, c), planes) : fixed(c < 3 ? rgb : alpha);
  }
}

/// Steps run in order; if two write the same register, the later one wins. Within a step the texcoord goes first (UNCONFIRMED).
void Program::read_r500(const ChipState& state, const ga::Packet& packet, const su::Planes& planes, bool back_facing) {
  const uint32_t steps = state.get<regs::RS_INST_COUNT>().INST_COUNT() + 1;
  for (uint32_t i = 0; i < steps; ++i) {
    const auto inst = state.get<regs::RS_INST>(i);
    if (inst.TEX_CN()) {
      const auto ip = state.get<regs::RS_IP>(inst.TEX_ID());
      const std::array<uint32_t, 4> pointer = {ip.TEX_PTR_S(), ip.TEX_PTR_T(), ip.TEX_PTR_R(), ip.TEX_PTR_Q()};
      Output& o = add(inst.TEX_ADDR());
      for (uint32_t c = 0; c < 4; ++c)
        o.channel[c] = pointer[c] == 62 ? fixed(0) : pointer[c] == 63 ? fixed(1) : channel(packet.texcoord(pointer[c]), planes);
    }
    switch (inst.COL_CN()) {
      case regs::RS_INST::COL_CN__COLOUR: {
        const auto ip = state.get<regs::RS_IP>(inst.COL_ID());
        add_color(inst.COL_ADDR(), ip.COL_PTR(), ip.COL_FMT(), packet, planes);
        break;
      }
      case regs::RS_INST::COL_CN__SCREEN_X_Y_0_0_TO_RGBA:  // the pixel's upper left corner; add 0.5 for its centre
        add(inst.COL_ADDR()).channel = {Channel{Interpolation::pixel_x, {}}, Channel{Interpolation::pixel_y, {}}, fixed(0), fixed(0)};
        break;
      case regs::RS_INST::COL_CN__FACING_FLAG_0_0_0_TO_RGBA:  // 1.0 on back faces
        add(inst.COL_ADDR()).channel = {fixed(back_facing ? 1.0f : 0.0f), fixed(0), fixed(0), fixed(0)};
        break;
      default: break;
    }
  }
}

void Program::read_r300(const ChipState& state, const ga::Packet& packet, const su::Planes& planes) {
  using Ip = regs::r300::RS_IP;
  const uint32_t steps = state.get<regs::r300::RS_INST_COUNT>().INST_COUNT() + 1;
  for (uint32_t i = 0; i < steps; ++i) {
    const auto inst = state.get<regs::r300::RS_INST>(i);
    if (inst.TEX_CN()) {
      const auto ip = state.get<Ip>(inst.TEX_ID());
      const std::array<uint32_t, 4> select = {ip.SEL_S(), ip.SEL_T(), ip.SEL_R(), ip.SEL_Q()};
      Output& o = add(inst.TEX_ADDR());
      for (uint32_t c = 0; c < 4; ++c)
        o.channel[c] = select[c] <= Ip::SEL_S__COMPONENT_3 ? channel(packet.texcoord(ip.TEX_PTR() + select[c]), planes)
                                                           : fixed(select[c] == Ip::SEL_S__N1_0 ? 1.0f : 0.0f);
    }
    if (inst.COL_CN()) {
      const auto ip = state.get<Ip>(inst.COL_ID());
      add_color(inst.COL_ADDR(), ip.COL_PTR(), ip.COL_FMT(), packet, planes);
    }
  }
}

void Program::run(PixelQuad& q, double bx, double by) const {
  const int32_t i0 = q.quad.x & 3, j0 = q.quad.y & 3;  // the quad's place in its block
  std::array<float, 4> w{1, 1, 1, 1};
  if (perspective_) {
    const float base = inv_w_plane_.base(bx, by);
    for (int p = 0; p < 4; ++p) w[p] = num::flush_denormal(1.0f / su::flushed_sum(base, inv_w_plane_.offset(i0 + (p & 1), j0 + (p >> 1))));
  }
  for (uint32_t n = 0; n < count_; ++n) {
    auto& reg = q.temp[output_[n].address];
    for (uint32_t c = 0; c < 4; ++c) {
      const Channel& ch = output_[n].channel[c];
      const float base = ch.value.base(bx, by);
      for (int p = 0; p < 4; ++p) {
        float v = su::flushed_sum(base, ch.value.offset(i0 + (p & 1), j0 + (p >> 1)));
        switch (ch.how) {
          case Interpolation::constant:
          case Interpolation::affine: break;
          case Interpolation::perspective: v = su::flushed_product(v, w[p]); break;
          case Interpolation::pixel_x: v = static_cast<float>(q.quad.x + (p & 1)); break;
          case Interpolation::pixel_y: v = static_cast<float>(q.quad.y + (p >> 1)); break;
        }
        reg[p][c] = num::canonical(v);
      }
    }
  }
}

}  // namespace pumice::hw::rs
