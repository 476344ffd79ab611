// SPDX-License-Identifier: MIT
/// Random sequences of extended draws on the fast executor of each instruction set, queued, with one and with several threads, against the
/// reference: targets and counts of samples bit for bit. Which sequences: tests/fuzz.h.
#include <cstring>
#include <random>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/threads/team.h"
#include "hw/db/formats.h"
#include "hw/extents.h"
#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/fast/draw/check.h"
#include "hw/radeon/fast/make.h"
#include "hw/radeon/footprint/extended.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using Vf = regs::VAP_VF_CNTL;
namespace r5x = regs::r5x;

constexpr uint32_t kVertices = 48, kVertexDwords = 16, kTargets = 2;
constexpr uint32_t kImageAt = 8, kSamplerAt = 10, kTargetAt = 12;  ///< descriptors, in units of 16 bytes

class XDraw : public XRig {
 protected:
  uint32_t random() { return uint32_t(engine_()); }
  uint32_t below(uint32_t n) { return random() % n; }
  bool one_in(uint32_t n) { return below(n) == 0; }
  float between(float low, float high) { return low + (high - low) * float(below(1u << 20)) / float(1u << 20); }
  template <class R>
  void set_float(float v, uint32_t i = 0) {
    set(R{num::bits(v)}, i);
  }

  struct Target {
    uint64_t address = 0, bytes = 0;
  };
  /// What all draws of a sequence have in common.
  void surfaces() {
    width_ = 1 + below(200), height_ = 1 + below(140), samples_log2_ = one_in(2) ? 0 : below(4), layers_ = one_in(3) ? 3 : 1;
    if (largest_) {
      layers_ = 1;
      (one_in(2) ? width_ : height_) = kMaxExtent, (width_ == kMaxExtent ? height_ : width_) = 1 + below(6);
    }
    const auto place = [&](Target& t, uint32_t pitch, uint32_t layers) {
      const uint64_t bytes = uint64_t{pitch} * (height_ << samples_log2_) * layers;
      if (t.bytes < bytes) t.address = allocate(t.bytes = bytes);
      for (uint64_t i = 0; i < t.bytes / 4; ++i) dwords(t.address)[i] = 0;
    };
    constexpr uint32_t kFormats[][2] = {{formats::R8G8B8A8_UNORM, 4},
                                        {formats::R32G32B32A32_SFLOAT, 16},
                                        {formats::R16G16B16A16_SFLOAT, 8},
                                        {formats::R32G32B32_SFLOAT, 12}};
    for (uint32_t i = 0; i < kTargets; ++i) {
      const bool on = i == 0 || one_in(3);
      const auto& [format, bytes] = kFormats[below(4)];
      const uint32_t pitch = (width_ * bytes + 63) & ~63u;
      place(color_[i], pitch, layers_);
      set(r5x::X_CB_BASE_LO{uint32_t(color_[i].address)}, i);
      set(r5x::X_CB_BASE_HI{}.ADDRESS(uint32_t(color_[i].address >> 32)).FORMAT(format).ENABLE(on), i);
      set(r5x::X_CB_PITCH{pitch}, i);
      set(r5x::X_CB_LAYER_PITCH{pitch * (height_ << samples_log2_) / 64}, i);
      set(r5x::X_CB_EXTENT{}.WIDTH(width_ - 1).HEIGHT(height_ - 1), i);
      set(r5x::X_CB_LAYERS{}.COUNT(layers_ - 1), i);
      set(r5x::X_CB_SAMPLES{samples_log2_}, i);
    }
    const uint32_t pitch = (width_ * 4 + 63) & ~63u;
    first_depth_layer_ = below(2);
    place(depth_, pitch, layers_ + 3);  // layers of vertices, and the view
    set(r5x::X_ZB_BASE_LO{uint32_t(depth_.address)});
    set(r5x::X_ZB_BASE_HI{}.ADDRESS(uint32_t(depth_.address >> 32)).FORMAT(formats::D32_SFLOAT).ENABLE(one_in(2)));
    cleared_ = one_in(5) ? 0.5f : float(below(2));
    set(r5x::X_ZB_PITCH{pitch});
    set(r5x::X_ZB_LAYER{}.FIRST(first_depth_layer_));
    set(r5x::X_ZB_LAYER_PITCH{pitch * (height_ << samples_log2_) / 64});
    set(r5x::X_ZB_EXTENT{}.WIDTH(width_ - 1).HEIGHT(height_ - 1));
  }

  float coordinate(float size) {
    const float pixel = one_in(3) ? between(-size, 2 * size) : between(0, size);
    return one_in(3) ? std::floor(pixel) : one_in(20) ? between(-20000, 20000) : pixel;
  }

  void draw_registers() {
    set(regs::GB_TILE_CONFIG{}.ENABLE(1).TILE_SIZE(1).SUBPIXEL(1));
    set(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND(1).COLOR_ROUND(1).RGB_CLAMP(1).ALPHA_CLAMP(1));
    set_float<regs::SU_DEPTH_SCALE>(16777215.0f);
    set(regs::SC_EDGERULE{}.ER_TRI(5).ER_POINT(5).ER_LINE_LR(25).ER_LINE_RL(26).ER_LINE_TB(26).ER_LINE_BT(22));
    set(regs::GA_POINT_MINMAX{}.MIN_SIZE(1).MAX_SIZE(600));
    set(regs::GA_LINE_CNTL{}.WIDTH(1 + below(40)).END_TYPE(below(2) ? 2 : 3));
    set(regs::SU_CULL_MODE{}.CULL_FRONT(one_in(6)).CULL_BACK(one_in(6)).FACE(below(2)));
    set(regs::GA_POLY_MODE{}.POLY_MODE(one_in(10)).FRONT_PTYPE(below(3)).BACK_PTYPE(below(3)));
    const bool biased = one_in(4);
    set(regs::SU_POLY_OFFSET_ENABLE{}.FRONT_ENABLE(biased).BACK_ENABLE(biased).PARA_ENABLE(biased));
    set_float<regs::SU_POLY_OFFSET_FRONT_SCALE>(between(-2, 2)), set_float<regs::SU_POLY_OFFSET_FRONT_OFFSET>(between(-2, 2));
    set(r5x::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
    set(r5x::X_BUDGET{1u << 14});  // vertices may be shaded by several threads
    set(r5x::X_RS_CTRL{}
            .LAST_PROVOKING(below(2))
            .DEPTH_CLAMP(one_in(3))
            .SAMPLES(samples_log2_)
            .LINE_FRACTION(below(16))
            .DEPTH_CLIP(below(3))
            .NEGATIVE_DEPTH(one_in(4))
            .DEPTH_UNRESTRICTED(one_in(4))
            .DISCARD(one_in(12)));
    set(r5x::X_RS_STIPPLE{}.ENABLE(one_in(3)).PATTERN(one_in(4) ? 0xFFFF : below(65536)).LENGTH(one_in(2) ? 0 : below(40)));
    set(regs::GA_LINE_STIPPLE_CONFIG{}.LINE_RESET(below(3)));
    set(r5x::X_RS_SAMPLE_MASK{one_in(4) ? random() : ~0u});
    for (uint32_t n = 0; n < 4; ++n) {
      // Positions are pixels.
      set_float<r5x::X_VIEWPORT_XSCALE>(one_in(4) ? between(10, 300) : 1, n),
          set_float<r5x::X_VIEWPORT_XOFFSET>(one_in(4) ? between(0, 100) : 0, n);
      set_float<r5x::X_VIEWPORT_YSCALE>(1, n), set_float<r5x::X_VIEWPORT_YOFFSET>(one_in(4) ? between(0, 100) : 0, n);
      if (!one_in(3)) {
        set_float<r5x::X_VIEWPORT_XSCALE>(float(width_) / 2, n), set_float<r5x::X_VIEWPORT_XOFFSET>(float(width_) / 2, n);
        set_float<r5x::X_VIEWPORT_YSCALE>(float(height_) / 2, n), set_float<r5x::X_VIEWPORT_YOFFSET>(float(height_) / 2, n);
      }
      set_float<r5x::X_VIEWPORT_ZSCALE>(1, n), set_float<r5x::X_VIEWPORT_ZOFFSET>(one_in(4) ? between(-0.5f, 0.5f) : 0, n);
      const uint32_t left = one_in(3) ? below(width_) : 0, top = one_in(3) ? below(height_) : 0;
      set(r5x::X_SCISSOR_TL{}.X(left).Y(top), n);
      set(r5x::X_SCISSOR_BR{}.X(left + (one_in(3) ? below(width_) : 16384 - left)).Y(top + (one_in(3) ? below(height_) : 16384 - top)), n);
    }
    const bool layered = one_in(2), viewports = one_in(2);
    set(r5x::X_DRAW_VIEW{}.NUMBER(one_in(4) ? below(3) : 0));
    set(r5x::X_VS_CTRL{}.LAYER(layered).VIEWPORT(viewports).POINT_SIZE(1).VARYINGS(3));
    for (uint32_t n = 0; n < 3; ++n)
      set(r5x::X_RS_VARYING{}
              .FLAT(one_in(3) ? below(16) : 0)
              .NOPERSPECTIVE(one_in(3) ? below(16) : 0)
              .CENTROID(one_in(4))
              .SAMPLE(one_in(4)),
          n);
    for (uint32_t i = 0; i < kTargets; ++i) {
      using Blend = r5x::X_CB_BLEND;
      set(r5x::X_CB_CONTROL{}.WRITE_MASK(one_in(4) ? below(16) : 15).BLEND(one_in(2)), i);
      set(Blend{}
              .COLOR_SRC(Blend::COLOR_SRC__ONE)
              .COLOR_DST(Blend::COLOR_SRC__ONE)
              .ALPHA_SRC(Blend::COLOR_SRC__ONE)
              .ALPHA_DST(Blend::COLOR_SRC__ONE_MINUS_SRC_ALPHA),
          i);
    }
    set(r5x::X_ZB_CONTROL{}
            .SAMPLES(samples_log2_)
            .DEPTH_TEST(!one_in(3))
            .DEPTH_WRITE(!one_in(3))
            .DEPTH_FUNC(one_in(4)          ? below(8)
                        : cleared_ == 1.0f ? 1 + 2 * below(2)
                                           : 4 + 2 * below(2)));
    set(r5x::X_FS_CTRL{}.EARLY_TESTS(one_in(2)).PER_SAMPLE(one_in(4)));
    set(r5x::X_QUERY_CTRL{}.STATISTICS(one_in(3)));
  }

  void vertices() {
    vertex_buffer_ = allocate(kVertices * kVertexDwords * 4);
    const bool tiny = one_in(3);
    const bool mesh = one_in(3);  // neighbours share edges, and blocks
    const float step[2] = {between(1, 6), between(1, 20)}, from[2] = {between(0, float(width_)), between(0, float(height_))};
    float at[2] = {};
    for (uint32_t v = 0; v < kVertices; ++v) {
      uint32_t* const to = dwords(vertex_buffer_) + kVertexDwords * v;
      const float w = one_in(3) ? between(0.3f, 3) : 1;
      for (uint32_t i = 0; i < 2; ++i) {
        const float size = float(i ? height_ : width_);
        if (mesh)
          at[i] = from[i] + (i ? float(v & 1) : float(v / 2)) * step[i];
        else
          at[i] = tiny && v % 8 ? at[i] + between(-6, 6) : coordinate(size);
        to[i] = bits((2 * at[i] / size - 1) * w);
      }
      to[2] = bits(one_in(4) ? between(-0.5f, 1.5f) : between(0, 1)), to[3] = bits(w);
      for (uint32_t i = 4; i < 12; ++i) to[i] = bits(one_in(10) ? float(below(3)) : between(-2, 2));
      to[12] = below(4), to[13] = below(4), to[14] = bits(between(0, 20)), to[15] = 0;
    }
    set(r5x::X_VTX_BUFFER_LO{uint32_t(vertex_buffer_)}), set(r5x::X_VTX_BUFFER_HI{uint32_t(vertex_buffer_ >> 32)});
    set(r5x::X_VTX_BUFFER_SIZE{kVertices * kVertexDwords * 4}), set(r5x::X_VTX_BUFFER_STRIDE{kVertexDwords * 4});
    for (uint32_t a = 0; a < 4; ++a)
      set(r5x::X_VTX_ATTR_FORMAT{}.FORMAT(a == 3 ? formats::R32G32B32A32_UINT : formats::R32G32B32A32_SFLOAT).OFFSET(16 * a), a);
  }

  /// Of formats whose texels take a way of their own: blocks that are kept decoded, tables, wide texels. Its memory is that of the images
  /// before it, with other bytes.
  void texture() {
    static constexpr uint8_t kFormats[] = {formats::BC7_UNORM_BLOCK,           formats::BC7_SRGB_BLOCK,
                                           formats::BC6H_UFLOAT_BLOCK,         formats::BC6H_SFLOAT_BLOCK,
                                           formats::ETC2_R8G8B8_UNORM_BLOCK,   formats::ETC2_R8G8B8_SRGB_BLOCK,
                                           formats::ETC2_R8G8B8A1_UNORM_BLOCK, formats::ETC2_R8G8B8A8_UNORM_BLOCK,
                                           formats::ETC2_R8G8B8A8_SRGB_BLOCK,  formats::R8G8B8A8_SRGB,
                                           formats::R16G16B16A16_UNORM,        formats::R16G16B16A16_SNORM};
    if (!texels_) texels_ = allocate(kTexels);
    xt::Image i;
    i.format = kFormats[below(std::size(kFormats))];
    i.dim = xt::Dim::d2;
    i.width = one_in(2) ? 1u << below(7) : 1 + below(70), i.height = one_in(2) ? 1u << below(7) : 1 + below(70);
    i.levels = uint8_t(1 + (one_in(2) ? 0 : below(5))), i.last_level = uint8_t(i.levels - 1);
    const formats::Info& f = formats::info(i.format);
    i.pitch = ((i.width + f.block_width - 1) / f.block_width * f.bytes + 63) / 64 * 64;
    uint32_t* d = dwords(sets) + 4 * kImageAt;
    d[0] = uint32_t(texels_);
    d[1] = uint32_t(texels_ >> 32) | uint32_t(i.format) << 16 | uint32_t(i.dim) << 24;
    d[2] = (i.width - 1) | (i.height - 1) << 16;
    d[3] = 0;
    d[4] = uint32_t(i.last_level) << 4 | (i.levels - 1u) << 8;
    for (uint32_t c = 0; c < 4; ++c) d[4] |= c << (12 + 3 * c);
    d[5] = i.pitch, d[6] = xt::level_of(i, i.levels).offset / 64, d[7] = 0;
    d = dwords(sets) + 4 * kSamplerAt;
    d[0] = random() & 7;
    for (uint32_t a = 0; a < 3; ++a) d[0] |= below(5) << (3 + 3 * a);
    d[0] |= below(4) << 22;
    if (one_in(8)) d[0] |= (1 + below(2)) << 26;
    for (uint32_t c = 4; c < 8; ++c) d[c] = bits(between(-1, 2));
    if (one_in(4)) d[0] |= (1 + below(16)) << 17;
    d[1] = 0xFFFF0000u, d[2] = d[3] = 0;
    // Some blocks stay as they were.
    for (uint32_t n = 0; n < kTexels / 4; n += 4)
      if (!one_in(4))
        for (uint32_t k = 0; k < 4; ++k) dwords(texels_)[n + k] = random();
    set(r5x::X_GFX_SET_LO{uint32_t(sets)}), set(r5x::X_GFX_SET_HI{uint32_t(sets >> 32)});
  }
  /// The descriptors of the targets as images.
  void targets_as_images() {
    for (uint32_t t = 0; t < kTargets; ++t) {
      uint32_t* const d = dwords(sets) + 4 * (kTargetAt + 2 * t);
      d[0] = uint32_t(color_[t].address);
      d[1] = uint32_t(color_[t].address >> 32) | state->get<r5x::X_CB_BASE_HI>(t).FORMAT() << 16 | uint32_t(xt::Dim::d2_array) << 24 |
             samples_log2_ << 27;
      d[2] = (width_ - 1) | (height_ - 1) << 16;
      d[3] = (layers_ - 1) << 16;
      d[4] = 0;
      for (uint32_t c = 0; c < 4; ++c) d[4] |= c << (12 + 3 * c);
      d[5] = state->get<r5x::X_CB_PITCH>(t).raw, d[6] = state->get<r5x::X_CB_LAYER_PITCH>(t).raw, d[7] = 0;
    }
    set(r5x::X_GFX_SET_LO{uint32_t(sets)}), set(r5x::X_GFX_SET_HI{uint32_t(sets >> 32)});
  }
  /// Blending by the program: what a target holds at the pixel, or, rarely, beside it.
  void read_target(std::vector<Instruction>& f) {
    f.push_back(X{.op = XOp::SYS, .dest = 6, .mask = kXyzw, .immediate = 0});
    f.push_back(xi(XiOp::F2I, 6, kXyzw, r(6)));
    if (one_in(4)) f.push_back(xi(XiOp::MOV, 6, kXyzw, r(6)));
    if (one_in(12)) f.push_back(xi(XiOp::IADD, 6, kX, r(6), n(1)));
    f.push_back(xi(XiOp::MOV, 7, kXyzw, n(0)));
    f.push_back(xi(XiOp::MOV, 6, uint8_t(kXyzw & ~3), n(0)));
    f.push_back(
        X{.op = XOp::FETCH, .dest = 7, .mask = kXyzw, .source = 6, .src2 = 7, .descriptor = at(kTargetAt + 2 * (one_in(5) ? 1 : 0))});
    if (one_in(8)) f.push_back(xi(XiOp::DDXF, 7, kXyzw, r(7)));
    f.push_back(alu(AluOp::MAD, 5, kXyzw, r(7), c(0), r(5)));
  }
  static uint32_t word_of(const Selector& s) { return uint32_t(s.set) | s.offset << 14; }

  void stage(const std::vector<Instruction>& code, uint32_t first) {
    const auto low = [&](uint32_t n, uint32_t offset) { return uint32_t(low_[n]) + offset; };
    program(code, {{bits(0.25f), bits(0.5f), bits(0.75f), bits(1)},
                   {},
                   {},
                   {},
                   {low(0, 0), low(1, 0), low(0, 2 * kPageBytes - kRead - 100), low(1, kPageBytes - kRead - 100)}});
    for (uint32_t i = 0; i < 4; ++i) state->reg[first / 4 + i] = state->raw(r5x::X_CS_CODE_LO::offset + 4 * i);
  }
  void shaders() {
    const auto exports = [](uint32_t slot, uint8_t mask, uint8_t source) {
      return X{.op = XOp::EXP, .mask = mask, .source = source, .immediate = slot};
    };
    std::vector<Instruction> v;
    for (uint8_t a = 0; a < 4; ++a) v.push_back(X{.op = XOp::LDA, .dest = uint8_t(a + 1), .mask = kXyzw, .immediate = a});
    if (one_in(4)) {  // what draws that are drawn together must not read
      v.push_back(X{.op = XOp::SYS, .dest = 7, .mask = kX, .immediate = one_in(2) ? 18u : 20u});
      v.push_back(xi(XiOp::U2F, 3, kX, r(7)));
    }
    v.push_back(xi(XiOp::MOV, 5, kX, r(4).x(1)));
    v.push_back(xi(XiOp::MOV, 6, kX, r(4).x(2)));
    for (const X& x : {exports(16, kXyzw, 1), exports(32, kXyzw, 2), exports(33, kXyzw, 3), exports(34, kXyzw, 2), exports(17, kX, 6),
                       exports(18, kX, 4), exports(19, kX, 5)})
      v.push_back(x);
    stage(v, r5x::X_VS_CODE_LO::offset);
    if (one_in(4))  // one colour
      return stage({xi(XiOp::MOV, 5, kXyzw, c(0)), exports(0, kXyzw, 5), exports(1, kXyzw, 5)}, r5x::X_FS_CODE_LO::offset);
    std::vector<Instruction> f;
    for (uint8_t n = 0; n < 3; ++n) f.push_back(X{.op = XOp::LDV, .dest = uint8_t(n + 1), .mask = kXyzw, .immediate = n});
    f.push_back(X{.op = XOp::SYS, .dest = 4, .mask = kXyzw, .immediate = below(11)});
    f.push_back(alu(AluOp::MAD, 5, kXyzw, r(1), c(0), r(uint8_t(2 + below(2)))));
    if (one_in(2)) f.push_back(xi(XiOp::U2F, 5, kXyzw, r(4)));
    if (one_in(4)) f.push_back(xi(XiOp::DDXF, 5, kXyzw, r(1)));
    if (textured_) {
      Instruction x = X{.op = XOp::SAMPLE, .dest = 7, .mask = kXyzw, .source = uint8_t(1 + below(3)), .descriptor = at(kImageAt)};
      x.tex.x.immediate = word_of(at(kSamplerAt));
      f.push_back(x);
      f.push_back(xi(XiOp::MOV, 5, kXyzw, r(7)));
    }
    if (feeds_back_) {
      if (!one_in(4)) read_target(f);
    } else if (one_in(3)) {
      by_address(f);
    }
    if (one_in(3)) across(f);
    if (one_in(4)) {
      f.push_back(xi(XiOp::FLT, 6, kX, r(2), c(0)));
      f.push_back(X{.op = XOp::KILL, .source = 6});
    }
    f.push_back(exports(0, kXyzw, 5)), f.push_back(exports(1, kXyzw, uint8_t(1 + below(3))));
    stage(f, r5x::X_FS_CODE_LO::offset);
  }

  /// Loads and additions at addresses; some in a gap.
  void by_address(std::vector<Instruction>& f) {
    if (!low_[0]) low_[0] = allocate_low(2 * kPageBytes), low_[1] = allocate_low(kPageBytes);
    gaps_ = true;
    const Src from = n(uint8_t(below(2) ? 8 : 4 * below(20)));  // of c[4]
    f.push_back(xi(XiOp::F2U, 7, kX, r(uint8_t(1 + below(3))).x(uint8_t(below(4)))));
    f.push_back(xi(XiOp::AND, 7, kX, r(7), n(uint8_t(below(64)))));
    f.push_back(xi(XiOp::IMAD, 7, kX, r(7), n(uint8_t(4 * below(16))), from));
    f.push_back(xi(XiOp::IADD, 7, kX, r(7), c(4).x(uint8_t(one_in(6) ? below(4) : below(2)))));
    const Selector all{.set = x::kWholeMemory};
    if (one_in(3)) f.push_back(X{.op = XOp::ATB, .source = 7, .src2 = 4, .components = uint8_t(1 + below(2)), .descriptor = all});
    if (one_in(6)) return;
    f.push_back(X{
        .op = XOp::LDB, .dest = 7, .mask = kXyzw, .source = 7, .components = uint8_t(1 + below(4)), .immediate = kRead, .descriptor = all});
    f.push_back(xi(XiOp::U2F, 5, kXyzw, r(7)));
  }

  /// An operation over the lanes of a quad, of which some are discarded or wait.
  void across(std::vector<Instruction>& f) {
    using isa::us_r500::SubOp;
    if (one_in(2)) {
      f.push_back(xi(XiOp::FLT, 6, kX, r(2), c(0)));
      f.push_back(X{.op = XOp::KILL, .source = 6});
    }
    const bool branches = one_in(2);
    const size_t begin = f.size() + 1;
    if (branches) {
      f.push_back(xi(XiOp::FLT, 6, kX, r(3), c(0)));
      f.push_back(test_not_zero(r(6).x()));
      f.push_back(flow(Jump::if_, 0));
    }
    static constexpr XOp kOps[] = {XOp::BALLOT, XOp::SHUFFLE, XOp::FIRST, XOp::REDUCE, XOp::SCANI, XOp::SCANX, XOp::SYS, XOp::WIDE};
    static constexpr SubOp kSubs[] = {SubOp::ADD, SubOp::SMIN, SubOp::SMAX, SubOp::UMIN, SubOp::UMAX,
                                      SubOp::AND, SubOp::OR,   SubOp::XOR,  SubOp::MUL};
    X x{.op = kOps[below(8)], .dest = uint8_t(5 + below(2)), .mask = uint8_t(1 + below(15)), .source = uint8_t(1 + below(4))};
    if (x.op == XOp::SHUFFLE) {
      f.push_back(xi(XiOp::AND, 7, kX, r(4), n(7)));
      x.src2 = 7;
    }
    if (x.op == XOp::SYS) x.source = 0, x.immediate = 48;
    if (x.op == XOp::WIDE) {
      x.src2 = uint8_t(1 + below(4)), x.src3 = uint8_t(1 + below(4));
      x.components = one_in(2) ? 2 : 4;
      x.immediate = below(uint32_t(isa::us_r500::kWideOps.size()));
    }
    if (x.op >= XOp::REDUCE && x.op <= XOp::SCANX) {
      x.sub = kSubs[below(9)];
      x.is_float = one_in(2) && (x.sub <= SubOp::SMAX || x.sub == SubOp::MUL);
    }
    f.push_back(x);
    if (branches) {
      f.push_back(flow(Jump::endif, uint16_t(f.size() + 1)));
      f[begin + 1].flow.target = uint16_t(f.size());
    }
    if (one_in(2)) f.push_back(xi(XiOp::U2F, 5, kXyzw, r(x.dest)));
  }

  DrawInput sequence() {
    constexpr uint32_t kTypes[] = {Vf::PRIM_TYPE__POINT_LIST,    Vf::PRIM_TYPE__LINE_LIST,      Vf::PRIM_TYPE__TRIANGLE_LIST,
                                   Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_TYPE__TRIANGLE_STRIP, Vf::PRIM_TYPE__TRIANGLE_LIST};
    return {
        Vf{}.PRIM_TYPE(kTypes[below(6)]).PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY).NUM_VERTICES(3 + below(kVertices - 2)),
        {}};
  }

  struct Draw {
    ChipState state{Profile::r5x};
    DrawInput input;
    std::vector<NextDraw> more;  ///< that follow it
    bool together = true;        ///< by draw_more(); or one by one, without other changes
  };
  /// Smaller ones of the same state.
  std::vector<NextDraw> more(const DrawInput& first) {
    std::vector<NextDraw> draws(one_in(2) ? 0 : 1 + below(20));
    const bool buffers_move = one_in(3);
    for (NextDraw& d : draws) {
      d.input = {Vf{first.vf_cntl}.NUM_VERTICES(1 + below(one_in(3) ? kVertices : 9)), {}};
      d.base_vertex = one_in(20) ? random() : below(kVertices);
      d.number = below(9);
      if (!buffers_move) continue;
      d.base_vertex %= 1u << 30;
      d.moved = one_in(3) ? 0 : below(kVertices), d.moved_buffers = 1;
    }
    return draws;
  }
  void make(uint32_t seed) {
    engine_.seed(seed);
    draws_.clear();
    surfaces();
    gaps_ = false;
    if (textured_ = one_in(2); textured_) texture();
    if (feeds_back_) targets_as_images();
    for (uint32_t n = 1 + below(5); n > 0; --n) {
      draw_registers();
      vertices();
      shaders();
      const DrawInput input = sequence();
      draws_.push_back({*state, input, more(input), !one_in(3)});
      if (!feeds_back_) continue;
      programs.invalidate();
      footprint::ExtendedDraws footprints(*memory);
      const auto touched = footprints.of(
          *state, {programs.find(*state, *memory, x::Stage::vertex), programs.find(*state, *memory, x::Stage::fragment), {}, {}});
      fed_back_ += touched.tiles && touched.feeds_back;
    }
  }
  /// What a sequence leaves: the targets, and what is counted.
  std::vector<uint32_t> results() {
    std::vector<uint32_t> out{counters.zpass, counters.stipple};
    const PipelineCounts& c = counters.counts;
    for (const uint64_t n : {c.vertices, c.primitives, c.vertex_invocations, c.clip_invocations, c.clip_primitives, c.fragment_invocations})
      out.push_back(uint32_t(n));
    for (const uint64_t low : low_)
      if (low) out.insert(out.end(), dwords(low), dwords(low) + kRead / 4);
    for (const Target& t : {color_[0], color_[1], depth_}) out.insert(out.end(), dwords(t.address), dwords(t.address) + t.bytes / 4);
    return out;
  }
  void execute(DrawExecutor& executor) {
    for (const Target& t : color_) std::memset(dwords(t.address), 0, t.bytes);
    for (const uint64_t low : low_)
      if (low)
        for (uint32_t i = 0; i < kPageBytes / 4; ++i) dwords(low)[i] = i * 4 < kRead ? 0 : i * 7919u;
    std::fill_n(dwords(depth_.address), depth_.bytes / 4, bits(cleared_));
    counters = {};
    reports.clear();
    programs.invalidate();
    for (const Draw& d : draws_) {
      counters.instructions_left = 1u << 30;
      DrawContext ctx{d.state, *memory, counters, config};
      ctx.draw = ++number_;
      ctx.programs = &programs;
      executor.draw(ctx, d.input);
      if (d.more.empty()) continue;
      counters.instructions_left = (1u << 30) * d.more.size();
      ctx.draw = number_ + 1;
      number_ += d.more.size();
      if (d.together && executor.draw_more(ctx, d.more)) {
        together_ += d.more.size();
        continue;
      }
      for (const NextDraw& further : d.more) {
        counters.instructions_left = 1u << 30;
        ChipState of_draw = d.state;
        fast::set_registers(d.state, further, of_draw);
        DrawContext one{of_draw, *memory, counters, config};
        one.draw = ctx.draw++;
        Changes changes;
        changes.groups = Changes::kConstants | Changes::kVertexConstants;
        one.changes = &changes;
        one.programs = &programs;
        executor.draw(one, further.input);
      }
    }
  }

  uint64_t compare(const FuzzRange& range);

  static constexpr uint32_t kTexels = 128u << 10;
  static constexpr uint32_t kRead = 2048;  ///< bytes of low memory that are written; those behind them are read
  std::array<uint64_t, 2> low_{};
  bool gaps_ = false;  ///< addresses of the sequence may be those of pages that are missing
  std::mt19937 engine_;
  uint64_t number_ = 0;    ///< of draws; a chip never uses one twice
  uint64_t together_ = 0;  ///< draws of draw_more()
  bool largest_ = false;   ///< targets of the largest extent, where positions on the grid are large
  uint32_t width_ = 1, height_ = 1, samples_log2_ = 0, layers_ = 1, first_depth_layer_ = 0;
  Target color_[kTargets], depth_;
  float cleared_ = 0;  ///< depth before the sequence
  uint64_t vertex_buffer_ = 0, texels_ = 0;
  bool feeds_back_ = false;  ///< programs read targets
  uint64_t fed_back_ = 0;    ///< draws that do, and that run on tiles
  bool textured_ = false;    ///< the draws of the sequence read `texels_`
  std::vector<Draw> draws_;
};

/// Samples that passed.
uint64_t XDraw::compare(const FuzzRange& range) {
  uint64_t passed = 0;
  struct Executor {
    std::unique_ptr<Team> team;
    std::unique_ptr<DrawExecutor> executor;
  };
  std::vector<Executor> executors;
  ReferenceExecutor reference;
  for (const CpuChoice cpu : {CpuChoice::portable, CpuChoice::avx2, CpuChoice::best})
    for (const uint32_t threads : {1u, 3u}) {
      if (!available(cpu) || (cpu == CpuChoice::avx2 && threads > 1)) continue;
      GpuConfig c = config;
      c.cpu = cpu;
      c.executor = ExecutorKind::fast;
      c.collect_after = threads > 1 ? 0 : 20;
      c.part_primitives = 2;
      Executor e{std::make_unique<Team>(threads), nullptr};
      e.executor = hw::make_executor(c, *memory, *e.team);
      executors.push_back(std::move(e));
    }
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    make(seed);
    execute(reference);
    const auto wanted = results();
    const auto reported = reports;
    passed += counters.zpass;
    for (Executor& e : executors) {
      execute(*e.executor);
      DrawContext ctx{draws_.back().state, *memory, counters, config};
      e.executor->finish(ctx);
      const auto got = results();
      const auto at = std::mismatch(got.begin(), got.end(), wanted.begin()).first;
      EXPECT_EQ(got[0], wanted[0]) << rerun(seed);
      EXPECT_EQ(at, got.end()) << at - got.begin() << rerun(seed);
      // Fragments that a test hides need not execute what would be reported, nor in the same order.
      if (gaps_) {
        EXPECT_LE(reports.size(), reported.size()) << rerun(seed);
      } else {
        EXPECT_EQ(reports, reported) << rerun(seed);
      }
      if (HasFailure()) return passed;
    }
  }
  return passed;
}

TEST_F(XDraw, SamePixelsAsTheReference) {
  const FuzzRange range = fuzz_range(120);
  const uint64_t passed = compare(range);
  if (range.usual) {
    EXPECT_GT(passed, 100'000u);
    EXPECT_GT(together_, 500u);
  }
}

/// Programs that read the targets that they write: where they read their own pixels, on tiles.
TEST_F(XDraw, SamePixelsWhereTargetsAreRead) {
  const FuzzRange range = fuzz_range(120);
  feeds_back_ = true;
  const uint64_t passed = compare(range);
  if (range.usual) {
    EXPECT_GT(passed, 100'000u);
    EXPECT_GT(fed_back_, 40u);
  }
}

TEST_F(XDraw, SamePixelsOfTheLargestTargets) {
  const FuzzRange range = fuzz_range(16);
  largest_ = true;
  const uint64_t passed = compare(range);
  if (range.usual) {
    EXPECT_GT(passed, 100'000u);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
