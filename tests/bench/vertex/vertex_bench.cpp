// SPDX-License-Identifier: MIT
/// Vertex rate of the front end up to GA, which is replaced by a counter: indexed mesh, triangle list without reuse, small draws. Each on
/// the reference (ref) and the fast front end (by instruction set; `interpreted`: without native code).
#include <benchmark/benchmark.h>

#include <cmath>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/fast/vertex/vertex.h"

namespace pumice::hw {

static uint64_t g_primitives = 0;
void ga::primitive(DrawContext&, const Primitive& p) {
  ++g_primitives;
  benchmark::DoNotOptimize(p.v[2]->x);
}

namespace {

using Dst = regs::PVS_INST_DST;
using Src = regs::PVS_INST_SRC;
using Psc = regs::VAP_PROG_STREAM_CNTL;
using Vf = regs::VAP_VF_CNTL;
using Words = std::array<uint32_t, 4>;

uint32_t source(uint32_t file, uint32_t index, uint32_t x = 0, uint32_t y = 1, uint32_t z = 2, uint32_t w = 3) {
  return Src{}
      .PVS_SRC_REG_TYPE(file)
      .PVS_SRC_OFFSET(index)
      .PVS_SRC_SWIZZLE_X(x)
      .PVS_SRC_SWIZZLE_Y(y)
      .PVS_SRC_SWIZZLE_Z(z)
      .PVS_SRC_SWIZZLE_W(w)
      .raw;
}
Words op(uint32_t opcode, uint32_t file, uint32_t index, uint32_t a, uint32_t b, uint32_t c, bool math = false) {
  return {Dst{}
              .PVS_DST_OPCODE(opcode)
              .PVS_DST_MATH_INST(math)
              .PVS_DST_REG_TYPE(file)
              .PVS_DST_OFFSET(index)
              .PVS_DST_WE_X(1)
              .PVS_DST_WE_Y(1)
              .PVS_DST_WE_Z(1)
              .PVS_DST_WE_W(1)
              .raw,
          a, b, c};
}

constexpr uint32_t kVertices = 0x100000, kGrid = 256;  // 65,536 vertices, 130,050 triangles

/// Position (3 floats), normal (3), texture coordinate (2): transformed by a matrix, lit by one light, coordinate handed on.
struct Scene {
  Scene() {
    reset(state, Profile::r500);
    memory->map(kVertices, 4u << 20);
    std::vector<float> v;
    for (uint32_t y = 0; y < kGrid; ++y)
      for (uint32_t x = 0; x < kGrid; ++x) {
        const float fx = float(x) / kGrid - 0.5f, fy = float(y) / kGrid - 0.5f;
        for (const float c : {fx, fy, 0.1f * std::sin(fx * 9), 0.0f, 0.6f, 0.8f, fx, fy}) v.push_back(c);
      }
    memory->write(kVertices, v.data(), v.size() * 4);
    for (uint32_t y = 0; y + 1 < kGrid; ++y)
      for (uint32_t x = 0; x + 1 < kGrid; ++x) {
        const uint32_t i = y * kGrid + x;
        for (const uint32_t k : {i, i + 1, i + kGrid, i + 1, i + kGrid + 1, i + kGrid}) index.push_back(k);
      }
    state.set(Psc{}.DATA_TYPE_0(Psc::DATA_TYPE_0__FLOAT_3).DST_VEC_LOC_0(0).DATA_TYPE_1(Psc::DATA_TYPE_0__FLOAT_3).DST_VEC_LOC_1(1), 0);
    state.set(Psc{}.DATA_TYPE_0(Psc::DATA_TYPE_0__FLOAT_2).DST_VEC_LOC_0(2).LAST_VEC_0(1), 1);
    const uint32_t identity = 0 | 1 << 3 | 2 << 6 | 3 << 9 | 0xF000;
    for (uint32_t i = 0; i < 2; ++i) state.set(regs::VAP_PROG_STREAM_CNTL_EXT{identity | identity << 16}, i);
    state.set(regs::VAP_VTX_NUM_ARRAYS{}.VTX_NUM_ARRAYS(1));
    state.set(regs::VAP_VTX_AOS_ATTR{}.VTX_AOS_COUNT0(8).VTX_AOS_STRIDE0(8));
    state.set(regs::VAP_VTX_AOS_ADDR_EVEN{kVertices});
    state.set(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(0xFFFFFF));
    state.set(regs::VAP_CNTL{}.DX_CLIP_SPACE_DEF(1));
    state.set(regs::VAP_VTE_CNTL{0x43F});
    const auto set_float = [&](uint32_t offset, float x) { state.reg[offset / 4] = num::bits(x); };
    for (const uint32_t o : {regs::VAP_GB_VERT_CLIP_ADJ::offset, regs::VAP_GB_HORZ_CLIP_ADJ::offset}) set_float(o, 4);
    for (const uint32_t o : {regs::VAP_GB_VERT_DISC_ADJ::offset, regs::VAP_GB_HORZ_DISC_ADJ::offset}) set_float(o, 1);
    for (const uint32_t o :
         {regs::VAP_VPORT_XSCALE::offset, regs::VAP_VPORT_XOFFSET::offset, regs::VAP_VPORT_YSCALE::offset, regs::VAP_VPORT_YOFFSET::offset})
      set_float(o, 512);
    set_float(regs::VAP_VPORT_ZSCALE::offset, 1);
    state.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1));
    state.set(regs::VAP_OUT_VTX_FMT_1{}.TEX_0_COMP_CNT(4).TEX_1_COMP_CNT(2));

    const uint32_t position = source(1, 0), normal = source(1, 1);
    const auto lane = [](uint32_t file, uint32_t i, uint32_t c) { return source(file, i, c, c, c, c); };
    const std::vector<Words> code = {
        op(Dst::PVS_DST_OPCODE__MULTIPLY, 0, 0, source(2, 0), lane(1, 0, 0), position),
        op(Dst::PVS_DST_OPCODE__MULTIPLY_ADD, 0, 0, source(2, 1), lane(1, 0, 1), source(0, 0)),
        op(Dst::PVS_DST_OPCODE__MULTIPLY_ADD, 0, 0, source(2, 2), lane(1, 0, 2), source(0, 0)),
        op(Dst::PVS_DST_OPCODE__ADD, 2, 0, source(0, 0), source(2, 3), source(2, 3)),
        op(Dst::PVS_DST_OPCODE__DOT_PRODUCT, 0, 1, source(1, 1, 0, 1, 2, 4), normal, normal),
        op(regs::PVS_INST_DST_MATH::PVS_DST_OPCODE__RECIP_SQRT_IEEE, 0, 1, source(0, 1), source(0, 1), source(0, 1), true),
        op(Dst::PVS_DST_OPCODE__MULTIPLY, 0, 1, normal, source(0, 1), normal),
        op(Dst::PVS_DST_OPCODE__DOT_PRODUCT, 0, 2, source(0, 1), source(2, 4, 0, 1, 2, 4), source(0, 1)),
        op(Dst::PVS_DST_OPCODE__MAXIMUM, 0, 2, source(0, 2), source(0, 2, 4, 4, 4, 4), source(0, 2)),
        op(Dst::PVS_DST_OPCODE__MULTIPLY_ADD, 2, 1, source(0, 2), source(2, 5), source(2, 5, 0, 0, 0, 0)),
        op(Dst::PVS_DST_OPCODE__ADD, 2, 2, source(1, 2), source(1, 2, 4, 4, 4, 4), source(1, 2)),
    };
    for (uint32_t i = 0; i < code.size(); ++i) state.pvs[i] = code[i];
    state.set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_LAST_INST(uint32_t(code.size()) - 1));
    state.set(regs::VAP_PVS_CONST_CNTL{}.PVS_MAX_CONST_ADDR(255));
    const float constants[6][4] = {{1, 0.1f, 0, 0}, {0.1f, 1, 0, 0},    {0, 0, 0.5f, 0.1f},
                                   {0, 0, 0.5f, 1}, {0.6f, 0, 0.8f, 0}, {0.5f, 0.6f, 0.7f, 1}};
    for (uint32_t i = 0; i < 6; ++i)
      for (uint32_t c = 0; c < 4; ++c) state.pvs[1024 + i][c] = num::bits(constants[i][c]);
  }

  template <class F>
  void draw(const F& front, uint32_t walk, uint32_t count, std::span<const uint32_t> data) {
    counters.instructions_left = uint64_t{1} << 40;
    DrawContext ctx{state, *memory, counters, config};
    front(ctx,
          DrawInput{
              Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(walk).INDEX_SIZE(1).NUM_VERTICES(count & 0xFFFF).USE_ALT_NUM_VERTS(1),
              data});
  }

  ChipState state{Profile::r500};
  std::unique_ptr<Memory> memory = Memory::create();
  DrawCounters counters;
  Listener config;
  std::vector<uint32_t> index;
};

enum class Which { reference, portable, avx2, avx512, interpreted };

void run(benchmark::State& bench, Which which, uint32_t walk, uint32_t vertices, uint32_t draws) {
  const auto cpu = which == Which::portable ? fast::Cpu::portable : which == Which::avx2 ? fast::Cpu::avx2 : fast::Cpu::avx512;
  if (!fast::runs(cpu)) return bench.SkipWithError("not on this machine");
  const auto scene = std::make_unique<Scene>();
  fast::vertex::Front front(cpu, which == Which::interpreted ? ~0u : 256);
  scene->state.set(regs::VAP_ALT_NUM_VERTICES{}.NUM_VERTICES(vertices));
  const std::span<const uint32_t> data = walk == 1 ? std::span<const uint32_t>(scene->index).first(vertices) : std::span<const uint32_t>{};
  const uint64_t before = g_primitives;
  for (auto _ : bench)
    for (uint32_t i = 0; i < draws; ++i)
      scene->draw([&](DrawContext& ctx, const DrawInput& in) { which == Which::reference ? vap::run(ctx, in) : front.run(ctx, in); }, walk,
                  vertices, data);
  bench.counters["triangles"] = benchmark::Counter(double(g_primitives - before), benchmark::Counter::kIsRate);
  bench.counters["draws"] = benchmark::Counter(double(bench.iterations()) * draws, benchmark::Counter::kIsRate);
}

#define SCENES(which)                                                                                  \
  BENCHMARK_CAPTURE(run, mesh / which, Which::which, 1, 130050 * 3, 1)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(run, list / which, Which::which, 2, 65535, 1)->Unit(benchmark::kMillisecond);      \
  BENCHMARK_CAPTURE(run, cubes / which, Which::which, 2, 36, 1000)->Unit(benchmark::kMillisecond)
SCENES(reference);
SCENES(interpreted);
SCENES(portable);
SCENES(avx2);
SCENES(avx512);

}  // namespace
}  // namespace pumice::hw

BENCHMARK_MAIN();
