// SPDX-License-Identifier: MIT
/// See texel_copy.h. Looks at the lane IR, so that copies, swizzles and unused instructions do not matter.
#include "hw/radeon/jit/us/texel_copy.h"

#include <bit>
#include <cstddef>
#include <optional>

namespace pumice::hw::fast::us {
namespace {

using lane::Node;
using lane::Op;
using lane::Program;

constexpr uint32_t kMinusZero = 0x80000000u, kOneBits = 0x3F800000u;
constexpr uint32_t kSample = uint32_t(offsetof(ShadeArgs, sample)), kLanesSize = uint32_t(sizeof(Lanes));
constexpr uint32_t kCoord = kSample + uint32_t(offsetof(tx::SampleArgs, coord)), kOut = kSample + uint32_t(offsetof(tx::SampleArgs, out));
constexpr uint32_t kColor = uint32_t(offsetof(ShadeArgs, color));

class Finder {
 public:
  explicit Finder(const Program& program) : p_(program) {}
  TexelCopy find();

 private:
  const Node& node(int32_t id) const { return p_.nodes[size_t(id)]; }
  bool is_constant(int32_t id, uint32_t bits) const { return node(id).op == Op::constant && node(id).imm == bits; }
  bool reads(uint8_t pointer, size_t member) const {
    return pointer != 0 && p_.pointers[pointer].parent == lane::kArgs.id && p_.pointers[pointer].offset == member;
  }
  std::optional<uint8_t> interpolated(int32_t id) const;
  std::optional<uint8_t> affine(int32_t id) const;
  std::optional<uint8_t> texel_channel(int32_t id) const;
  bool lookup(const Program::Call& call, TexelCopy& out) const;

  const Program& p_;
};

/// base + offset of an interpolant.
std::optional<uint8_t> Finder::affine(int32_t id) const {
  const Node& n = node(id);
  if (n.op != Op::add) return {};
  for (const auto& [first, second] : {std::pair{n.a, n.b}, {n.b, n.a}}) {
    const Node &base = node(first), &offset = node(second);
    if (base.op != Op::splat || base.p != lane::kArgs.id || offset.op != Op::lanes || !reads(offset.p, offsetof(ShadeArgs, offset)))
      continue;
    const uint32_t index = offset.imm / kLanesSize;
    if (index < kMaxInterpolants && base.imm == offsetof(ShadeArgs, base) + 4 * index) return static_cast<uint8_t>(index);
  }
  return {};
}

/// The same, perhaps times a factor that is 1 where ShadeArgs::factor says 0.
std::optional<uint8_t> Finder::interpolated(int32_t id) const {
  const Node& n = node(id);
  if (n.op != Op::mul) return affine(id);
  for (const auto& [value, factor] : {std::pair{n.a, n.b}, {n.b, n.a}}) {
    const auto index = affine(value);
    const Node& f = node(factor);
    if (!index || f.op != Op::select || !is_constant(f.a, kOneBits) || node(f.c).op != Op::ieq) continue;
    const Node& equal = node(f.c);
    for (const auto& [flag, zero] : {std::pair{equal.a, equal.b}, {equal.b, equal.a}})
      if (is_constant(zero, 0) && node(flag).op == Op::splat && reads(node(flag).p, offsetof(ShadeArgs, factor)) &&
          node(flag).imm == 4u * *index)
        return index;
  }
  return {};
}

/// Skips operations that leave values in 0..1 unchanged.
std::optional<uint8_t> Finder::texel_channel(int32_t id) const {
  const Node& n = node(id);
  const auto past = [&](uint32_t bits) { return is_constant(n.a, bits) ? n.b : is_constant(n.b, bits) ? n.a : -1; };
  int32_t same = -1;
  switch (n.op) {
    case Op::constant:
      if (n.imm == kOneBits) return TexelCopy::kOne;
      return n.imm == 0 || n.imm == kMinusZero ? std::optional{TexelCopy::kZero} : std::nullopt;
    case Op::lanes: {
      const uint32_t channel = (n.imm - kOut) / kLanesSize;
      return n.p == lane::kArgs.id && n.imm >= kOut && channel < 4 ? std::optional{static_cast<uint8_t>(channel)} : std::nullopt;
    }
    case Op::mul:
    case Op::minimum: same = past(kOneBits); break;
    case Op::maximum: same = past(0); break;
    case Op::add: same = past(0) >= 0 ? past(0) : past(kMinusZero); break;
    default: break;
  }
  return same >= 0 ? texel_channel(same) : std::nullopt;
}

bool Finder::lookup(const Program::Call& call, TexelCopy& out) const {
  if (call.function || call.argument != lane::kArgs.id || call.argument_offset != kSample || call.object == 0) return false;
  const Program::PointerSource& unit = p_.pointers[call.object];
  if (unit.offset % 8 || unit.offset >= 16 * 8 || !reads(unit.parent, offsetof(ShadeArgs, unit))) return false;
  out.unit = static_cast<uint8_t>(unit.offset / 8);
  constexpr uint32_t kLd = 8 * uint32_t(tx::LookupKind::ld);
  out.unscaled = call.offset == offsetof(tx::UnitHead, routine_unscaled) + kLd;
  return out.unscaled || call.offset == offsetof(tx::UnitHead, routine) + kLd;
}

TexelCopy Finder::find() {
  TexelCopy out;
  uint32_t colors = 0, coordinates = 0, calls = 0;
  for (const Node& n : p_.nodes) {
    if (!lane::operation(n.op).is(lane::trait::effect)) continue;
    switch (n.op) {
      case Op::mask_store:
      case Op::store_word: break;  // lane masks, the stop flag
      case Op::call:
        if (++calls > 1 || !lookup(p_.calls[n.imm], out)) return {};
        break;
      case Op::store: {
        if (n.p != lane::kArgs.id) return {};
        const uint32_t coordinate = (n.imm - kCoord) / kLanesSize;
        if (n.imm >= kCoord && coordinate < 4) {
          const auto index = interpolated(n.a);
          if (coordinate < 2 && (!index || calls)) return {};
          if (coordinate < 2) (coordinate ? out.t : out.s) = *index, coordinates |= 1u << coordinate;
          break;
        }
        const uint32_t at = (n.imm - kColor) / kLanesSize;
        if (n.imm < kColor || at >= 16) return {};
        const auto channel = texel_channel(n.a);
        if (!channel || !calls) return {};
        colors |= 1u << at;
        out.channel[at % 4] = *channel;
        break;
      }
      default: return {};
    }
  }
  if (calls != 1 || coordinates != 3 || colors == 0) return {};
  out.target = static_cast<uint8_t>(std::countr_zero(colors) / 4);
  if (colors != 15u << (4 * out.target)) return {};
  out.is = true;
  return out;
}

}  // namespace

TexelCopy find_texel_copy(const lane::Program& program) { return Finder(program).find(); }

}  // namespace pumice::hw::fast::us
