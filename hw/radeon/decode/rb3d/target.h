// SPDX-License-Identifier: MIT
/// Decoded register state of colour output: the reference decodes it per quad, the fast executor once per draw.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/decode/rb3d/blend.h"
#include "hw/radeon/decode/rb3d/color_mask.h"
#include "hw/radeon/decode/rb3d/pixel_format.h"
#include "hw/radeon/decode/surface/pixel_access.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::rb3d {

inline constexpr uint32_t kTargets = most::color_targets;
inline constexpr uint32_t kRopCopy = regs::RB3D_ROPCNTL::ROP__SRC;

inline constexpr char kSampleTilesText[] = "RB3D_COLORPITCH: a multisampled target must be linear, it is not written";
inline constexpr char kFactorText[] = "RB3D_BLENDCNTL/ABLENDCNTL: reserved factor, taken as ZERO";
inline constexpr char kFormatText[] = "RB3D_COLORPITCH.COLORFORMAT and US_OUT_FMT.OUT_FMT: no such pixel, the target is not written";

/// State shared by all targets.
struct Shared {
  regs::RB3D_CCTL cctl;
  regs::RB3D_BLENDCNTL blendcntl;
  Equation color, alpha;
  bool valid_factors = true;  ///< no reserved code in an equation that uses it
  Components discard_lte{}, discard_gte{};
  Dither color_dither, alpha_dither;
  uint32_t rop = kRopCopy;
  bool compare_colour = false;
  uint32_t samples = 1;  ///< per pixel
  uint32_t compare_key = 0, compare_mask = 0, compare_flip = 0;
};

struct Target {
  surface::PixelAccess pixels;
  PixelFormat format;  ///< not valid(): the registers select no pixel format, the target is not written
  bool pairs = false;  ///< `format` is that of even columns,
  PixelFormat odd;     ///< this that of odd ones
  regs::US_OUT_FMT out;
  Components constant{};
  ColorMask color_mask;
  uint32_t mask = 0;    ///< channel mask, bit i: component Ci
  uint32_t source = 0;  ///< the shader's output it takes

  bool sample_tiles(const Shared& s) const { return s.samples > 1 && pixels.layout.tiled(); }           ///< reported, not written
  bool blends(const Shared& s) const { return s.blendcntl.ALPHA_BLEND_ENABLE() && !format.is_fp32(); }  // FP32 targets do not blend
  bool has_rop(const Shared& s) const {
    return s.rop != kRopCopy && !format.is_float();
  }                      // no logic operations on floats, as in Vulkan (UNCONFIRMED)
  bool partial() const;  ///< a stored component is masked
  bool reads_destination(const Shared& s) const { return (blends(s) && s.blendcntl.READ_ENABLE()) || partial() || has_rop(s); }
};

Shared decode_shared(const ChipState& state);

/// False when target `t` is not written by this draw.
bool decode_target(const ChipState& state, const Shared& shared, uint32_t t, Target& target);

/// The stored pixel of a write that does not read the destination, at (0,0) of the dither pattern; false when it is discarded.
bool stored_pixel(const Shared& shared, const Target& target, const std::array<float, 4>& rgba, PixelBits& out);

/// Blends and stores `mask` of sample `sample` of the quad at (x, y) in a target whose format is valid.
void write_quad(const Shared& shared, const Target& target, Memory& memory, int32_t x, int32_t y, uint8_t mask,
                const std::array<std::array<float, 4>, 4>& color, uint32_t sample = 0);

}  // namespace pumice::hw::rb3d
