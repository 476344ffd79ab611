// SPDX-License-Identifier: MIT
/// US texture instructions (us-isa A8): coordinates from temps through 2-bit swizzles, texels to a temp through swizzle and mask, TEXKILL.
#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us {
namespace {

using isa::us_r500::Port;
using isa::us_r500::TexOp;

void read(Thread& t, const Port& port, std::array<Vec4, 4>& out) {
  const int32_t i = t.temp_index(port.temp, port.relative);
  for (uint32_t p = 0; p < 4; ++p)
    for (uint32_t c = 0; c < 4; ++c) out[p][c] = i < 0 ? 0.0f : t.quad.temp[size_t(i)][p][port.swizzle[c]];
}

/// Any component with its sign bit set kills, -0.0 included (us-isa A8, Mesa's comment); NaN does not. The write mask plays no part.
/// S, T, R are tested where the RGB predicate allows, Q where the alpha predicate does (UNCONFIRMED).
void kill(Thread& t, const Instruction& x, const std::array<Vec4, 4>& coord) {
  const std::array<Thread::Mask, 4> enabled = t.enabled_channels(x);
  for (uint32_t p = 0; p < 4; ++p)
    for (uint32_t c = 0; c < 4; ++c)
      if ((t.active & enabled[c]) >> p & 1u)
        if (!is_nan(coord[p][c]) && (bits(coord[p][c]) >> 31)) t.quad.killed |= uint8_t(1u << p);
}

}  // namespace

void execute_tex(Thread& t, const Instruction& x) {
  const isa::us_r500::Texture& tex = x.tex;
  if (tex.inst == TexOp::NOP) return;

  tx::Request request;
  request.unit = tex.unit;
  request.unscaled = tex.unscaled;
  read(t, tex.source, request.coord);
  if (reserved(tex.inst)) return t.complain(Complaint::reserved, "reserved texture operation: nothing done");
  switch (tex.inst) {
    case TexOp::NOP: return;
    case TexOp::TEXKILL: return kill(t, x, request.coord);
    case TexOp::LD: request.lookup = tx::Lookup::ld; break;
    case TexOp::PROJ: request.lookup = tx::Lookup::proj; break;
    case TexOp::LODBIAS: request.lookup = tx::Lookup::lod_bias; break;
    case TexOp::LOD: request.lookup = tx::Lookup::lod; break;
    case TexOp::DXDY:
      request.lookup = tx::Lookup::dxdy;
      read(t, tex.dx, request.dx);
      read(t, tex.dy, request.dy);
      break;
    case TexOp::X: return;  // not of strict programs
  }

  // Every pixel is looked up, uncovered and inactive ones too: quad differences need their coordinates anyway.
  const uint32_t wmask = x.rgb.write | x.alpha.write << 3;
  if (wmask == 0) return;
  const Thread::Mask live = x.write_inactive ? kAllPixels : t.active;
  if (live == 0) return;
  std::array<Vec4, 4> texel;
  t.quad.killed |= uint8_t(tx::sample(t.ctx, request, texel) & t.active);

  const int32_t dst = t.temp_index(tex.dest.temp, tex.dest.relative);
  if (dst < 0) return;
  const std::array<Thread::Mask, 4> enabled = t.enabled_channels(x);
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t p = 0; p < 4; ++p)
      if ((wmask >> c & 1u) && ((live & enabled[c]) >> p & 1u)) {
        const float v = texel[p][tex.dest.swizzle[c]];
        t.quad.temp[size_t(dst)][p][c] = t.fp24 ? fp24(v) : v;
      }
}

}  // namespace pumice::hw::us
