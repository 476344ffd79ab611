// SPDX-License-Identifier: MIT
/// See texel.h: plain formats, and which code a block has.
#include "hw/radeon/decode/xt/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/half_words.h"
#include "hw/common/numerics/srgb.h"
#include "hw/radeon/decode/tx/format.h"
#include "hw/radeon/decode/xt/block.h"

namespace pumice::hw::xt {
namespace {

using formats::Channel;
using formats::Class;
using formats::Code;
using formats::Component;
using formats::Info;

constexpr uint32_t low_bits(uint32_t n) { return n >= 32 ? ~0u : (1u << n) - 1u; }

/// A field of at most 32 bits that lies anywhere in the texel.
uint32_t field(const uint8_t* bytes, const Component& c) {
  uint64_t v = 0;
  const uint32_t first = c.shift / 8, last = (c.shift + c.bits - 1u) / 8;
  for (uint32_t i = first; i <= last; ++i) v |= uint64_t{bytes[i]} << 8 * (i - first);
  return uint32_t(v >> c.shift % 8) & low_bits(c.bits);
}
void put_field(uint8_t* bytes, const Component& c, uint32_t value) {
  const uint32_t first = c.shift / 8, last = (c.shift + c.bits - 1u) / 8;
  uint64_t v = 0;
  for (uint32_t i = first; i <= last; ++i) v |= uint64_t{bytes[i]} << 8 * (i - first);
  const uint64_t mask = uint64_t{low_bits(c.bits)} << c.shift % 8;
  v = (v & ~mask) | (uint64_t{value} << c.shift % 8 & mask);
  for (uint32_t i = first; i <= last; ++i) bytes[i] = uint8_t(v >> 8 * (i - first));
}
constexpr int32_t extended(uint32_t v, uint32_t bits) { return int32_t(v << (32 - bits)) >> (32 - bits); }

/// Unsigned floats of 5 exponent bits, bias 15: halves without sign and lower bits.
uint32_t from_small_float(uint32_t v, uint32_t mantissa) { return num::half_word_to_float(v << (10 - mantissa)); }
uint32_t to_small_float(float x, uint32_t mantissa) {
  if (num::is_nan(x)) return 31u << mantissa | 1u << (mantissa - 1);
  if (!(x > 0)) return 0;
  const uint32_t most = (31u << mantissa) - 1;
  if (!num::is_finite(x)) return 31u << mantissa;
  int e;
  std::frexp(x, &e);  // x in [2^(e-1), 2^e)
  const int exponent = std::max(e - 1, -14);
  const double m = std::nearbyint(std::ldexp(double(x), int(mantissa) - exponent));
  const auto code = uint32_t(m) + (uint32_t(exponent + 14) << mantissa);  // the hidden bit carries into the exponent
  return std::min(code, most);
}

uint32_t target_of(Channel c) { return c <= Channel::a ? uint32_t(c) : 0u; }

/// The component's class: alpha of srgb and stencil differ from the format's.
Class class_of(const Info& f, const Component& c) {
  if (c.channel == Channel::s) return Class::uint;
  return f.cls == Class::srgb && c.channel == Channel::a ? Class::unorm : f.cls;
}

uint32_t as_bits(double v) { return num::bits(float(v)); }

uint32_t decode_component(const Info& f, const Component& c, uint32_t v) {
  switch (class_of(f, c)) {
    case Class::unorm: return as_bits(v);
    case Class::uscaled: return as_bits(v);
    case Class::snorm: return as_bits(std::max(extended(v, c.bits), -int32_t(low_bits(c.bits - 1u))));
    case Class::sscaled: return as_bits(extended(v, c.bits));
    case Class::uint: return v;
    case Class::sint: return uint32_t(extended(v, c.bits));
    case Class::sfloat: return c.bits == 16 ? num::half_word_to_float(v) : v;
    case Class::ufloat: return from_small_float(v, c.bits - 5u);
    case Class::srgb: return num::bits(num::srgb::kDecoded[v]);
  }
  return 0;
}

Bits4 shared_exponent(const Info& f, const uint8_t* bytes) {
  const int e = int(field(bytes, *f.find(Channel::e))) - 15 - 9;
  Bits4 out{};
  for (uint32_t i = 0; i < 3; ++i) out[i] = num::bits(std::ldexp(float(field(bytes, f.component[i])), e));
  return out;
}
void put_shared_exponent(const Info& f, const Bits4& value, uint8_t* bytes) {
  constexpr float kMost = 511.0f / 512.0f * 65536.0f;
  std::array<float, 3> v;
  for (uint32_t i = 0; i < 3; ++i) {
    const float x = num::from_bits(value[i]);
    v[i] = x > 0 ? std::min(x, kMost) : 0.0f;  // NaN is 0
  }
  const float largest = std::max({v[0], v[1], v[2]});
  int e = 0;
  if (largest > 0) std::frexp(largest, &e);
  int shared = std::max(-16, e - 1) + 1 + 15;
  if (std::floor(std::ldexp(double(largest), 24 - shared) + 0.5) >= 512) ++shared;
  for (uint32_t i = 0; i < 3; ++i) put_field(bytes, f.component[i], uint32_t(std::floor(std::ldexp(double(v[i]), 24 - shared) + 0.5)));
  put_field(bytes, *f.find(Channel::e), uint32_t(shared));
}

uint32_t encode_component(const Info& f, const Component& c, uint32_t bits) {
  const float x = num::from_bits(bits);
  switch (class_of(f, c)) {
    case Class::unorm: return uint32_t(std::nearbyint((x > 0 ? std::min(double(x), 1.0) : 0.0) * low_bits(c.bits)));
    case Class::srgb: return uint32_t(std::nearbyint(num::srgb::encode(x)));
    case Class::snorm: {
      const float v = num::is_nan(x) ? 0.0f : std::clamp(x, -1.0f, 1.0f);
      return uint32_t(int32_t(std::nearbyint(double(v) * low_bits(c.bits - 1u))));
    }
    case Class::uscaled: return uint32_t(std::nearbyint(x > 0 ? std::min(double(x), double(low_bits(c.bits))) : 0.0));
    case Class::sscaled: {
      const double most = low_bits(c.bits - 1u);
      return num::is_nan(x) ? 0u : uint32_t(int32_t(std::nearbyint(std::clamp(double(x), -most - 1, most))));
    }
    case Class::uint:
    case Class::sint: return bits;
    case Class::sfloat: return c.bits == 16 ? num::float_word_to_half(bits) : bits;
    case Class::ufloat: return to_small_float(x, c.bits - 5u);
  }
  return 0;
}

Bits4 codes_of(const std::array<uint8_t, 4>& c, const Info& f) {
  Bits4 out;
  for (uint32_t i = 0; i < 4; ++i) out[i] = f.cls == Class::srgb && i < 3 ? num::bits(num::srgb::kDecoded[c[i]]) : num::bits(float(c[i]));
  return out;
}

Bits4 decode_block(const Info& f, const uint8_t* bytes, uint32_t x, uint32_t y) {
  const bool is_signed = f.cls == Class::snorm || f.cls == Class::sfloat;
  const auto dxt = [&](tx::Kind kind) {
    std::array<uint8_t, 16> raw{};
    std::memcpy(raw.data(), bytes, f.bytes);
    const std::array<uint8_t, 4> c = tx::decode_dxt(kind, raw, x, y);
    return codes_of({c[2], c[1], c[0], c[3]}, f);
  };
  switch (f.code) {
    case Code::plain: break;
    case Code::bc1_rgb:
    case Code::bc1: return dxt(tx::Kind::dxt1);
    case Code::bc2: return dxt(tx::Kind::dxt3);
    case Code::bc3: return dxt(tx::Kind::dxt5);
    case Code::bc4: return {as_bits(tx::decode_bc4(bytes, x, y, is_signed)), 0, 0, 0};
    case Code::bc5: return {as_bits(tx::decode_bc4(bytes, x, y, is_signed)), as_bits(tx::decode_bc4(bytes + 8, x, y, is_signed)), 0, 0};
    case Code::bc6: {
      const std::array<uint16_t, 3> c = decode_bc6h(bytes, x, y, is_signed);
      return {num::bits(num::half_to_float(c[0])), num::bits(num::half_to_float(c[1])), num::bits(num::half_to_float(c[2])), 0};
    }
    case Code::bc7: return codes_of(decode_bc7(bytes, x, y), f);
    case Code::etc2: return codes_of(decode_etc2(bytes, x, y, false), f);
    case Code::etc2_a1: return codes_of(decode_etc2(bytes, x, y, true), f);
    case Code::etc2_a8: {
      std::array<uint8_t, 4> c = decode_etc2(bytes + 8, x, y, false);
      c[3] = decode_eac8(bytes, x, y);
      return codes_of(c, f);
    }
    case Code::astc: {
      const bool srgb = f.cls == Class::srgb;
      const std::array<uint16_t, 4> c = decode_astc(bytes, x, y, f.block_width, f.block_height, srgb);
      Bits4 out;
      for (uint32_t i = 0; i < 4; ++i) out[i] = srgb && i < 3 ? num::bits(num::srgb::kDecoded[c[i] >> 8]) : num::bits(float(c[i]));
      return out;
    }
    case Code::eac_r: return {as_bits(decode_eac11(bytes, x, y, is_signed)), 0, 0, 0};
    case Code::eac_rg: return {as_bits(decode_eac11(bytes, x, y, is_signed)), as_bits(decode_eac11(bytes + 8, x, y, is_signed)), 0, 0};
  }
  return {};
}

/// How many components a block code has, and the scale of each.
void describe_block(const Info& f, Decoding& d) {
  uint32_t count = 4;
  float scale = 1.0f / 255.0f;
  switch (f.code) {
    case Code::bc4: count = 1; break;
    case Code::bc5: count = 2; break;
    case Code::eac_r:
    case Code::eac_rg:
      count = f.code == Code::eac_r ? 1 : 2;
      scale = f.cls == Class::snorm ? 1.0f / 1023.0f : 1.0f / 2047.0f;
      break;
    case Code::bc6:
      count = 3;
      scale = 1.0f;
      break;
    case Code::bc1_rgb:
    case Code::etc2: count = 3; break;
    case Code::astc: scale = 1.0f / 65535.0f; break;
    default: break;
  }
  if ((f.code == Code::bc4 || f.code == Code::bc5) && f.cls == Class::snorm) scale = 1.0f / 127.0f;
  for (uint32_t i = 0; i < count; ++i) {
    d.present[i] = true;
    d.scale[i] = f.cls == Class::srgb && i < 3 ? num::srgb::kScale : scale;
  }
}

}  // namespace

Decoding decoding_of(const Info& f, bool stencil) {
  Decoding d;
  d.integer = stencil || f.is_integer();
  if (f.compressed()) {
    describe_block(f, d);
    return d;
  }
  for (uint32_t i = 0; i < f.count; ++i) {
    const Component& c = f.component[i];
    if (c.channel == Channel::e || (c.channel == Channel::s) != (stencil || (f.count == 1 && c.channel == Channel::s))) continue;
    const uint32_t to = target_of(c.channel);
    d.present[to] = true;
    const Class cls = class_of(f, c);
    if (cls == Class::unorm) d.scale[to] = float(1.0 / low_bits(c.bits));
    if (cls == Class::srgb) d.scale[to] = num::srgb::kScale;
    if (cls == Class::snorm) d.scale[to] = float(1.0 / low_bits(c.bits - 1u));
    if (c.channel == Channel::d) {
      d.depth = true;
      d.fixed_depth = cls == Class::unorm;
      d.deep = cls == Class::unorm && c.bits == 24;
    }
    if (c.channel == Channel::s) d.integer = true;
  }
  return d;
}

float code_of_one(const Decoding& how, uint32_t c) {
  if (how.deep) return 16777215.0f;
  return how.scale[c] == num::srgb::kScale ? num::srgb::kOne : std::nearbyint(1.0f / how.scale[c]);
}

uint32_t border_code(const Info& f, const Decoding& how, uint32_t c, uint32_t value) {
  if (how.integer) return value;
  float v = num::flush_denormal(num::from_bits(value));
  if (num::is_nan(v)) v = 0;
  switch (f.cls) {
    case Class::sfloat: return num::bits(v);
    case Class::ufloat: return num::bits(std::max(v, 0.0f));
    case Class::snorm: v = std::clamp(v, -1.0f, 1.0f); break;
    default: v = std::clamp(v, 0.0f, 1.0f);
  }
  return num::bits(num::mul(v, code_of_one(how, c)));
}

Bits4 decode_texel(const Info& f, bool stencil, const uint8_t* bytes, uint32_t x, uint32_t y) {
  if (f.compressed()) return decode_block(f, bytes, x, y);
  if (f.find(Channel::e)) return shared_exponent(f, bytes);
  const bool aspect = stencil || (f.count == 1 && f.component[0].channel == Channel::s);
  Bits4 out{};
  for (uint32_t i = 0; i < f.count; ++i) {
    const Component& c = f.component[i];
    if ((c.channel == Channel::s) == aspect) out[target_of(c.channel)] = decode_component(f, c, field(bytes, c));
  }
  return out;
}

Bits4 finish_texel(const Decoding& how, const Bits4& codes) {
  constexpr float kDeep = 0x1p-24f;
  Bits4 out;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!how.present[i]) {
      out[i] = i < 3 ? 0u : how.integer ? 1u : num::bits(1.0f);
    } else if (how.integer || how.scale[i] == 1.0f) {
      out[i] = codes[i];
    } else if (how.deep) {
      const float v = num::from_bits(codes[i]) * kDeep;
      out[i] = num::bits(std::fma(v, kDeep, v));
    } else {
      // snorm: no code is below the negative of the largest
      out[i] = num::bits(num::from_bits(codes[i]) * how.scale[i]);
    }
  }
  return out;
}

void encode_texel(const Info& f, bool stencil, const Bits4& value, uint8_t* bytes) {
  if (f.compressed()) return;
  if (f.find(Channel::e)) return put_shared_exponent(f, value, bytes);
  const bool aspect = stencil || (f.count == 1 && f.component[0].channel == Channel::s);
  for (uint32_t i = 0; i < f.count; ++i) {
    const Component& c = f.component[i];
    if ((c.channel == Channel::s) == aspect) put_field(bytes, c, encode_component(f, c, value[target_of(c.channel)]));
  }
}

void merge_texel(const Info& f, uint32_t mask, const uint8_t* from, uint8_t* to) {
  for (uint32_t i = 0; i < f.count; ++i) {
    const Component& c = f.component[i];
    if (c.channel == Channel::e || mask >> target_of(c.channel) & 1u) put_field(to, c, field(from, c));
  }
}

}  // namespace pumice::hw::xt
