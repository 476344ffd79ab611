// SPDX-License-Identifier: MIT
/// Random fragment programs and their inputs, and what runs them on the reference and on native code.
#pragma once
#include <bit>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/pixel/shade.h"
#include "tests/hw/us/us_rig.h"

namespace pumice::hw::fast::us {

using us_test::Flow;
using Code = std::array<uint32_t, 6>;

/// A texture unit that asks the reference.
struct ReferenceUnit : tx::UnitHead {
  DrawContext* context = nullptr;
  uint32_t index = 0;

  template <tx::LookupKind kind, bool unscaled>
  static void look_up(const tx::Unit& unit, tx::SampleArgs& args) {
    const OrdinaryFloats ordinary;
    const auto& self = reinterpret_cast<const ReferenceUnit&>(unit);
    for (int quad = 0; quad < 4; ++quad) {
      if (!(args.active >> (4 * quad) & 15)) continue;
      hw::tx::Request request;
      request.unit = self.index;
      request.lookup = hw::tx::Lookup(kind);
      request.unscaled = unscaled;
      for (size_t p = 0; p < 4; ++p)
        for (size_t c = 0; c < 4; ++c) {
          request.coord[p][c] = args.coord[c].v[size_t(quad) * 4 + p];
          if (kind != tx::LookupKind::dxdy) continue;
          request.dx[p][c] = args.dx[c].v[size_t(quad) * 4 + p];
          request.dy[p][c] = args.dy[c].v[size_t(quad) * 4 + p];
        }
      std::array<Vec4, 4> texel;
      args.killed = LaneMask(args.killed | ((hw::tx::sample(*self.context, request, texel) << 4 * quad) & args.active));
      for (size_t p = 0; p < 4; ++p)
        for (size_t c = 0; c < 4; ++c) args.out[c].v[size_t(quad) * 4 + p] = texel[p][c];
    }
#if defined(__x86_64__)
    // A routine may use every register.
    asm volatile("" ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
#endif
  }
  template <size_t... k>
  void fill(std::index_sequence<k...>) {
    ((routine[k] = look_up<tx::LookupKind(k), false>, routine_unscaled[k] = look_up<tx::LookupKind(k), true>), ...);
  }
  ReferenceUnit() { fill(std::make_index_sequence<size_t(tx::LookupKind::count)>()); }
};

/// A draw's worth of state for ShadeRoutines.
class Bench {
 public:
  Bench() {
    config.on_report = [](const Report&) {};
    state->set(regs::US_PIXSIZE{}.PIX_SIZE(31));
    state->set(regs::US_FC_CTRL{}.FULL_FC_EN(1));
    state->set(regs::US_CODE_RANGE{}.CODE_SIZE(511));
    context = std::make_unique<DrawContext>(DrawContext{*state, *memory, counters, config});
    for (uint32_t i = 0; i < 16; ++i) units[i].context = context.get(), units[i].index = i, unit_heads[i] = &units[i];
    for (Lanes& l : offsets) l = {};
    offset_w = {};
    args = {};
    args.offset = offsets.data();
    args.offset_w = &offset_w;
    args.factor = factors.data();
    args.unit = unit_heads.data();
    args.user = &user;
    user.context = context.get();
    args.covered = 0xFFFF;
  }
  void load(const std::vector<Code>& program, uint32_t at = 0) {
    for (size_t i = 0; i < program.size(); ++i) state->us_code[at + i] = program[i];
    state->set(regs::US_CODE_OFFSET{}.OFFSET_ADDR(at));
    state->set(regs::US_CODE_ADDR{}.START_ADDR(0).END_ADDR(uint32_t(program.size() - 1)));
  }
  /// What the executor does once per draw.
  void prepare(Cpu cpu) {
    shade = compile(*state, layout, cpu);
    user.shade = shade.get();
    static_assert(sizeof state->us_const == 256 * 16);
    args.constant = reinterpret_cast<const float(*)[4]>(state->us_const.data());
    for (uint32_t i = 0; i < 32; ++i) flow_constants[i] = state->get<regs::US_FC_INT_CONST>(i).raw;
    flow_constants[32] = state->get<regs::US_FC_BOOL_CONST>().raw;
    args.flow_constant = flow_constants.data();
    state->set(regs::RS_INST_COUNT{}.INST_COUNT(layout.count ? layout.count - 1u : 0u));
    for (uint32_t i = 0; i < layout.count; ++i) state->set(regs::RS_INST{}.TEX_CN(1).TEX_ADDR(layout.reg[i].address), i);
    if (!layout.count) state->set(regs::RS_INST{}, 0);
  }

  std::unique_ptr<ChipState> state = std::make_unique<ChipState>(Profile::r500);
  std::unique_ptr<Memory> memory = Memory::create();
  DrawCounters counters;
  Listener config;
  std::unique_ptr<DrawContext> context;
  std::array<ReferenceUnit, 16> units;
  std::array<const tx::UnitHead*, 16> unit_heads{};
  RsLayout layout;
  std::array<Lanes, kMaxInterpolants> offsets;
  Lanes offset_w;
  std::array<uint32_t, kMaxInterpolants> factors{};
  std::array<uint32_t, 33> flow_constants{};
  ShadeUser user;
  ShadeArgs args;
  std::shared_ptr<const CompiledShade> shade;
};

}  // namespace pumice::hw::fast::us
