// SPDX-License-Identifier: MIT
/// PSC decode, array fetch and format conversion (pipeline s.2.1, s.2.2; cp-pm4 s.5.1).
#include "hw/radeon/ref/vap/fetch.h"

#include <algorithm>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/memory/endian.h"

namespace pumice::hw::vap {
namespace {

using Psc = regs::VAP_PROG_STREAM_CNTL;
using Ext = regs::VAP_PROG_STREAM_CNTL_EXT;
using Norm = regs::VAP_PSC_SGN_NORM_CNTL;
using Status = regs::VAP_CNTL_STATUS;

constexpr uint32_t kElements = 2 * Psc::count, kArrays = 2 * regs::VAP_VTX_AOS_ATTR::count;

/// Dwords of a data type; 0 for a reserved one.
uint32_t type_dwords(uint32_t type, bool has_half_formats) {
  switch (type) {
    case Psc::DATA_TYPE_0__FLOAT_1: return 1;
    case Psc::DATA_TYPE_0__FLOAT_2: return 2;
    case Psc::DATA_TYPE_0__FLOAT_3: return 3;
    case Psc::DATA_TYPE_0__FLOAT_4: return 4;
    case Psc::DATA_TYPE_0__SHORT_4: return 2;
    case Psc::DATA_TYPE_0__BYTE:
    case Psc::DATA_TYPE_0__D3DCOLOR:
    case Psc::DATA_TYPE_0__SHORT_2:
    case Psc::DATA_TYPE_0__VECTOR_3_TTT:
    case Psc::DATA_TYPE_0__VECTOR_3_EET: return 1;
    // The register text has these for the R5xx only.
    case Psc::DATA_TYPE_0__FLOAT_8: return has_half_formats ? 8 : 0;
    case Psc::DATA_TYPE_0__FLT16_2: return has_half_formats ? 1 : 0;
    case Psc::DATA_TYPE_0__FLT16_4: return has_half_formats ? 2 : 0;
    default: return 0;
  }
}

/// A field of `width` bits of `v` at bit `low` as float (pipeline s.2.1). Each case is exact or one correctly rounded division.
float fixed(const StreamElement& e, uint32_t v, uint32_t low, uint32_t width) {
  const uint32_t code = v >> low & ((1u << width) - 1);
  const int32_t value = e.is_signed ? int32_t(code << (32 - width)) >> (32 - width) : int32_t(code);
  if (!e.normalize) return float(value);
  const float all = float((1u << width) - 1), half = float((1u << (width - 1)) - 1);
  if (!e.is_signed) return float(value) / all;
  switch (e.norm_method) {
    case Norm::SGN_NORM_METHOD_0__NO_ZERO: return float(2 * value + 1) / all;
    case 1: return std::max(float(value) / half, -1.0f);
    default: return float(value) / half;  // 3 is reserved: as 0. UNCONFIRMED
  }
}

/// The element's four components before the swizzle, from the dwords d.
Vec4 unpack(const StreamElement& e, const uint32_t* d) {
  Vec4 v = kDefaultVector;
  switch (e.type) {
    case Psc::DATA_TYPE_0__FLOAT_1:
    case Psc::DATA_TYPE_0__FLOAT_2:
    case Psc::DATA_TYPE_0__FLOAT_3:
    case Psc::DATA_TYPE_0__FLOAT_4:
      for (uint32_t i = 0; i < type_dwords(e.type, true); ++i) v[i] = num::from_bits(d[i]);
      break;
    case Psc::DATA_TYPE_0__FLOAT_8:
      for (uint32_t i = 0; i < 4; ++i) v[i] = num::from_bits(d[i]);
      break;
    case Psc::DATA_TYPE_0__BYTE: v = {fixed(e, d[0], 0, 8), fixed(e, d[0], 8, 8), fixed(e, d[0], 16, 8), fixed(e, d[0], 24, 8)}; break;
    case Psc::DATA_TYPE_0__D3DCOLOR: v = {fixed(e, d[0], 16, 8), fixed(e, d[0], 8, 8), fixed(e, d[0], 0, 8), fixed(e, d[0], 24, 8)}; break;
    case Psc::DATA_TYPE_0__SHORT_2: v = {fixed(e, d[0], 0, 16), fixed(e, d[0], 16, 16), 0, 1}; break;
    case Psc::DATA_TYPE_0__SHORT_4:
      v = {fixed(e, d[0], 0, 16), fixed(e, d[0], 16, 16), fixed(e, d[1], 0, 16), fixed(e, d[1], 16, 16)};
      break;
    case Psc::DATA_TYPE_0__VECTOR_3_TTT: v = {fixed(e, d[0], 0, 10), fixed(e, d[0], 10, 10), fixed(e, d[0], 20, 10), 1}; break;
    case Psc::DATA_TYPE_0__VECTOR_3_EET: v = {fixed(e, d[0], 0, 11), fixed(e, d[0], 11, 11), fixed(e, d[0], 22, 10), 1}; break;
    case Psc::DATA_TYPE_0__FLT16_4:
      v[2] = num::half_to_float(uint16_t(d[1]));
      v[3] = num::half_to_float(uint16_t(d[1] >> 16));
      [[fallthrough]];
    case Psc::DATA_TYPE_0__FLT16_2:
      v[0] = num::half_to_float(uint16_t(d[0]));
      v[1] = num::half_to_float(uint16_t(d[0] >> 16));
      break;
    default: break;
  }
  return v;
}

void store(const StreamElement& e, uint32_t destination, const Vec4& v, PvsInputs& inputs) {
  if (destination >= inputs.size()) return;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!(e.write_mask >> i & 1)) continue;
    const uint32_t s = e.swizzle[i];  // 6 and 7 are reserved: 0
    inputs[destination][i] = s < 4 ? v[s] : s == Ext::SWIZZLE_SELECT_X_0__N1_0 ? 1.0f : 0.0f;
  }
}

}  // namespace

VertexLayout decode_layout(const ChipState& state) {
  VertexLayout layout;
  layout.swap = state.get<Status>().VC_SWAP();
  uint32_t dword = 0;
  for (uint32_t i = 0; i < kElements; ++i) {
    // The odd element is the same layout 16 bits higher.
    const Psc psc{state.get<Psc>(i / 2).raw >> (16 * (i & 1))};
    const Ext ext{state.get<Ext>(i / 2).raw >> (16 * (i & 1))};
    StreamElement e;
    e.type = psc.DATA_TYPE_0();
    e.first_dword = dword;
    e.destination = psc.DST_VEC_LOC_0();
    e.is_signed = psc.SIGNED_0();
    e.normalize = psc.NORMALIZE_0();
    e.norm_method = Norm{state.get<Norm>().raw >> (2 * i)}.SGN_NORM_METHOD_0();
    e.swizzle = {uint8_t(ext.SWIZZLE_SELECT_X_0()), uint8_t(ext.SWIZZLE_SELECT_Y_0()), uint8_t(ext.SWIZZLE_SELECT_Z_0()),
                 uint8_t(ext.SWIZZLE_SELECT_W_0())};
    e.write_mask = uint8_t(ext.WRITE_ENA_0());
    const uint32_t dwords = type_dwords(e.type, state.chip().has_half_vertex_formats);
    if (dwords != 0)
      layout.elements.push_back(e);
    else
      layout.complaint = "reserved PSC data type " + std::to_string(e.type) + " in element " + std::to_string(i);
    layout.stream_dwords = dword + dwords;
    dword += dwords + psc.SKIP_DWORDS_0();
    if (psc.LAST_VEC_0()) break;
  }

  const uint32_t arrays = state.get<regs::VAP_VTX_NUM_ARRAYS>().VTX_NUM_ARRAYS();
  if (arrays > kArrays) layout.complaint = "VAP_VTX_NUM_ARRAYS holds " + std::to_string(arrays);
  uint32_t first = 0;
  for (uint32_t i = 0; i < std::min(arrays, kArrays) && first < layout.stream_dwords; ++i) {
    const regs::VAP_VTX_AOS_ATTR attr{state.get<regs::VAP_VTX_AOS_ATTR>(i / 2).raw >> (16 * (i & 1))};
    VertexArray a;
    a.address = i & 1 ? state.get<regs::VAP_VTX_AOS_ADDR_ODD>(i / 2).raw & ~3u : state.get<regs::VAP_VTX_AOS_ADDR_EVEN>(i / 2).raw & ~3u;
    a.stride = attr.VTX_AOS_STRIDE0() * 4;
    a.first_dword = first;
    a.dwords = std::min(attr.VTX_AOS_COUNT0(), layout.stream_dwords - first);  // what no element reads is not fetched
    first += attr.VTX_AOS_COUNT0();
    layout.arrays.push_back(a);
  }
  return layout;
}

void fetch_stream(const VertexLayout& layout, const Memory& memory, uint32_t index0, uint32_t index, VertexStream& stream) {
  std::fill_n(stream.begin(), layout.stream_dwords, 0u);
  for (const VertexArray& a : layout.arrays) {
    const uint64_t address = a.address + uint64_t(&a == layout.arrays.data() ? index0 : index) * a.stride;
    if (memory.backed(address, a.dwords * 4)) {
      memory.read(address, &stream[a.first_dword], a.dwords * 4);
    } else {  // only the dwords outside read as zero, and fault
      for (uint32_t i = 0; i < a.dwords; ++i) stream[a.first_dword + i] = memory.load<uint32_t>(address + 4 * i);
    }
    if (layout.swap)
      for (uint32_t i = 0; i < a.dwords; ++i) stream[a.first_dword + i] = swap_endian(stream[a.first_dword + i], layout.swap);
  }
}

void convert_stream(const VertexLayout& layout, std::span<const uint32_t> stream, PvsInputs& inputs) {
  inputs.fill(kDefaultVector);
  for (const StreamElement& e : layout.elements) {
    std::array<uint32_t, 8> d{};
    const uint32_t end = std::min<uint32_t>(e.first_dword + type_dwords(e.type, true), uint32_t(stream.size()));
    for (uint32_t i = e.first_dword; i < end; ++i) d[i - e.first_dword] = stream[i];
    store(e, e.destination, unpack(e, d.data()), inputs);
    if (e.type == Psc::DATA_TYPE_0__FLOAT_8) store(e, e.destination + 1, unpack(e, d.data() + 4), inputs);
  }
}

}  // namespace pumice::hw::vap
