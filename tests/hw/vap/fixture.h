// SPDX-License-Identifier: MIT
/// A chip state with a small draw ready to run, microcode building blocks, and a collector in the place of GA.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/vap/pvs_program.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::test {

using Dst = regs::PVS_INST_DST;
using Math = regs::PVS_INST_DST_MATH;
using Src = regs::PVS_INST_SRC;
using Vf = regs::VAP_VF_CNTL;
using Psc = regs::VAP_PROG_STREAM_CNTL;
using Words = std::array<uint32_t, 4>;

inline constexpr uint32_t kIdentity = 0 | 1 << 3 | 2 << 6 | 3 << 9;  ///< swizzle xyzw as in VAP_PROG_STREAM_CNTL_EXT
inline constexpr uint32_t kVertexAddress = 0x10000, kVertexBytes = 0x10000;

/// A primitive as GA would see it, copied.
struct Collected {
  PrimitiveKind kind;
  std::array<WindowVertex, 3> v{};
  WindowVertex provoking;
  int provoking_slot = -1;  ///< which of v, -1 none
  uint8_t edge_flags;
};
struct Collector {
  std::vector<Collected> primitives;
  uint64_t count = 0;
  bool keep = true;
};
inline Collector* g_collector = nullptr;  // ga::primitive has no other way to find it; tests run on one thread

/// Source operand: register, swizzle of "xyzw01" letters, flags.
inline uint32_t source(uint32_t file, uint32_t offset, const char* swizzle = "xyzw", uint32_t negate = 0, bool abs = false) {
  const auto code = [&](int i) { return uint32_t(std::string("xyzw01").find(swizzle[i])); };
  return Src{}
      .PVS_SRC_REG_TYPE(file)
      .PVS_SRC_OFFSET(offset)
      .PVS_SRC_SWIZZLE_X(code(0))
      .PVS_SRC_SWIZZLE_Y(code(1))
      .PVS_SRC_SWIZZLE_Z(code(2))
      .PVS_SRC_SWIZZLE_W(code(3))
      .PVS_SRC_MODIFIER_X(negate & 1)
      .PVS_SRC_MODIFIER_Y(negate >> 1 & 1)
      .PVS_SRC_MODIFIER_Z(negate >> 2 & 1)
      .PVS_SRC_MODIFIER_W(negate >> 3 & 1)
      .PVS_SRC_ABS_XYZW(abs)
      .raw;
}
inline uint32_t temp(uint32_t i, const char* s = "xyzw") { return source(Src::PVS_SRC_REG_TYPE__TEMPORARY, i, s); }
inline uint32_t input(uint32_t i, const char* s = "xyzw") { return source(Src::PVS_SRC_REG_TYPE__INPUT, i, s); }
inline uint32_t constant(uint32_t i, const char* s = "xyzw") { return source(Src::PVS_SRC_REG_TYPE__CONSTANT, i, s); }
inline uint32_t alt(uint32_t i, const char* s = "xyzw") { return source(Src::PVS_SRC_REG_TYPE__ALTERNATE_TEMPORARY, i, s); }
inline uint32_t zero() { return temp(0, "0000"); }
/// Relative addressing of a source: mode 1 A0.x, 2 aL.
inline uint32_t relative(uint32_t src, uint32_t mode, uint32_t component = 0) {
  return Src{src}.PVS_SRC_ADDR_MODE_0(mode & 1).PVS_SRC_ADDR_MODE_1(mode >> 1).PVS_SRC_ADDR_SEL(component).raw;
}

inline Dst dest(uint32_t file, uint32_t offset, uint32_t mask = 0xF) {
  Dst d;
  d.PVS_DST_REG_TYPE(file).PVS_DST_OFFSET(offset);
  return d.PVS_DST_WE_X(mask & 1).PVS_DST_WE_Y(mask >> 1 & 1).PVS_DST_WE_Z(mask >> 2 & 1).PVS_DST_WE_W(mask >> 3 & 1);
}
inline Dst to_temp(uint32_t i, uint32_t mask = 0xF) { return dest(Dst::PVS_DST_REG_TYPE__TEMPORARY, i, mask); }
inline Dst to_output(uint32_t i, uint32_t mask = 0xF) { return dest(Dst::PVS_DST_REG_TYPE__OUTPUT, i, mask); }
inline Dst to_a0(uint32_t mask = 0xF) { return dest(Dst::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0, 0, mask); }

inline Words vector_op(uint32_t opcode, Dst d, uint32_t a, uint32_t b = zero(), uint32_t c = zero()) {
  return {d.PVS_DST_OPCODE(opcode).raw, a, b, c};
}
inline Words math_op(uint32_t opcode, Dst d, uint32_t a, uint32_t b = zero(), uint32_t c = zero()) {
  return {d.PVS_DST_OPCODE(opcode).PVS_DST_MATH_INST(1).raw, a, b, c};
}
inline Words mov(Dst d, uint32_t a) { return vector_op(Dst::PVS_DST_OPCODE__ADD, d, a); }

inline float f(uint32_t bits) { return num::from_bits(bits); }

class VapTest : public ::testing::Test {
 protected:
  VapTest() {
    reset(state, Profile::r500);
    g_collector = &collector;
    memory = Memory::create();
    memory->map(kVertexAddress, kVertexBytes);
    config.on_report = [this](const Report& r) { reports.push_back(r); };
    counters.instructions_left = 1u << 20;
    // Window = clip coordinates / w; no guard band; DX depth range.
    state.set(regs::VAP_VTE_CNTL{}.VTX_W0_FMT(1));
    state.set(regs::VAP_CNTL{}.DX_CLIP_SPACE_DEF(1));
    set_clip(1.0f);
    set_discard(1.0f);
    state.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1));
    state.set(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(0xFFFFFF));
    state.set(regs::GA_COLOR_CONTROL{}.PROVOKING_VERTEX(0));
    element(0, Psc::DATA_TYPE_0__FLOAT_4, 0, true);
    array(0, kVertexAddress, 4, 4);
    arrays(1);
    program({mov(to_output(0), input(0))});
  }
  ~VapTest() override { g_collector = nullptr; }

  void set_clip(float x) { set_float<regs::VAP_GB_VERT_CLIP_ADJ>(x), set_float<regs::VAP_GB_HORZ_CLIP_ADJ>(x); }
  void set_discard(float x) { set_float<regs::VAP_GB_VERT_DISC_ADJ>(x), set_float<regs::VAP_GB_HORZ_DISC_ADJ>(x); }
  template <class R>
  void set_float(float x, uint32_t i = 0) {
    state.reg[R::at(i) / 4] = num::bits(x);
  }
  template <class R>
  void set_half(uint32_t i, uint32_t value) {
    uint32_t& r = state.reg[R::at(i / 2) / 4];
    const uint32_t shift = 16 * (i & 1);
    r = (r & ~(0xFFFFu << shift)) | value << shift;
  }
  void element(uint32_t i, uint32_t type, uint32_t destination, bool last, uint32_t flags = 0, uint32_t skip = 0,
               uint32_t ext = kIdentity | 0xF000) {
    set_half<Psc>(i, Psc{}.DATA_TYPE_0(type).DST_VEC_LOC_0(destination).LAST_VEC_0(last).SKIP_DWORDS_0(skip).raw | flags);
    set_half<regs::VAP_PROG_STREAM_CNTL_EXT>(i, ext);
  }
  void array(uint32_t i, uint32_t address, uint32_t dwords, uint32_t stride) {
    set_half<regs::VAP_VTX_AOS_ATTR>(i, dwords | stride << 8);
    state.reg[(i & 1 ? regs::VAP_VTX_AOS_ADDR_ODD::at(i / 2) : regs::VAP_VTX_AOS_ADDR_EVEN::at(i / 2)) / 4] = address;
  }
  void arrays(uint32_t n) { state.set(regs::VAP_VTX_NUM_ARRAYS{}.VTX_NUM_ARRAYS(n)); }
  void program(const std::vector<Words>& code, uint32_t first = 0) {
    for (uint32_t i = 0; i < code.size(); ++i) state.pvs[first + i] = code[i];
    state.set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(first).PVS_LAST_INST(first + uint32_t(code.size()) - 1));
    state.set(regs::VAP_PVS_CONST_CNTL{}.PVS_MAX_CONST_ADDR(255));
  }
  void set_constant(uint32_t i, Vec4 v) {
    for (int c = 0; c < 4; ++c) state.pvs[1024 + i][c] = num::bits(v[c]);
  }
  void flow(uint32_t i, uint32_t opcode, uint32_t act, uint32_t count_or_target, uint32_t last = 0, uint32_t return_to = 0,
            uint32_t index = 0) {
    state.reg[regs::VAP_PVS_FLOW_CNTL_OPC::offset / 4] |= opcode << (2 * i);
    state.set(regs::VAP_PVS_FLOW_CNTL_ADDRS_LW{act | count_or_target << 16}, i);
    state.set(regs::VAP_PVS_FLOW_CNTL_ADDRS_UW{last | return_to << 16}, i);
    state.set(regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX{index}, i);
  }
  void vertices(const std::vector<Vec4>& v) { ASSERT_TRUE(memory->write(kVertexAddress, v.data(), v.size() * sizeof(Vec4))); }

  void run(Vf vf, std::span<const uint32_t> data = {}) {
    DrawContext ctx{state, *memory, counters, config};
    vap::run(ctx, {vf, data});
  }
  static Vf draw(uint32_t type, uint32_t count, uint32_t walk = Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY) {
    return Vf{}.PRIM_TYPE(type).PRIM_WALK(walk).NUM_VERTICES(count);
  }

  ChipState state{Profile::r500};
  std::unique_ptr<Memory> memory;
  DrawCounters counters;
  Listener config;
  std::vector<Report> reports;
  Collector collector;
};

}  // namespace pumice::hw::test
