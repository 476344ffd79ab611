// SPDX-License-Identifier: MIT
/// The SIMD path as seen from outside: one primitive's spans.
#pragma once
#include "hw/rdp/draw.h"
#include "hw/rdp/fast/primitive.h"
#include "hw/rdp/span.h"

namespace pumice::hw::rdp::fast {

class Painter {
 public:
  Painter(const DrawTarget& target, const rdp::Primitive& primitive, const SpanSetup& setup)
      : target_(target), primitive_(primitive), setup_(setup) {}

  /// Prepares; false if the SIMD path does not know this mode.
  bool usable(Execution execution);
  /// False if this span must be drawn by the reference (it leaves memory, or colour and depth overlap).
  bool draw(const rdp::Span& span, const rdp::Span& next);

 private:
  bool fill(const rdp::Span& span);
  void prepare_attributes();
  bool prepare_texture();
  void prepare_combiner();
  void prepare_output();

  const DrawTarget& target_;
  const rdp::Primitive& primitive_;
  const SpanSetup& setup_;
  Primitive p_;
  Routine routine_ = nullptr;
  bool past_end_matters_ = false;
};

}  // namespace pumice::hw::rdp::fast
