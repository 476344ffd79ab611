// SPDX-License-Identifier: MIT
/// Texture instructions and TEXKILL: hw/radeon/ref/us/tex.cpp.
#include <cstddef>

#include "hw/radeon/jit/us/translate.h"

namespace pumice::hw::fast::us {

using isa::us_r500::TexOp;
using lane::kArgs;

bool Translator::read_port(uint32_t pc, const isa::us_r500::Port& port, std::array<Number, 4>& out) {
  for (uint32_t c = 0; c < 4; ++c) out[c] = read_temp(port.temp, port.relative, port.swizzle[c]);
  return problem_ ? refuse(pc, problem_) : true;
}

bool Translator::tex(uint32_t pc, const Instruction& x) {
  const isa::us_r500::Texture& t = x.tex;
  if (t.inst == TexOp::NOP) return true;
  if (x.write_inactive && has_flow_ && !quads_) return refuse(pc, "WRITE_INACTIVE with flow control");

  std::array<Number, 4> coord, dx, dy;
  if (!read_port(pc, t.source, coord)) return false;
  const auto on = [&](uint32_t c) {
    return c < 3 ? enabled(x.rgb_predicate, x.rgb_predicate_invert, c) : enabled(x.alpha_predicate, x.alpha_predicate_invert, 3);
  };
  if (reserved(t.inst)) return refuse(pc, "reserved texture operation");
  tx::LookupKind kind{};
  switch (t.inst) {
    case TexOp::NOP: break;
    case TexOp::TEXKILL: {
      Mask kill = none_;
      for (uint32_t c = 0; c < 4; ++c) {
        const Value v = coord[c].v;
        const Mask negative = b_.mask_andnot(b_.is_nan(v), b_.ilt(v, b_.constant_bits(0)));
        kill = b_.mask_or(kill, b_.mask_and(on(c), negative));
      }
      write_mask(killed_, b_.mask_or(read_mask(killed_), b_.mask_and(kill, active_)), all_);
      return true;
    }
    case TexOp::LD: kind = tx::LookupKind::ld; break;
    case TexOp::PROJ: kind = tx::LookupKind::proj; break;
    case TexOp::LODBIAS: kind = tx::LookupKind::lod_bias; break;
    case TexOp::LOD: kind = tx::LookupKind::lod; break;
    case TexOp::DXDY:
      kind = tx::LookupKind::dxdy;
      if (!read_port(pc, t.dx, dx) || !read_port(pc, t.dy, dy)) return false;
      break;
    case TexOp::X: break;  // not of strict programs
  }
  const uint32_t wmask = x.rgb.write | x.alpha.write << 3;
  if (wmask == 0) return true;

  constexpr uint32_t kSample = uint32_t(offsetof(ShadeArgs, sample)), kLanesSize = uint32_t(sizeof(Lanes));
  const auto place = [&](size_t member, uint32_t c) { return kSample + uint32_t(member) + c * kLanesSize; };
  // The NaN's sign and bits do not matter to texture units.
  const uint32_t coordinates = info(t.inst).reads[0] >> 3 & 1 ? 4 : 3;
  for (uint32_t c = 0; c < coordinates; ++c) {
    b_.store(kArgs, place(offsetof(tx::SampleArgs, coord), c), coord[c].v);
    if (kind != tx::LookupKind::dxdy) continue;
    b_.store(kArgs, place(offsetof(tx::SampleArgs, dx), c), dx[c].v);
    b_.store(kArgs, place(offsetof(tx::SampleArgs, dy), c), dy[c].v);
  }
  const lane::Pointer unit = b_.pointer(b_.pointer(kArgs, offsetof(ShadeArgs, unit)), 8u * t.unit);
  const size_t table = t.unscaled ? offsetof(tx::UnitHead, routine_unscaled) : offsetof(tx::UnitHead, routine);
  // Only active lanes can be killed by a chroma key.
  const Mask live = x.write_inactive ? here_ : active_;
  const uint32_t killed_at = place(offsetof(tx::SampleArgs, killed), 0);
  const bool protects = has_flow_ && x.write_inactive;
  Mask killed_before;
  if (protects) killed_before = b_.mask_load_now(kArgs, killed_at);
  if (has_flow_) b_.store_half(kArgs, place(offsetof(tx::SampleArgs, active), 0), voters(live));
  b_.call_through(unit, uint32_t(table + 8 * size_t(kind)), kArgs, kSample);
  if (protects) b_.store_half(kArgs, killed_at, b_.mask_or(killed_before, b_.mask_and(b_.mask_load_now(kArgs, killed_at), active_)));

  std::array<Value, 4> texel;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(wmask >> c & 1u)) continue;
    Value& v = texel[t.dest.swizzle[c]];
    if (!v) v = b_.lanes_now(kArgs, place(offsetof(tx::SampleArgs, out), t.dest.swizzle[c]));
    const Number n = fp24_ ? Number{to_fp24(v), Nan::us} : Number{v, Nan::exact};
    write_temp(t.dest.temp, t.dest.relative, c, n, b_.mask_and(on(c), live));
  }
  return problem_ ? refuse(pc, problem_) : true;
}

}  // namespace pumice::hw::fast::us
