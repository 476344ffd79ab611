// SPDX-License-Identifier: MIT
/// RS program and interpolation (pipeline s.5).
///
/// Not modelled because nothing visible is known of it: TX_OFFSET and OFFSET_EN (a nudge of at most range/8K against edge artefacts),
/// TEX_ADJ (moves nothing with one sample a pixel), HIRES_EN (all coordinates have full precision here), W_CN. Colours are interpolated
/// like texture coordinates, with perspective, in full precision.
#include <cmath>
#include <limits>

#include "hw/rs/rs.h"

namespace pumice::hw::rs {

namespace {

Channel fixed(float v) { return {Interpolation::constant, {v, 0, 0}}; }

/// Invalid operations give NaNs of different sign on different CPUs; one pattern leaves this block.
float narrow(double v) { return v != v ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(v); }

}  // namespace

Program::Program(const ChipState& state, const Shape& shape, const su::Planes& planes) {
  for (int i = 0; i < 3; ++i) inv_w_[i] = shape.vertex[i]->inv_w;
  // The same w everywhere is the affine case exactly.
  perspective_ =
      state.get<regs::GB_SELECT>().W_SELECT() == regs::GB_SELECT::W_SELECT__N1_W && !(inv_w_[0] == inv_w_[1] && inv_w_[0] == inv_w_[2]);
  if (perspective_) inv_w_plane_ = planes.through(inv_w_[0], inv_w_[1], inv_w_[2]);
  const ga::Packet packet(state, shape);
  if (state.profile == Profile::r300)
    read_r300(state, packet, planes);
  else
    read_r500(state, packet, planes, shape.back_facing);
}

Channel Program::channel(const ga::Packet::Component& c, const su::Planes& planes) const {
  const double a = c.value[0], b = c.value[1], d = c.value[2];
  if (a == b && a == d) return fixed(c.value[0]);  // keeps flat values, integers among them, as they are
  if (!perspective_ || !c.perspective) return {Interpolation::affine, planes.through(a, b, d)};
  return {Interpolation::perspective, planes.through(a * inv_w_[0], b * inv_w_[1], d * inv_w_[2])};
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

/// Steps run in order; where two write one register the later one stays. Within a step the texcoord goes first (UNCONFIRMED).
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

void Program::run(PixelQuad& q, const std::array<double, 4>& px, const std::array<double, 4>& py) const {
  std::array<double, 4> w{};
  if (perspective_)
    for (int i = 0; i < 4; ++i) w[i] = 1.0 / inv_w_plane_.at(px[i], py[i]);
  for (uint32_t n = 0; n < count_; ++n) {
    auto& reg = q.temp[output_[n].address];
    for (uint32_t c = 0; c < 4; ++c) {
      const Channel& ch = output_[n].channel[c];
      switch (ch.how) {
        case Interpolation::constant:
          for (int i = 0; i < 4; ++i) reg[i][c] = static_cast<float>(ch.plane.origin);
          break;
        case Interpolation::affine:
          for (int i = 0; i < 4; ++i) reg[i][c] = narrow(ch.plane.at(px[i], py[i]));
          break;
        case Interpolation::perspective:
          for (int i = 0; i < 4; ++i) reg[i][c] = narrow(ch.plane.at(px[i], py[i]) * w[i]);
          break;
        case Interpolation::pixel_x:
          for (int i = 0; i < 4; ++i) reg[i][c] = static_cast<float>(q.quad.x + (i & 1));
          break;
        case Interpolation::pixel_y:
          for (int i = 0; i < 4; ++i) reg[i][c] = static_cast<float>(q.quad.y + (i >> 1));
          break;
      }
    }
  }
}

}  // namespace pumice::hw::rs
