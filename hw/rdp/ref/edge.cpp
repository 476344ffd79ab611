// SPDX-License-Identifier: MIT
/// Edge walker (docs/reference/rdp.md section 6). Positions are a closed form of the quarter line, so lines are independent.
#include "hw/rdp/ref/edge.h"

#include <algorithm>

#include "hw/rdp/ref/bits.h"

namespace pumice::hw::rdp {
namespace {

/// Step of an edge per quarter line.
uint32_t quarter_step(int32_t slope) { return static_cast<uint32_t>((sign_extend<30>(static_cast<uint32_t>(slope)) >> 2) & ~1); }

}  // namespace

EdgeWalker::EdgeWalker(const Primitive& p, const State& state) : p_(p), scissor_(state.scissor), copy_(state.cycle_type() == kCopy) {
  y_lo_ = std::max(p.yh, static_cast<int>(scissor_.yh));
  y_hi_ = std::min(p.yl, static_cast<int>(scissor_.yl));
  if (y_lo_ < y_hi_) {
    first_ = y_lo_ >> 2;
    last_ = y_hi_ >> 2;
  }
  for (int a = 0; a < kAttributes; ++a) {
    const uint32_t d = a == kZ ? p.dx[a] : p.dx[a] & ~0x1Fu;
    step_[a] = p.left_major ? d : 0u - d;
  }
}

/// Inlined: returned through memory it would stall eight times per line.
[[gnu::always_inline]] inline EdgeWalker::Snapped EdgeWalker::snap(uint32_t x) const {
  const int clip_low = 2 * static_cast<int>(scissor_.xh), clip_high = 2 * static_cast<int>(scissor_.xl);
  const bool negative = x >> 27 & 1, beyond = x >> 26 & 1;
  const int sticky = (x & 0x3FFE) != 0;
  Snapped s;
  s.raw = sign_extend<14>(x >> 14);
  const int low = static_cast<int>(x >> 13 & 0x1FFE) | sticky;  // below 1024 pixels
  s.under = negative || (!beyond && low < clip_low);
  s.x = s.under ? clip_low : low;
  s.over = (!s.under && beyond) || s.x >= clip_high;
  if (s.over) s.x = clip_high;
  return s;
}

Span EdgeWalker::line(int y) const {
  Span span;
  span.y = y;
  if (y < first_ || y > last_) return span;
  const int top = p_.yh & ~3;
  // With equal signs the H edge moves against the walking direction, and the latch waits for the last subline.
  const bool late = (p_.dxhdy < 0) == p_.left_major;
  const int latch_sub = late ? 3 : 0;
  bool all_under = true, all_over = true, any_valid = false;
  uint32_t latch_x = 0;
  int start = p_.left_major ? INT32_MAX : INT32_MIN, end = p_.left_major ? INT32_MIN : INT32_MAX;
  for (int i = 0; i < 4; ++i) {
    const int k = 4 * y + i;
    const uint32_t n = static_cast<uint32_t>(k - top);
    const uint32_t h = (static_cast<uint32_t>(p_.xh) & ~1u) + n * quarter_step(p_.dxhdy);
    const bool low_edge = p_.ym >= top && k >= p_.ym;
    const uint32_t m = low_edge ? (static_cast<uint32_t>(p_.xl) & ~1u) + static_cast<uint32_t>(k - p_.ym) * quarter_step(p_.dxldy)
                                : (static_cast<uint32_t>(p_.xm) & ~1u) + n * quarter_step(p_.dxmdy);
    const Snapped hs = snap(h), ms = snap(m);
    if (i == latch_sub) latch_x = h;
    all_under &= hs.under && ms.under;
    all_over &= hs.over && ms.over;
    const Snapped& l = p_.left_major ? hs : ms;
    const Snapped& r = p_.left_major ? ms : hs;
    span.left[i] = l.x;
    span.right[i] = r.x;
    span.sub_valid[i] = k >= y_lo_ && k < y_hi_ && l.raw <= r.raw;
    if (!span.sub_valid[i]) continue;
    any_valid = true;
    start = p_.left_major ? std::min(start, hs.x >> 3) : std::max(start, hs.x >> 3);
    end = p_.left_major ? std::max(end, ms.x >> 3) : std::min(end, ms.x >> 3);
  }
  span.valid = any_valid && !all_under && !all_over && (!scissor_.field || static_cast<uint32_t>(y & 1) == scissor_.odd);
  if (!span.valid) return span;
  span.start = start;
  span.end = end;
  span.count = std::max(0, p_.left_major ? end - start + 1 : start - end + 1);

  const int x_base = sign_extend<12>(latch_x >> 16);
  const uint32_t x_fraction = latch_x >> 8 & 0xFF;
  span.skip = (p_.left_major ? start - x_base : x_base - start) & 0xFFF;
  const uint32_t lines = static_cast<uint32_t>(y - (p_.yh >> 2));
  for (int a = 0; a < kAttributes; ++a) {
    const uint32_t value = p_.base[a] + lines * p_.de[a];
    const uint32_t dxh = copy_ ? 0 : static_cast<uint32_t>((static_cast<int32_t>(p_.dx[a]) >> 8) & ~1);
    uint32_t correction = 0;
    if (late) {
      const int32_t e = static_cast<int32_t>(p_.de[a] & ~0x1FFu), d = static_cast<int32_t>(p_.dy[a] & ~0x1FFu);
      correction = static_cast<uint32_t>(e) - static_cast<uint32_t>(e >> 2) - static_cast<uint32_t>(d) + static_cast<uint32_t>(d >> 2);
    }
    span.latched[a] = ((value & ~0x1FFu) + correction - x_fraction * dxh) & ~0x3FFu;
  }
  return span;
}

}  // namespace pumice::hw::rdp
