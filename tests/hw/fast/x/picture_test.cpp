// SPDX-License-Identifier: MIT
/// Extended draws whose pixels are texels, drawn by rows where they are axis-aligned (hw/radeon/fast/extended/picture.h): targets bit for
/// bit against the reference, and which draws are drawn so. Which sequences: tests/fuzz.h.
#include <bit>
#include <cstring>
#include <random>

#include "hw/common/threads/team.h"
#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/fast/make.h"
#include "tests/fuzz.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using Vf = regs::VAP_VF_CNTL;
namespace r5x = regs::r5x;

constexpr uint32_t kWidth = 150, kHeight = 100, kPitch = 640, kTexels = 1u << 18, kStride = 32;

class XPicture : public XRig {
 protected:
  XPicture() {
    set(regs::GB_TILE_CONFIG{}.ENABLE(1).TILE_SIZE(1).SUBPIXEL(1));
    set(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND(1).COLOR_ROUND(1).RGB_CLAMP(1).ALPHA_CLAMP(1));
    set(regs::SC_EDGERULE{}.ER_TRI(5).ER_POINT(5).ER_LINE_LR(25).ER_LINE_RL(26).ER_LINE_TB(26).ER_LINE_BT(22));
    set(r5x::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
    set(r5x::X_RS_SAMPLE_MASK{~0u});
    set(r5x::X_VIEWPORT_XSCALE{bits(kWidth / 2)}), set(r5x::X_VIEWPORT_XOFFSET{bits(kWidth / 2)});
    set(r5x::X_VIEWPORT_YSCALE{bits(kHeight / 2)}), set(r5x::X_VIEWPORT_YOFFSET{bits(kHeight / 2)});
    set(r5x::X_VIEWPORT_ZSCALE{bits(1)});
    set(r5x::X_SCISSOR_BR{}.X(kWidth).Y(kHeight));
    set(r5x::X_VS_CTRL{}.VARYINGS(1));
    set(r5x::X_CB_CONTROL{}.WRITE_MASK(15));
    set(r5x::X_CB_PITCH{kPitch}), set(r5x::X_CB_EXTENT{}.WIDTH(kWidth - 1).HEIGHT(kHeight - 1));
    target_ = allocate(kPitch * kHeight), texels_ = allocate(kTexels), vertices_ = allocate(64 * kStride), sets = allocate(64);
    set(r5x::X_CB_BASE_LO{uint32_t(target_)});
    format(formats::R8G8B8A8_UNORM);
    set(r5x::X_VTX_BUFFER_LO{uint32_t(vertices_)}), set(r5x::X_VTX_BUFFER_HI{uint32_t(vertices_ >> 32)});
    set(r5x::X_VTX_BUFFER_SIZE{64 * kStride}), set(r5x::X_VTX_BUFFER_STRIDE{kStride});
    for (uint32_t a = 0; a < 2; ++a) set(r5x::X_VTX_ATTR_FORMAT{}.FORMAT(formats::R32G32B32A32_SFLOAT).OFFSET(16 * a), a);
    set(r5x::X_GFX_SET_LO{uint32_t(sets)}), set(r5x::X_GFX_SET_HI{uint32_t(sets >> 32)});
    const auto exports = [](uint32_t slot, uint8_t source) {
      return X{.op = XOp::EXP, .mask = kXyzw, .source = source, .immediate = slot};
    };
    stage({X{.op = XOp::LDA, .dest = 1, .mask = kXyzw}, X{.op = XOp::LDA, .dest = 2, .mask = kXyzw, .immediate = 1}, exports(16, 1),
           exports(32, 2)},
          r5x::X_VS_CODE_LO::offset);
    Instruction sample = X{.op = XOp::SAMPLE, .dest = 2, .mask = kXyzw, .source = 1, .descriptor = at(0)};
    sample.tex.x.immediate = word_of(at(2));  // the sampler
    stage({X{.op = XOp::LDV, .dest = 1, .mask = 3}, sample, exports(0, 2)}, r5x::X_FS_CODE_LO::offset);
    for (const CpuChoice cpu : {CpuChoice::portable, CpuChoice::avx2, CpuChoice::best})
      for (const uint32_t threads : {1u, 3u}) {
        if (!available(cpu)) continue;
        GpuConfig g = config;
        g.cpu = cpu, g.executor = ExecutorKind::fast;
        Executor e{std::make_unique<Team>(threads), nullptr};
        e.executor = hw::make_executor(g, *memory, *e.team);
        executors_.push_back(std::move(e));
      }
  }

  uint32_t below(uint32_t n) { return uint32_t(engine_()) % n; }
  bool one_in(uint32_t n) { return below(n) == 0; }
  float between(float low, float high) { return low + (high - low) * float(below(1u << 20)) / float(1u << 20); }
  void stage(const std::vector<Instruction>& code, uint32_t first) {
    program(code);
    for (uint32_t i = 0; i < 4; ++i) state->reg[first / 4 + i] = state->raw(r5x::X_CS_CODE_LO::offset + 4 * i);
  }
  void format(uint32_t f) { set(r5x::X_CB_BASE_HI{}.ADDRESS(uint32_t(target_ >> 32)).FORMAT(f).ENABLE(1)); }

  struct Texture {
    uint32_t width = 64, height = 64, format = formats::R8G8B8A8_UNORM;
    std::array<uint32_t, 4> swizzle{0, 1, 2, 3};
    bool linear = true, other = false;                  ///< other: another filter where it is minified
    uint32_t first_level = 0, levels = 1, min_lod = 0;  ///< min_lod: in 1/256
    enum class Mips : uint32_t { nearest, linear, off } mips = Mips::nearest;
    std::array<uint32_t, 2> address{2, 2};
    uint32_t border = 0;
  };
  void bind(const Texture& t) {
    uint32_t* d = dwords(sets);
    d[0] = uint32_t(texels_), d[1] = uint32_t(texels_ >> 32) | t.format << 16 | uint32_t(xt::Dim::d2) << 24;
    d[2] = (t.width - 1) | (t.height - 1) << 16, d[3] = 0;
    d[4] = t.first_level | (t.levels - 1) << 4 | (t.levels - 1) << 8;
    for (uint32_t c = 0; c < 4; ++c) d[4] |= t.swizzle[c] << (12 + 3 * c);
    d[5] = (t.width * 4 + 63) & ~63u, d[6] = d[5] * t.height / 64, d[7] = 0;
    d[8] = uint32_t(t.linear) | uint32_t(t.linear != t.other) << 1 | t.address[0] << 3 | t.address[1] << 6 | 2 << 9 | t.border << 22 |
           uint32_t(t.mips == Texture::Mips::linear) << 2 | uint32_t(t.mips == Texture::Mips::off) << 24;
    d[9] = 0xFFFF0000u | t.min_lod, d[10] = d[11] = 0;
  }
  /// Two triangles, from (x0, y0) to (x1, y1) in pixels and from (s0, t0) to (s1, t1); T changes along x, too, by `turned`.
  void rectangle(std::array<float, 4> xy, std::array<float, 4> st, float w, float turned = 0) {
    static constexpr uint8_t kCorner[6] = {0, 1, 2, 2, 1, 3};
    for (uint32_t v = 0; v < 6; ++v) {
      const bool right = kCorner[v] & 1, low = kCorner[v] & 2;
      float* to = reinterpret_cast<float*>(dwords(vertices_)) + v * kStride / 4;
      to[0] = ((right ? xy[2] : xy[0]) / (kWidth / 2) - 1) * w, to[1] = ((low ? xy[3] : xy[1]) / (kHeight / 2) - 1) * w;
      to[2] = 0, to[3] = w;
      to[4] = right ? st[2] : st[0], to[5] = (low ? st[3] : st[1]) + (right ? turned : 0), to[6] = to[7] = 0;
    }
  }

  std::vector<uint32_t> target() const {
    const auto* words = reinterpret_cast<const uint32_t*>(memory->host_pointer(target_));
    return {words, words + kPitch * kHeight / 4};
  }
  template <class Draw, class Finish>
  std::vector<uint32_t> draw(const Draw& draw, const Finish& finish) {
    std::memset(dwords(target_), 0x55, kPitch * kHeight);
    counters = {};
    counters.instructions_left = 1u << 30;
    programs.invalidate();
    DrawContext ctx{*state, *memory, counters, config};
    ctx.draw = ++number_;
    ctx.programs = &programs;
    draw(ctx,
         DrawInput{Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY).NUM_VERTICES(6),
                   {}});
    finish(ctx);
    std::vector<uint32_t> out = target();
    out.push_back(counters.zpass);
    return out;
  }
  /// On all executors as on the reference. Returns how many pixels each has drawn by rows.
  uint64_t check(const std::string& what) {
    const auto wanted = draw([](DrawContext& ctx, const DrawInput& input) { execute_draw(ctx, input); }, [](DrawContext&) {});
    passed_ += wanted.back();
    uint64_t by_rows = 0;
    for (Executor& e : executors_) {
      const uint64_t before = e.executor->stretched_pixels();
      const auto got = draw([&](DrawContext& ctx, const DrawInput& input) { e.executor->draw(ctx, input); },
                            [&](DrawContext& ctx) { e.executor->finish(ctx); });
      by_rows += e.executor->stretched_pixels() - before;
      for (size_t i = 0; i < got.size(); ++i)
        if (got[i] != wanted[i]) {
          ADD_FAILURE() << what << ": pixel (" << i % (kPitch / 4) << ", " << i / (kPitch / 4) << ") is " << std::hex << got[i]
                        << ", the reference " << wanted[i];
          break;
        }
    }
    return by_rows / executors_.size();
  }

  struct Executor {
    std::unique_ptr<Team> team;
    std::unique_ptr<DrawExecutor> executor;
  };
  std::vector<Executor> executors_;
  std::mt19937 engine_;
  uint64_t target_ = 0, texels_ = 0, vertices_ = 0, number_ = 0, passed_ = 0;
};

TEST_F(XPicture, RandomRectanglesLikeTheReference) {
  const FuzzRange range = fuzz_range(400);
  uint64_t by_rows = 0;
  for (uint32_t seed = range.first; seed < range.end() && !HasFailure(); ++seed) {
    engine_.seed(seed);
    for (uint32_t i = 0; i < kTexels / 4; ++i) dwords(texels_)[i] = one_in(4) ? (one_in(2) ? 0 : ~0u) : uint32_t(engine_());
    Texture t;
    t.width = one_in(2) ? 1u << below(8) : 1 + below(200), t.height = one_in(2) ? 1u << below(8) : 1 + below(200);
    const uint32_t kFormats[] = {formats::R8G8B8A8_UNORM, formats::B8G8R8A8_UNORM};
    t.format = kFormats[below(2)];
    format(kFormats[below(2)]);
    if (one_in(3))
      for (uint32_t& c : t.swizzle) c = below(6);
    t.linear = !one_in(3), t.other = one_in(12);
    if (one_in(2)) {
      t.levels = 1 + below(uint32_t(std::bit_width(std::max(t.width, t.height))));
      t.first_level = one_in(3) ? below(t.levels) : 0, t.min_lod = one_in(6) ? below(600) : 0;
      t.mips = Texture::Mips(below(3));
    }
    for (uint32_t& a : t.address) a = below(5);
    t.border = below(4);
    for (uint32_t c = 12; c < 16; ++c) dwords(sets)[c] = bits(between(0, 1));  // a border of its own
    bind(t);
    const float x = between(-20, 120), y = between(-20, 80), width = one_in(3) ? float(t.width) : between(2, 200),
                height = one_in(3) ? float(t.height) : between(2, 200);
    const float s = one_in(2) ? 0 : between(-1, 1), u = one_in(2) ? 0 : between(-1, 1);
    const auto whole = [&](float v) { return one_in(2) ? std::floor(v) : v; };
    std::array<float, 4> st{s, u, s + (one_in(2) ? 1 : between(-3, 3)), u + (one_in(2) ? 1 : between(-3, 3))};
    rectangle({whole(x), whole(y), whole(x + width), whole(y + height)}, st, one_in(3) ? between(0.3f, 4) : 1, one_in(8) ? 0.3f : 0);
    set(r5x::X_RS_VARYING{}.NOPERSPECTIVE(one_in(4) ? 15 : 0));
    const uint32_t left = one_in(3) ? below(kWidth) : 0, top = one_in(3) ? below(kHeight) : 0;
    set(r5x::X_SCISSOR_TL{}.X(left).Y(top));
    set(r5x::X_SCISSOR_BR{}.X(left + (one_in(3) ? below(kWidth) : kWidth)).Y(top + (one_in(3) ? below(kHeight) : kHeight)));
    by_rows += check(rerun(seed));
  }
  if (range.usual) {
    EXPECT_GT(passed_, 400'000u);
    EXPECT_GT(by_rows, passed_ / 4);
  }
}

/// Sums of the linear filter that lie between two codes: column 32 of each rectangle is in the middle of two texels.
TEST_F(XPicture, HalvesBetweenCodes) {
  bind({.width = 2, .height = 1});
  rectangle({0, 0, 64, 16}, {0.25f - 0.25f / 64, 0, 0.75f - 0.25f / 64, 1}, 1);
  for (uint32_t code = 0; code < 255; ++code) {
    const uint32_t far = 254 - code + (code & 1);  // an odd number of codes away
    dwords(texels_)[0] = code * 0x00010101u | far << 24, dwords(texels_)[1] = (code + 1) * 0x00010001u | far << 8 | code << 24;
    EXPECT_EQ(check("code " + std::to_string(code)), 64u * 16);
    const uint32_t middle = target()[32];
    EXPECT_EQ(middle & 0xFF, code + 1) << "halves go up";
  }
}

TEST_F(XPicture, WhichDrawsAreDrawnByRows) {
  for (uint32_t i = 0; i < kTexels / 4; ++i) dwords(texels_)[i] = uint32_t(engine_());
  constexpr uint64_t kAll = 100 * 80;
  const auto rows = [&](const Texture& t, std::array<float, 4> st = {0, 0, 1, 1}, float turned = 0) {
    bind(t);
    rectangle({10, 10, 110, 90}, st, 1, turned);
    return check("which draws");
  };
  EXPECT_EQ(rows({}), kAll);
  EXPECT_EQ(rows({.linear = false}), kAll);
  EXPECT_EQ(rows({.format = formats::B8G8R8A8_UNORM, .swizzle = {2, 4, 5, 0}}), kAll);
  EXPECT_EQ(rows({.address = {0, 1}}, {-2, -2, 3, 3}), kAll) << "powers of two repeat";
  EXPECT_EQ(rows({.width = 63, .height = 63, .address = {0, 1}}, {0.1f, 0.1f, 0.9f, 0.9f}), kAll) << "nothing is outside";
  EXPECT_EQ(rows({.width = 63, .height = 63, .address = {0, 1}}, {-2, -2, 3, 3}), 0u);
  EXPECT_EQ(rows({.address = {3, 4}, .border = 1}, {-2, -2, 3, 3}), kAll);
  EXPECT_EQ(rows({.address = {3, 4}, .border = 3}, {-2, -2, 3, 3}), 0u) << "a border of its own";
  EXPECT_EQ(rows({}, {0, 0, 1, 1}, 0.5f), 0u) << "not axis-aligned";
  EXPECT_EQ(rows({.other = true}), kAll) << "two filters, magnified";
  EXPECT_EQ(rows({.other = true}, {0, 0, 2, 1}), 0u) << "two filters, minified along x";
  constexpr auto kLinear = Texture::Mips::linear, kOff = Texture::Mips::off;
  EXPECT_EQ(rows({.levels = 3, .mips = kLinear}), kAll) << "levels, magnified";
  EXPECT_EQ(rows({.first_level = 1, .levels = 3}, {0, 0, 2, 2}), kAll) << "levels, magnified from the view's first one";
  EXPECT_EQ(rows({.levels = 3, .mips = kLinear}, {0, 0, 1, 2}), 0u) << "levels, minified along y";
  EXPECT_EQ(rows({.levels = 3, .mips = kOff}, {0, 0, 2, 2}), kAll) << "levels without mipmapping";
  EXPECT_EQ(rows({.levels = 3, .min_lod = 1}), 0u) << "never the first level alone";
  EXPECT_EQ(rows({.format = formats::R8G8B8A8_SRGB}), 0u);
  set(r5x::X_CB_CONTROL{}.WRITE_MASK(7));
  EXPECT_EQ(rows({}), 0u) << "a mask";
  set(r5x::X_CB_CONTROL{}.WRITE_MASK(15).BLEND(1));
  set(r5x::X_CB_BLEND{}.COLOR_SRC(r5x::X_CB_BLEND::COLOR_SRC__ONE).COLOR_DST(r5x::X_CB_BLEND::COLOR_SRC__ONE));
  EXPECT_EQ(rows({}), 0u) << "blending";
}

}  // namespace
}  // namespace pumice::hw::x_test
