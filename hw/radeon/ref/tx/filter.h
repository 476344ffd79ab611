// SPDX-License-Identifier: MIT
/// Filtering of one lookup (pipeline s.6.5): texels of one or two levels to C0..C3. Private to hw/radeon/ref/tx.
///
/// Linear filter of an 8-bit format without GAMMA (Texture::codes): the sum of code * weight over the four texels is exact, weights being
/// products of two 8-bit weights, and is divided once by 65536 * divisor (correctly rounded). All other interpolation is
/// fma(w, b - a, a): along s, then t for other formats, then between slices, then between levels. A texel of weight 0 is not read.
#pragma once
#include "hw/radeon/decode/tx/address.h"
#include "hw/radeon/decode/tx/lod.h"
#include "hw/radeon/decode/tx/texture.h"
#include "hw/radeon/ref/tx/lookup.h"

namespace pumice::hw::tx {

/// A lookup position: coordinates in units of the whole image (or in texels of level 0 when unscaled), and the cube face. Also used for
/// the step from one pixel to the next.
struct Position {
  float s = 0, t = 0, r = 0;
  uint32_t face = 0;
};

class Sampler {
 public:
  Sampler(const Memory& memory, const Filter4Kernel& kernel, const Texture& tex, bool unscaled, Inspector* inspector = nullptr);

  /// Texels of level 0 per coordinate step of 1.
  Position scale() const {
    return unscaled_ ? Position{1, 1, 1} : Position{float(tex_.mips.width), float(tex_.mips.height), float(tex_.mips.depth)};
  }
  /// One sample with a filter other than the anisotropic one, which is linear here.
  Vec4 at(const Position& p, const Lod& lod);
  /// True if a texel read since the last call matches the key and CHROMA_KEY_MODE kills.
  bool take_killed();
  /// Runs f(), whose texels have this share of the weight that texels have now: for the inspector.
  template <class F>
  Vec4 weighted(double share, F f) {
    if (!inspector_) return f();
    const double outer = weight_;
    weight_ *= share;
    const Vec4 v = f();
    weight_ = outer;
    return v;
  }

 private:
  const MipLevel& level(uint32_t l);
  float factor(uint32_t level_size, uint32_t size) const { return unscaled_ ? float(level_size) / float(size) : float(level_size); }
  Vec4 in_level(const Position& p, uint32_t l, uint32_t filter);
  Vec4 codes(const MipLevel& m, const Axis& x, const Axis& y, int32_t layer);
  Vec4 floats(const MipLevel& m, const Axis& x, const Axis& y, int32_t layer);
  Vec4 filter4(const MipLevel& m, const Axis4& x, const Axis4& y, int32_t layer);
  Vec4 texel(const MipLevel& m, int32_t x, int32_t y, int32_t layer, const Decoding& how);
  std::array<int32_t, 4> taps(uint32_t direction, uint32_t fraction) const;

  struct Cached {
    uint32_t index = ~0u;
    MipLevel level;
  };
  const Memory& memory_;
  const Filter4Kernel& kernel_;
  const Texture& tex_;
  Decoding as_codes_;
  bool unscaled_;
  bool killed_ = false;
  Inspector* inspector_;
  double weight_ = 1;
  uint32_t level_ = 0;  ///< that texels are read of
  std::array<Cached, 2> cache_;
};

}  // namespace pumice::hw::tx
