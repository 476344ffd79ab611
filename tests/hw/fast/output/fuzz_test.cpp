// SPDX-License-Identifier: MIT
/// hw/radeon/fast/pixel against the reference blocks: random registers, random lanes, bytes compared. One seed a case, which ones:
/// tests/fuzz.h.
#include <gtest/gtest.h>

#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/output/random_state.h"

namespace pumice::hw::fast::test {
namespace {

constexpr const char* kNames[kCpus] = {"portable", "avx2", "avx512"};

struct Coverage {
  uint32_t cases = 0, direct_color = 0, direct_depth = 0, fast_fill = 0, shared = 0, fills = 0, depth_fills = 0, tile_fills = 0,
           expansions = 0, resolves = 0;
};

/// The dwords around a byte of both memories, and the registers that made them.
std::string details(Rig& rig, int surface, size_t byte) {
  char text[320];
  uint32_t want[4], got[4];
  std::memcpy(want, rig.reference.host(surface) + (byte & ~size_t{15}), 16),
      std::memcpy(got, rig.fast.host(surface) + (byte & ~size_t{15}), 16);
  const auto raw = [&](uint32_t offset) { return rig.state.raw(offset); };
  const uint32_t t = static_cast<uint32_t>(surface) % 4;
  std::snprintf(text, sizeof text,
                "\nsurface %d byte %zu want %08x %08x %08x %08x got %08x %08x %08x %08x\nUS_OUT_FMT %08x RB3D_COLORPITCH %08x BLENDCNTL "
                "%08x ABLENDCNTL "
                "%08x CCTL %08x DITHER %08x ROP %08x MASK %08x ZB_CNTL %08x ZSTENCILCNTL %08x",
                surface, byte, want[0], want[1], want[2], want[3], got[0], got[1], got[2], got[3], raw(regs::US_OUT_FMT::at(t)),
                raw(regs::RB3D_COLORPITCH::at(t)), raw(regs::RB3D_BLENDCNTL::offset), raw(regs::RB3D_ABLENDCNTL::offset),
                raw(regs::RB3D_CCTL::offset), raw(regs::RB3D_DITHER_CTL::offset), raw(regs::RB3D_ROPCNTL::offset),
                raw(regs::RB3D_COLOR_CHANNEL_MASK::offset), raw(regs::ZB_CNTL::offset), raw(regs::ZB_ZSTENCILCNTL::offset));
  return text;
}

void compare(Rig& rig, const char* what, uint32_t seed, Cpu cpu) {
  size_t byte = 0;
  const int surface = rig.difference(byte);
  ASSERT_EQ(surface, -1) << what << ' ' << kNames[size_t(cpu)] << details(rig, surface, byte) << rerun(seed);
  ASSERT_TRUE(rig.same_tiles()) << what << ' ' << kNames[size_t(cpu)] << ": Z mask" << details(rig, Arena::kDepth, 0) << rerun(seed);
  ASSERT_EQ(rig.reference.memory->take_fault().count, rig.fast.memory->take_fault().count) << what << rerun(seed);
}

void blocks(Rig& rig, uint32_t seed, Cpu cpu, Coverage& coverage) {
  Rng rng(seed);
  output::Rect scissor;
  random_state(rig.state, rng, scissor);
  rig.fill(rng());
  rig.reports.clear();
  auto s = std::make_unique<output::State>();
  rig.state.rams = &rig.fast_rams;
  output::prepare(*s, rig.state, *rig.fast.memory, scissor, cpu);
  rig.state.rams = &rig.reference_rams;
  ++coverage.cases;
  coverage.shared += s->shared_memory;
  if (s->shared_memory) return;
  coverage.resolves += s->resolves && s->resolving.row;
  coverage.fast_fill += s->depth_expanded != nullptr;
  coverage.direct_depth += s->depth_host.base != nullptr;
  for (int i = 0; i < s->target_count; ++i) coverage.direct_color += s->target[size_t(i)].host.base != nullptr;

  DrawCounters counters, fast_counters;
  DrawContext ctx{.state = rig.state, .memory = *rig.reference.memory, .counters = counters, .config = rig.config};
  DrawContext fast_ctx{.state = rig.state, .memory = *rig.fast.memory, .counters = fast_counters, .config = rig.config};
  uint64_t zpass = 0;
  auto b = std::make_unique<Block>();
  for (int n = 0; n < 24; ++n) {
    random_block(*b, rng, scissor);
    const Outcome want = run_reference(ctx, *b), got = run_fast(*s, *b);
    zpass += got.zpass;
    ASSERT_EQ(got.mask, want.mask) << kNames[size_t(cpu)] << " block " << n << rerun(seed);
    ASSERT_EQ(uint32_t(zpass), counters.zpass) << kNames[size_t(cpu)] << " block " << n << rerun(seed);
  }
  compare(rig, "blocks", seed, cpu);
  output::take_reports(*s, fast_ctx);
  ASSERT_EQ(fast_counters.reported, counters.reported) << rerun(seed);
}

/// fill() and fill_depth() against color() and depth_stencil() over the whole rectangle.
void fills(Rig& rig, uint32_t seed, Cpu cpu, Coverage& coverage) {
  Rng rng(seed);
  output::Rect scissor;
  random_state(rig.state, rng, scissor);
  if (rng() % 2) rig.state.set(regs::RB3D_BLENDCNTL{}), rig.state.set(regs::RB3D_ROPCNTL{});
  if (rng() % 2) {
    auto z = rig.state.get<regs::ZB_ZSTENCILCNTL>();
    z.ZFUNC(7).STENCILFUNC(7).STENCILFUNC_BF(7).STENCILZPASS(rng() % 3).STENCILZPASS_BF(rng() % 3);
    rig.state.set(z);
  }
  rig.fill(rng());
  auto s = std::make_unique<output::State>();
  rig.state.rams = &rig.reference_rams;
  output::prepare(*s, rig.state, *rig.reference.memory, scissor, cpu);
  rig.state.rams = &rig.fast_rams;
  if (s->shared_memory) return;
  auto t = std::make_unique<output::State>();
  output::prepare(*t, rig.state, *rig.fast.memory, scissor, cpu);
  auto b = std::make_unique<Block>();
  float uniform[4][4];
  for (size_t i = 0; i < 4; ++i)
    for (size_t c = 0; c < 4; ++c) {
      uniform[i][c] = any_float(rng);
      std::fill_n(b->color[i][c].v, kLanes, uniform[i][c]);
    }
  const float z = any_float(rng);
  const bool back = rng() % 2;
  std::fill_n(b->z.v, kLanes, z);
  const output::Fill f = output::make_fill(*t, uniform);
  const bool expands = output::only_expands(*t), depth = expands || output::can_fill_depth(*t, back);
  if (!f.usable && !depth) return;
  uint64_t zpass = 0, fast_zpass = 0;
  const FlushDenormals flush;
  for (int32_t y = scissor.y0 & ~3; y < scissor.y1; y += 4)
    for (int32_t x = scissor.x0 & ~3; x < scissor.x1; x += 4) {
      LaneMask mask = 0;
      for (int i = 0; i < kLanes; ++i)
        if (x + lane_x(i) >= scissor.x0 && x + lane_x(i) < scissor.x1 && y + lane_y(i) >= scissor.y0 && y + lane_y(i) < scissor.y1)
          mask = static_cast<LaneMask>(mask | 1u << i);
      for (uint32_t i = 0; i < s->samples; ++i) {
        if (f.usable && !(i && s->resolves)) output::color(*s->of_sample[i], x, y, mask, b->color);
        if (depth) output::depth_stencil(*s->of_sample[i], x, y, mask, b->z, back, zpass);
      }
    }
  if (f.usable) output::fill(*t, f, scissor), ++coverage.fills;
  if (expands) {
    output::expand(*t, scissor), ++coverage.expansions;
  } else if (depth) {
    output::fill_depth(*t, scissor, z, back, fast_zpass), ++coverage.depth_fills;
    coverage.tile_fills += t->depth_expanded != nullptr;
  }
  ASSERT_EQ(zpass, fast_zpass) << rerun(seed);
  compare(rig, "fills", seed, cpu);
}

TEST(Fuzz, SameBytesAsTheReference) {
  const FuzzRange range = fuzz_range(6000, 1);
  Rig rig;
  for (const Cpu cpu : cpus()) {
    Coverage c;
    for (uint32_t seed = range.first; seed != range.end() && !HasFatalFailure(); ++seed) {
      blocks(rig, seed, cpu, c);
      fills(rig, seed, cpu, c);
    }
    if (HasFatalFailure() || !range.usual) continue;
    EXPECT_LT(c.shared, c.cases / 4);
    EXPECT_GT(c.direct_color, c.cases / 2);
    EXPECT_GT(c.direct_depth, c.cases / 2);
    EXPECT_GT(c.fast_fill, c.cases / 10);
    EXPECT_GT(c.tile_fills, c.cases / 50);
    EXPECT_GT(c.expansions, c.cases / 200);
    EXPECT_GT(c.resolves, c.cases / 50);
    EXPECT_GT(c.fills, c.cases / 100);
    EXPECT_GT(c.depth_fills, c.cases / 10);
  }
}

}  // namespace
}  // namespace pumice::hw::fast::test
