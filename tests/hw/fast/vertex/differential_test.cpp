// SPDX-License-Identifier: MIT
/// The fast front end against the reference, bit for bit: random microcode, streams, indices, clip states, special values. A failure names
/// the seed and the command that runs it alone.
#include <cmath>
#include <random>

#include "hw/radeon/fast/vertex/vertex.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/vap/fixture.h"

namespace pumice::hw::test {
namespace {

using fast::Cpu;

using fast::cpus;

class FastVertex : public VapTest {
 protected:
  FastVertex() {
    // Interpreted only, and compiled after the first batch.
    for (const Cpu c : cpus()) fronts.push_back(std::make_unique<fast::vertex::Front>(c, ~0u));
    for (const Cpu c : cpus())
      if (c != Cpu::portable) fronts.push_back(std::make_unique<fast::vertex::Front>(c, 1));
  }

  struct Outcome {
    std::vector<Collected> primitives;
    std::vector<std::string> reports;
    Memory::Fault fault;
    bool hung;
  };
  template <class F>
  Outcome outcome(const F& f, uint64_t budget) {
    collector.primitives.clear();
    reports.clear();
    memory->take_fault();
    counters = {.instructions_left = budget};
    DrawContext ctx{state, *memory, counters, config};
    f(ctx);
    Outcome o{std::move(collector.primitives), {}, memory->take_fault(), counters.hung};
    for (const Report& r : reports) o.reports.push_back(r.text);
    return o;
  }

  static bool same(const Vec4& a, const Vec4& b) {
    for (int i = 0; i < 4; ++i)
      if (num::bits(a[i]) != num::bits(b[i])) return false;
    return true;
  }
  static std::string difference(const WindowVertex& a, const WindowVertex& b, bool place) {
    const auto text = [](const std::string& what, const Vec4& x, const Vec4& y) {
      std::string s = what + ":";
      for (const Vec4* v : {&x, &y}) {
        for (const float c : *v) s += " " + ::testing::PrintToString(c) + decode_hex(num::bits(c));
        s += v == &x ? ", not" : "";
      }
      return s;
    };
    const Vec4 pa = {a.x, a.y, a.z, a.inv_w}, pb = {b.x, b.y, b.z, b.inv_w};
    if (place && !same(pa, pb)) return text("place", pa, pb);
    if (num::bits(a.point_size) != num::bits(b.point_size)) return text("point size", {a.point_size}, {b.point_size});
    for (size_t i = 0; i < kMaxColors; ++i)
      if (!same(a.color[i], b.color[i])) return text("color " + std::to_string(i), a.color[i], b.color[i]);
    for (size_t i = 0; i < kMaxTexcoords; ++i)
      if (!same(a.tex[i], b.tex[i])) return text("texcoord " + std::to_string(i), a.tex[i], b.tex[i]);
    return "";
  }
  static std::string decode_hex(uint32_t v) {
    char s[16];
    std::snprintf(s, sizeof s, "(%08x)", v);
    return s;
  }

  /// Runs the draw on the reference and every fast front; true when all agree.
  bool compare(uint32_t seed, Vf vf, std::span<const uint32_t> data, uint64_t budget = 1u << 20) {
    const DrawInput input{vf, data};
    const Outcome want = outcome([&](DrawContext& ctx) { vap::run(ctx, input); }, budget);
    drawn += want.primitives.size();
    for (size_t c = 0; c < fronts.size(); ++c) {
      const Outcome got = outcome([&](DrawContext& ctx) { fronts[c]->run(ctx, input); }, budget);
      std::string wrong;
      if (got.primitives.size() != want.primitives.size())
        wrong = std::to_string(got.primitives.size()) + " primitives, not " + std::to_string(want.primitives.size());
      for (size_t i = 0; i < want.primitives.size() && wrong.empty(); ++i) {
        const Collected &a = got.primitives[i], &b = want.primitives[i];
        if (a.kind != b.kind || a.edge_flags != b.edge_flags) wrong = "kind or edge flags";
        const int corners = a.kind == PrimitiveKind::point ? 1 : a.kind == PrimitiveKind::line ? 2 : 3;
        for (int k = 0; k < corners && wrong.empty(); ++k) {
          wrong = difference(a.v[k], b.v[k], true);
          if (!wrong.empty()) wrong = "corner " + std::to_string(k) + " " + wrong;
        }
        if (wrong.empty()) wrong = difference(a.provoking, b.provoking, false);
        if (!wrong.empty()) wrong = "primitive " + std::to_string(i) + ": " + wrong;
      }
      if (wrong.empty() && got.reports != want.reports)
        wrong = "reports: " + ::testing::PrintToString(got.reports) + ", not " + ::testing::PrintToString(want.reports);
      if (wrong.empty() && (got.fault.count != 0) != (want.fault.count != 0))
        wrong = "memory faults: " + std::to_string(got.fault.count) + " at " + std::to_string(got.fault.address) + ", not " +
                std::to_string(want.fault.count) + " at " + std::to_string(want.fault.address);
      if (wrong.empty() && got.hung != want.hung) wrong = "lockup";
      if (wrong.empty()) continue;
      ADD_FAILURE() << wrong << "\n  front " << c << ", seed " << seed << rerun(seed);
      return false;
    }
    return true;
  }

  /// Seeds 0..count-1, or others (tests/fuzz.h). Stops after a few failures.
  template <class F>
  void seeds(uint32_t count, const F& f) {
    const FuzzRange range = fuzz_range(count);
    usual = range.usual;
    int failures = 0;
    for (uint32_t seed = range.first; seed < range.end() && failures < 5; ++seed) failures += !f(seed);
  }

  std::vector<std::unique_ptr<fast::vertex::Front>> fronts;
  uint64_t drawn = 0;
  bool usual = true;  ///< the seeds that together must draw something
};

struct Random : std::mt19937 {
  using std::mt19937::mt19937;
  uint32_t below(uint32_t n) { return uint32_t((*this)() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  /// Mostly small numbers, now and then everything a float can be.
  uint32_t number() {
    switch (below(12)) {
      case 0: return uint32_t((*this)());
      case 1: {
        constexpr uint32_t kSpecial[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345, 0x7F812345, 1,
                                         0x807FFFFF, 0x00800000, 0x80800001, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0xBF800000, 0x4B000001};
        return kSpecial[below(16)];
      }
      case 2: return num::bits(std::ldexp(float(int(below(2001)) - 1000), int(below(240)) - 120));
      case 3: return num::bits(float(int(below(9)) - 4));
      default: return num::bits(std::ldexp(float(int(below(20001)) - 10000), int(below(8)) - 12));
    }
  }
};

/// Registers and memory at random: mostly nonsense, nothing may differ.
TEST_F(FastVertex, RandomRegisters) {
  seeds(60, [&](uint32_t seed) {
    Random random(seed);
    for (uint32_t offset = 0x2080; offset < 0x2600; offset += 4) state.reg[offset / 4] = random() & (random() & 1 ? random() : ~0u);
    state.reg[regs::GA_COLOR_CONTROL::offset / 4] = random();
    state.profile = random.one_in(4) ? Profile::r300 : Profile::r500;
    for (auto& word : state.pvs)
      for (uint32_t& x : word) x = random();
    state.set(state.get<regs::VAP_CNTL>().VAP_NO_RENDER(0));
    state.set(regs::VAP_ALT_NUM_VERTICES{}.NUM_VERTICES(random.below(60)));
    if (random() & 1) state.set(regs::VAP_CNTL_STATUS{}.PVS_BYPASS(random() & 1).VC_SWAP(random() & 3));
    if (random() & 1) arrays(random.below(5));
    for (uint32_t i = 0; i < 16; ++i)
      if (random() & 3) array(i, kVertexAddress + (random() & 0xFFFF), random() & 0x7F, random() & 0x7F);
    std::vector<uint32_t> data(random.below(200));
    for (uint32_t& x : data) x = random() & 1 ? num::bits(float(int(random.below(7))) - 3) : random();
    return compare(seed, Vf{uint32_t(random()) & 0xFFFF}.NUM_VERTICES(random.below(60)), data);
  });
  EXPECT_TRUE(drawn > 10 || !usual);  // or the test tests nothing
}

class FastPrograms : public FastVertex {
 protected:
  uint32_t operand(Random& r, bool predication) {
    Src s;
    s.PVS_SRC_REG_TYPE(r.below(4)).PVS_SRC_OFFSET(r.one_in(30) ? r.below(256) : r.below(6));
    const auto component = [&] { return r.one_in(8) ? r.below(8) : r.below(4); };
    s.PVS_SRC_SWIZZLE_X(component()).PVS_SRC_SWIZZLE_Y(component()).PVS_SRC_SWIZZLE_Z(component()).PVS_SRC_SWIZZLE_W(component());
    s.PVS_SRC_MODIFIER_X(r.one_in(4)).PVS_SRC_MODIFIER_Y(r.one_in(4)).PVS_SRC_MODIFIER_Z(r.one_in(4)).PVS_SRC_MODIFIER_W(r.one_in(4));
    s.PVS_SRC_ABS_XYZW(predication && r.one_in(6));
    if (r.one_in(6)) s.PVS_SRC_ADDR_MODE_0(r() & 1).PVS_SRC_ADDR_MODE_1(r() & 1).PVS_SRC_ADDR_SEL(r() & 3);
    return s.raw;
  }
  /// Any instruction that does something, registers close together so that results meet.
  Words instruction(Random& r) {
    Dst d;
    const uint32_t engine = r.below(10);
    d.PVS_DST_MATH_INST(engine < 3).PVS_DST_MACRO_INST(engine == 9);
    d.PVS_DST_OPCODE(engine == 9 ? r.below(2) : r.below(30));
    constexpr uint32_t kFiles[] = {0, 0, 0, 0, 1, 2, 2, 3, 4, 5};
    d.PVS_DST_REG_TYPE(kFiles[r.below(10)]).PVS_DST_OFFSET(r.one_in(30) ? r.below(128) : r.below(6));
    d.PVS_DST_WE_X(!r.one_in(4)).PVS_DST_WE_Y(!r.one_in(4)).PVS_DST_WE_Z(!r.one_in(4)).PVS_DST_WE_W(!r.one_in(4));
    d.PVS_DST_VE_SAT(r.one_in(6)).PVS_DST_ME_SAT(r.one_in(6)).PVS_DST_PRED_ENABLE(r.one_in(4)).PVS_DST_PRED_SENSE(r() & 1);
    if (r.one_in(8)) d.PVS_DST_ADDR_MODE_0(r() & 1).PVS_DST_ADDR_MODE_1(r() & 1).PVS_DST_ADDR_SEL(r() & 3);
    const bool dual = r.one_in(6);
    regs::PVS_INST_DUAL_MATH m{uint32_t(r()) & ~(r.one_in(3) ? 0u : 0x1FE0u)};
    d.PVS_DST_DUAL_MATH_OP(dual);
    return {d.raw, operand(r, true), operand(r, true), dual ? m.raw : operand(r, true)};
  }

  void make_program(Random& r, uint32_t length) {
    std::vector<Words> code;
    for (uint32_t i = 0; i < length; ++i) code.push_back(instruction(r));
    // All outputs see something of everything.
    for (uint32_t o = 0; o < 6; ++o) {
      Words w = mov(to_output(o, o ? 15 : 7), operand_of(r.below(2) ? 0 : 3, r.below(6)));
      if (!r.one_in(4)) code.push_back(w);
    }
    // A position that is mostly on the screen.
    if (!r.one_in(5))
      code.push_back(vector_op(Dst::PVS_DST_OPCODE__MULTIPLY_ADD, to_output(0), input(0), constant(40), temp(r.below(6), "0000")));
    state.reg[regs::VAP_PVS_FLOW_CNTL_OPC::offset / 4] = 0;
    program(code);
    if (r.one_in(4)) {
      const uint32_t entries = 1 + r.below(3);
      for (uint32_t i = 0; i < entries; ++i) {
        const uint32_t act = r.below(length), last = std::min(act + 1 + r.below(4), length - 1);
        flow(i, r.one_in(4) ? 3u : 2u, act, r.one_in(4) ? last : 1 + r.below(3), last, act + 1, r() & 0x80000707);
      }
    }
  }
  static uint32_t operand_of(uint32_t file, uint32_t index) { return source(file, index); }

  void make_stream(Random& r, uint32_t vertices, bool embedded) {
    // Element 0: the position, FLOAT_4; others anything.
    const uint32_t extra = r.below(5);
    constexpr uint32_t kTypes[] = {Psc::DATA_TYPE_0__FLOAT_1,      Psc::DATA_TYPE_0__FLOAT_2, Psc::DATA_TYPE_0__FLOAT_3,
                                   Psc::DATA_TYPE_0__FLOAT_4,      Psc::DATA_TYPE_0__BYTE,    Psc::DATA_TYPE_0__D3DCOLOR,
                                   Psc::DATA_TYPE_0__SHORT_2,      Psc::DATA_TYPE_0__SHORT_4, Psc::DATA_TYPE_0__VECTOR_3_TTT,
                                   Psc::DATA_TYPE_0__VECTOR_3_EET, Psc::DATA_TYPE_0__FLOAT_8, Psc::DATA_TYPE_0__FLT16_2,
                                   Psc::DATA_TYPE_0__FLT16_4};
    const auto swizzle = [&] { return r.one_in(3) ? uint32_t(r()) & 0xFFFFu : kIdentity | 0xF000u; };
    element(0, Psc::DATA_TYPE_0__FLOAT_4, 0, extra == 0);
    for (uint32_t i = 1; i <= extra; ++i) {
      Psc flags;
      flags.SIGNED_0(r() & 1).NORMALIZE_0(r() & 1);
      element(i, kTypes[r.below(13)], r.one_in(20) ? r.below(32) : i, i == extra, flags.raw, r.one_in(8) ? r.below(3) : 0, swizzle());
    }
    state.set(regs::VAP_PSC_SGN_NORM_CNTL{uint32_t(r())});
    if (embedded) return;
    // Random dwords in all of memory, numbers where the positions are.
    const uint32_t split = 4 + r.below(8), stride = split + r.below(3);
    array(0, kVertexAddress, split, stride);
    array(1, kVertexAddress + 0x8000, 1 + r.below(20), r.below(24));
    arrays(1 + r.below(2));
    std::vector<uint32_t> words(kVertexBytes / 4);
    for (uint32_t& w : words) w = r.number();
    for (uint32_t v = 0; v < vertices; ++v) position(r, &words[v * stride]);
    ASSERT_TRUE(memory->write(kVertexAddress, words.data(), words.size() * 4));
    if (r.one_in(10)) array(1, r.one_in(2) ? kVertexAddress + kVertexBytes - 64 : 0x900000, 4, 1);  // partly or not backed
  }
  void position(Random& r, uint32_t* p) {
    const uint32_t kind = r.below(20);
    for (int c = 0; c < 4; ++c)
      p[c] = kind == 0             ? r.number()
             : c == 3 && kind < 14 ? num::bits(1.0f)
                                   : num::bits(std::ldexp(float(int(r.below(2001)) - 1000), -9 - int(r.below(2))));
    if (kind == 1) p[3] = num::bits(std::ldexp(1.0f, -int(r.below(120))));
  }

  void make_states(Random& r) {
    state.profile = r.one_in(10) ? Profile::r300 : Profile::r500;
    set_clip(r.one_in(6) ? 1.0f : r.one_in(10) ? f(r.number()) : 1.0f + float(r.below(64)) * 0.25f);
    set_discard(r.one_in(4) ? 1.0f + float(r.below(3)) * 0.5f : 1.0f);
    if (r.one_in(12)) set_discard(f(r.number()));
    state.set(regs::VAP_CLIP_CNTL{r.one_in(4) ? uint32_t(r() & r() & 0x36003F) : 0u});
    state.set(regs::VAP_CNTL{}.DX_CLIP_SPACE_DEF(r() & 1));
    state.set(regs::VAP_VTE_CNTL{r.one_in(3) ? uint32_t(r()) & 0x73Fu : 0x43Fu});
    for (const uint32_t offset : {regs::VAP_VPORT_XSCALE::offset, regs::VAP_VPORT_XOFFSET::offset, regs::VAP_VPORT_YSCALE::offset,
                                  regs::VAP_VPORT_YOFFSET::offset, regs::VAP_VPORT_ZSCALE::offset, regs::VAP_VPORT_ZOFFSET::offset})
      state.reg[offset / 4] = r.one_in(20) ? r.number() : num::bits(float(r.below(1000)) * 0.5f);
    state.set(regs::VAP_CNTL_STATUS{}.PVS_BYPASS(r.one_in(8)).VC_SWAP(r.one_in(6) ? r.below(4) : 0));
    state.set(regs::GA_COLOR_CONTROL{}.PROVOKING_VERTEX(r.below(4)));
    state.set(regs::VAP_OUT_VTX_FMT_0{}
                  .VTX_POS_PRESENT(1)
                  .VTX_PT_SIZE_PRESENT(r.one_in(3))
                  .VTX_COLOR_0_PRESENT(r() & 1)
                  .VTX_COLOR_1_PRESENT(r.one_in(4))
                  .VTX_COLOR_2_PRESENT(r.one_in(4)));
    state.set(regs::VAP_OUT_VTX_FMT_1{r.one_in(2) ? uint32_t(r()) & 0xFFFu : 4u});
    state.set(regs::VAP_INDEX_OFFSET{}.INDEX_OFFSET(r.one_in(5) ? r.below(9) : 0));
    state.set(regs::VAP_VF_MIN_VTX_INDX{}.MIN_INDX(r.one_in(6) ? r.below(4) : 0));
    state.set(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(r.one_in(6) ? r.below(400) : 0xFFFFFF));
    const Capabilities& chip = capabilities(state.profile);
    for (uint32_t i = 0; i < chip.pvs_clip_planes; ++i)
      for (uint32_t& x : state.pvs[chip.pvs_clip_plane_base + i]) x = r.one_in(8) ? r.number() : num::bits(float(int(r.below(9)) - 4));
    for (uint32_t i = 0; i < chip.pvs_constants; ++i)
      for (uint32_t& x : state.pvs[chip.pvs_constant_base + i]) x = r.number();
    for (uint32_t& x : state.pvs[chip.pvs_constant_base + 40]) x = num::bits(r.one_in(2) ? 1.0f : 1.5f);
  }

  bool draw_one(uint32_t seed, Random& r, uint32_t most, uint32_t length) {
    const uint32_t count = r.below(most) + 1, walk = r.one_in(5) ? 3u : r.one_in(2) ? 1u : 2u;
    make_states(r);
    make_program(r, 1 + r.below(length));
    make_stream(r, std::min(count, 300u), walk == 3);
    constexpr uint32_t kTypes[] = {1, 2, 3, 4, 4, 4, 5, 6, 7, 8, 12, 13, 14, 15};
    Vf vf = draw(kTypes[r.below(14)], count, walk).INDEX_SIZE(r() & 1);
    std::vector<uint32_t> data;
    if (walk == 1) {
      vf.DUAL_INDEX_MODE(r.one_in(8));
      const uint32_t range = 1 + r.below(std::min(most, 400u));
      for (uint32_t i = 0; i < count + count / 3 + 1; ++i)
        data.push_back(vf.INDEX_SIZE() ? r.below(range) | (vf.DUAL_INDEX_MODE() ? r.below(4) << 16 : 0)
                                       : r.below(range) | r.below(range) << 16);
    } else if (walk == 3) {
      const uint32_t size = 4 + r.below(12);
      state.set(regs::VAP_VTX_SIZE{}.DWORDS_PER_VTX(size));
      data.resize(size_t{count} * size);
      for (uint32_t& x : data) x = r.number();
      for (uint32_t v = 0; v < count; ++v) position(r, &data[size_t{v} * size]);
    }
    // Twice: then all of it is native.
    const uint64_t budget = 1000 * (uint64_t{count} + 1);
    return compare(seed, vf, data, budget) && compare(seed, vf, data, budget);
  }
};

TEST_F(FastPrograms, RandomProgramsStreamsIndices) {
  seeds(600, [&](uint32_t seed) {
    Random random(seed);
    return draw_one(seed, random, 60, 30);
  });
  if (fronts.size() > 1 && usual) {
    const auto& done = fronts.back()->statistics();
    EXPECT_GT(double(done.native), 0.4 * double(done.batches));
  }
  EXPECT_TRUE(drawn > 5000 || !usual);
}

/// Beyond the segment and the cache: everything that looks back still finds its vertices.
TEST_F(FastPrograms, LongDraws) {
  seeds(20, [&](uint32_t seed) {
    Random random(seed + 1000000);
    return draw_one(seed, random, 3000, 6);
  });
  EXPECT_TRUE(drawn > 3000 || !usual);
}

/// Each math and vector operation with each special value: random programs meet them too seldom.
TEST_F(FastPrograms, EveryOperationOnSpecialValues) {
  seeds(58, [&](uint32_t seed) {
    Random random(seed);
    make_states(random);
    state.profile = Profile::r500;
    state.set(regs::VAP_CLIP_CNTL{}.CLIP_DISABLE(1));
    state.set(regs::VAP_VTE_CNTL{}.VTX_W0_FMT(1));
    state.set(regs::VAP_CNTL_STATUS{});
    state.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_COLOR_0_PRESENT(1));
    state.set(regs::VAP_OUT_VTX_FMT_1{});
    state.set(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(0xFFFFFF));
    for (uint32_t i = 0; i < 4; ++i) element(i, Psc::DATA_TYPE_0__FLOAT_4, i, i == 3);
    array(0, kVertexAddress, 4, 0), array(1, kVertexAddress + 16, 12, 12);
    arrays(2);
    const uint32_t opcode = seed % 29;
    const Words op = seed < 29 ? vector_op(opcode, to_output(1), input(1), input(2), input(3))
                               : math_op(opcode, to_output(1), input(1), input(2), input(3));
    state.reg[regs::VAP_PVS_FLOW_CNTL_OPC::offset / 4] = 0;
    program({mov(to_output(0), input(0)), op});
    std::vector<uint32_t> words = {0, 0, 0, num::bits(1.0f)};
    for (uint32_t i = 0; i < 1000 * 12; ++i) words.push_back(random.one_in(2) ? random.number() : uint32_t(random()));
    memory->write(kVertexAddress, words.data(), words.size() * 4);
    return compare(seed, draw(Vf::PRIM_TYPE__POINT_LIST, 1000), {});
  });
}

TEST_F(FastVertex, HangsLikeTheReference) {
  // A jump to itself.
  program({mov(to_output(0), input(0))});
  flow(0, 1, 0, 0);
  EXPECT_TRUE(compare(0, draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 3), {}, 1000));
  EXPECT_TRUE(counters.hung);
}

}  // namespace
}  // namespace pumice::hw::test
