// SPDX-License-Identifier: MIT
/// What the layout of a large texture does to lookups: 1024x1024 pixels in tiles of 64x64 and blocks of 4x4, as the executor walks,
/// bilinear, turned and scaled. `routine`: the executor's own lookups, rows of the given padding. `gather`: the same texels read by gathers
/// with addresses in rows or in the chip's micro and macro tiles (4x2 texels in 32 bytes, 32x16 in 2 KiB), so that only the layout differs.
/// `block`: time of 16 pixels.
#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <cmath>
#include <memory>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/texture/tx.h"

namespace pumice::hw::fast {
namespace {

using F1 = regs::TX_FORMAT1;
using Filter0 = regs::TX_FILTER0;
constexpr uint32_t kImage = 0x1000000;
constexpr int kSide = 1024, kTile = 64;

/// f(x, y) for the blocks of the picture.
template <class F>
void walk(const F& f) {
  for (int ty = 0; ty < kSide; ty += kTile)
    for (int tx = 0; tx < kSide; tx += kTile)
      for (int y = ty; y < ty + kTile; y += 4)
        for (int x = tx; x < tx + kTile; x += 4) f(x, y);
}

struct View {
  float s[2], t[2];  ///< texels of a step in x, in y
  View(int degrees, int percent) {
    const float a = float(degrees) * 3.14159265f / 180, k = float(percent) / 100;
    s[0] = std::cos(a) * k, s[1] = -std::sin(a) * k, t[0] = std::sin(a) * k, t[1] = std::cos(a) * k;
  }
};

void count(benchmark::State& bench) {
  bench.counters["block"] =
      benchmark::Counter(kSide * kSide / 16, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Arguments: size, padding of a row in bytes, degrees, texels per 100 pixels.
void routine(benchmark::State& bench) {
  const auto size = static_cast<uint32_t>(bench.range(0)), padding = static_cast<uint32_t>(bench.range(1));
  static const auto memory = [] {
    auto m = Memory::create();
    m->map(kImage, 96 << 20);
    for (uint32_t i = 0; i < 96u << 20; i += 4) m->store(kImage + i, i * 2654435761u);
    return m;
  }();
  auto state = std::make_unique<ChipState>(Profile::r500);
  state->set(Filter0().MIN_FILTER(Filter0::MIN_FILTER__LINEAR).MAG_FILTER(Filter0::MIN_FILTER__LINEAR));
  state->set(regs::TX_ENABLE{1});
  state->set(F1().TXFORMAT(F1::TXFORMAT__N8_8_8_8).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3));
  state->set(regs::TX_FORMAT0().TXWIDTH((size - 1) & 2047).TXHEIGHT((size - 1) & 2047).TXPITCH_EN(1));
  state->set(regs::TX_FORMAT2().TXWIDTH_11((size - 1) >> 11).TXHEIGHT_11((size - 1) >> 11).TXPITCH(size + padding / 4 - 1));
  state->set(regs::TX_OFFSET{kImage});
  auto unit = std::make_unique<tx::Prepared>();
  tx::prepare(*unit, *state, *memory, 0, best_cpu());
  if (!unit->direct) return bench.SkipWithError("slow route");
  const View view(static_cast<int>(bench.range(2)), static_cast<int>(bench.range(3)));
  auto args = std::make_unique<tx::SampleArgs[]>(2);
  const FlushDenormals flush;
  const auto f = unit->routine[size_t(tx::LookupKind::ld)];
  Lanes ds, dt;
  for (int l = 0; l < kLanes; ++l) {
    ds.v[l] = (float(lane_x(l)) * view.s[0] + float(lane_y(l)) * view.s[1]) / float(size);
    dt.v[l] = (float(lane_x(l)) * view.t[0] + float(lane_y(l)) * view.t[1]) / float(size);
  }
  args[0].active = args[1].active = 0xFFFF;
  int k = 0;
  for (auto _ : bench) {
    walk([&](int x, int y) {
      tx::SampleArgs& a = args[k ^= 1];
      const float s = (float(x) * view.s[0] + float(y) * view.s[1]) / float(size),
                  t = (float(x) * view.t[0] + float(y) * view.t[1]) / float(size);
      for (int l = 0; l < kLanes; ++l) a.coord[0].v[l] = s + ds.v[l], a.coord[1].v[l] = t + dt.v[l];
      f(*unit, a);
    });
    benchmark::ClobberMemory();
  }
  count(bench);
}

/// Arguments: size, padding in bytes or -1 for tiles, degrees, texels per 100 pixels.
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void gather(benchmark::State& bench) {
  if (best_cpu() != Cpu::avx512) return bench.SkipWithError("not on this machine");
  const int size = static_cast<int>(bench.range(0)), padding = static_cast<int>(bench.range(1));
  const bool tiled = padding < 0;
  const int pitch = size * 4 + (tiled ? 0 : padding);
  static const std::unique_ptr<char[]> image(new char[96 << 20]());
  const View view(static_cast<int>(bench.range(2)), static_cast<int>(bench.range(3)));
  alignas(64) float ds[16], dt[16];
  for (int l = 0; l < kLanes; ++l) {
    ds[l] = float(lane_x(l)) * view.s[0] + float(lane_y(l)) * view.s[1];
    dt[l] = float(lane_x(l)) * view.t[0] + float(lane_y(l)) * view.t[1];
  }
  const __m512i mask = _mm512_set1_epi32(size - 1), row = _mm512_set1_epi32(pitch), macro_row = _mm512_set1_epi32(size / 32);
  const auto bits = [](__m512i v, int from, int width) __attribute__((always_inline, target("avx512f"))) {
    return _mm512_and_si512(_mm512_srl_epi32(v, _mm_cvtsi32_si128(from)), _mm512_set1_epi32((1 << width) - 1));
  };
  const auto up = [](__m512i v, int n) __attribute__((always_inline, target("avx512f"))) {
    return _mm512_sll_epi32(v, _mm_cvtsi32_si128(n));
  };
  const auto offset = [&](__m512i x, __m512i y) __attribute__((always_inline, target("avx512f,avx512dq"))) {
    if (!tiled) return _mm512_add_epi32(_mm512_mullo_epi32(y, row), up(x, 2));
    const __m512i macro = _mm512_add_epi32(_mm512_mullo_epi32(_mm512_srli_epi32(y, 4), macro_row), _mm512_srli_epi32(x, 5));
    __m512i v = _mm512_or_si512(up(bits(x, 0, 2), 2), up(bits(y, 0, 1), 4));  // in the micro tile
    v = _mm512_or_si512(v, _mm512_or_si512(up(bits(x, 2, 3), 5), up(bits(y, 1, 3), 8)));
    return _mm512_add_epi32(v, up(macro, 11));
  };
  __m512i sum = _mm512_setzero_si512();
  for (auto _ : bench) {
    walk([&](int x, int y) __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) {
      const __m512 s = _mm512_add_ps(_mm512_load_ps(ds), _mm512_set1_ps(float(x) * view.s[0] + float(y) * view.s[1]));
      const __m512 t = _mm512_add_ps(_mm512_load_ps(dt), _mm512_set1_ps(float(x) * view.t[0] + float(y) * view.t[1]));
      const __m512i one = _mm512_set1_epi32(1);
      const __m512i ix = _mm512_cvttps_epi32(s), iy = _mm512_cvttps_epi32(t);
      const __m512i x0 = _mm512_and_si512(ix, mask), x1 = _mm512_and_si512(_mm512_add_epi32(ix, one), mask);
      const __m512i y0 = _mm512_and_si512(iy, mask), y1 = _mm512_and_si512(_mm512_add_epi32(iy, one), mask);
      sum = _mm512_add_epi32(sum, _mm512_i32gather_epi32(offset(x0, y0), image.get(), 1));
      sum = _mm512_add_epi32(sum, _mm512_i32gather_epi32(offset(x1, y0), image.get(), 1));
      sum = _mm512_add_epi32(sum, _mm512_i32gather_epi32(offset(x0, y1), image.get(), 1));
      sum = _mm512_add_epi32(sum, _mm512_i32gather_epi32(offset(x1, y1), image.get(), 1));
    });
    benchmark::DoNotOptimize(sum);
  }
  count(bench);
}

const std::vector<int64_t> kSizes = {1024, 2048, 4096}, kDegrees = {0, 45, 90}, kPercent = {50, 100, 200, 400};
BENCHMARK(routine)->ArgsProduct({kSizes, {0, 64, 256}, kDegrees, kPercent})->Unit(benchmark::kMillisecond);
BENCHMARK(gather)->ArgsProduct({kSizes, {0, 64, 256, -1}, kDegrees, kPercent})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pumice::hw::fast

BENCHMARK_MAIN();
