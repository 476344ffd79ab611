// SPDX-License-Identifier: MIT
/// Attributes along a span (docs/reference/rdp.md section 8).
#include "hw/rdp/ref/span.h"

#include "hw/rdp/ref/bits.h"

namespace pumice::hw::rdp {
namespace {

uint32_t magnitude(uint32_t v) { return v & 0x8000 ? ~v & 0x7FFF : v; }

}  // namespace

uint32_t delta_z(const Primitive& p) {
  const uint32_t sum = (magnitude(p.dx[kZ] >> 16) + magnitude(p.dy[kZ] >> 16)) & 0xFFFF;
  if (sum & 0xC000) return 0x8000;
  if (sum == 0) return 1;
  if (sum == 1) return 3;
  return 2 * highest_bit(sum);
}

uint32_t dz_code(uint32_t v) {
  return ((v & 0xFF00) != 0) << 3 | ((v & 0xF0F0) != 0) << 2 | ((v & 0xCCCC) != 0) << 1 | ((v & 0xAAAA) != 0);
}

SpanSetup::SpanSetup(const Primitive& p, const EdgeWalker& edges, const State& state) : step(edges.step()) {
  for (int c = 0; c < 4; ++c) {
    dx[c] = sign_extend<13>(p.dx[c] >> 14);
    dy[c] = sign_extend<13>(p.dy[c] >> 14);
  }
  prim_z = state.modes.z_source_sel();
  prim_z_value = state.prim_z;
  z_dx = prim_z ? 0 : sign_extend<22>(p.dx[kZ] >> 10);
  z_dy = prim_z ? 0 : sign_extend<22>(p.dy[kZ] >> 10);
  line = {p.dy[kS] & ~0x7FFFu, p.dy[kT] & ~0x7FFFu, p.dy[kW] & ~0x7FFFu};
  dz = prim_z ? state.prim_dz : delta_z(p);
  dz_code = rdp::dz_code(dz);
}

Attributes SpanSetup::at(const Span& span, int k) const {
  const uint32_t n = static_cast<uint32_t>(span.skip + k);
  Attributes a;
  for (int i = 0; i < kAttributes; ++i) a[i] = span.latched[i] + step[i] * n;
  return a;
}

TexPosition SpanSetup::texture_at(const Span& span, int k) const { return texture_from_latch(span, span.skip + k); }

TexPosition SpanSetup::texture_from_latch(const Span& span, int k) const {
  const uint32_t n = static_cast<uint32_t>(k);
  return {span.latched[kS] + step[kS] * n, span.latched[kT] + step[kT] * n, span.latched[kW] + step[kW] * n};
}

Color SpanSetup::shade(const Attributes& a, const Coverage& c) const {
  Color out;
  for (int i = 0; i < 4; ++i) {
    const int32_t v = static_cast<int32_t>(a[i]) >> 14;
    const int32_t n = c.count == 8 ? v >> 2 : (4 * v + c.off_x * dx[i] + c.off_y * dy[i]) >> 4;
    out[i] = clamp9(static_cast<uint32_t>(n));
  }
  return out;
}

uint32_t SpanSetup::depth(const Attributes& a, const Coverage& c) const {
  const int32_t v = static_cast<int32_t>((prim_z ? prim_z_value : a[kZ]) >> 10 & 0x3FFFFF);
  const int32_t n = c.count == 8 ? v >> 3 : (4 * v + c.off_x * z_dx + c.off_y * z_dy) >> 5;
  switch (n >> 17 & 3) {
    case 2: return 0x3FFFF;
    case 3: return 0;
    default: return static_cast<uint32_t>(n) & 0x3FFFF;
  }
}

}  // namespace pumice::hw::rdp
