// SPDX-License-Identifier: MIT
/// The back end alone: a block of 16 pixels by format, blend and depth mode (`block`: time for one, `pixels`: fill rate), fills by bytes.
#include <benchmark/benchmark.h>

#include <bit>
#include <cstring>
#include <memory>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/pixel/output.h"

namespace pumice::hw::fast {
namespace {

using Blend = regs::RB3D_BLENDCNTL;
using Color = regs::RB3D_COLORPITCH;
using Out = regs::US_OUT_FMT;
using Z = regs::ZB_ZSTENCILCNTL;

constexpr uint32_t kColor = 0x1000000, kDepth = 0x8000000;
constexpr uint64_t kBytes = 64 << 20;
constexpr int32_t kTile = 64;  ///< blocks are those of one screen tile again and again

struct Chip {
  std::unique_ptr<Memory> memory = Memory::create();
  std::unique_ptr<ChipState> state = std::make_unique<ChipState>(Profile::r500);
  std::unique_ptr<output::State> s = std::make_unique<output::State>();
  Lanes color[4][4], z;

  Chip() {
    memory->map(kColor, kBytes), memory->map(kDepth, kBytes);
    std::memset(memory->host_pointer(kColor), 0x55, kBytes), std::memset(memory->host_pointer(kDepth), 0xFF, kBytes);
    for (uint32_t t = 0; t < 4; ++t) state->set(Out{}.OUT_FMT(Out::OUT_FMT__UNUSED), t);
    state->set(regs::RB3D_COLOROFFSET{}.COLOROFFSET(kColor >> 5));
    state->set(regs::RB3D_DITHER_CTL{}.DITHER_MODE(1).ALPHA_DITHER_MODE(1));
    state->set(regs::RB3D_COLOR_CHANNEL_MASK{0xF});
    state->set(regs::ZB_DEPTHOFFSET{}.DEPTHOFFSET(kDepth >> 5));
    for (int i = 0; i < kLanes; ++i) {
      for (int c = 0; c < 4; ++c) color[0][c].v[i] = 0.1f + 0.05f * static_cast<float>(i) * static_cast<float>(c + 1) / 4;
      z.v[i] = 0.25f + 0.001f * static_cast<float>(i);
    }
  }
  void target(uint32_t color_format, uint32_t out_fmt) {
    state->set(Color{}.COLORPITCH(1024 / 2).COLORFORMAT(color_format));
    state->set(Out{}.OUT_FMT(out_fmt).C0_SEL(1).C1_SEL(2).C2_SEL(3).C3_SEL(0));
  }
  void prepare(Cpu cpu, int32_t width = 1024, int32_t height = 1024) { output::prepare(*s, *state, *memory, {0, 0, width, height}, cpu); }
};

Chip& chip() {
  static auto c = std::make_unique<Chip>();
  static const auto clean = std::make_unique<ChipState>(*c->state);
  *c->state = *clean;
  return *c;
}

template <class F>
void for_blocks(benchmark::State& bench, F f) {
  const FlushDenormals flush;
  int64_t blocks = 0;
  for (auto _ : bench) {
    for (int32_t y = 0; y < kTile; y += 4)
      for (int32_t x = 0; x < kTile; x += 4) f(x, y);
    blocks += kTile * kTile / 16;
  }
  bench.counters["block"] = benchmark::Counter(static_cast<double>(blocks), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  bench.counters["pixels"] = benchmark::Counter(static_cast<double>(blocks * 16), benchmark::Counter::kIsRate);
}

struct Format {
  const char* name;
  uint32_t color, out;
};
constexpr Format kFormats[] = {
    {"rgba8", Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8},
    {"srgb8", Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_10_GAMMA},
    {"565", Color::COLORFORMAT__RGB565, Out::OUT_FMT__C4_8},
    {"1555", Color::COLORFORMAT__ARGB1555, Out::OUT_FMT__C4_8},
    {"4444", Color::COLORFORMAT__ARGB4444, Out::OUT_FMT__C4_8},
    {"2101010", Color::COLORFORMAT__ARGB2101010, Out::OUT_FMT__C4_10},
    {"r8", Color::COLORFORMAT__I8, Out::OUT_FMT__C4_8},
    {"rg8", Color::COLORFORMAT__UV88, Out::OUT_FMT__C4_8},
    {"r10x6", Color::COLORFORMAT__I10, Out::OUT_FMT__C4_10},
    {"rg10x6", Color::COLORFORMAT__UV1010, Out::OUT_FMT__C4_10},
    {"rgba10x6", Color::COLORFORMAT__ARGB10101010, Out::OUT_FMT__C4_10},
    {"rg4", Color::COLORFORMAT__I8, Out::OUT_FMT__C2_4},
    {"332", Color::COLORFORMAT__I8, Out::OUT_FMT__C_3_3_2},
    {"111110", Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_10_11_11},
    {"r16", Color::COLORFORMAT__UV88, Out::OUT_FMT__C_16},
    {"rg16", Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C2_16},
    {"rgba16", Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_16},
    {"rgba16f", Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_16_FP},
    {"r16f", Color::COLORFORMAT__UV88, Out::OUT_FMT__C_16_FP},
    {"rg16f", Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C2_16_FP},
    {"rg32f", Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C2_32_FP},
    {"rgba32f", Color::COLORFORMAT__ARGB32323232, Out::OUT_FMT__C4_32_FP},
    {"r32f", Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_32_FP},
};
struct Mode {
  const char* name;
  bool blend;
  uint32_t src, dst;
  uint32_t mask = 0xF;
  LaneMask lanes = 0xFFFF;
};
constexpr Mode kModes[] = {
    {"opaque", false, 0, 0},
    {"alpha", true, Blend::SRCBLEND__GL_SRC_ALPHA, Blend::SRCBLEND__GL_ONE_MINUS_SRC_ALPHA},
    {"add", true, Blend::SRCBLEND__GL_ONE, Blend::SRCBLEND__GL_ONE},
    {"premultiplied", true, Blend::SRCBLEND__GL_ONE, Blend::SRCBLEND__GL_ONE_MINUS_SRC_ALPHA},
    {"any", true, Blend::SRCBLEND__GL_DST_COLOR, Blend::SRCBLEND__GL_CONSTANT_COLOR},
    {"channels", false, 0, 0, 0x7},
    {"lanes", false, 0, 0, 0xF, 0x7F31},
    {"alpha_lanes", true, Blend::SRCBLEND__GL_SRC_ALPHA, Blend::SRCBLEND__GL_ONE_MINUS_SRC_ALPHA, 0xF, 0x7F31},
};

void color_block(benchmark::State& bench, Cpu cpu, const Format& f, const Mode& m) {
  Chip& c = chip();
  c.target(f.color, f.out);
  c.state->set(regs::RB3D_COLOR_CHANNEL_MASK{m.mask});
  if (m.blend) c.state->set(Blend{}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(m.src).DESTBLEND(m.dst));
  c.prepare(cpu);
  for_blocks(bench, [&](int32_t x, int32_t y) { output::color(*c.s, x, y, m.lanes, c.color); });
}

struct DepthMode {
  const char* name;
  uint32_t func, write, stencil;
  LaneMask lanes = 0xFFFF;
};
constexpr DepthMode kDepthModes[] = {
    {"less_write", Z::ZFUNC__LESS, 1, 0},    {"lequal_write", Z::ZFUNC__LESS_OR_EQUAL, 1, 0},
    {"less", Z::ZFUNC__LESS, 0, 0},          {"always_write", Z::ZFUNC__ALWAYS, 1, 0},
    {"fails", Z::ZFUNC__GREATER, 1, 0},      {"lequal_stencil", Z::ZFUNC__LESS_OR_EQUAL, 1, 1},
    {"lanes", Z::ZFUNC__LESS, 1, 0, 0x7F31},
};

void depth_block(benchmark::State& bench, Cpu cpu, bool wide, const DepthMode& m) {
  Chip& c = chip();
  c.target(Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8);
  c.state->set(regs::ZB_FORMAT{}.DEPTHFORMAT(wide ? 2 : 0));
  c.state->set(regs::ZB_DEPTHPITCH{}.DEPTHPITCH(1024 / 4));
  c.state->set(regs::ZB_CNTL{}.Z_ENABLE(1).ZWRITEENABLE(m.write).STENCIL_ENABLE(m.stencil));
  c.state->set(Z{}.ZFUNC(m.func).STENCILFUNC(7).STENCILZPASS(3).STENCILZFAIL(4));
  c.state->set(regs::ZB_STENCILREFMASK{}.STENCILREF(1).STENCILMASK(0xFF).STENCILWRITEMASK(0xFF));
  c.prepare(cpu);
  uint64_t zpass = 0;
  // Twice over: LESS passes on what GREATER left and the other way round; what `less_write` wrote is put back by the depth sinking.
  float sink = 0;
  for_blocks(bench, [&](int32_t x, int32_t y) {
    if (x == 0 && y == 0 && m.func == Z::ZFUNC__LESS) {
      sink += 1e-7f;
      for (float& z : c.z.v) z = 0.9f - sink;
    }
    benchmark::DoNotOptimize(output::depth_stencil(*c.s, x, y, m.lanes, c.z, false, zpass));
  });
}

/// Rectangles of `side` x `side` RGBA8 pixels; set beside memset of as many bytes.
void fill_rect(benchmark::State& bench, Cpu cpu, int32_t side) {
  Chip& c = chip();
  c.target(Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8);
  c.state->set(Color{}.COLORPITCH(static_cast<uint32_t>(side) / 2).COLORFORMAT(Color::COLORFORMAT__ARGB8888));
  c.prepare(cpu, side, side);
  const float color[4][4] = {{0.1f, 0.2f, 0.3f, 0.4f}};
  const output::Fill f = output::make_fill(*c.s, color);
  for (auto _ : bench) output::fill(*c.s, f, {0, 0, side, side});
  bench.SetBytesProcessed(bench.iterations() * side * side * 4);
}
void plain_memset(benchmark::State& bench, int32_t side) {
  Chip& c = chip();
  std::byte* to = c.memory->host_pointer(kColor);
  int value = 0;
  for (auto _ : bench) {
    std::memset(to, ++value, static_cast<size_t>(side) * static_cast<size_t>(side) * 4);
    benchmark::ClobberMemory();
  }
  bench.SetBytesProcessed(bench.iterations() * side * side * 4);
}

/// RGBA8 with four samples per pixel, with and without a colour mask: 4x4 blocks of which all samples are covered (`blocks`), a fill and a
/// resolve of 1024 x 1024 pixels. Bytes are those of the pixels, not of the samples.
enum class Samples { blocks, alpha, fill, resolve };
void four_samples(benchmark::State& bench, Cpu cpu, Samples what, bool mask) {
  constexpr int32_t kSide = 1024;
  Chip& c = chip();
  OnChipRams rams;
  c.state->rams = &rams;
  c.target(Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8);
  c.state->set(regs::GB_AA_CONFIG{}.AA_ENABLE(1).NUM_AA_SUBSAMPLES(2));
  c.state->set(regs::RB3D_CCTL{}.CMASK_ENABLE(mask).AA_COMPRESSION_ENABLE(mask));
  c.state->set(regs::RB3D_CMASK_PITCH{regs::ZB_HIZ_PITCH{}.HIZ_PITCH(kSide / 16).raw});
  if (what == Samples::alpha)
    c.state->set(Blend{}
                     .ALPHA_BLEND_ENABLE(1)
                     .READ_ENABLE(1)
                     .SRCBLEND(Blend::SRCBLEND__GL_SRC_ALPHA)
                     .DESTBLEND(Blend::SRCBLEND__GL_ONE_MINUS_SRC_ALPHA));
  if (what == Samples::resolve) {
    rams.fill(OnChipRam::cmask, 0, OnChipRams::dwords(OnChipRam::cmask), 0x55555555);
    c.state->set(regs::RB3D_AARESOLVE_CTL{}.AARESOLVE_MODE(1).AARESOLVE_ALPHA(1));
    c.state->set(regs::RB3D_AARESOLVE_OFFSET{}.AARESOLVE_OFFSET((kColor + (kBytes / 2)) >> 5));
    c.state->set(regs::RB3D_AARESOLVE_PITCH{}.AARESOLVE_PITCH(kSide / 2));
  }
  c.prepare(cpu, kSide, kSide);
  const LaneMask all[4] = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
  if (what == Samples::blocks || what == Samples::alpha) {
    for_blocks(bench, [&](int32_t x, int32_t y) { output::color_of_samples(*c.s, x, y, all, c.color); });
  } else {
    const float color[4][4] = {{0.1f, 0.2f, 0.3f, 0.4f}};
    const output::Fill f = output::make_fill(*c.s, color);
    for (auto _ : bench) output::fill(*c.s, f, {0, 0, kSide, kSide});
    bench.SetBytesProcessed(bench.iterations() * kSide * kSide * 4);
  }
  c.s = std::make_unique<output::State>();
  c.state->rams = nullptr;
}

void prepare_state(benchmark::State& bench, Cpu cpu) {
  Chip& c = chip();
  c.target(Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8);
  c.state->set(regs::ZB_FORMAT{}.DEPTHFORMAT(2));
  c.state->set(regs::ZB_DEPTHPITCH{}.DEPTHPITCH(1024 / 4));
  c.state->set(regs::ZB_CNTL{}.Z_ENABLE(1).ZWRITEENABLE(1));
  for (auto _ : bench) c.prepare(cpu);
}

constexpr const char* kCpuNames[kCpus] = {"portable", "avx2", "avx512"};

int register_all() {
  for (int i = static_cast<int>(best_cpu()); i >= 0; --i) {
    const auto cpu = static_cast<Cpu>(i);
    const std::string set = kCpuNames[i];
    for (const Format& f : kFormats)
      for (const Mode& m : kModes)
        benchmark::RegisterBenchmark(("color/" + set + "/" + f.name + "/" + m.name).c_str(),
                                     [cpu, &f, &m](benchmark::State& b) { color_block(b, cpu, f, m); });
    for (const bool wide : {true, false})
      for (const DepthMode& m : kDepthModes)
        benchmark::RegisterBenchmark(("depth/" + set + (wide ? "/d24s8/" : "/d16/") + m.name).c_str(),
                                     [cpu, wide, &m](benchmark::State& b) { depth_block(b, cpu, wide, m); });
    for (const int32_t side : {64, 1024, 2048})
      benchmark::RegisterBenchmark(("fill/" + set + "/" + std::to_string(side)).c_str(),
                                   [cpu, side](benchmark::State& b) { fill_rect(b, cpu, side); });
    for (const auto& [name, what] :
         {std::pair{"blocks", Samples::blocks}, {"alpha", Samples::alpha}, {"fill", Samples::fill}, {"resolve", Samples::resolve}})
      for (const bool mask : {false, true})
        benchmark::RegisterBenchmark(("samples/" + set + "/" + name + (mask ? "/mask" : "/plain")).c_str(),
                                     [cpu, what, mask](benchmark::State& b) { four_samples(b, cpu, what, mask); });
    benchmark::RegisterBenchmark(("prepare/" + set).c_str(), [cpu](benchmark::State& b) { prepare_state(b, cpu); });
  }
  for (const int32_t side : {64, 1024, 2048})
    benchmark::RegisterBenchmark(("fill/memset/" + std::to_string(side)).c_str(), [side](benchmark::State& b) { plain_memset(b, side); });
  return 0;
}
[[maybe_unused]] const int registered = register_all();

}  // namespace
}  // namespace pumice::hw::fast

BENCHMARK_MAIN();
