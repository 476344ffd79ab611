// SPDX-License-Identifier: MIT
/// The stream converter on 16 vertices: fetched dwords to input registers, as hw/radeon/ref/vap/fetch.cpp does it (pipeline s.2.2).
#include "hw/common/simd/simd.h"
#include "hw/db/regs_r500.h"
#include "hw/radeon/fast/vertex/routines_simd.h"
#include "hw/radeon/memory/endian.h"

namespace pumice::hw::fast::vertex::PUMICE_SIMD {

using namespace pumice::hw::fast::PUMICE_SIMD;

namespace {

using Psc = regs::VAP_PROG_STREAM_CNTL;
using Ext = regs::VAP_PROG_STREAM_CNTL_EXT;
using Norm = regs::VAP_PSC_SGN_NORM_CNTL;

F16 fixed(const FetchElement& e, U16 v, uint32_t low, uint32_t width) {
  const uint32_t above = 32 - low - width;
  const I16 value = e.is_signed ? as_int(v << above) >> int32_t(32 - width) : as_int(v << above >> (32 - width));
  if (!e.normalize) return to_float(value);
  const float all = float((1u << width) - 1), half = float((1u << (width - 1)) - 1);
  if (!e.is_signed) return to_float(value) / splat(all);
  switch (e.norm_method) {
    case Norm::SGN_NORM_METHOD_0__NO_ZERO: return to_float(2 * value + 1) / splat(all);
    case 1: return max(to_float(value) / splat(half), splat(-1.0f));
    default: return to_float(value) / splat(half);
  }
}

F16 half(U16 h) {
  const U16 sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, mantissa = h & 0x3FFu;
  const U16 normal = (exponent + 112u) << 23 | mantissa << 13;
  const U16 tiny = as_uint(to_float(as_int(mantissa)) * splat(0x1p-24f));
  const U16 special = select(eq(mantissa, U16{}), splat(0x7F800000u), splat(0x7FC00000u));
  return as_float(sign | select(eq(exponent, splat(31u)), special, select(eq(exponent, U16{}), tiny, normal)));
}

/// Dwords of vertices k, k+4, k+8, k+12 one after the other.
PUMICE_INLINE U16 quarters(const std::byte* const* p, int k, uint32_t offset) {
  const auto at = [&](int i) { return load_unaligned<U4>(p[k + 4 * i] + offset); };
  return concatenate(at(0), at(1), at(2), at(3));
}

}  // namespace

void load_rows(Batch& batch, uint32_t row, uint32_t count, const std::byte* const* p) {
  for (uint32_t d = 0; d < count; d += 4) {
    const U16 r[4] = {quarters(p, 0, 4 * d), quarters(p, 1, 4 * d), quarters(p, 2, 4 * d), quarters(p, 3, 4 * d)};
    U16 dword[4];
    transpose(r, dword);
    for (uint32_t i = 0; i < 4 && d + i < count; ++i) store_unaligned(batch.stage[row + d + i], dword[i]);
  }
}

void convert(const FetchPlan& plan, Batch& batch) {
  for (uint32_t i = 0; i < kInputs; ++i) {
    if (!(plan.inputs >> i & 1)) continue;
    Lanes* r = &batch.row[kInputRow + 4 * i];
    for (int c = 0; c < 4; ++c) store(r[c], splat(c == 3 ? 1.0f : 0.0f));
  }
  for (uint32_t i = 0; i < plan.elements; ++i) {
    const FetchElement& e = plan.element[i];
    const auto dword = [&](uint32_t k) { return swap_endian(load_unaligned<U16>(batch.stage[e.row + k]), plan.swap); };
    F16 v[6] = {F16{}, F16{}, F16{}, splat(1.0f), F16{}, splat(1.0f)};  // then the constants of swizzle codes 4 and 5
    switch (e.type) {
      case Psc::DATA_TYPE_0__FLOAT_4: v[3] = as_float(dword(3)); [[fallthrough]];
      case Psc::DATA_TYPE_0__FLOAT_3: v[2] = as_float(dword(2)); [[fallthrough]];
      case Psc::DATA_TYPE_0__FLOAT_2: v[1] = as_float(dword(1)); [[fallthrough]];
      case Psc::DATA_TYPE_0__FLOAT_1: v[0] = as_float(dword(0)); break;
      case Psc::DATA_TYPE_0__BYTE:
        for (uint32_t c = 0; c < 4; ++c) v[c] = fixed(e, dword(0), 8 * c, 8);
        break;
      case Psc::DATA_TYPE_0__D3DCOLOR:
        for (uint32_t c = 0; c < 3; ++c) v[c] = fixed(e, dword(0), 16 - 8 * c, 8);
        v[3] = fixed(e, dword(0), 24, 8);
        break;
      case Psc::DATA_TYPE_0__SHORT_4:
        v[2] = fixed(e, dword(1), 0, 16);
        v[3] = fixed(e, dword(1), 16, 16);
        [[fallthrough]];
      case Psc::DATA_TYPE_0__SHORT_2:
        v[0] = fixed(e, dword(0), 0, 16);
        v[1] = fixed(e, dword(0), 16, 16);
        break;
      case Psc::DATA_TYPE_0__VECTOR_3_TTT:
        for (uint32_t c = 0; c < 3; ++c) v[c] = fixed(e, dword(0), 10 * c, 10);
        break;
      case Psc::DATA_TYPE_0__VECTOR_3_EET:
        v[0] = fixed(e, dword(0), 0, 11);
        v[1] = fixed(e, dword(0), 11, 11);
        v[2] = fixed(e, dword(0), 22, 10);
        break;
      case Psc::DATA_TYPE_0__FLT16_4:
        v[2] = half(dword(1) & 0xFFFFu);
        v[3] = half(dword(1) >> 16);
        [[fallthrough]];
      case Psc::DATA_TYPE_0__FLT16_2:
        v[0] = half(dword(0) & 0xFFFFu);
        v[1] = half(dword(0) >> 16);
        break;
      default: break;
    }
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(e.write_mask >> c & 1)) continue;
      const uint32_t s = e.swizzle[c];
      F16 x = v[s == Ext::SWIZZLE_SELECT_X_0__N1_0 ? 5 : s < 4 ? s : 4];
      if (plan.flush) x = select(eq(as_uint(x) & 0x7F800000u, U16{}), as_float(as_uint(x) & 0x80000000u), x);
      store(batch.row[kInputRow + 4 * e.destination + c], x);
    }
  }
}

}  // namespace pumice::hw::fast::vertex::PUMICE_SIMD
