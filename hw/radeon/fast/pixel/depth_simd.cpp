// SPDX-License-Identifier: MIT
/// Block depth and stencil routines: the reference is hw/radeon/ref/zb/zb.cpp. Depth only has a routine per function and format;
/// everything else (stencil, signed comparison, 13E3) goes through one general routine per pixel size.
#include "hw/radeon/fast/pixel/simd_convert.h"
#include "hw/radeon/fast/pixel/simd_pixels.h"
#include "hw/radeon/fast/pixel/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using output::State;

/// The blocks a routine supports.
enum class Part { any, linear, micro };  ///< linear, micro: all 16 pixels of such a surface; in registers only

template <int kBytes, Part kPart>
Rows depth_rows(const State& s, int32_t x, int32_t y) {
  x += s.zb.x_offset, y += s.zb.y_offset;
  if (kPart == Part::linear) return linear_rows(s.depth_host, x, y, kBytes);
  return kPart == Part::micro ? micro_rows(s.depth_host, x, y, kBytes) : rows_of(s.depth_host, x, y);
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

template <bool kWide, uint32_t kFunc, bool kWrite, Part kPart>
PUMICE_INLINE LaneMask body(const State& s, int32_t x, int32_t y, LaneMask lanes, const Lanes& z) {
  constexpr int kBytes = kWide ? 4 : 2;
  constexpr bool kWhole = kPart != Part::any;
  const LaneMask mask = kWhole ? LaneMask{0xFFFF} : lanes;
  if (mask == 0 || kFunc == 0) return 0;
  const Rows rows = depth_rows<kBytes, kPart>(s, x, y);
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
  return body<kWide, kFunc, kWrite, Part::any>(s, x, y, mask, z);
}
template <bool kWide, uint32_t kFunc, bool kWrite>
LaneMask depth_only(const State& s, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool) {
  if (mask != 0xFFFF) return in_part<kWide, kFunc, kWrite>(s, x, y, mask, z);
  if (s.depth_host.linear) return body<kWide, kFunc, kWrite, Part::linear>(s, x, y, mask, z);
  if (s.depth_host.tile_row_bytes) return body<kWide, kFunc, kWrite, Part::micro>(s, x, y, mask, z);
  return in_part<kWide, kFunc, kWrite>(s, x, y, mask, z);
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

/// Codes mapped so that they order as unsigned integers (zb.cpp, sort_key).
inline U16 sort_key(const zb::Setup& s, uint32_t sign, U16 z) {
  if (!s.signed_compare) return z;
  const U16 plain = z ^ sign;
  if (!s.sign_magnitude) return plain;
  return select(eq(z & sign, splat(0u)), plain, ~z & (sign - 1));
}

/// Tests a block whose pixels hold `word`; also computes their new values.
struct Tested {
  Mask passed;
  U16 word;
};
template <bool kWide>
PUMICE_INLINE Tested run_tests(const zb::Setup& zb, const Lanes& z, U16 word, bool back_facing) {
  U16 code;
  if (!kWide && zb.format == zb::DepthFormat::z13e3) {
    code = depth_code24(saturate(load(z)));
    code = by_lane([&](int i) { return uint32_t{zb::encode_13e3(code[i], zb.invert_13e3)}; });
  } else {
    code = quantise<kWide>(load(z));
  }
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
  const U16 new_z = zb.z_write ? select(passed, code, stored_z) : stored_z;
  return {passed, kWide ? new_z << 8 | new_s : new_z};
}

template <bool kWide>
LaneMask general(const State& s, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool back_facing) {
  constexpr int kBytes = kWide ? 4 : 2;
  if (mask == 0) return 0;
  const Rows rows = depth_rows<kBytes, Part::any>(s, x, y);
  const bool own = mask == 0xFFFF || inside(s.rect, x, y);
  Pixels<kBytes> pixels = load_pixels<kBytes>(rows, mask, own);
  const Tested t = run_tests<kWide>(s.zb, z, pixels.word[0], back_facing);
  if (s.depth_writes) {
    pixels.word[0] = t.word;
    store_pixels<kBytes>(rows, pixels, mask, own);
  }
  return static_cast<LaneMask>(mask & bits_of(t.passed));
}

/// A block in a cleared tile: nothing is read, and the first pixel that changes expands the whole tile to memory; the tile belongs to this
/// worker.
template <bool kWide, bool kSimple>
LaneMask fast_fill(const State& s, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool back_facing) {
  constexpr int kBytes = kWide ? 4 : 2;
  const zb::FastFill& fill = s.zb.fast_fill;
  const auto sx = static_cast<uint32_t>(x + s.zb.x_offset), sy = static_cast<uint32_t>(y + s.zb.y_offset);
  if (!fill.cleared(sx, sy)) return s.depth_expanded(s, x, y, mask, z, back_facing);
  if (mask == 0) return 0;
  const U16 clear = splat(fill.clear);
  Tested t;
  if (kSimple) {  // depth only
    const U16 code = quantise<kWide>(load(z));
    t.passed = compare(s.zb.z_func, code, kWide ? clear >> 8 : clear);
    t.word = s.zb.z_write ? select(t.passed, kWide ? code << 8 | (fill.clear & 0xFFu) : code, clear) : clear;
  } else {
    t = run_tests<kWide>(s.zb, z, clear, back_facing);
  }
  const auto passed = static_cast<LaneMask>(mask & bits_of(t.passed));
  Pixels<kBytes> pixels;
  pixels.word[0] = select(mask_from(mask), t.word, clear);
  if (!fill.expands_all && !any(~eq(pixels.word[0], clear))) return passed;
  Pixels<kBytes> empty;
  empty.word[0] = clear;
  for (uint32_t i = 0; i < s.of_samples; ++i) {
    if (i == s.sample) continue;
    output::HostSurface other = s.depth_host;
    other.base += (int64_t{i} - s.sample) * static_cast<int64_t>(other.pitch_bytes / s.of_samples);
    store_all<kBytes>(rows_of(other, static_cast<int32_t>(sx), static_cast<int32_t>(sy)), empty);
  }
  if (fill.shift != 2) {
    for (uint32_t i = 0; i < 4; ++i)
      store_all<kBytes>(
          rows_of(s.depth_host, static_cast<int32_t>((sx & ~7u) + (i & 1) * 4), static_cast<int32_t>((sy & ~7u) + (i >> 1) * 4)), empty);
  }
  store_all<kBytes>(rows_of(s.depth_host, static_cast<int32_t>(sx), static_cast<int32_t>(sy)), pixels);
  fill.mark_expanded(sx, sy);
  return passed;
}

template <bool kWide, bool kWrite>
output::DepthRoutine by_function(uint32_t func) {
  static constexpr output::DepthRoutine kTable[8] = {
      depth_only<kWide, 0, kWrite>, depth_only<kWide, 1, kWrite>, depth_only<kWide, 2, kWrite>, depth_only<kWide, 3, kWrite>,
      depth_only<kWide, 4, kWrite>, depth_only<kWide, 5, kWrite>, depth_only<kWide, 6, kWrite>, depth_only<kWide, 7, kWrite>};
  return kTable[func & 7];
}

}  // namespace

namespace {
bool is_simple(const zb::Setup& zb) { return zb.z_test && !zb.stencil && !zb.signed_compare && zb.format != zb::DepthFormat::z13e3; }
}  // namespace

output::DepthRoutine fast_fill_routine(const State& s) {
  if (s.zb.format == zb::DepthFormat::z24s8) return is_simple(s.zb) ? fast_fill<true, true> : fast_fill<true, false>;
  return is_simple(s.zb) ? fast_fill<false, true> : fast_fill<false, false>;
}

output::DepthRoutine depth_routine(const State& s) {
  const zb::Setup& zb = s.zb;
  const bool wide = zb.format == zb::DepthFormat::z24s8;
  if (!is_simple(zb)) return wide ? general<true> : general<false>;
  if (wide) return zb.z_write ? by_function<true, true>(zb.z_func) : by_function<true, false>(zb.z_func);
  return zb.z_write ? by_function<false, true>(zb.z_func) : by_function<false, false>(zb.z_func);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
