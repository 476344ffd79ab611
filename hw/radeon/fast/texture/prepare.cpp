// SPDX-License-Identifier: MIT
/// Registers to a Unit: the routine, the offsets of the levels, the decoding of texels (hw/radeon/ref/tx/README.md).
#include <bit>

#include "common/cpu_feature.h"
#include "hw/common/simd/choose.h"
#include "hw/radeon/decode/tx/address.h"
#include "hw/radeon/fast/texture/tx.h"

namespace pumice::hw::fast::tx {

void use_slow_routines(Prepared& unit);      // slow.cpp
void use_disabled_routines(Prepared& unit);  // slow.cpp

namespace {

using hw::tx::Kind;
using hw::tx::MipLevel;
using hw::tx::Texture;
using Filter0 = regs::TX_FILTER0;

/// 1/d in two floats.
void set_divisor(Unit::Field& f, double d) {
  f.divisor = static_cast<float>(d);
  f.high = static_cast<float>(1.0 / d);
  f.low = static_cast<float>(1.0 / d - static_cast<double>(f.high));
}

/// The fields of a fixed-point texel; false when the format is not one of bit fields.
bool set_fields(Unit& u, const Texture& t) {
  const hw::tx::Format& f = *t.format;
  for (auto& field : u.field) field = {0, 0, 0, false, 1, 1, 0, 1};
  if (f.kind == Kind::z24_8) {
    u.components = 2;
    u.field[0] = {0, 8, 24, false, 1, 1, 0, 1};
    u.field[1] = {0, 0, 8, false, 1, 1, 0, 1};
    set_divisor(u.field[0], 16777215.0);
    set_divisor(u.field[1], 255.0);
    return true;
  }
  if (f.kind != Kind::fixed || f.block != 1 || f.bits > 64) return false;
  u.components = f.components;
  uint32_t shift = 0;
  for (uint32_t c = 0; c < f.components; ++c) {
    auto& field = u.field[c];
    field.dword = static_cast<uint8_t>(shift / 32);
    field.shift = static_cast<uint8_t>(shift % 32);
    field.width = f.width[c];
    field.is_signed = t.decoding.signed_components >> c & 1;
    const uint32_t max = (1u << (field.width - field.is_signed)) - 1;
    field.limit = max ? static_cast<float>(max) : 1.0f;
    set_divisor(field, field.width == 8 ? static_cast<double>(t.divisor[c]) : static_cast<double>(field.limit));
    shift += f.step ? f.step : f.width[c];
  }
  return true;
}

/// The components that GAMMA changes: unsigned ones of at most 8 bits, never C3.
uint32_t decoded_components(const Texture& t) {
  uint32_t mask = 0;
  if (t.decoding.gamma && t.format->kind == Kind::fixed)
    for (uint32_t c = 0; c < t.format->components && c < 3; ++c)
      if (t.format->width[c] <= 8 && !(t.decoding.signed_components >> c & 1)) mask |= 1u << c;
  return mask;
}

/// Compressed texels: 8-bit codes, or sRGB.
bool set_blocks(Unit& u, const Texture& t, Texels& texels) {
  switch (t.format->kind) {
    case Kind::dxt1: texels = t.decoding.gamma ? Texels::bc1_srgb : Texels::bc1; break;
    case Kind::dxt3: texels = t.decoding.gamma ? Texels::bc2_srgb : Texels::bc2; break;
    case Kind::dxt5: texels = t.decoding.gamma ? Texels::bc3_srgb : Texels::bc3; break;
    case Kind::ati1n: texels = Texels::bc4; break;
    case Kind::ati2n: texels = Texels::bc5; break;
    default: return false;
  }
  const bool ramps = texels == Texels::bc4 || texels == Texels::bc5;
  if (ramps && (t.decoding.gamma || t.decoding.signed_components || t.decoding.divide_by_256)) return false;
  u.components = t.format->components;
  u.exact_codes = false;
  u.dxt_rgba = t.decoding.dxt_rgba;
  for (uint32_t c = 0; c < 4; ++c) set_divisor(u.field[c], static_cast<double>(t.divisor[c]));
  return true;
}

bool set_texels(Unit& u, const Texture& t, Texels& texels) {
  const hw::tx::Format& f = *t.format;
  u.bytes_log2 = static_cast<uint32_t>(std::countr_zero(uint32_t{f.bits} / 8));
  u.border_raw = t.border;
  u.srgb = hw::tx::srgb_table();
  if (f.block != 1) return set_blocks(u, t, texels);
  if (f.kind == Kind::half || f.kind == Kind::single) {
    u.components = f.components;
    u.exact_codes = false;
    texels = f.kind == Kind::half ? Texels::half : Texels::single;
  } else {
    if (!set_fields(u, t)) return false;
    u.exact_codes = t.codes;
    texels = f.bits > 32 ? Texels::fields64 : Texels::fields;
    const uint32_t decoded = decoded_components(t);
    if (decoded) {
      if (f.bits != 32 || decoded != 7 || f.width[0] != 8 || f.components != 4 || u.field[3].is_signed) return false;
      texels = Texels::srgb;
    } else if (t.codes && !t.decoding.signed_components) {
      texels = f.components == 4 ? Texels::codes4 : Texels::codes;
      u.exact_codes = false;  // built into their routines
    }
  }
  hw::tx::Decoding how = t.decoding;
  how.codes = u.exact_codes;
  const Vec4 border = hw::tx::decode_border(f, how, t.border);
  for (uint32_t c = 0; c < 4; ++c) u.border[c] = border[c];
  return true;
}

bool set_selects(Unit& u, const Texture& t) {
  const uint32_t code[4] = {t.format1.SEL_RED(), t.format1.SEL_GREEN(), t.format1.SEL_BLUE(), t.format1.SEL_ALPHA()};
  u.needed = 0;
  u.more_channels = false;
  for (uint8_t& c : u.channel_of) c = 4;
  for (uint32_t c = 0; c < 4; ++c) {
    u.select[c] = static_cast<uint8_t>(code[c] >= u.components && code[c] < 4 ? 4u : code[c]);  // a missing component is zero
    if (code[c] < u.components && u.channel_of[code[c]] == 4) {
      u.needed |= static_cast<uint8_t>(1u << code[c]);
      u.channel_of[code[c]] = static_cast<uint8_t>(c);
    } else {
      u.more_channels = true;
    }
  }
  u.identity = u.components == 4 && u.channel_of[0] == 0 && u.channel_of[1] == 1 && u.channel_of[2] == 2 && u.channel_of[3] == 3;
  for (uint32_t c = 0; c < 4; ++c) u.code_high[c] = u.field[c].high / 256, u.code_low[c] = u.field[c].low / 256;
  for (uint32_t c = 0; c < 4; ++c) u.sum_high[c] = u.field[c].high / 65536, u.sum_low[c] = u.field[c].low / 65536;
  return true;
}

bool set_addresses(Unit& u, const Texture& t) {
  const uint32_t mode[3] = {t.filter0.CLAMP_S(), t.filter0.CLAMP_T(), t.filter0.CLAMP_R()};
  const uint32_t axes = t.shape == hw::tx::Shape::volume ? 3 : 2;
  const bool any_linear = u.linear[0] || u.linear[1] || u.volume_filter == 2;
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t m = mode[i];
    if (m == hw::tx::kClampHalf || m == hw::tx::kMirrorOnceHalf) {
      if (any_linear && i < axes) return false;
      m = m == hw::tx::kClampHalf ? hw::tx::kClampLast : hw::tx::kMirrorOnceLast;  // a point sample ends at the last texel
    }
    u.clamp[i] = static_cast<uint8_t>(m);
  }
  u.simple = (u.clamp[0] == hw::tx::kWrap || u.clamp[0] == hw::tx::kClampLast) &&
             (u.clamp[1] == hw::tx::kWrap || u.clamp[1] == hw::tx::kClampLast);
  return true;
}

bool set_filters(Unit& u, const Texture& t) {
  const uint32_t filter[2] = {t.filter0.MIN_FILTER(), t.filter0.MAG_FILTER()};
  for (uint32_t i = 0; i < 2; ++i) {
    if (filter[i] == Filter0::MIN_FILTER__FILTER4 && t.filterable()) return false;
    u.linear[i] = t.filterable() && filter[i] != Filter0::MIN_FILTER__POINT;
    u.anisotropic[i] = t.filterable() && filter[i] == Filter0::MIN_FILTER__ANISOTROPIC;
  }
  u.max_probes = t.max_probes;
  const uint32_t volume = t.filter0.VOL_FILTER();
  u.volume_filter = volume == Filter0::VOL_FILTER__POINT ? 1 : volume == Filter0::VOL_FILTER__LINEAR ? (t.filterable() ? 2 : 1) : 0;
  u.finest = t.finest;
  u.coarsest = t.num_levels;
  u.mip = Mip::none;
  if (u.finest < u.coarsest) {
    if (t.filter0.MIP_FILTER() == Filter0::MIP_FILTER__POINT) u.mip = Mip::point;
    if (t.filter0.MIP_FILTER() == Filter0::MIP_FILTER__LINEAR) u.mip = t.filterable() ? Mip::linear : Mip::point;
  }
  u.tri_perf = static_cast<uint8_t>(t.filter1.TRI_PERF());
  u.lod_bias = t.lod_bias;
  const bool same = u.linear[0] == u.linear[1] && u.anisotropic[0] == u.anisotropic[1];
  u.constant_level = same && u.mip == Mip::none && u.max_probes == 1;
  return true;
}

/// beyond: eight bytes after the level can be read.
void set_window(Unit& u, uint32_t l, const std::byte* base, bool beyond) {
  WindowFacts& w = u.level.window[l];
  w.base = reinterpret_cast<const char*>(base);
  w.pitch = u.level.pitch[l];
  for (uint32_t i = 0; i < 2; ++i) {
    w.wrap[i] = u.level.wrap[i][l];
    w.last[i] = u.level.last[i][l] - 7;
    w.near_last[0][i] = u.level.last[i][l] - (i ? 4 : beyond ? 5 : 7);  // 8 columns are read
    w.near_last[1][i] = u.level.last[i][l] - 3;
    for (uint32_t k = 0; k < 2; ++k) {
      w.texels[k][i] = u.level.scale[k][i][l];
      w.half[k][i] = w.texels[k][i] * 0.5f;
      w.fixed[k][i] = w.texels[k][i] * 256.0f;
      w.texels4[k][i] = w.texels4[k][i + 2] = w.texels[k][i];
      w.fixed4[k][i] = w.fixed4[k][i + 2] = w.fixed[k][i];
      if (i == 0) w.upright[k] = 1.0f / (64 * w.texels[k][0]);
    }
  }
}

/// The reach of the lanes' signed 32-bit offsets from a texture's base. Larger images go through the reference.
constexpr uint64_t kReach = uint64_t{1} << 31;

/// Levels that a lookup can reach, all linear, all backed, inside kReach.
bool set_levels(Unit& u, const Texture& t, Memory& memory) {
  u.level = {};
  const float size[3] = {static_cast<float>(t.mips.width), static_cast<float>(t.mips.height), static_cast<float>(t.mips.depth)};
  for (uint32_t i = 0; i < 3; ++i) u.size[0][i] = size[i], u.size[1][i] = 1.0f;
  const uint32_t coarsest = u.mip == Mip::none ? u.finest : u.coarsest;
  for (uint32_t l = u.finest; l <= coarsest; ++l) {
    const MipLevel m = hw::tx::mip_level(t.mips, l);
    const uint64_t bytes = m.layer_bytes * m.layers, pitch = uint64_t{m.pitch} * t.mips.bits_per_unit / 8;
    // Rows that overlap the next ones (an explicit pitch below the width) reach beyond the last row.
    const uint64_t row = uint64_t{(m.width + t.mips.block - 1) / t.mips.block} * t.mips.bits_per_unit / 8;
    const uint64_t end = m.offset + bytes + (row > pitch ? row : 0);
    if (m.macro_tiled || end >= kReach) return false;
    const uint64_t first = (t.base + m.offset) & ~uint64_t{3};  // gathers read whole dwords
    if (!memory.backed(first, (t.base + end - first + 3) & ~uint64_t{3})) return false;
    const uint32_t extent[3] = {m.width, m.height, m.depth}, mode[3] = {u.clamp[0], u.clamp[1], u.clamp[2]};
    for (uint32_t i = 0; i < 3; ++i) {
      const int32_t pot = static_cast<int32_t>(std::bit_ceil(extent[i]));
      u.level.scale[0][i][l] = static_cast<float>(extent[i]);
      u.level.scale[1][i][l] = static_cast<float>(extent[i]) / size[i];
      u.level.last[i][l] = static_cast<int32_t>(extent[i]) - 1;
      u.level.wrap[i][l] = mode[i] == hw::tx::kWrap ? pot - 1 : mode[i] == hw::tx::kMirror ? 2 * pot - 1 : -1;
    }
    u.level.offset[l] = static_cast<uint32_t>(m.offset);
    u.level.pitch[l] = static_cast<uint32_t>(pitch);
    u.level.layer[l] = static_cast<uint32_t>(m.layer_bytes);
    if (u.bytes_log2 == 2 && m.width >= 8 && m.height >= 8)
      set_window(u, l, memory.host_pointer(t.base + m.offset), memory.backed(t.base + end, 8));
  }
  u.base = reinterpret_cast<const char*>(memory.host_pointer(t.base));
  return true;
}

const RoutineSet& routines(Cpu cpu, Shape shape, Texels texels, bool simple, Mode mode) {
#if defined(__x86_64__)
  static const bool bytes = has(CpuFeature::avx512_vbmi) && has(CpuFeature::avx512_vnni);
  // Point sampling of a texture with one level is a single permutation, and windows of 8 x 8 are cheaper to place.
  const bool points = shape == Shape::flat && mode == Mode::point;
  if constexpr (built(Cpu::avx512))
    if (cpu == Cpu::avx512 && bytes && texels == Texels::codes4 && shape != Shape::volume && !points)
      return avx512::find_byte_routines(shape, simple, mode);
#endif
  PUMICE_RETURN_FOR(cpu, find_routines(shape, texels, simple, mode));
}

bool set_direct(Prepared& u, Memory& memory, Cpu cpu) {
  const Texture& t = u.texture;
  Texels& texels = u.texels;
  if (t.key_mode || t.endian || t.filter1.MC_COORD_TRUNCATE() || t.format->bits < 8 || hw::tx::micro_of(t.mips)) return false;
  if (t.format->block != 1 && (cpu == Cpu::portable || t.shape == hw::tx::Shape::volume)) return false;
  if (!set_texels(u, t, texels) || !set_selects(u, t) || !set_filters(u, t) || !set_addresses(u, t) || !set_levels(u, t, memory))
    return false;
  const Shape shape = t.shape == hw::tx::Shape::flat ? Shape::flat : t.shape == hw::tx::Shape::cube ? Shape::cube : Shape::volume;
  u.shape = shape;
  const Mode mode = !u.constant_level ? Mode::general : u.linear[0] ? Mode::linear : Mode::point;
  const RoutineSet& set = routines(cpu, shape, texels, u.simple, mode);
  for (int k = 0; k < kKinds; ++k) u.routine[size_t(k)] = set.unscaled[0].kind[k], u.routine_unscaled[size_t(k)] = set.unscaled[1].kind[k];
  return true;
}

}  // namespace

void prepare(Prepared& out, const ChipState& state, Memory& memory, uint32_t number, Cpu cpu) {
  out.number = number;
  out.memory = &memory;
  out.kernel = &state.filter4;
  out.direct = out.kills = false;
  out.complaints = 0;
  out.touched = false;
  if (!(state.get<regs::TX_ENABLE>().raw >> number & 1u)) return use_disabled_routines(out);
  out.texture = hw::tx::read_registers(state, number, out.complaints);
  out.kills = out.texture.key_mode == regs::TX_FILTER1::CHROMA_KEY_MODE__KILL_PIXEL_WHEN_A_SAMPLE_MATCHES;
  out.direct = !out.complaints && set_direct(out, memory, cpu);
  if (!out.direct) use_slow_routines(out);
}

}  // namespace pumice::hw::fast::tx
