// SPDX-License-Identifier: MIT
/// Decodes the registers of a texture unit (pipeline s.6.1 - s.6.4) and reads texels from memory.
#include "hw/radeon/decode/tx/texture.h"

#include "hw/radeon/decode/surface/pixel_access.h"
#include "hw/radeon/decode/surface/surface.h"

namespace pumice::hw::tx {

void report(DrawContext& ctx, uint32_t unit, Complaints what) {
  static constexpr const char* kText[] = {
      "reserved TXFORMAT: texels read as zero",
      "reserved TEX_COORD_TYPE 3: taken as 2D",
      "TX_FILTER1: reserved CHROMA_KEY_MODE 3: off",
      "chroma key of a format whose texels do not fit the key: off",
      "TX_FILTER0: filter code 0 is reserved on R3xx: linear",
      "TX_FILTER0: reserved MIP_FILTER 3: none",
      "TX_FILTER0: reserved MAX_ANISO: 16",
  };
  constexpr uint32_t kFirstBit = 20;  // DrawCounters::reported
  for (uint32_t i = 0; i < std::size(kText); ++i) {
    const uint32_t bit = 1u << (kFirstBit + i);
    if (!(what >> i & 1u) || (ctx.counters.reported & bit)) continue;
    ctx.counters.reported |= bit;
    ctx.report(ReportKind::bad_register, "texture unit " + std::to_string(unit) + ": " + kText[i]);
  }
}

namespace {

using Filter0 = regs::TX_FILTER0;

constexpr Complaints bit(Complaint c) { return 1u << uint32_t(c); }

/// The anisotropic limit: FILTER0's power of two, or with ANISO_HIGH_QUALITY the six bits of FILTER1, which divide 1..16 evenly
/// (UNCONFIRMED; Mesa writes 4.2 * (limit - 1)).
uint32_t probe_limit(Profile profile, const Texture& t, Complaints& complaints) {
  if (capabilities(profile).has_fine_anisotropy && t.filter1.ANISO_HIGH_QUALITY()) return 1 + (10 * t.filter1.MAX_ANISO() + 21) / 42;
  if (t.filter0.MAX_ANISO() > 4) complaints |= bit(Complaint::max_aniso);
  return t.filter0.MAX_ANISO() > 4 ? 16u : 1u << t.filter0.MAX_ANISO();
}

void read_filters(const ChipState& state, uint32_t unit, Texture& t, Complaints& complaints) {
  const bool filter4 = t.filter0.MAG_FILTER() == Filter0::MAG_FILTER__FILTER4 || t.filter0.MIN_FILTER() == Filter0::MIN_FILTER__FILTER4;
  if (filter4 && !state.chip().has_filter4) {
    complaints |= bit(Complaint::filter4);
    if (t.filter0.MAG_FILTER() == Filter0::MAG_FILTER__FILTER4) t.filter0.MAG_FILTER(Filter0::MAG_FILTER__LINEAR);
    if (t.filter0.MIN_FILTER() == Filter0::MIN_FILTER__FILTER4) t.filter0.MIN_FILTER(Filter0::MIN_FILTER__LINEAR);
  }
  const bool aniso =
      t.filter0.MAG_FILTER() == Filter0::MAG_FILTER__ANISOTROPIC || t.filter0.MIN_FILTER() == Filter0::MIN_FILTER__ANISOTROPIC;
  if (aniso && t.filterable()) t.max_probes = probe_limit(state.profile, t, complaints);

  t.key_mode = t.filter1.CHROMA_KEY_MODE();
  t.key = state.get<regs::TX_CHROMA_KEY>(unit).CHROMA_KEY();
  if (t.key_mode == 3) {
    complaints |= bit(Complaint::key_mode);
    t.key_mode = 0;
  }
  uint32_t bits, mask;
  if (t.key_mode && !key_bits(*t.format, t.decoding, std::array<uint8_t, 16>{}, 0, 0, bits, mask)) {
    complaints |= bit(Complaint::key_format);
    t.key_mode = 0;
  }
}

}  // namespace

Texture read_registers(const ChipState& s, uint32_t unit, Complaints& complaints) {
  complaints = 0;
  const auto format0 = s.get<regs::TX_FORMAT0>(unit);
  const auto format2 = s.get<regs::TX_FORMAT2>(unit);
  const auto offset = s.get<regs::TX_OFFSET>(unit);
  Texture t;
  t.filter0 = s.get<regs::TX_FILTER0>(unit);
  t.filter1 = s.get<regs::TX_FILTER1>(unit);
  t.format1 = s.get<regs::TX_FORMAT1>(unit);
  t.format = &format_of(t.format1.TXFORMAT() | format2.TXFORMAT_MSB() << 5);
  if (t.format->kind == Kind::reserved) complaints |= bit(Complaint::format);
  t.decoding.dxt_rgba = t.filter1.DXTC_SWIZZLE();
  switch (t.format1.TEX_COORD_TYPE()) {
    case regs::TX_FORMAT1::TEX_COORD_TYPE__N2D: break;
    case regs::TX_FORMAT1::TEX_COORD_TYPE__N3D: t.shape = Shape::volume; break;
    case regs::TX_FORMAT1::TEX_COORD_TYPE__CUBE: t.shape = Shape::cube; break;
    default: complaints |= bit(Complaint::coord_type);
  }
  read_filters(s, unit, t, complaints);
  if (t.filter0.MIP_FILTER() == 3) complaints |= bit(Complaint::mip_filter);

  t.decoding.signed_components =
      uint8_t(t.format1.SIGNED_COMP0() | t.format1.SIGNED_COMP1() << 1 | t.format1.SIGNED_COMP2() << 2 | t.format1.SIGNED_COMP3() << 3);
  t.decoding.gamma = t.format1.GAMMA();
  t.decoding.divide_by_256 = format2.POW2FIX2FLT();
  t.decoding.swap_yuv = t.format1.SWAP_YUV();
  t.decoding.yuv_to_rgb = uint8_t(t.format1.YUV_TO_RGB());

  t.codes = has_codes(*t.format) && !t.decoding.gamma;
  t.divisor = code_divisors(*t.format, t.decoding);
  t.sel_filter4 = format2.SEL_FILTER4();

  t.num_levels = format0.NUM_LEVELS();
  t.finest = t.filter0.MAX_MIP_LEVEL() < t.num_levels ? t.filter0.MAX_MIP_LEVEL() : t.num_levels;
  t.lod_bias = float(int32_t(t.filter1.LOD_BIAS() << 22) >> 22) / 32.0f;  // s4.5
  t.mips.width = (format0.TXWIDTH() | format2.TXWIDTH_11() << 11) + 1;
  t.mips.height = (format0.TXHEIGHT() | format2.TXHEIGHT_11() << 11) + 1;
  t.mips.is_cube = t.shape == Shape::cube;
  t.mips.is_3d = t.shape == Shape::volume;
  t.mips.depth = t.mips.is_3d ? 1u << format0.TXDEPTH() : 1u;
  t.mips.has_mips = t.num_levels > 0;
  t.mips.pitch = format0.TXPITCH_EN() ? format2.TXPITCH() + 1 : 0;
  t.mips.bits_per_unit = t.format->bits;
  t.mips.block = t.format->block;
  t.mips.macro_tiled = offset.MACRO_TILE();
  t.mips.micro = uint8_t(offset.MICRO_TILE());
  t.mips.macro_switch = t.filter1.MACRO_SWITCH();
  t.base = uint64_t(offset.TXOFFSET()) << 5;
  t.endian = offset.ENDIAN_SWAP();
  t.border = s.get<regs::TX_BORDER_COLOR>(unit).BORDER_COLOR();
  return t;
}

namespace {

/// Reads `bytes` (a power of two) through the endian swap.
void read_swapped(const Memory& memory, uint64_t address, uint32_t endian, uint8_t* out, uint32_t bytes) {
  if (endian == 0) {
    memory.read(address, out, bytes);
    return;
  }
  const uint64_t first = address & ~uint64_t(3);
  const uint32_t size = bytes < 4 ? 4 : bytes;
  std::array<uint8_t, 16> raw{};
  memory.read(first, raw.data(), size);
  for (uint32_t i = 0; i < bytes; ++i) out[i] = raw[(uint32_t(address - first) + i) % size ^ surface::kEndianAddressFlip[endian & 3]];
}

Texel read(const Format& f, const Texture& t, const Decoding& how, const std::array<uint8_t, 16>& raw, uint32_t x, uint32_t y) {
  Texel out{decode(f, how, raw, x, y), false};
  uint32_t bits, mask;
  if (t.key_mode && key_bits(f, t.decoding, raw, x, y, bits, mask)) out.keyed = ((bits ^ t.key) & mask) == 0;
  return out;
}

}  // namespace

Texel fetch(const Memory& memory, const Texture& t, const Decoding& how, const MipLevel& level, uint32_t x, uint32_t y, uint32_t layer) {
  const Format& f = *t.format;
  if (f.kind == Kind::reserved) return {};
  const uint64_t layer_base = t.base + level.offset + uint64_t(layer) * level.layer_bytes;
  std::array<uint8_t, 16> raw{};
  if (f.bits < 8) {
    const uint64_t bit = uint64_t(y) * level.pitch + x;
    read_swapped(memory, layer_base + bit / 8, t.endian, raw.data(), 1);
    return read(f, t, how, raw, uint32_t(bit & 7), 0);
  }
  const bool pair = f.kind == Kind::vyuy || f.kind == Kind::yvyu;  // two texels share four bytes
  const uint32_t ux = pair ? x & ~1u : x / f.block, uy = y / f.block, bytes = f.bits / 8;
  const surface::Layout layout{
      .pitch_px = level.pitch, .bytes_per_pixel = bytes, .macro_tiled = level.macro_tiled, .micro = uint8_t(micro_of(t.mips))};
  const uint64_t in_layer =
      layout.macro_tiled || layout.micro ? surface::offset(layout, ux, uy) : (uint64_t(uy) * level.pitch + ux) * bytes;
  read_swapped(memory, layer_base + in_layer, t.endian, raw.data(), pair ? 4 : bytes);
  return read(f, t, how, raw, pair ? x & 1 : x % f.block, y % f.block);
}

}  // namespace pumice::hw::tx
