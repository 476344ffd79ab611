// SPDX-License-Identifier: MIT
/// RS program and interpolation (pipeline s.5), with W for ZB and the source of fog.
///
/// Without visible effect: HIRES_EN (all coordinates have full precision here). Colours are interpolated like texture coordinates, with
/// perspective, in full precision.
#include "hw/radeon/ref/rs/rs.h"

#include <algorithm>

namespace pumice::hw::rs {

namespace {

Channel fixed(float v) { return {Interpolation::constant, su::Interpolant::fixed(v)}; }

/// RS_INST_COUNT.TX_OFFSET: code n is 1/(4096 << n) of the coordinate's range over the triangle. UNCONFIRMED: added, and R3xx chips, which
/// have no enable bits, apply it to all coordinates.
double nudge_of(uint32_t code) { return code ? 1.0 / (4096u << code) : 0.0; }

}  // namespace

Program::Program(const ChipState& state, const Shape& shape, const su::Planes& planes) : unit_(shape.unit) {
  for (int i = 0; i < 3; ++i) inv_w_[i] = num::flush_denormal(shape.vertex[i]->inv_w);
  // The same w everywhere is the affine case exactly.
  perspective_ =
      state.get<regs::GB_SELECT>().W_SELECT() == regs::GB_SELECT::W_SELECT__N1_W && !(inv_w_[0] == inv_w_[1] && inv_w_[0] == inv_w_[2]);
  const bool w_is_one = state.get<regs::GB_SELECT>().W_SELECT() == regs::GB_SELECT::W_SELECT__N1_0;
  if (w_is_one)
    inv_w_plane_ = su::Interpolant::fixed(1);
  else
    inv_w_plane_ = su::Interpolant::along(planes.through(inv_w_[0], inv_w_[1], inv_w_[2]), unit_);
  const ga::Packet packet(state, shape);
  select_fog(state, packet, planes);
  if (state.chip().has_texture_pointers)
    read_r500(state, packet, planes, shape.back_facing);
  else
    read_r300(state, packet, planes);
  needs_w_ = produces_w_ || fog_is_w_;
}

void Program::select_fog(const ChipState& state, const ga::Packet& packet, const su::Planes& planes) {
  using Select = regs::GB_SELECT;
  const auto blend = state.get<regs::FG_FOG_BLEND>();
  const uint32_t source = state.get<Select>().FOG_SELECT();
  if (!blend.ENABLE() || blend.FN() == regs::FG_FOG_BLEND::FN__CONSTANT_FG_FOG_FACTOR || source >= Select::FOG_SELECT__Z) return;
  has_fog_ = true;
  fog_is_w_ = source == Select::FOG_SELECT__W;
  if (!fog_is_w_) fog_ = channel(packet.color(packet.color_pointer(source), 3), planes);
}

Channel Program::channel(const ga::Packet::Component& c, const su::Planes& planes, double nudge) const {
  double a = num::flush_denormal(c.value[0]), b = num::flush_denormal(c.value[1]), d = num::flush_denormal(c.value[2]);
  if (a == b && a == d) return fixed(c.value[0]);  // keeps flat values, integers among them, as they are
  if (nudge != 0) {
    const double offset = (std::max({a, b, d}) - std::min({a, b, d})) * nudge;
    a += offset, b += offset, d += offset;
  }
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
  const auto count = state.get<regs::RS_INST_COUNT>();
  const uint32_t steps = count.INST_COUNT() + 1;
  for (uint32_t i = 0; i < steps; ++i) {
    const auto inst = state.get<regs::RS_INST>(i);
    produces_w_ |= inst.W_CN() != 0;
    if (inst.TEX_CN()) {
      const auto ip = state.get<regs::RS_IP>(inst.TEX_ID());
      const double nudge = ip.OFFSET_EN() ? nudge_of(count.TX_OFFSET()) : 0;
      const std::array<uint32_t, 4> pointer = {ip.TEX_PTR_S(), ip.TEX_PTR_T(), ip.TEX_PTR_R(), ip.TEX_PTR_Q()};
      Output& o = add(inst.TEX_ADDR());
      o.adjusted = inst.TEX_ADJ();
      for (uint32_t c = 0; c < 4; ++c)
        o.channel[c] = pointer[c] == 62 ? fixed(0) : pointer[c] == 63 ? fixed(1) : channel(packet.texcoord(pointer[c]), planes, nudge);
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
  const auto count = state.get<regs::r300::RS_INST_COUNT>();
  const uint32_t steps = count.INST_COUNT() + 1;
  const double nudge = nudge_of(count.TX_OFFSET());
  produces_w_ = count.W_EN();
  for (uint32_t i = 0; i < steps; ++i) {
    const auto inst = state.get<regs::r300::RS_INST>(i);
    if (inst.TEX_CN()) {
      const auto ip = state.get<Ip>(inst.TEX_ID());
      const std::array<uint32_t, 4> select = {ip.SEL_S(), ip.SEL_T(), ip.SEL_R(), ip.SEL_Q()};
      Output& o = add(inst.TEX_ADDR());
      o.adjusted = inst.TEX_ADJ();
      for (uint32_t c = 0; c < 4; ++c)
        o.channel[c] = select[c] <= Ip::SEL_S__COMPONENT_3 ? channel(packet.texcoord(ip.TEX_PTR() + select[c]), planes, nudge)
                                                           : fixed(select[c] == Ip::SEL_S__N1_0 ? 1.0f : 0.0f);
    }
    if (inst.COL_CN()) {
      const auto ip = state.get<Ip>(inst.COL_ID());
      add_color(inst.COL_ADDR(), ip.COL_PTR(), ip.COL_FMT(), packet, planes);
    }
  }
}

/// 1 / (1/w) of pixel (i, j) of the block.
float Program::w(int32_t i, int32_t j, double bx, double by) const {
  return num::flush_denormal(1.0f / su::flushed_sum(inv_w_plane_.base(bx, by), inv_w_plane_.offset(i, j)));
}

float Program::value(const Channel& c, int32_t i, int32_t j, double bx, double by, float w) const {
  const float v = su::flushed_sum(c.value.base(bx, by), c.value.offset(i, j));
  return c.how == Interpolation::perspective ? su::flushed_product(v, w) : v;
}

namespace {

/// Where a pixel's adjusted coordinates are taken: its centre where all samples are covered or none (a helper), else the covered sample
/// with the lowest number (UNCONFIRMED).
Program::Place adjusted(const QuadSamples& samples, std::span<const Program::Place> at, uint32_t pixel) {
  uint32_t covered = 0, first = 0;
  for (uint32_t s = samples.count; s-- > 0;)
    if (samples.coverage[s] >> pixel & 1) ++covered, first = s;
  return covered == 0 || covered == samples.count ? Program::Place{} : at[first];
}

}  // namespace

void Program::run(PixelQuad& q, double bx, double by, std::span<const Place> samples) const {
  const int32_t i0 = q.quad.x & 3, j0 = q.quad.y & 3;  // the quad's place in its block
  std::array<float, 4> centre{};
  for (int p = 0; (perspective_ || needs_w_) && p < 4; ++p) centre[p] = w(i0 + (p & 1), j0 + (p >> 1), bx, by);
  for (uint32_t n = 0; n < count_; ++n) {
    auto& reg = q.temp[output_[n].address];
    for (int p = 0; p < 4; ++p) {
      const int32_t i = i0 + (p & 1), j = j0 + (p >> 1);
      const bool moved = output_[n].adjusted && q.quad.samples && !samples.empty();
      const Place at = moved ? adjusted(*q.quad.samples, samples, static_cast<uint32_t>(p)) : Place{};
      const float own = moved && perspective_ ? w(i, j, bx + at.x, by + at.y) : centre[p];
      for (uint32_t c = 0; c < 4; ++c) {
        const Channel& ch = output_[n].channel[c];
        float v = 0;
        switch (ch.how) {
          case Interpolation::constant:
          case Interpolation::affine:
          case Interpolation::perspective: v = value(ch, i, j, bx + at.x, by + at.y, own); break;
          case Interpolation::pixel_x: v = static_cast<float>(q.quad.x + (p & 1)); break;
          case Interpolation::pixel_y: v = static_cast<float>(q.quad.y + (p >> 1)); break;
        }
        reg[p][c] = num::canonical(v);
      }
    }
  }
  for (int p = 0; p < 4; ++p) {
    if (produces_w_) q.w[p] = centre[p];
    if (has_fog_) q.fog[p] = fog_is_w_ ? centre[p] : value(fog_, i0 + (p & 1), j0 + (p >> 1), bx, by, centre[p]);
  }
}

}  // namespace pumice::hw::rs
