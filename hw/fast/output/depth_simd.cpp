// SPDX-License-Identifier: MIT
/// Depth and stencil of a block: the reference is hw/zb/zb.cpp. Depth alone has a routine for each function and format; everything else
/// (stencil, signed comparison, 13E3) goes through one general routine a pixel size.
#include "hw/fast/output/simd_convert.h"
#include "hw/fast/output/simd_pixels.h"
#include "hw/fast/output/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using output::State;

template <int kBytes, bool kWhole>
Rows depth_rows(const State& s, int32_t x, int32_t y) {
  x += s.zb.x_offset, y += s.zb.y_offset;
  return kWhole ? linear_rows(s.depth_host, x, y, kBytes) : rows_of(s.depth_host, x, y);
}

/// incoming FUNC stored; codes of ZFUNC and STENCILFUNC. Values below 2^31.
inline Mask compare(uint32_t func, U16 incoming, U16 stored) {
  const I16 a = as_int(incoming), b = as_int(stored);
  switch (func & 7) {
    case 0: return mask_from(0);
    case 1: return lt(a, b);
    case 2: return ~lt(b, a);
    case 3: return eq(a, b);
    case 4: return ~lt(a, b);
    case 5: return lt(b, a);
    case 6: return ~eq(a, b);
    default: return mask_from(0xFFFF);
  }
}

template <bool kWide>
U16 quantise(F16 z) {
  return kWide ? depth_code24(saturate(z)) : round_code(saturate(z), 65535.0f);
}

/// kWhole: all 16 pixels of a linear surface; nothing but registers.
template <bool kWide, uint32_t kFunc, bool kWrite, bool kWhole>
PUMICE_INLINE LaneMask body(const State& s, int32_t x, int32_t y, LaneMask lanes, const Lanes& z) {
  constexpr int kBytes = kWide ? 4 : 2;
  const LaneMask mask = kWhole ? LaneMask{0xFFFF} : lanes;
  if (mask == 0 || kFunc == 0) return 0;
  const Rows rows = depth_rows<kBytes, kWhole>(s, x, y);
  const bool own = kWhole || mask == 0xFFFF || inside(s.rect, x, y);
  const U16 code = quantise<kWide>(load(z));
  Pixels<kBytes> pixels;
  if (kFunc != 7 || (kWide && kWrite)) pixels = load_pixels<kBytes>(rows, mask, own);
  const U16 stored = kWide ? pixels.word[0] >> 8 : pixels.word[0];
  const auto passed = static_cast<LaneMask>(mask & bits_of(compare(kFunc, code, stored)));
  if (kWrite && passed) {
    pixels.word[0] = kWide ? code << 8 | (pixels.word[0] & 0xFFu) : code;
    store_pixels<kBytes>(rows, pixels, passed, own);
  }
  return passed;
}

template <bool kWide, uint32_t kFunc, bool kWrite>
[[gnu::noinline]] LaneMask in_part(const State& s, int32_t x, int32_t y, LaneMask mask, const Lanes& z) {
  return body<kWide, kFunc, kWrite, false>(s, x, y, mask, z);
}
template <bool kWide, uint32_t kFunc, bool kWrite>
LaneMask depth_only(const State& s, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool) {
  if (mask != 0xFFFF || !s.depth_host.linear) return in_part<kWide, kFunc, kWrite>(s, x, y, mask, z);
  return body<kWide, kFunc, kWrite, true>(s, x, y, mask, z);
}

/// The result of a stencil operation before the write mask.
inline U16 stencil_op(uint32_t op, U16 stored, uint32_t reference) {
  switch (op & 7) {
    case 0: return stored;
    case 1: return splat(0u);
    case 2: return splat(reference);
    case 3: return min(stored + 1u, splat(0xFFu));
    case 4: return select(eq(stored, splat(0u)), stored, stored - 1u);
    case 5: return stored ^ 0xFFu;
    case 6: return (stored + 1u) & 0xFFu;
    default: return (stored - 1u) & 0xFFu;
  }
}

/// Codes that order as unsigned integers do (zb.cpp, sort_key).
inline U16 sort_key(const zb::Setup& s, uint32_t sign, U16 z) {
  if (!s.signed_compare) return z;
  const U16 plain = z ^ sign;
  if (!s.sign_magnitude) return plain;
  return select(eq(z & sign, splat(0u)), plain, ~z & (sign - 1));
}

template <bool kWide>
LaneMask general(const State& s, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool back_facing) {
  constexpr int kBytes = kWide ? 4 : 2;
  if (mask == 0) return 0;
  const zb::Setup& zb = s.zb;
  const Rows rows = depth_rows<kBytes, false>(s, x, y);
  const bool own = mask == 0xFFFF || inside(s.rect, x, y);
  U16 code;
  if (!kWide && zb.format == zb::DepthFormat::z13e3) {
    code = depth_code24(saturate(load(z)));
    code = by_lane([&](int i) { return uint32_t{zb::encode_13e3(code[i], zb.invert_13e3)}; });
  } else {
    code = quantise<kWide>(load(z));
  }
  Pixels<kBytes> pixels = load_pixels<kBytes>(rows, mask, own);
  const U16 word = pixels.word[0];
  const U16 stored_z = kWide ? word >> 8 : word;
  Mask z_passed = mask_from(0xFFFF);
  if (zb.z_test) {
    const uint32_t sign = kWide ? 1u << 23 : 1u << 15;
    z_passed = compare(zb.z_func, sort_key(zb, sign, code), sort_key(zb, sign, stored_z));
  }
  Mask passed = z_passed;
  U16 new_s = word & 0xFFu;
  if (kWide && zb.stencil) {
    const zb::StencilFace& face = zb.face[back_facing];
    const U16 stored_s = word & 0xFFu;
    const Mask s_passed = compare(face.func, splat(face.reference & face.mask), stored_s & face.mask);
    passed = passed & s_passed;
    const U16 on_pass = stencil_op(face.zpass, stored_s, face.reference), on_zfail = stencil_op(face.zfail, stored_s, face.reference);
    const U16 result = select(s_passed, select(z_passed, on_pass, on_zfail), stencil_op(face.fail, stored_s, face.reference));
    new_s = (stored_s & ~face.write_mask) | (result & face.write_mask);
  }
  if (s.depth_writes) {
    const U16 new_z = zb.z_write ? select(passed, code, stored_z) : stored_z;
    pixels.word[0] = kWide ? new_z << 8 | new_s : new_z;
    store_pixels<kBytes>(rows, pixels, mask, own);
  }
  return static_cast<LaneMask>(mask & bits_of(passed));
}

template <bool kWide, bool kWrite>
output::DepthRoutine by_function(uint32_t func) {
  static constexpr output::DepthRoutine kTable[8] = {
      depth_only<kWide, 0, kWrite>, depth_only<kWide, 1, kWrite>, depth_only<kWide, 2, kWrite>, depth_only<kWide, 3, kWrite>,
      depth_only<kWide, 4, kWrite>, depth_only<kWide, 5, kWrite>, depth_only<kWide, 6, kWrite>, depth_only<kWide, 7, kWrite>};
  return kTable[func & 7];
}

}  // namespace

output::DepthRoutine depth_routine(const State& s) {
  const zb::Setup& zb = s.zb;
  const bool wide = zb.format == zb::DepthFormat::z24s8;
  const bool simple = zb.z_test && !zb.stencil && !zb.signed_compare && zb.format != zb::DepthFormat::z13e3;
  if (!simple) return wide ? general<true> : general<false>;
  if (wide) return zb.z_write ? by_function<true, true>(zb.z_func) : by_function<true, false>(zb.z_func);
  return zb.z_write ? by_function<false, true>(zb.z_func) : by_function<false, false>(zb.z_func);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
