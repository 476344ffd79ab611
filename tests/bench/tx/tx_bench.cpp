// SPDX-License-Identifier: MIT
/// Texture lookups alone: time for a block of 16 pixels by format, filter and shape (`block`; `lookups`: a second); blocks walk over a
/// 256x256 image at one texel a pixel
/// (`turned`: at an angle). `prepare` is the work once per draw.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/texture/tx.h"

namespace pumice::hw::fast {
namespace {

using F1 = regs::TX_FORMAT1;
using Filter0 = regs::TX_FILTER0;
constexpr uint32_t kImage = 0x1000000;
constexpr uint32_t kSide = 256;

enum class Filter { nearest, bilinear, trilinear, aniso8 };
enum class Walk { straight, turned, minified };

struct Bench {
  std::unique_ptr<Memory> memory = Memory::create();
  std::unique_ptr<ChipState> state = std::make_unique<ChipState>(Profile::r500);
  tx::Prepared unit;

  Bench(Cpu cpu, uint32_t format, Filter filter, uint32_t shape, uint32_t clamp, bool gamma) {
    memory->map(kImage, 64 << 20);
    for (uint32_t i = 0; i < 64u << 20; i += 4) memory->store(kImage + i, i * 2654435761u);
    const uint32_t code = filter == Filter::nearest  ? Filter0::MIN_FILTER__POINT
                          : filter == Filter::aniso8 ? Filter0::MIN_FILTER__ANISOTROPIC
                                                     : Filter0::MIN_FILTER__LINEAR;
    Filter0 f0;
    f0.MIN_FILTER(code).MAG_FILTER(code).CLAMP_S(clamp).CLAMP_T(clamp).CLAMP_R(clamp).MAX_ANISO(3);
    const bool mips = filter == Filter::trilinear || filter == Filter::aniso8;
    if (mips) f0.MIP_FILTER(Filter0::MIP_FILTER__LINEAR);
    state->set(f0);
    state->set(regs::TX_ENABLE{1});
    state->set(F1().TXFORMAT(format & 31).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3).GAMMA(gamma).TEX_COORD_TYPE(shape));
    state->set(regs::TX_FORMAT2().TXFORMAT_MSB(format >> 5));
    state->set(regs::TX_FORMAT0().TXWIDTH(kSide - 1).TXHEIGHT(kSide - 1).TXDEPTH(shape == 1 ? 4 : 0).NUM_LEVELS(mips ? 8 : 0));
    state->set(regs::TX_OFFSET{kImage});
    tx::prepare(unit, *state, *memory, 0, cpu);
  }
};

void run(benchmark::State& bench, Cpu cpu, uint32_t format, Filter filter, Walk walk, uint32_t shape, uint32_t clamp, bool gamma) {
  static const Cpu best = best_cpu();
  if (cpu > best) return bench.SkipWithError("not on this machine");
  Bench b(cpu, format, filter, shape, clamp, gamma);
  constexpr int kBlocks = 16;  // their arguments stay in the first cache, as in the executor
  auto args = std::make_unique<tx::SampleArgs[]>(kBlocks);
  const float scale = (walk == Walk::minified ? 2.7f : 1.0f) / float(kSide), angle = walk == Walk::turned ? 0.5f : 0.0f;
  for (int i = 0; i < kBlocks; ++i)
    for (int lane = 0; lane < kLanes; ++lane) {
      const float x = float(i % 4 * 4 + lane_x(lane)) + 20.25f, y = float(i / 4 * 4 + lane_y(lane)) + 30.75f;
      args[i].coord[0].v[lane] = (x * std::cos(angle) - y * std::sin(angle)) * scale;
      args[i].coord[1].v[lane] = (x * std::sin(angle) + y * std::cos(angle)) * (filter == Filter::aniso8 ? 6 : 1) * scale;
      args[i].coord[2].v[lane] = shape == 2 ? 1.0f : 0.3f;
      args[i].coord[3].v[lane] = 1.0f;
      args[i].active = 0xFFFF;
    }
  const FlushDenormals flush;
  const tx::SampleRoutine routine = b.unit.routine[size_t(tx::LookupKind::ld)];
  for (auto _ : bench) {
    for (int i = 0; i < kBlocks; ++i) routine(b.unit, args[i]);
    benchmark::ClobberMemory();
  }
  bench.counters["lookups"] = benchmark::Counter(kBlocks * 16, benchmark::Counter::kIsIterationInvariantRate);
  bench.counters["block"] = benchmark::Counter(kBlocks, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

#define LOOKUP(name, ...)                                                                         \
  BENCHMARK_CAPTURE(run, name##_avx512, Cpu::avx512, __VA_ARGS__)->Unit(benchmark::kMicrosecond); \
  BENCHMARK_CAPTURE(run, name##_avx2, Cpu::avx2, __VA_ARGS__)->Unit(benchmark::kMicrosecond);     \
  BENCHMARK_CAPTURE(run, name##_portable, Cpu::portable, __VA_ARGS__)->Unit(benchmark::kMicrosecond)

LOOKUP(rgba8_nearest, F1::TXFORMAT__N8_8_8_8, Filter::nearest, Walk::straight, 0, 0, false);
LOOKUP(rgba8_nearest_turned, F1::TXFORMAT__N8_8_8_8, Filter::nearest, Walk::turned, 0, 0, false);
LOOKUP(rgba8_bilinear, F1::TXFORMAT__N8_8_8_8, Filter::bilinear, Walk::straight, 0, 0, false);
LOOKUP(rgba8_bilinear_turned, F1::TXFORMAT__N8_8_8_8, Filter::bilinear, Walk::turned, 0, 0, false);
LOOKUP(rgba8_bilinear_minified, F1::TXFORMAT__N8_8_8_8, Filter::bilinear, Walk::minified, 0, 0, false);
LOOKUP(rgba8_bilinear_border, F1::TXFORMAT__N8_8_8_8, Filter::bilinear, Walk::straight, 0, 6, false);
LOOKUP(rgba8_trilinear, F1::TXFORMAT__N8_8_8_8, Filter::trilinear, Walk::minified, 0, 0, false);
LOOKUP(rgba8_aniso, F1::TXFORMAT__N8_8_8_8, Filter::aniso8, Walk::straight, 0, 0, false);
LOOKUP(rgba8_cube_bilinear, F1::TXFORMAT__N8_8_8_8, Filter::bilinear, Walk::straight, 2, 2, false);
LOOKUP(rgba8_volume_bilinear, F1::TXFORMAT__N8_8_8_8, Filter::bilinear, Walk::straight, 1, 2, false);
#define FORMAT(name, format)                                                                    \
  LOOKUP(name##_nearest, F1::TXFORMAT__##format, Filter::nearest, Walk::straight, 0, 0, false); \
  LOOKUP(name##_bilinear, F1::TXFORMAT__##format, Filter::bilinear, Walk::straight, 0, 0, false)

LOOKUP(srgb_nearest, F1::TXFORMAT__N8_8_8_8, Filter::nearest, Walk::straight, 0, 0, true);
LOOKUP(srgb_bilinear, F1::TXFORMAT__N8_8_8_8, Filter::bilinear, Walk::straight, 0, 0, true);
FORMAT(r8, N8);
FORMAT(rg8, N8_8);
FORMAT(b2g3r3, N3_3_2);
FORMAT(b5g6r5, N5_6_5);
FORMAT(b5g5r5a1, N1_5_5_5);
FORMAT(b4g4r4a4, N4_4_4_4);
FORMAT(a2rgb10, N2_10_10_10);
FORMAT(r16, N16);
FORMAT(rg16, N16_16);
FORMAT(rgba16, N16_16_16_16);
FORMAT(bc1, DXT1);
FORMAT(bc2, DXT3);
FORMAT(bc3, DXT5);
FORMAT(bc4, ATI1N);
FORMAT(bc5, ATI2N);
LOOKUP(r16f_nearest, F1::TXFORMAT__N16F, Filter::nearest, Walk::straight, 0, 0, false);
LOOKUP(rgba16f_nearest, F1::TXFORMAT__N16F_16F_16F_16F, Filter::nearest, Walk::straight, 0, 0, false);
LOOKUP(r32f_nearest, F1::TXFORMAT__N32F, Filter::nearest, Walk::straight, 0, 0, false);
LOOKUP(rgba32f_nearest, F1::TXFORMAT__N32F_32F_32F_32F, Filter::nearest, Walk::straight, 0, 0, false);
LOOKUP(d24_nearest, F1::TXFORMAT__N24_8, Filter::nearest, Walk::straight, 0, 0, false);

void prepare(benchmark::State& bench, Filter filter) {
  Bench b(best_cpu(), F1::TXFORMAT__N8_8_8_8, filter, 0, 0, false);
  for (auto _ : bench) tx::prepare(b.unit, *b.state, *b.memory, 0, best_cpu());
}
BENCHMARK_CAPTURE(prepare, bilinear, Filter::bilinear);
BENCHMARK_CAPTURE(prepare, trilinear, Filter::trilinear);

}  // namespace
}  // namespace pumice::hw::fast

BENCHMARK_MAIN();
