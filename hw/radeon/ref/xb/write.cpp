// SPDX-License-Identifier: MIT
/// See write.h.
#include "hw/radeon/ref/xb/write.h"

#include <algorithm>

#include "hw/common/numerics/arithmetic.h"
#include "hw/db/formats.h"
#include "hw/db/regs_r5x.h"

namespace pumice::hw::xb {
namespace {

using formats::Class;
using Blend = regs::r5x::X_CB_BLEND;
using Control = regs::r5x::X_CB_CONTROL;
using Color = std::array<float, 4>;

/// What arithmetic makes of NaN (docs/r5x.md, rule 5).
constexpr uint32_t kNan = 0x7FFFFFFFu;

Color floats(const xt::Bits4& v) { return {num::from_bits(v[0]), num::from_bits(v[1]), num::from_bits(v[2]), num::from_bits(v[3])}; }

/// Normalized formats blend what they can hold.
Color limited(Color c, Class cls) {
  const bool unorm = cls == Class::unorm || cls == Class::srgb;
  if (!unorm && cls != Class::snorm) return c;
  const float low = unorm ? 0.0f : -1.0f;
  for (float& v : c) v = num::is_nan(v) ? 0.0f : std::clamp(num::flush_denormal(v), low, 1.0f);
  return c;
}

/// Integers narrower than 32 bits become the nearest that the component can hold.
xt::Bits4 saturated(xt::Bits4 v, const formats::Info& f) {
  if (f.cls != Class::uint && f.cls != Class::sint) return v;
  for (uint32_t i = 0; i < f.count; ++i) {
    const formats::Component& c = f.component[i];
    if (c.bits >= 32 || c.channel > formats::Channel::a) continue;
    uint32_t& x = v[uint32_t(c.channel)];
    const auto most = int32_t((1u << (c.bits - 1)) - 1);
    x = f.cls == Class::uint ? std::min(x, (1u << c.bits) - 1) : uint32_t(std::clamp(int32_t(x), -most - 1, most));
  }
  return v;
}

struct Sources {
  Color source, second, destination, constant;
};

float factor(uint32_t code, const Sources& s, uint32_t c) {
  const auto inverse = [](float v) { return num::sub(1.0f, v); };
  switch (code) {
    case Blend::COLOR_SRC__ZERO: return 0;
    case Blend::COLOR_SRC__ONE: return 1;
    case Blend::COLOR_SRC__SRC_COLOR: return s.source[c];
    case Blend::COLOR_SRC__ONE_MINUS_SRC_COLOR: return inverse(s.source[c]);
    case Blend::COLOR_SRC__DST_COLOR: return s.destination[c];
    case Blend::COLOR_SRC__ONE_MINUS_DST_COLOR: return inverse(s.destination[c]);
    case Blend::COLOR_SRC__SRC_ALPHA: return s.source[3];
    case Blend::COLOR_SRC__ONE_MINUS_SRC_ALPHA: return inverse(s.source[3]);
    case Blend::COLOR_SRC__DST_ALPHA: return s.destination[3];
    case Blend::COLOR_SRC__ONE_MINUS_DST_ALPHA: return inverse(s.destination[3]);
    case Blend::COLOR_SRC__CONSTANT_COLOR: return s.constant[c];
    case Blend::COLOR_SRC__ONE_MINUS_CONSTANT_COLOR: return inverse(s.constant[c]);
    case Blend::COLOR_SRC__CONSTANT_ALPHA: return s.constant[3];
    case Blend::COLOR_SRC__ONE_MINUS_CONSTANT_ALPHA: return inverse(s.constant[3]);
    case Blend::COLOR_SRC__SRC_ALPHA_SATURATE: return c == 3 ? 1.0f : std::min(s.source[3], inverse(s.destination[3]));
    case Blend::COLOR_SRC__SRC1_COLOR: return s.second[c];
    case Blend::COLOR_SRC__ONE_MINUS_SRC1_COLOR: return inverse(s.second[c]);
    case Blend::COLOR_SRC__SRC1_ALPHA: return s.second[3];
    case Blend::COLOR_SRC__ONE_MINUS_SRC1_ALPHA: return inverse(s.second[3]);
    default: return 0;
  }
}

/// A factor ZERO drops its term, so that a NaN in memory cannot come through.
float term(float v, uint32_t code, const Sources& s, uint32_t c) {
  return code == Blend::COLOR_SRC__ZERO ? 0.0f : num::mul(v, factor(code, s, c));
}

float blended(const BlendEquation& e, const Sources& s, uint32_t c) {
  const float source = num::flush_denormal(s.source[c]), destination = num::flush_denormal(s.destination[c]);
  if (e.operation == Blend::COLOR_OP__MIN) return std::min(source, destination);
  if (e.operation == Blend::COLOR_OP__MAX) return std::max(source, destination);
  const float a = term(s.source[c], e.source, s, c), b = term(s.destination[c], e.destination, s, c);
  switch (e.operation) {
    case Blend::COLOR_OP__SUBTRACT: return num::sub(a, b);
    case Blend::COLOR_OP__REVERSE_SUBTRACT: return num::sub(b, a);
    default: return num::add(a, b);
  }
}

uint8_t combined(uint32_t op, uint8_t s, uint8_t d) {
  switch (op) {
    case Control::LOGIC_OP__CLEAR: return 0;
    case Control::LOGIC_OP__AND: return s & d;
    case Control::LOGIC_OP__AND_REVERSE: return uint8_t(s & ~d);
    case Control::LOGIC_OP__COPY: return s;
    case Control::LOGIC_OP__AND_INVERTED: return uint8_t(~s & d);
    case Control::LOGIC_OP__NO_OP: return d;
    case Control::LOGIC_OP__XOR: return s ^ d;
    case Control::LOGIC_OP__OR: return s | d;
    case Control::LOGIC_OP__NOR: return uint8_t(~(s | d));
    case Control::LOGIC_OP__EQUIVALENT: return uint8_t(~(s ^ d));
    case Control::LOGIC_OP__INVERT: return uint8_t(~d);
    case Control::LOGIC_OP__OR_REVERSE: return uint8_t(s | ~d);
    case Control::LOGIC_OP__COPY_INVERTED: return uint8_t(~s);
    case Control::LOGIC_OP__OR_INVERTED: return uint8_t(~s | d);
    case Control::LOGIC_OP__NAND: return uint8_t(~(s & d));
    default: return 0xFF;
  }
}

}  // namespace

void write(Memory& memory, const Target& target, const Place& place, const xt::Bits4& color, const xt::Bits4& second) {
  const xt::Image& image = target.image;
  if (!target.enabled || !target.write_mask || place.x >= image.width || place.y >= image.height || place.layer >= image.layers) return;
  const formats::Info& f = formats::info(image.format);
  const uint64_t address =
      xt::address_of(image, xt::level_of(image, 0), image.first_layer + place.layer, place.x, place.y, 0, place.sample);
  std::array<uint8_t, 16> stored{}, fresh{};
  memory.read(address, stored.data(), f.bytes);
  xt::Bits4 value = target.blend ? color : saturated(color, f);
  if (target.blend) {
    const xt::Bits4 old = xt::finish_texel(xt::decoding_of(f, false), xt::decode_texel(f, false, stored.data(), 0, 0));
    const Sources s{limited(floats(color), f.cls), limited(floats(second), f.cls), floats(old), limited(target.constant, f.cls)};
    for (uint32_t c = 0; c < 4; ++c) {
      const float v = blended(c < 3 ? target.color : target.alpha, s, c);
      value[c] = num::is_nan(v) ? kNan : num::bits(v);
    }
  }
  xt::encode_texel(f, false, value, fresh.data());
  if (target.logic)
    for (uint32_t i = 0; i < f.bytes; ++i) fresh[i] = combined(target.logic_op, fresh[i], stored[i]);
  xt::merge_texel(f, target.write_mask, fresh.data(), stored.data());
  memory.write(address, stored.data(), f.bytes);
}

}  // namespace pumice::hw::xb
