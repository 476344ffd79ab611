// SPDX-License-Identifier: MIT
/// The life of a pixel in one draw: what the scalar reference computes for it, from the primitive to the stored value, line by line.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/draw/shape.h"
#include "hw/radeon/ref/sc/sc.h"
#include "hw/radeon/trace/inspect/names.h"

namespace pumice::hw::trace {

/// Indented by two spaces a level.
using Lines = std::vector<std::string>;

class PixelLife final : public Inspector {
 public:
  /// `sample`: depth and colour of this sample only (from 0); nothing: of all that the draw has.
  PixelLife(int32_t x, int32_t y, std::optional<uint32_t> sample) : x_(x), y_(y), sample_(sample) {}
  const Lines& lines() const { return lines_; }
  /// Of the program, or null: no remarks. Outlives the lines' making.
  void call(const StageNames* names) { names_ = names; }
  /// Primitives that entered GA, and shapes of them that cover the pixel.
  uint32_t primitives() const { return primitives_; }
  uint32_t covering() const { return covering_; }

  void primitive(const DrawContext& ctx, const Primitive& p) override;
  void shape(const DrawContext& ctx, const Shape& shape, const sc::Scan& scan) override;
  void quad(const DrawContext& ctx, const PixelQuad& q) override;
  void begins(const DrawContext& ctx, PixelStage stage, const PixelQuad& q, std::span<const uint8_t> mask, uint32_t sample,
              const std::array<float, 4>* z) override;
  void ends(const DrawContext& ctx, PixelStage stage, const PixelQuad& q, std::span<const uint8_t> mask, uint32_t sample) override;
  void instruction(us::Thread& t, const isa::us_r500::Instruction& x) override;
  void executed(us::Thread& t, const isa::us_r500::Instruction& x) override;
  void lookup(const LookupStep& step) override;
  void texel(const TexelStep& step) override;

  void quad(const DrawContext& ctx, const xr::QuadState& q) override;
  void test_begins(const DrawContext& ctx, uint32_t pixel, const xz::Sample& at) override;
  void test_ends(const DrawContext& ctx, uint32_t pixel, const xz::Sample& at, bool passed) override;
  void program_begins(const DrawContext& ctx, int32_t sample, uint32_t helpers) override;
  void program_ends(const DrawContext& ctx, const xr::FragmentLink& link) override;
  void store_begins(const DrawContext& ctx, uint32_t pixel, uint32_t samples, const xr::FragmentLink& link) override;
  void store_ends(const DrawContext& ctx, uint32_t pixel, uint32_t samples, const xr::FragmentLink& link) override;
  void instruction(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) override;
  void executed(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) override;

 private:
  void line(uint32_t depth, const std::string& text) { lines_.push_back(std::string(2 * depth, ' ') + text); }
  bool wants(uint32_t sample) const { return !sample_ || *sample_ == sample; }
  /// Of the quad under way, a pixel that is this one and has a wanted sample.
  bool wants(uint32_t pixel, uint32_t samples) const { return inside_ && pixel == pixel_ && (!sample_ || (samples >> *sample_ & 1u)); }
  void stored(const DrawContext& ctx, uint32_t samples, const xr::FragmentLink& link, bool after);
  void interpolants(const ChipState& state, const PixelQuad& q);
  void operands(us::Thread& t, const isa::us_r500::Instruction& x);
  void results(us::Thread& t, const isa::us_r500::Instruction& x);
  void depth_begins(const DrawContext& ctx, const Quad& q, uint32_t sample, float z);
  void depth_ends(const DrawContext& ctx, uint32_t sample, bool passed);
  void shader_ends(const DrawContext& ctx, const PixelQuad& q);
  void color(const DrawContext& ctx, const PixelQuad& q, std::span<const uint8_t> mask, bool after);

  const int32_t x_, y_;
  const StageNames* names_ = nullptr;
  const std::optional<uint32_t> sample_;
  Lines lines_;
  uint32_t primitives_ = 0, covering_ = 0;
  bool covered_ = false;   ///< by the current shape
  bool inside_ = false;    ///< the quad under way is the pixel's
  bool shaded_ = false;    ///< its program has run
  bool fetching_ = false;  ///< the lookup under way is the pixel's
  uint32_t pixel_ = 0;     ///< of the quad
  uint32_t pc_ = 0;
  uint8_t killed_ = 0;
  Vec4 before_fog_{};
  uint32_t layer_ = 0;    ///< of the extended quad under way
  bool running_ = false;  ///< its program runs for a wanted sample
};

}  // namespace pumice::hw::trace
