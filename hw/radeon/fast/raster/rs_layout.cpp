// SPDX-License-Identifier: MIT
/// See rs_layout.h. Steps run in order, the texcoord of a step before its colour; the later write of a temp wins.
#include "hw/radeon/fast/raster/rs_layout.h"

#include "hw/radeon/ref/ga/packet.h"

namespace pumice::hw::fast::raster {

namespace {

using Kind = RsSource::Kind;

class Reader {
 public:
  explicit Reader(const ChipState& state) : state_(state), packet_(state, shape_) {
    r_.layout.perspective = state.get<regs::GB_SELECT>().W_SELECT() == regs::GB_SELECT::W_SELECT__N1_W;
  }
  Routing read() {
    if (state_.chip().has_texture_pointers)
      read_r500();
    else
      read_r300();
    return r_;
  }

 private:
  RsLayout::Register& temp(uint32_t address) {
    for (uint32_t i = 0; i < r_.layout.count; ++i)
      if (r_.layout.reg[i].address == address) return r_.layout.reg[i];
    auto& reg = r_.layout.reg[r_.layout.count++];
    reg.address = static_cast<uint8_t>(address);
    return reg;
  }
  RsSource interpolant(const InterpolantSource& source, bool perspective) {
    uint32_t n = 0;
    while (n < r_.layout.interpolants && !(r_.source[n] == source)) ++n;
    if (n == r_.layout.interpolants) r_.source[r_.layout.interpolants++] = source;
    return {Kind::interpolant, static_cast<uint8_t>(n), perspective && r_.layout.perspective};
  }
  RsSource texcoord(uint32_t slot) {
    // Only generated coordinates are linear on the screen, which depends on registers only: any primitive can be used for the query.
    const bool perspective = packet_.texcoord(slot).perspective;
    const RsSource source = interpolant({false, static_cast<uint8_t>(slot), 0}, perspective);
    if (!perspective) r_.linear |= uint64_t{1} << source.index;
    return source;
  }
  void color(uint32_t address, uint32_t pointer, uint32_t format) {
    using Ip = regs::RS_IP;
    RsSource rgb, alpha;
    bool rgb_routed = false, alpha_routed = false;
    const RsSource one{Kind::one};
    switch (format) {
      case Ip::COL_FMT__RGBA: rgb_routed = alpha_routed = true; break;
      case Ip::COL_FMT__RGB0: rgb_routed = true; break;
      case Ip::COL_FMT__RGB1: rgb_routed = true, alpha = one; break;
      case Ip::COL_FMT__N000A: alpha_routed = true; break;
      case Ip::COL_FMT__N0001: alpha = one; break;
      case Ip::COL_FMT__N111A: rgb = one, alpha_routed = true; break;
      case Ip::COL_FMT__N1110: rgb = one; break;
      case Ip::COL_FMT__N1111: rgb = alpha = one; break;
      default: break;
    }
    auto& reg = temp(address);
    for (uint32_t c = 0; c < 4; ++c) {
      const bool routed = c < 3 ? rgb_routed : alpha_routed;
      reg.channel[c] = routed ? interpolant({true, static_cast<uint8_t>(pointer), static_cast<uint8_t>(c)}, true) : c < 3 ? rgb : alpha;
    }
  }
  void read_r500();
  void read_r300();

  static constexpr WindowVertex kVertex{};
  const ChipState& state_;
  const Shape shape_ = [] {
    Shape s;
    s.vertex = {&kVertex, &kVertex, &kVertex};
    s.provoking = &kVertex;
    return s;
  }();
  ga::Packet packet_;
  Routing r_;
};

void Reader::read_r500() {
  const uint32_t steps = state_.get<regs::RS_INST_COUNT>().INST_COUNT() + 1;
  for (uint32_t i = 0; i < steps; ++i) {
    const auto inst = state_.get<regs::RS_INST>(i);
    if (inst.TEX_CN()) {
      const auto ip = state_.get<regs::RS_IP>(inst.TEX_ID());
      const uint32_t pointer[4] = {ip.TEX_PTR_S(), ip.TEX_PTR_T(), ip.TEX_PTR_R(), ip.TEX_PTR_Q()};
      auto& reg = temp(inst.TEX_ADDR());
      for (uint32_t c = 0; c < 4; ++c)
        reg.channel[c] = pointer[c] == 62 ? RsSource{Kind::zero} : pointer[c] == 63 ? RsSource{Kind::one} : texcoord(pointer[c]);
    }
    switch (inst.COL_CN()) {
      case regs::RS_INST::COL_CN__COLOUR: {
        const auto ip = state_.get<regs::RS_IP>(inst.COL_ID());
        color(inst.COL_ADDR(), ip.COL_PTR(), ip.COL_FMT());
        break;
      }
      case regs::RS_INST::COL_CN__SCREEN_X_Y_0_0_TO_RGBA:
        temp(inst.COL_ADDR()).channel = {RsSource{Kind::pixel_x}, RsSource{Kind::pixel_y}, RsSource{}, RsSource{}};
        break;
      case regs::RS_INST::COL_CN__FACING_FLAG_0_0_0_TO_RGBA:
        temp(inst.COL_ADDR()).channel = {RsSource{Kind::back_facing}, RsSource{}, RsSource{}, RsSource{}};
        break;
      default: break;
    }
  }
}

void Reader::read_r300() {
  using Ip = regs::r300::RS_IP;
  const uint32_t steps = state_.get<regs::r300::RS_INST_COUNT>().INST_COUNT() + 1;
  for (uint32_t i = 0; i < steps; ++i) {
    const auto inst = state_.get<regs::r300::RS_INST>(i);
    if (inst.TEX_CN()) {
      const auto ip = state_.get<Ip>(inst.TEX_ID());
      const uint32_t select[4] = {ip.SEL_S(), ip.SEL_T(), ip.SEL_R(), ip.SEL_Q()};
      auto& reg = temp(inst.TEX_ADDR());
      for (uint32_t c = 0; c < 4; ++c)
        reg.channel[c] = select[c] <= Ip::SEL_S__COMPONENT_3 ? texcoord(ip.TEX_PTR() + select[c])
                                                             : RsSource{select[c] == Ip::SEL_S__N1_0 ? Kind::one : Kind::zero};
    }
    if (inst.COL_CN()) {
      const auto ip = state_.get<Ip>(inst.COL_ID());
      color(inst.COL_ADDR(), ip.COL_PTR(), ip.COL_FMT());
    }
  }
}

}  // namespace

Routing read_routing(const ChipState& state) { return Reader(state).read(); }

}  // namespace pumice::hw::fast::raster
