// SPDX-License-Identifier: MIT
/// What random draws of draw_test.cpp use besides programs: targets, registers, vertices, textures, constants.
#pragma once
#include <cmath>
#include <random>

#include "hw/common/numerics/float_bits.h"
#include "hw/db/formats.h"
#include "hw/extents.h"
#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "tests/hw/fast/x/random_rig.h"

namespace pumice::hw::x_test {

using Vf = regs::VAP_VF_CNTL;
namespace r5x = regs::r5x;

class DrawRig : public RandomRig {
 protected:
  static constexpr uint32_t kVertices = 48, kVertexDwords = 16, kTargets = 2;
  static constexpr uint32_t kConstantsAt = 1, kImageAt = 8, kSamplerAt = 10, kTargetAt = 12;  ///< descriptors, in units of 16 bytes
  static constexpr uint32_t kSets = 8, kPushes = 16;

  struct Target {
    uint64_t address = 0, bytes = 0;
  };
  /// What all draws of a sequence have in common.
  void surfaces() {
    width_ = 1 + below(200), height_ = 1 + below(140), samples_log2_ = small_ || one_in(2) ? 0 : below(4), layers_ = one_in(3) ? 3 : 1;
    if (largest_) {
      layers_ = 1;
      (one_in(2) ? width_ : height_) = kMaxExtent, (width_ == kMaxExtent ? height_ : width_) = 1 + below(6);
    }
    const auto place = [&](Target& t, uint32_t pitch, uint32_t layers) {
      const uint64_t bytes = uint64_t{pitch} * (height_ << samples_log2_) * layers;
      if (t.bytes < bytes) t.address = allocate(t.bytes = bytes);
      for (uint64_t i = 0; i < t.bytes / 4; ++i) dwords(t.address)[i] = 0;
    };
    constexpr uint32_t kFormats[][2] = {{formats::R8G8B8A8_UNORM, 4},      {formats::R32G32B32A32_SFLOAT, 16},
                                        {formats::R16G16B16A16_SFLOAT, 8}, {formats::R32G32B32_SFLOAT, 12},
                                        {formats::R5G6B5_UNORM_PACK16, 2}, {formats::R8_UNORM, 1}};
    for (uint32_t i = 0; i < kTargets; ++i) {
      const bool on = i == 0 || one_in(3);
      const auto& [format, bytes] = kFormats[below(6)];
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
    constexpr uint32_t kDepths[] = {formats::D32_SFLOAT, formats::X8_D24_UNORM_PACK32, formats::D24_UNORM_S8_UINT, formats::D16_UNORM};
    const uint32_t depth = one_in(2) ? kDepths[small_ ? 2 : 0] : kDepths[below(4)];
    set(r5x::X_ZB_BASE_HI{}.ADDRESS(uint32_t(depth_.address >> 32)).FORMAT(depth).ENABLE(small_ || one_in(2)));
    cleared_ = one_in(5) ? 0.5f : float(below(2));
    const auto code = uint32_t(cleared_ * 65535);
    cleared_word_ = depth == formats::D32_SFLOAT            ? bits(cleared_)
                    : depth == formats::X8_D24_UNORM_PACK32 ? code << 16 | code >> 8
                                                            : code << 16 | code;
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
            .STENCIL(one_in(small_ ? 2 : 4))
            .DEPTH_FUNC(one_in(4)          ? below(8)
                        : cleared_ == 1.0f ? 1 + 2 * below(2)
                                           : 4 + 2 * below(2)));
    const bool keeps = one_in(2);
    const auto face = [&](auto f) {
      const auto operation = [&] { return keeps ? 0 : below(8); };
      return f.FUNC(one_in(2) ? 7 : below(8)).SFAIL(operation()).ZPASS(operation()).ZFAIL(operation()).REFERENCE(below(256));
    };
    const auto front = face(r5x::X_ZB_STENCIL_FRONT{});
    set(front);
    if (one_in(2))
      set(face(r5x::X_ZB_STENCIL_BACK{}));
    else
      set(r5x::X_ZB_STENCIL_BACK{front.raw});
    set(r5x::X_ZB_MASKS_FRONT{}.COMPARE(below(256)).WRITE(below(256)));
    set(r5x::X_ZB_MASKS_BACK{}.COMPARE(below(256)).WRITE(below(256)));
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
        if (small_)
          at[i] = one_in(8) ? coordinate(size) : from[i] + between(-4, 6);
        else if (mesh)
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
  /// Sets with descriptors of constants, and push constants.
  void constant_memory() {
    if (!kept_) kept_ = allocate(64 * kSets + 16 * kPushes + 64);
    const uint64_t push = kept_ + 64 * kSets;
    for (uint32_t i = 0; i < kPushes * 4 + 16; ++i) dwords(push)[i] = one_in(8) ? random() : bits(between(-1, 1));
    const auto describe = [&](uint32_t* d) {
      const uint64_t address = push + 16 * below(kPushes) + (one_in(12) ? 2 : 0);  // not for native code
      d[0] = uint32_t(address), d[1] = uint32_t(address >> 32), d[2] = one_in(6) ? 4 * below(9) : 32, d[3] = 0;
    };
    for (uint32_t s = 0; s < kSets; ++s) describe(dwords(kept_ + 64 * s) + 4 * kConstantsAt);
    describe(dwords(sets) + 4 * kConstantsAt);
    set(r5x::X_GFX_SET_LO{uint32_t(sets)}), set(r5x::X_GFX_SET_HI{uint32_t(sets >> 32)});
    set(r5x::X_GFX_PUSH_LO{uint32_t(push)}), set(r5x::X_GFX_PUSH_HI{uint32_t(push >> 32)}), set(r5x::X_GFX_PUSH_SIZE{32});
  }

  static constexpr uint32_t kTexels = 128u << 10;
  bool small_ = false;    ///< one sample, primitives of few pixels above each other
  bool largest_ = false;  ///< targets of the largest extent, where positions on the grid are large
  uint32_t width_ = 1, height_ = 1, samples_log2_ = 0, layers_ = 1, first_depth_layer_ = 0;
  Target color_[kTargets], depth_;
  float cleared_ = 0;          ///< depth before the sequence
  uint32_t cleared_word_ = 0;  ///< in memory
  uint64_t vertex_buffer_ = 0, texels_ = 0;
  uint64_t kept_ = 0;  ///< sets, each with a descriptor, and dwords that descriptors and push constants are of
};

}  // namespace pumice::hw::x_test
