// SPDX-License-Identifier: MIT
/// What the fragment program of one quad reads and writes. Private to hw/radeon/ref/xr.
#pragma once
#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/ref/sc/sc.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw::xr {

using x::Bits4;

/// A place in a pixel: from its centre, in pixels.
struct Offset {
  float x = 0, y = 0;
};

/// The planes of a shape that fragments look at (docs/r5x.md, section 5).
class Varyings {
 public:
  Varyings(const ChipState& state, const Shape& shape, const su::Planes& planes);
  /// Component c of varying n in pixel (px, py); raw bits.
  uint32_t at(uint32_t n, uint32_t c, int32_t px, int32_t py, Offset o) const;
  float inv_w(int32_t px, int32_t py, Offset o) const;
  /// 0..1 along the point, from the left and from the top.
  std::array<float, 2> point_coord(int32_t px, int32_t py, Offset o) const;

 private:
  float evaluate(const su::Plane& plane, int32_t px, int32_t py, Offset o) const;
  float linear(const std::array<double, 3>& v, int32_t px, int32_t py, Offset o) const;

  const ChipState& state_;
  const Shape& shape_;
  const su::Planes& planes_;
  std::array<double, 3> inv_w_{};
};

/// What DEPTH_CLAMP limits depths to: the viewport's range.
struct DepthRange {
  float low = 0, high = 1;
};

/// A quad while its program runs.
struct QuadState {
  int32_t x = 0, y = 0;
  std::array<uint32_t, 4> rasterized{};     ///< by pixel: its samples
  std::array<uint32_t, 4> covered{};        ///< those of them that early tests left
  std::array<std::array<float, 4>, 8> z{};  ///< [sample][pixel]: the plane's, not limited
  DepthRange range;
  bool back_facing = false;
  uint32_t layer = 0, viewport = 0, primitive = 0;
};

class FragmentLink final : public x::StageLink {
 public:
  /// `sample`: the one that the program runs for, -1: the whole pixel.
  FragmentLink(const DrawContext& ctx, const sc::Samples& samples, const Varyings& varyings, const QuadState& quad, int32_t sample)
      : ctx_(ctx), samples_(samples), varyings_(varyings), quad_(quad), sample_(sample) {}

  Bits4 varying(uint32_t lane, uint32_t number, uint32_t mode, const Bits4& where) override;
  Bits4 system(uint32_t lane, uint32_t number) override;
  void write(uint32_t lane, uint32_t slot, uint32_t mask, const Bits4& value) override;
  void kill(uint32_t lane) override { killed |= 1u << lane; }

  std::array<std::array<Bits4, 4>, x::slot::color_second + 2> out{};  ///< [slot][pixel]
  uint32_t killed = 0;

 private:
  Offset of_sample(uint32_t sample) const;
  Offset centroid(uint32_t lane) const;
  uint32_t own_samples() const { return sample_ < 0 ? ~0u : 1u << sample_; }
  Offset own() const { return sample_ < 0 ? Offset{} : of_sample(uint32_t(sample_)); }
  int32_t px(uint32_t lane) const { return quad_.x + int32_t(lane & 1); }
  int32_t py(uint32_t lane) const { return quad_.y + int32_t(lane >> 1 & 1); }

  const DrawContext& ctx_;
  const sc::Samples& samples_;
  const Varyings& varyings_;
  const QuadState& quad_;
  const int32_t sample_;
};

}  // namespace pumice::hw::xr
