// SPDX-License-Identifier: MIT
/// See format.h. Each function follows the one of the same job in hw/radeon/decode/xt/texel.cpp.
#include "hw/radeon/jit/x/format.h"

#include <algorithm>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/numerics/srgb.h"
#include "hw/radeon/jit/x/format_block.h"

namespace pumice::hw::fast::extended::format {

namespace {

using formats::Channel;
using formats::Class;
using formats::Component;
using formats::Info;

/// The sum of a float below 2^23 and this one is rounded to an integer, in the low bits. With the half also for negative ones.
constexpr uint32_t kRounder = 0x4B000000u, kSignedRounder = 0x4B400000u;  // 2^23, 1.5 * 2^23

constexpr uint32_t low_bits(uint32_t n) { return n >= 32 ? ~0u : (1u << n) - 1u; }
uint32_t target_of(Channel c) { return c <= Channel::a ? uint32_t(c) : 0u; }
Class class_of(const Info& f, const Component& c) {
  if (c.channel == Channel::s) return Class::uint;
  return f.cls == Class::srgb && c.channel == Channel::a ? Class::unorm : f.cls;
}
/// Fields lie within a dword.
uint32_t dword_of(const Component& c) { return c.shift / 32u; }
uint32_t shift_of(const Component& c) { return c.shift % 32u; }
uint32_t field_mask(const Component& c) { return low_bits(c.bits) << shift_of(c); }
uint32_t dwords_of(const Info& f) { return (f.bytes + 3u) / 4u; }
/// The components that belong to the aspect.
bool is_stencil(const Info& f, bool stencil) { return stencil || (f.count == 1 && f.component[0].channel == Channel::s); }

class Code {
 public:
  Code(Builder& b, const Info& f) : b_(b), f_(f) {}

  Value number(uint32_t v) { return b_.constant_bits(v); }
  Value zero() { return number(0); }

  /// Bits above the texel are 0 and need not be masked.
  bool is_top(const Component& c) const { return c.shift + c.bits == std::min(f_.bytes * 8u, (dword_of(c) + 1) * 32); }
  Value field(const Raw& raw, const Component& c) {
    const Value v = b_.shr(raw.dword[dword_of(c)], shift_of(c));
    return is_top(c) ? v : b_.bit_and(v, number(low_bits(c.bits)));
  }
  Value signed_field(const Raw& raw, const Component& c) {
    return b_.sar(b_.shl(raw.dword[dword_of(c)], 32 - c.bits - shift_of(c)), 32u - c.bits);
  }

  Value decode(const Raw& raw, const Component& c) {
    switch (class_of(f_, c)) {
      case Class::unorm:
      case Class::uscaled: return b_.to_float(field(raw, c));
      case Class::snorm: return b_.to_float(b_.imax(signed_field(raw, c), number(0u - low_bits(c.bits - 1u))));
      case Class::sscaled: return b_.to_float(signed_field(raw, c));
      case Class::uint: return field(raw, c);
      case Class::sint: return signed_field(raw, c);
      case Class::sfloat: return c.bits == 16 ? b_.half_to_float(field(raw, c)) : field(raw, c);
      case Class::ufloat: return b_.half_to_float(b_.shl(field(raw, c), 15u - c.bits));
      case Class::srgb: break;
    }
    return b_.srgb_decode(b_.shr(raw.dword[dword_of(c)], shift_of(c)));
  }

  Color shared_exponent(const Raw& raw) {
    // 2^(e - 24)
    const Value scale = b_.shl(b_.iadd(field(raw, *f_.find(Channel::e)), number(127 - 24)), 23);
    Color out;
    for (uint32_t i = 0; i < 3; ++i) out[i] = b_.mul(b_.to_float(field(raw, f_.component[i])), scale);
    out[3] = zero();
    return out;
  }

  // ---- Encoding: bits of a component, of which those above its own are 0 unless they are in `excess`.

  struct Bits {
    Value v;
    uint32_t excess = 0;  ///< offset that was added to the code
    bool above = false;   ///< bits above the component's may be set
  };

  Value limited(Value x, float low) {
    const Value v = b_.minimum(b_.maximum(x, b_.constant(low)), b_.constant(1.0f));
    return low < 0 ? b_.select(b_.is_nan(x), zero(), v) : v;  // the maximum with 0 is 0 for NaN
  }
  Bits rounded(Value x, uint32_t most) {
    if (most < 1u << 23) return {b_.fma(x, b_.constant(float(most)), number(kRounder)), kRounder};
    // 24 bits: a product of at least 2^23 is rounded to an integer anyway.
    const Value wide = b_.to_int(b_.mul(x, b_.constant(float(most))));
    const Value narrow = b_.isub(b_.fma(x, b_.constant(float(most)), number(kRounder)), number(kRounder));
    return {b_.select(b_.lt(b_.constant(0.5f), x), wide, narrow)};
  }
  Bits signed_rounded(Value x) { return {b_.isub(x, number(kSignedRounder)), 0, true}; }

  /// num::srgb::encode().
  Value srgb(Value v) {
    using namespace num::srgb;
    const Value steps = b_.fma(v, b_.constant(kSteps), b_.constant(1.0f));
    const Value w = b_.minimum(b_.maximum(steps, b_.constant(1.0f)), b_.constant(kMostSteps)), octave = b_.shr(w, 23);
    const auto coefficient = [&](int k) {
      std::array<uint32_t, kLanes> lanes;
      for (uint32_t l = 0; l < kLanes; ++l) lanes[l] = num::bits(kCubics[k][l % 8]);
      return b_.permute(b_.table(lanes), octave);
    };
    Value code = coefficient(3);
    for (int k = 2; k >= 0; --k) code = b_.fma(code, w, coefficient(k));
    return code;
  }

  /// Unsigned floats of 5 exponent bits: to nearest even, at most the largest finite one. The sum with a power of two whose last bit is
  /// that of the result rounds; denormals have the lowest exponent.
  Bits small_float(Value x, uint32_t mantissa) {
    constexpr uint32_t kExponent = 0x7F800000u, kLowest = 113u << 23;
    const uint32_t cut = 23 - mantissa, excess = (cut << 23) + (113u << mantissa), inf = 31u << mantissa;
    const Value v = b_.minimum(b_.maximum(x, zero()), number((142u << 23) | low_bits(mantissa) << cut));
    const Value exponent = b_.umax(b_.bit_and(v, number(kExponent)), number(kLowest));
    const Value sum = b_.isub(b_.add(v, b_.iadd(exponent, number(cut << 23))), exponent);
    const Value finite = b_.iadd(sum, b_.shr(exponent, cut));
    const Value special = b_.select(b_.is_nan(x), number(excess + (inf | 1u << (mantissa - 1))), number(excess + inf));
    return {b_.select(b_.le(x, number(kExponent - 1)), finite, special), excess};
  }

  Bits encode(const Component& c, Value x) {
    switch (class_of(f_, c)) {
      case Class::unorm: return rounded(limited(x, 0), low_bits(c.bits));
      case Class::srgb: return {b_.add(srgb(x), number(kRounder)), kRounder};
      case Class::snorm: return signed_rounded(b_.fma(limited(x, -1), b_.constant(float(low_bits(c.bits - 1u))), number(kSignedRounder)));
      case Class::uscaled: {
        const Value v = b_.minimum(b_.maximum(x, zero()), b_.constant(float(low_bits(c.bits))));
        return {b_.add(v, number(kRounder)), kRounder};
      }
      case Class::sscaled: {
        const auto most = float(low_bits(c.bits - 1u));
        const Value v = b_.minimum(b_.maximum(x, b_.constant(-most - 1)), b_.constant(most));
        return signed_rounded(b_.add(b_.select(b_.is_nan(x), zero(), v), number(kSignedRounder)));
      }
      case Class::uint:
      case Class::sint: return {x, 0, c.bits < 32};
      case Class::sfloat: return {c.bits == 16 ? b_.float_to_half(x) : x};
      case Class::ufloat: return small_float(x, c.bits - 5u);
    }
    return {zero()};
  }

  Raw put_shared_exponent(const Color& c) {
    // As integers: denormals count.
    constexpr uint32_t kMost = 0x477F8000u;  // 511/512 * 2^16
    std::array<Value, 3> v;
    for (uint32_t i = 0; i < 3; ++i) {
      const Value positive = b_.imax(c[i], zero());
      v[i] = b_.select(b_.ult(number(num::kInf), positive), zero(), b_.umin(positive, number(kMost)));
    }
    const Value largest = b_.umax(b_.umax(v[0], v[1]), v[2]);
    const Value exponent = b_.isub(b_.shr(largest, 23), number(127));
    Value shared = b_.select(b_.ieq(largest, zero()), number(15), b_.iadd(b_.imax(exponent, number(uint32_t(-16))), number(16)));
    const auto code = [&](Value x, Value e) {
      // x * 2^(24 - e) to the nearest integer, halves up.
      const Value scaled = b_.mul(x, b_.shl(b_.isub(number(24 + 127), e), 23)), whole = b_.to_int(scaled);
      const Mask up = b_.le(b_.constant(0.5f), b_.sub(scaled, b_.to_float(whole)));
      return b_.select(up, b_.iadd(whole, number(1)), whole);
    };
    shared = b_.select(b_.ult(number(511), code(largest, shared)), b_.iadd(shared, number(1)), shared);
    Value out = b_.shl(shared, shift_of(*f_.find(Channel::e)));
    for (uint32_t i = 0; i < 3; ++i) out = b_.bit_or(out, b_.shl(code(v[i], shared), shift_of(f_.component[i])));
    return {{out}, 1};
  }

 private:
  Builder& b_;
  const Info& f_;
};

/// `to` where `mask` is 0, `from` where it is 1. `is_zero`: `from` has no other bits.
Value chosen(Builder& b, uint32_t mask, Value from, Value to, bool is_zero) {
  if (mask == 0) return to;
  if (mask == ~0u) return from;
  return b.bit_or(is_zero ? from : b.bit_and(from, b.constant_bits(mask)), b.bit_and(to, b.constant_bits(~mask)));
}

/// The fields that `takes` chooses from `from`, all other bits from `to`. `is_zero`: `from` has no others.
template <class F>
Raw merged(Builder& b, const Info& f, const Raw& from, const Raw& to, F takes, bool is_zero = false) {
  Raw out{{}, dwords_of(f)};
  for (uint32_t d = 0; d < out.count; ++d) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < f.count; ++i)
      if (dword_of(f.component[i]) == d && takes(f.component[i])) mask |= field_mask(f.component[i]);
    // All bits of the texel: those above are 0 in both.
    if (d == f.bytes / 4u && mask == low_bits(f.bytes % 4u * 8u)) mask = ~0u;
    out.dword[d] = chosen(b, mask, from.dword[d], to.dword[d], is_zero);
  }
  return out;
}

/// Pixels of two and four dwords in a block.
bool in_whole_pixels(const Info& f, uint32_t unit, Layout layout) {
  return layout != Layout::any && unit == 4 && (f.bytes == 8 || f.bytes == 16);
}

}  // namespace

uint32_t unit_of(const Info& f) { return f.bytes % 4 == 0 ? 4 : f.bytes % 2 == 0 ? 2 : 1; }

Raw load(Builder& b, const Info& f, Buffer buffer, Value offset, Mask m, Builder::Memory memory, uint32_t unit, Layout layout) {
  if (unit == 0) unit = unit_of(f);
  if (layout != Layout::any && f.bytes == unit) return {{b.load_rows(buffer, offset, m, memory, unit)}, 1};
  Raw raw{{}, dwords_of(f)};
  if (in_whole_pixels(f, unit, layout)) {
    b.load_pixels(buffer, offset, m, raw.dword.data(), raw.count, memory);
    return raw;
  }
  for (uint32_t at = 0; at < f.bytes;) {
    // Dwords as far as the alignment allows.
    const uint32_t step = std::min(unit, f.bytes - at >= 4 ? 4u : f.bytes - at >= 2 ? 2u : 1u);
    const Value o = at ? b.iadd(offset, b.constant_bits(at)) : offset;
    const Value v = step == 4   ? b.load_32(buffer, o, m, memory)
                    : step == 2 ? b.load_u16(buffer, o, m, memory)
                                : b.load_u8(buffer, o, m, memory);
    Value& to = raw.dword[at / 4];
    to = at % 4 ? b.bit_or(to, b.shl(v, at % 4 * 8)) : v;
    at += step;
  }
  return raw;
}

void store(Builder& b, const Info& f, Buffer buffer, Value offset, const Raw& raw, Mask m, uint32_t unit, Layout layout) {
  if (unit == 0) unit = unit_of(f);
  if (layout != Layout::any && f.bytes == unit) return b.store_rows(buffer, offset, raw.dword[0], m, unit);
  if (in_whole_pixels(f, unit, layout)) return b.store_pixels(buffer, offset, raw.dword.data(), dwords_of(f), m);
  for (uint32_t at = 0; at < f.bytes;) {
    const uint32_t step = std::min(unit, f.bytes - at >= 4 ? 4u : f.bytes - at >= 2 ? 2u : 1u);
    const Value o = at ? b.iadd(offset, b.constant_bits(at)) : offset;
    const Value v = b.shr(raw.dword[at / 4], at % 4 * 8);
    if (step == 4)
      b.store_32(buffer, o, v, m);
    else if (step == 2)
      b.store_16(buffer, o, v, m);
    else
      b.store_8(buffer, o, v, m);
    at += step;
  }
}

bool can_decode(const Info& f) { return f.bytes; }

Color decode(Builder& b, const Info& f, bool stencil, const Raw& raw, Value x, Value y) {
  if (f.compressed()) return decode_block(b, f, raw, x, y);
  Code code(b, f);
  if (f.find(Channel::e)) return code.shared_exponent(raw);
  Color out;
  out.fill(code.zero());
  for (uint32_t i = 0; i < f.count; ++i) {
    const Component& c = f.component[i];
    if ((c.channel == Channel::s) == is_stencil(f, stencil)) out[target_of(c.channel)] = code.decode(raw, c);
  }
  return out;
}

Color finish(Builder& b, const xt::Decoding& how, const Color& codes) {
  const Value deep = b.constant(0x1p-24f);
  Color out;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!how.present[i]) {
      out[i] = b.constant_bits(i < 3 ? 0u : how.integer ? 1u : num::bits(1.0f));
    } else if (how.integer || how.scale[i] == 1.0f) {
      out[i] = codes[i];
    } else if (how.deep) {
      const Value v = b.mul(codes[i], deep);
      out[i] = b.fma(v, deep, v);
    } else {
      out[i] = b.mul(codes[i], b.constant(how.scale[i]));
    }
  }
  return out;
}

Color swizzled(Builder& b, const std::array<uint8_t, 4>& swizzle, bool integer, const Color& c) {
  Color out;
  for (uint32_t i = 0; i < 4; ++i)
    out[i] = swizzle[i] < 4 ? c[swizzle[i]] : b.constant_bits(swizzle[i] != 5 ? 0u : integer ? 1u : num::bits(1.0f));
  return out;
}

Raw encode(Builder& b, const Info& f, bool stencil, const Color& c) {
  Code code(b, f);
  if (f.find(Channel::e)) return code.put_shared_exponent(c);
  Raw raw{{}, dwords_of(f)};
  std::array<uint32_t, 4> excess{};
  for (uint32_t i = 0; i < f.count; ++i) {
    const Component& component = f.component[i];
    if ((component.channel == Channel::s) != is_stencil(f, stencil)) continue;
    Code::Bits bits = code.encode(component, c[target_of(component.channel)]);
    const uint32_t d = dword_of(component), shift = shift_of(component);
    if (bits.above && (shift + component.bits < 32 || bits.excess)) bits.v = b.bit_and(bits.v, code.number(low_bits(component.bits)));
    // The excess of rounding is above the component and is subtracted at the end.
    excess[d] += bits.excess << shift;
    const Value v = b.shl(bits.v, shift);
    raw.dword[d] = raw.dword[d] ? b.iadd(raw.dword[d], v) : v;
  }
  for (uint32_t d = 0; d < raw.count; ++d) {
    if (!raw.dword[d]) raw.dword[d] = code.zero();
    if (excess[d]) raw.dword[d] = b.isub(raw.dword[d], code.number(excess[d]));
  }
  return raw;
}

Raw merge(Builder& b, const Info& f, uint32_t mask, const Raw& from, const Raw& to) {
  return merged(b, f, from, to, [&](const Component& c) { return c.channel == Channel::e || mask >> target_of(c.channel) & 1u; });
}

Raw merge_aspect(Builder& b, const Info& f, bool stencil, const Raw& from, const Raw& to) {
  // All other bits of `from` are 0.
  return merged(
      b, f, from, to, [&](const Component& c) { return (c.channel == Channel::s) == is_stencil(f, stencil); }, true);
}

}  // namespace pumice::hw::fast::extended::format
