// SPDX-License-Identifier: MIT
/// Pictures drawn by rows (hw/radeon/fast/blit) against the reference, bit for bit: upright rectangles of every size, scale and place, with
/// what they share a route with (triangles, other programs) and what looks like them but is none. Which cases: tests/fuzz.h.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <random>

#include "hw/radeon/statistics.h"
#include "tests/fuzz.h"
#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/texture_rig.h"
#include "tests/hw/fast/draw/config.h"

namespace pumice::hw::test {
namespace {

using namespace regs;

constexpr uint32_t kWidth = 256, kHeight = 160, kTexels = 0x20000;

struct Memory {
  Target target;
  uint32_t texture = 0, results = 0;
  explicit Memory(Chip& chip) : target(make_target(chip, kWidth, kHeight)), texture(chip.allocate(kTexels)), results(chip.allocate(64)) {}
};

/// Corners of a rectangle on the screen, in pixels, and of what it shows, in texture coordinates.
struct Rectangle {
  float x0, y0, x1, y1, s0, t0, s1, t1;
};

/// As the driver draws it: two triangles, vertices in the packet.
Packets two_triangles(const Rectangle& r, float w = 1, float slant = 0) {
  const auto corner = [&](bool right, bool lower) {
    return TestVertex{{right ? r.x1 : r.x0, lower ? r.y1 : r.y0, 0, w},
                      {(right ? r.s1 : r.s0) + (lower ? slant : 0), lower ? r.t1 : r.t0, 0, 1}};
  };
  const TestVertex v[] = {corner(false, false), corner(true, false), corner(false, true),
                          corner(false, true),  corner(true, false), corner(true, true)};
  return draw(VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST, v);
}

/// One triangle that holds the rectangle: the scissor cuts it out.
Packets one_triangle(const Rectangle& r) {
  const float x = 2 * r.x1 - r.x0, y = 2 * r.y1 - r.y0, s = 2 * r.s1 - r.s0, t = 2 * r.t1 - r.t0;
  const TestVertex v[] = {{{r.x0, r.y0, 0, 1}, {r.s0, r.t0, 0, 1}}, {{x, r.y0, 0, 1}, {s, r.t0, 0, 1}}, {{r.x0, y, 0, 1}, {r.s0, t, 0, 1}}};
  return draw(VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST, v);
}

Packets window_coordinates(const Target& t) {
  Packets p = plain_state(t);
  p.set(VAP_CLIP_CNTL().CLIP_DISABLE(1));
  p.set(VAP_VTE_CNTL().VTX_XY_FMT(1).VTX_Z_FMT(1).VTX_W0_FMT(1));
  return p;
}

void set_scissor(Packets& p, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
  p.set(SC_SCISSOR0().XS0(x0).YS0(y0));
  p.set(SC_SCISSOR1().XS1(x1).YS1(y1));
}

class Maker {
 public:
  Maker(uint32_t seed, const Memory& memory) : rng_(seed), m_(memory) {}
  Packets make();

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  float sixteenths(uint32_t pixels) { return static_cast<float>(below(16 * pixels)) / 16; }
  void texture();
  void output();
  void program();
  void picture();

  std::mt19937 rng_;
  const Memory& m_;
  Packets p_;
  uint32_t width_ = 0, height_ = 0;  ///< of the texture
};

void Maker::texture() {
  using F = TX_FILTER0;
  width_ = 1 + below(one_in(3) ? 300 : 40);
  height_ = 1 + below(one_in(3) ? 200 : 40);
  const uint32_t formats[] = {TX_FORMAT1::TXFORMAT__N8_8_8_8, TX_FORMAT1::TXFORMAT__N8_8_8_8, TX_FORMAT1::TXFORMAT__N8_8_8_8, below(12)};
  TextureSetup t(one_in(6) ? formats[below(4)] : formats[0], width_, height_, m_.texture);
  const uint32_t filter = one_in(3) ? F::MAG_FILTER__POINT : F::MAG_FILTER__LINEAR;
  t.filter0.MAG_FILTER(filter).MIN_FILTER(one_in(16) ? F::MIN_FILTER__POINT : filter);
  if (!one_in(3)) t.filter0.CLAMP_S(below(8)).CLAMP_T(below(8));
  if (one_in(3)) t.format1.SEL_RED(2).SEL_BLUE(0);
  if (one_in(4)) t.format1.SEL_RED(below(6)).SEL_GREEN(below(6)).SEL_BLUE(below(6)).SEL_ALPHA(below(6));
  if (one_in(12)) t.format1.GAMMA(1);
  if (one_in(12)) t.format1.SIGNED_COMP0(1);
  t.border = static_cast<uint32_t>(rng_());
  p_.append(t.packets());
}

void Maker::output() {
  p_.set(US_OUT_FMT().OUT_FMT(0).C0_SEL(3).C1_SEL(2).C2_SEL(1).C3_SEL(0));
  if (one_in(3)) p_.set(US_OUT_FMT().OUT_FMT(0).C0_SEL(below(4)).C1_SEL(below(4)).C2_SEL(below(4)).C3_SEL(below(4)));
  p_.set(RB3D_COLOR_CHANNEL_MASK{one_in(12) ? below(16) : 15});
  p_.set(RB3D_BLENDCNTL{one_in(12) ? static_cast<uint32_t>(rng_()) | 1 : 0});
  p_.set(RB3D_COLORPITCH{kWidth | RB3D_COLORPITCH().COLORFORMAT(one_in(12) ? 4 : 6).COLORMICROTILE(one_in(12)).raw});
  if (one_in(3)) {
    const uint32_t x = below(kWidth), y = below(kHeight);
    set_scissor(p_, x, y, x + below(kWidth - x), y + below(kHeight - y));
  } else {
    set_scissor(p_, 0, 0, kWidth - 1, kHeight - 1);
  }
  p_.set(SC_CLIP_RULE().CLIP_RULE(one_in(20) ? 0xFFFE : 0xFFFF));
}

void Maker::program() {
  auto lookup = tex_slot(US_TEX_INST::INST__LD).words();
  if (one_in(8)) lookup[1] = US_TEX_INST{lookup[1]}.UNSCALED(1).raw;
  std::vector<std::array<uint32_t, 6>> slots = {lookup, out_slot(0)};
  if (one_in(6)) {  // some swizzle of the colours
    slots[1][3] = US_ALU_RGB_INST{slots[1][3]}.RED_SWIZ_A(2).RED_SWIZ_B(2).BLUE_SWIZ_A(0).BLUE_SWIZ_B(0).raw;
  }
  if (one_in(10)) slots[1][4] = US_ALU_ALPHA_INST{slots[1][4]}.ALPHA_SWIZ_A(6).ALPHA_SWIZ_B(6).raw;  // 1
  if (one_in(10)) slots[1][3] = US_ALU_RGB_INST{slots[1][3]}.OMOD(below(7)).raw;
  p_.append(fragment_program(slots, 1));
}

void Maker::picture() {
  Rectangle r;
  const bool whole = one_in(2);
  r.x0 = sixteenths(kWidth) - (one_in(3) ? 60.0f : 0.0f), r.y0 = sixteenths(kHeight) - (one_in(3) ? 60.0f : 0.0f);
  r.x1 = r.x0 + sixteenths(one_in(2) ? 40 : 300), r.y1 = r.y0 + sixteenths(one_in(2) ? 40 : 300);
  if (whole)
    for (float* v : {&r.x0, &r.y0, &r.x1, &r.y1}) *v = static_cast<float>(static_cast<int32_t>(*v));
  const auto w = static_cast<float>(width_), h = static_cast<float>(height_);
  const auto edge = [&](float size) {
    switch (below(4)) {
      case 0: return static_cast<float>(below(static_cast<uint32_t>(size) + 1)) / size;
      case 1: return static_cast<float>(below(1000)) / 250 - 1.5f;
      case 2: return 0.0f;
      default: return 1.0f;
    }
  };
  r.s0 = edge(w), r.s1 = edge(w), r.t0 = edge(h), r.t1 = edge(h);
  switch (below(5)) {  // texels per pixel
    case 0: r.s1 = r.s0 + (r.x1 - r.x0) / w, r.t1 = r.t0 + (r.y1 - r.y0) / h; break;
    case 1: r.s1 = r.s0 + (r.x1 - r.x0) / w / 2, r.t1 = r.t0 + (r.y1 - r.y0) / h / 2; break;
    case 2: r.s1 = r.s0 - (r.x1 - r.x0) / w * 2, r.t1 = r.t0 + (r.y1 - r.y0) / h * 2; break;
    default: break;
  }
  if (one_in(40)) r.s0 = std::bit_cast<float>(static_cast<uint32_t>(rng_()));
  if (one_in(4)) return p_.append(one_triangle(r));
  p_.append(two_triangles(r, one_in(6) ? 0.25f : 1.0f, one_in(12) ? 0.125f : 0.0f));
}

Packets Maker::make() {
  p_ = window_coordinates(m_.target);
  if (one_in(4)) p_.set(GB_SELECT().W_SELECT(1));
  for (uint32_t steps = 1 + below(3); steps; --steps) {
    texture();
    output();
    program();
    for (uint32_t n = 1 + below(3); n; --n) picture();
    const uint32_t address = m_.results + 4 * steps;
    p_.write(ZB_ZPASS_ADDR::offset, {&address, 1});
  }
  return p_;
}

struct Machine {
  Chip chip;
  Memory memory{chip};
  const char* name;
  Machine(const char* n, const GpuConfig& c) : chip(c), name(n) {}
  bool run(uint32_t seed) {
    chip.reset();
    uint32_t v = seed * 0x9E3779B9u + 1;
    for (const auto& [at, dwords] : {std::pair{memory.target.color, kWidth * kHeight}, {memory.texture, kTexels}, {memory.results, 64u}})
      for (uint32_t i = 0; i < dwords; ++i) {
        v = v * 1664525u + 1013904223u;
        chip.memory(at)[i] = v ^ v >> 15;
      }
    return chip.run(Maker(seed, memory).make());
  }
};

std::string first_difference(Machine& a, Machine& b) {
  for (const auto& [at, dwords] : {std::pair{a.memory.target.color, kWidth * kHeight}, {a.memory.results, 64u}}) {
    const uint32_t *x = a.chip.memory(at), *y = b.chip.memory(at);
    for (uint32_t i = 0; i < dwords; ++i)
      if (x[i] != y[i]) {
        char text[128];
        std::snprintf(text, sizeof text, "dword %u (pixel %u, %u): %08x, not %08x", i, i % kWidth, i / kWidth, y[i], x[i]);
        return text;
      }
  }
  return {};
}

TEST(Stretch, RandomRectangles) {
  Machine reference("ref", config(ExecutorKind::ref));
  std::deque<Machine> fast;
  for (const auto& [name, c] :
       {std::pair{"fast 1", config(ExecutorKind::fast, 1)}, std::pair{"fast 2 avx2", config(ExecutorKind::fast, 2, CpuChoice::avx2)},
        std::pair{"fast 7 portable", config(ExecutorKind::fast, 7, CpuChoice::portable)},
        std::pair{"fast 7", config(ExecutorKind::fast, 7)}})
    if (runs_here(name, c)) fast.emplace_back(name, c);
  const FuzzRange range = fuzz_range(600, 1);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    ASSERT_TRUE(reference.run(seed));
    Machine& m = fast[seed % fast.size()];
    ASSERT_TRUE(m.run(seed)) << m.name << rerun(seed);
    ASSERT_EQ(first_difference(reference, m), "") << m.name << rerun(seed);
  }
  if (!range.usual) return;
  for (Machine& m : fast)
    EXPECT_GT(statistics(*m.chip.gpu).stretched_pixels, range.count * 500u) << m.name << ": the cases must be drawn by rows";
}

/// All four-texel sums that are a half code: every code, and where the float of the quotient changes its binade.
TEST(Stretch, HalvesRoundAsTheBlocksDo) {
  for (const CpuChoice cpu : {CpuChoice::best, CpuChoice::avx2, CpuChoice::portable}) {
    if (!runs_here("avx2", config(ExecutorKind::fast, 1, cpu))) continue;
    Chip chip(config(ExecutorKind::fast, 1, cpu)), reference(config(ExecutorKind::ref));
    std::vector<uint32_t> pixels[2];
    for (Chip* c : {&chip, &reference}) {
      const Memory m(*c);
      // Texels i and i + 1 alternate by column: half-way between them is half a code.
      for (uint32_t y = 0; y < 64; ++y)
        for (uint32_t x = 0; x < 256; ++x) {
          const uint32_t low = (4 * y + x / 64) % 255, code = low + x % 2;
          c->memory(m.texture)[256 * y + x] = code * 0x01010101u;
        }
      Packets p = window_coordinates(m.target);
      TextureSetup t(TX_FORMAT1::TXFORMAT__N8_8_8_8, 256, 64, m.texture);
      t.filter0.MAG_FILTER(TX_FILTER0::MAG_FILTER__LINEAR).MIN_FILTER(TX_FILTER0::MIN_FILTER__LINEAR);
      p.append(t.packets());
      p.append(fragment_program({tex_slot(US_TEX_INST::INST__LD).words(), out_slot(0)}, 1));
      p.append(two_triangles({0, 0, 255, 64, 0.5f / 256, 0, 255.5f / 256, 1}));
      ASSERT_TRUE(c->run(p));
      pixels[c == &reference].assign(c->memory(m.target.color), c->memory(m.target.color) + kWidth * 64);
    }
    EXPECT_TRUE(pixels[0] == pixels[1]);
    EXPECT_EQ(statistics(*chip.gpu).stretched_pixels, 255u * 64);
  }
}

/// What the driver sends for a blit is drawn by rows; what is nearly the same is not.
TEST(Stretch, OnlyPictures) {
  Chip chip(config(ExecutorKind::fast, 2));
  const Memory m(chip);
  uint64_t before = 0;
  const auto drawn = [&](auto change) {
    Packets p = window_coordinates(m.target);
    TextureSetup t(TX_FORMAT1::TXFORMAT__N8_8_8_8, 64, 64, m.texture);
    p.append(t.packets());
    p.append(fragment_program({tex_slot(US_TEX_INST::INST__LD).words(), out_slot(0)}, 1));
    Packets shape = two_triangles({0, 0, 200, 100, 0, 0, 1, 1});
    change(p, shape);
    p.append(shape);
    EXPECT_TRUE(chip.run(p));
    const uint64_t now = statistics(*chip.gpu).stretched_pixels;
    return now - std::exchange(before, now);
  };
  EXPECT_EQ(drawn([](Packets&, Packets&) {}), 20000u);
  EXPECT_EQ(drawn([](Packets& p, Packets&) { p.set(RB3D_BLENDCNTL().ALPHA_BLEND_ENABLE(1)); }), 0u);
  EXPECT_EQ(drawn([](Packets& p, Packets&) { p.set(ZB_CNTL().Z_ENABLE(1)); }), 0u);
  EXPECT_EQ(drawn([](Packets& p, Packets&) { p.set(RB3D_COLOR_CHANNEL_MASK().RED_MASK(0)); }), 0u);
  EXPECT_EQ(drawn([](Packets& p, Packets&) { p.append(fragment_program({out_slot(0)}, 1)); }), 0u);
  EXPECT_EQ(drawn([](Packets&, Packets& shape) { shape = two_triangles({0, 0, 200, 100, 0, 0, 1, 1}, 1, 0.25f); }), 0u);
}

}  // namespace
}  // namespace pumice::hw::test
