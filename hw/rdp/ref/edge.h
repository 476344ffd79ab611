// SPDX-License-Identifier: MIT
/// Primitive set-up and edge walking: from coefficients to one Span per scanline (docs/reference/rdp.md section 6).
#pragma once
#include <array>
#include <cstdint>

#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

enum Attribute : uint8_t { kR, kG, kB, kA, kS, kT, kW, kZ, kAttributes };
using Attributes = std::array<uint32_t, kAttributes>;

/// What a triangle or rectangle command describes. Attributes are s15.16 and wrap.
struct Primitive {
  bool left_major = false;
  uint32_t level = 0, tile = 0;
  int32_t yl = 0, ym = 0, yh = 0;           // quarter lines
  int32_t xl = 0, xh = 0, xm = 0;           // 12.16
  int32_t dxldy = 0, dxhdy = 0, dxmdy = 0;  // per line, 14.16
  Attributes base{}, dx{}, de{}, dy{};
  uint32_t noise_seed = 0;  // number of the primitive
};

/// One scanline of a primitive.
struct Span {
  int y = 0;
  bool valid = false;       // the look-ahead sees only this
  int start = 0, end = -1;  // first and last pixel in walking order
  int count = 0;            // pixels, 0 if end lies before start
  int skip = 0;             // pixels between the attribute latch and start
  Attributes latched{};     // at x_base
  std::array<bool, 4> sub_valid{};
  std::array<int, 4> left{}, right{};  // snapped and clipped edges, 1/8 pixels

  /// Length of the unclipped span minus one.
  int run() const { return count - 1 + skip; }
};

class EdgeWalker {
 public:
  EdgeWalker(const Primitive& p, const State& state);

  int first_line() const { return first_; }
  int last_line() const { return last_; }
  /// Any line number is allowed; lines outside the primitive are not valid.
  Span line(int y) const;

  /// Per-pixel attribute steps in walking direction.
  const Attributes& step() const { return step_; }

 private:
  struct Snapped {
    int x;    // 1/8 pixels, low bit "inexact"
    int raw;  // quarter pixels, signed, before clipping
    bool under, over;
  };
  Snapped snap(uint32_t x) const;

  const Primitive& p_;
  const Scissor& scissor_;
  bool copy_;
  int y_lo_, y_hi_;
  int first_ = 0, last_ = -1;
  Attributes step_;
};

}  // namespace pumice::hw::rdp
