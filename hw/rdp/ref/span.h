// SPDX-License-Identifier: MIT
/// Attributes along a span: shade, depth and texture position of each pixel (docs/reference/rdp.md section 8).
#pragma once
#include "hw/rdp/ref/coverage.h"
#include "hw/rdp/ref/edge.h"

namespace pumice::hw::rdp {

/// Texture position before the divide, s15.16.
struct TexPosition {
  uint32_t s = 0, t = 0, w = 0;
};

/// What the pixel stages need of the primitive, worked out once.
struct SpanSetup {
  Attributes step;                // per pixel, walking direction
  std::array<int32_t, 4> dx, dy;  // centroid slopes of shade, s13
  int32_t z_dx, z_dy;             // centroid slopes of z, s22
  TexPosition line;               // texture change per line, for LOD
  uint32_t dz, dz_code;           // delta z of the primitive and its 4-bit code
  bool prim_z;                    // z_source_sel
  uint32_t prim_z_value;

  SpanSetup(const Primitive& p, const EdgeWalker& edges, const State& state);

  /// Attribute values at pixel number k of the span (in walking order; k may be beyond either end).
  Attributes at(const Span& span, int k) const;
  TexPosition texture_at(const Span& span, int k) const;
  /// Start of a line (its latched values) plus k pixels.
  TexPosition texture_from_latch(const Span& span, int k) const;
  Color shade(const Attributes& a, const Coverage& c) const;
  uint32_t depth(const Attributes& a, const Coverage& c) const;  // 18 bits
};

/// Delta z of a primitive that has its own z.
uint32_t delta_z(const Primitive& p);
/// log2 of a power of two as the chip encodes it; defined for any 16-bit value.
uint32_t dz_code(uint32_t v);

}  // namespace pumice::hw::rdp
