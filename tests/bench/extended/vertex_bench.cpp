// SPDX-License-Identifier: MIT
/// Vertex rate of the front end of extended draws, to a TriangleSink that counts: the scenes of tests/bench/vertex, and instanced quads.
/// Each on the reference (one run of it) and by native code of each instruction set.
#include <benchmark/benchmark.h>

#include <cmath>

#include "hw/radeon/fast/extended/vertex.h"
#include "hw/radeon/ref/xv/draw.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using Vf = regs::VAP_VF_CNTL;
namespace r5x = regs::r5x;

constexpr uint32_t kGrid = 256;  // 65,536 vertices, 130,050 triangles

struct Counter final : fast::extended::TriangleSink, ShapeSink {
  bool triangles(DrawContext&, std::span<const fast::raster::Triangle> t, const fast::extended::PrimitiveInfo*) override {
    count += t.size();
    benchmark::DoNotOptimize(t[0].vertex[2][0]);
    return false;
  }
  void release() override {}
  void shape(DrawContext&, const Shape&) override { ++count; }
  void choose_draw(uint32_t) override {}
  uint64_t count = 0;
};

/// Position (3 floats), normal (3), texture coordinate (2): transformed by a matrix, lit by one light, coordinate handed on.
class Scene : public XRig {
 public:
  Scene() {
    std::vector<float> v;
    for (uint32_t y = 0; y < kGrid; ++y)
      for (uint32_t x = 0; x < kGrid; ++x) {
        const float fx = float(x) / kGrid - 0.5f, fy = float(y) / kGrid - 0.5f;
        for (const float f : {fx, fy, 0.1f * std::sin(fx * 9), 0.0f, 0.6f, 0.8f, fx, fy}) v.push_back(f);
      }
    const uint64_t at = allocate(v.size() * 4);
    std::copy(v.begin(), v.end(), reinterpret_cast<float*>(dwords(at)));
    for (uint32_t y = 0; y + 1 < kGrid; ++y)
      for (uint32_t x = 0; x + 1 < kGrid; ++x) {
        const uint32_t i = y * kGrid + x;
        for (const uint32_t k : {i, i + 1, i + kGrid, i + 1, i + kGrid + 1, i + kGrid}) index.push_back(k);
      }
    set(r5x::X_VTX_BUFFER_LO{uint32_t(at)});
    set(r5x::X_VTX_BUFFER_HI{uint32_t(at >> 32)});
    set(r5x::X_VTX_BUFFER_SIZE{uint32_t(v.size() * 4)});
    set(r5x::X_VTX_BUFFER_STRIDE{32});
    const uint32_t format[3] = {106, 106, 103};  // R32G32B32_SFLOAT, R32G32_SFLOAT
    for (uint32_t a = 0; a < 3; ++a) set(r5x::X_VTX_ATTR_FORMAT{}.FORMAT(format[a]).OFFSET(12 * a), a);
    const auto set_float = [&](uint32_t offset, float x) { state->reg[offset / 4] = bits(x); };
    for (const uint32_t o :
         {r5x::X_VIEWPORT_XSCALE::offset, r5x::X_VIEWPORT_XOFFSET::offset, r5x::X_VIEWPORT_YSCALE::offset, r5x::X_VIEWPORT_YOFFSET::offset})
      set_float(o, 512);
    set_float(r5x::X_VIEWPORT_ZSCALE::offset, 1);
    const auto lda = [](uint32_t a) { return X{.op = XOp::LDA, .dest = uint8_t(a), .mask = kXyzw, .immediate = a}; };
    const auto exp = [](uint32_t slot, uint8_t source) { return X{.op = XOp::EXP, .mask = kXyzw, .source = source, .immediate = slot}; };
    program(
        {
            lda(0),
            lda(1),
            lda(2),
            alu(AluOp::MAD, 3, kXyzw, c(0), r(0).x(0), c(3)),
            alu(AluOp::MAD, 3, kXyzw, c(1), r(0).x(1), r(3)),
            alu(AluOp::MAD, 3, kXyzw, c(2), r(0).x(2), r(3)),
            exp(16, 3),
            alu(AluOp::MAD, 4, kX, r(1).x(0), r(1).x(0), c(6)),
            alu(AluOp::MAD, 4, kX, r(1).x(1), r(1).x(1), r(4)),
            alu(AluOp::MAD, 4, kX, r(1).x(2), r(1).x(2), r(4)),
            xi(XiOp::FSQRT, 4, kX, r(4)),
            xi(XiOp::FDIV, 1, 7, r(1), r(4).x(0)),
            alu(AluOp::MAD, 5, kX, r(1).x(0), c(4).x(0), c(6)),
            alu(AluOp::MAD, 5, kX, r(1).x(2), c(4).x(2), r(5)),
            alu(AluOp::MAX, 5, kX, r(5), c(6)),
            alu(AluOp::MAD, 6, kXyzw, r(5).x(0), c(5), c(5).x(0)),
            exp(32, 6),
            exp(33, 2),
        },
        {{bits(1), bits(0.1f), 0, 0},
         {bits(0.1f), bits(1), 0, 0},
         {0, 0, bits(0.5f), bits(0.1f)},
         {0, 0, bits(0.5f), bits(1)},
         {bits(0.6f), 0, bits(0.8f), 0},
         {bits(0.5f), bits(0.6f), bits(0.7f), bits(1)},
         {}});
    for (uint32_t i = 0; i < 4; ++i) state->reg[r5x::X_VS_CODE_LO::offset / 4 + i] = state->raw(r5x::X_CS_CODE_LO::offset + 4 * i);
  }
  using XRig::state;
  void TestBody() override {}

  void draw(fast::extended::VertexFront* front, const DrawInput& input, uint32_t instances, Counter& sink) {
    set(r5x::X_DRAW_INSTANCES{instances});
    counters = {};
    counters.instructions_left = uint64_t{1} << 40;
    DrawContext ctx{*state, *memory, counters, config};
    ctx.programs = &programs;
    ctx.sink = &sink;
    if (front)
      front->run(ctx, input, {}, &sink);
    else
      xv::run(ctx, input);
  }
  std::vector<uint32_t> index;
};

struct What {
  bool indexed;
  uint32_t vertices, instances, draws;
};

void run(benchmark::State& bench, int cpu, const What& what) {
  if (cpu > int(fast::best_cpu())) return bench.SkipWithError("not on this machine");
  Scene scene;
  fast::extended::Routines routines(fast::Cpu(std::max(cpu, 0)), {});
  fast::extended::VertexFront front(fast::Cpu(std::max(cpu, 0)), routines);
  scene.state->set(regs::VAP_ALT_NUM_VERTICES{}.NUM_VERTICES(what.vertices));
  const DrawInput input{Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST)
                            .PRIM_WALK(what.indexed ? 1 : 2)
                            .INDEX_SIZE(1)
                            .NUM_VERTICES(what.vertices & 0xFFFF)
                            .USE_ALT_NUM_VERTS(1),
                        what.indexed ? std::span<const uint32_t>(scene.index).first(what.vertices) : std::span<const uint32_t>{}};
  Counter sink;
  for (auto _ : bench)
    for (uint32_t i = 0; i < what.draws; ++i) scene.draw(cpu < 0 ? nullptr : &front, input, what.instances, sink);
  bench.counters["triangles"] = benchmark::Counter(double(sink.count), benchmark::Counter::kIsRate);
  bench.counters["draws"] = benchmark::Counter(double(bench.iterations()) * what.draws, benchmark::Counter::kIsRate);
}

#define SCENES(name, cpu)                                                                                \
  BENCHMARK_CAPTURE(run, mesh / name, cpu, What{true, 130050 * 3, 1, 1})->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(run, list / name, cpu, What{false, 65535, 1, 1})->Unit(benchmark::kMillisecond);     \
  BENCHMARK_CAPTURE(run, cubes / name, cpu, What{false, 36, 1, 1000})->Unit(benchmark::kMillisecond);    \
  BENCHMARK_CAPTURE(run, instances / name, cpu, What{true, 6, 10000, 1})->Unit(benchmark::kMillisecond)
SCENES(reference, -1);
SCENES(portable, 0);
SCENES(avx2, 1);
SCENES(avx512, 2);

}  // namespace
}  // namespace pumice::hw::x_test

BENCHMARK_MAIN();
