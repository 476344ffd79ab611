// SPDX-License-Identifier: MIT
/// Turns state and primitive into the plain data of the SIMD routines and picks the routine by processor.
#include "hw/rdp/fast/painter.h"

#include <algorithm>

#include "common/cpu_feature.h"
#include "hw/rdp/fast/hooks.h"
#include "hw/rdp/ref/bits.h"
#include "hw/rdp/ref/extent.h"
#include "hw/rdp/ref/pixel.h"

namespace pumice::hw::rdp::fast {
namespace {

Routine routine([[maybe_unused]] Execution execution) {
#ifdef PUMICE_RDP_X86
  static const bool avx2 = has(CpuFeature::avx2);
  static const bool avx512 = avx2 && has(CpuFeature::avx512bw) && has(CpuFeature::avx512vl);
  if (avx512 && execution == Execution::simd) return kDrawAvx512;
  if (execution == Execution::simd_avx2 || (avx2 && execution == Execution::simd)) return kDrawAvx2;
#endif
  return kDrawBase;
}

Axis axis_of(const TileAxis& a) {
  const auto i = [](uint32_t v) { return static_cast<int32_t>(v); };
  return {a.clamp, a.mirror, i(a.mask), i(a.shift), i(a.mask_bits), i(a.mirror_bit), i(a.low), i(a.high), i(a.extent)};
}

Texel texel_of(const Tile& t, bool tlut) {
  if (tlut) return t.size == k4b ? Texel::tlut4 : t.size == k8b ? Texel::tlut8 : Texel::tlut16;
  if (t.format == kYuv) return Texel::yuv;
  switch (t.size) {
    case k4b: return t.format == kCi ? Texel::nibble_ci : t.format == kIa ? Texel::nibble_ia : Texel::nibble_i;
    case k8b: return t.format == kIa ? Texel::byte_ia : Texel::byte4;
    case k16b: return t.format == kRgba ? Texel::rgba16 : t.format == kIa ? Texel::ia16 : Texel::hi_lo;
    default: return t.format == kRgba ? Texel::rgba32 : Texel::hi_lo;
  }
}

/// Selector -> place in the table of inputs, channel c.
uint8_t common(uint32_t sel, int c) {
  static constexpr uint8_t kPlaces[] = {kInCombined, kInTexel0, kInTexel1, kInPrim, kInShade, kInEnv};
  return static_cast<uint8_t>(kPlaces[sel] + c);
}
uint8_t plain(Input i) { return static_cast<uint8_t>(i); }
uint8_t place_a(uint32_t sel, int c) {
  return sel < 6 ? common(sel, c) : sel == 6 ? plain(kInOne) : sel == 7 ? plain(kInNoise) : plain(kInZero);
}
uint8_t place_b(uint32_t sel, int c) {
  return sel < 6 ? common(sel, c) : sel == 6 ? static_cast<uint8_t>(kInKeyCenter + c) : sel == 7 ? plain(kInK4) : plain(kInZero);
}
uint8_t place_c(uint32_t sel, int c) {
  if (sel < 6) return common(sel, c);
  if (sel == 6) return static_cast<uint8_t>(kInKeyScale + c);
  if (sel <= 12) return common(sel - 7, 3);
  return sel == 13 ? plain(kInLod) : sel == 14 ? plain(kInPrimLod) : sel == 15 ? plain(kInK5) : plain(kInZero);
}
uint8_t place_d(uint32_t sel, int c) { return sel < 6 ? common(sel, c) : sel == 6 ? plain(kInOne) : plain(kInZero); }
uint8_t place_alpha_c(uint32_t sel) {
  return sel == 0 ? plain(kInLod) : sel < 6 ? common(sel, 3) : sel == 6 ? plain(kInPrimLod) : plain(kInZero);
}

CombineInfo combine_of(const CombineCycle& s) {
  CombineInfo info;
  for (int c = 0; c < 3; ++c) {
    const uint8_t in[4] = {place_a(s.a_rgb, c), place_b(s.b_rgb, c), place_c(s.c_rgb, c), place_d(s.d_rgb, c)};
    std::copy_n(in, 4, info.in[c]);
  }
  const uint8_t in[4] = {place_d(s.a_a, 3), place_d(s.b_a, 3), place_alpha_c(s.c_a), place_d(s.d_a, 3)};
  std::copy_n(in, 4, info.in[3]);
  return info;
}

/// Does a cycle read any of these places?
bool reads(const CombineInfo& info, int first, int count) {
  for (const auto& channel : info.in)
    for (uint8_t place : channel)
      if (place >= first && place < first + count) return true;
  return false;
}

Pixels pixels_of(const Image& image) {
  return image.size == k8b ? Pixels::byte : image.size == k32b ? Pixels::rgba32 : image.format == kRgba ? Pixels::rgba16 : Pixels::ia16;
}

/// Are all pixels of these lines in memory?
bool all_inside(const Mode& m, const State& s, int last_line, int64_t last_column) {
  if (last_column < 0) return false;
  const uint64_t last = static_cast<uint64_t>(last_line) * s.color_image.width + static_cast<uint64_t>(last_column);
  const uint64_t end = (m.color_base + last + 1) << s.color_image.size >> 1;  // bytes
  if (end > 2 * uint64_t{m.halfwords}) return false;
  return !m.uses_z || m.z_base + last < m.halfwords;
}

}  // namespace

bool Painter::draw(const DrawTarget& target, const rdp::Primitive& primitive, Execution execution, LineRange lines) {
  const State& s = target.state;
  if (s.color_image.size == k4b || (s.cycle_type() == kCopy && s.color_image.size != k16b)) return false;
  const int y_lo = std::max(primitive.yh, static_cast<int>(s.scissor.yh)), y_hi = std::min(primitive.yl, static_cast<int>(s.scissor.yl));
  const int first = std::max(y_lo >> 2, lines.first), last = std::min(y_hi >> 2, lines.last);
  if (y_lo >= y_hi || first > last) return true;
  if (!known_ || !s.version || s.version != version_ || memory_ != target.ram.data()) prepare_mode(target);
  shape_.y_lo = y_lo;
  shape_.y_hi = y_hi;
  shape_.first = first;
  shape_.last = last;
  shape_.tmem = target.tmem.data();
  prepare_edges(s, primitive);
  if (s.cycle_type() != kFill) prepare_attributes(s, primitive);
  const HookContext context{target, primitive};
  shape_.context = &context;
  shape_.slow_line = slow_line;
  shape_.slow_texels = slow_texels;
  routine(execution)(mode_, shape_, *chunk_);
  return true;
}

void Painter::prepare_mode(const DrawTarget& target) {
  const State& s = target.state;
  if (!chunk_) chunk_ = std::make_unique<Chunk>();
  version_ = s.version;
  memory_ = target.ram.data();
  known_ = true;
  mode_.cycle = s.cycle_type() == kOneCycle   ? Cycle::one
                : s.cycle_type() == kTwoCycle ? Cycle::two
                : s.cycle_type() == kCopy     ? Cycle::copy
                                              : Cycle::fill;
  prepare_output(target);
  mode_.needs_next = mode_.needs_next_line = false;
  if (mode_.cycle == Cycle::fill) return;
  prepare_combiner(s);
  for (int i = kInConstants; i < kInputs; ++i) std::fill_n(chunk_->constant[i], 32, static_cast<int16_t>(mode_.constants[i]));
  prepare_texture(s);
}

void Painter::prepare_edges(const State& s, const rdp::Primitive& p) {
  const auto quarter_step = [](int32_t slope) { return static_cast<uint32_t>((sign_extend<30>(static_cast<uint32_t>(slope)) >> 2) & ~1); };
  shape_.left_major = p.left_major;
  shape_.tile = p.tile;
  shape_.level = p.level;
  shape_.top = p.yh & ~3;
  shape_.ym = p.ym;
  shape_.base_line = p.yh >> 2;
  shape_.xh = static_cast<uint32_t>(p.xh) & ~1u;
  shape_.xm = static_cast<uint32_t>(p.xm) & ~1u;
  shape_.xl = static_cast<uint32_t>(p.xl) & ~1u;
  shape_.dh = quarter_step(p.dxhdy);
  shape_.dm = quarter_step(p.dxmdy);
  shape_.dl = quarter_step(p.dxldy);
  // With equal signs the H edge moves against the walking direction, and the latch waits for the last subline.
  shape_.late = (p.dxhdy < 0) == p.left_major;
  shape_.noise_seed = p.noise_seed;
  shape_.apart = rows_apart(s, p, shape_.last) && all_inside(mode_, s, shape_.last, last_column(s, p));
}

void Painter::prepare_attributes(const State& s, const rdp::Primitive& p) {
  const bool copy = s.cycle_type() == kCopy;
  for (int a = 0; a < kAttributes; ++a) {
    const uint32_t step = a == kZ ? p.dx[a] : p.dx[a] & ~0x1Fu;
    shape_.step[a] = p.left_major ? step : 0u - step;
    shape_.base[a] = p.base[a];
    shape_.de[a] = p.de[a];
    shape_.dxh[a] = copy ? 0 : static_cast<uint32_t>((static_cast<int32_t>(p.dx[a]) >> 8) & ~1);
    shape_.correction[a] = 0;
    if (!shape_.late) continue;
    const int32_t e = static_cast<int32_t>(p.de[a] & ~0x1FFu), d = static_cast<int32_t>(p.dy[a] & ~0x1FFu);
    shape_.correction[a] =
        static_cast<uint32_t>(e) - static_cast<uint32_t>(e >> 2) - static_cast<uint32_t>(d) + static_cast<uint32_t>(d >> 2);
  }
  for (int i = 0; i < 3; ++i) shape_.line[i] = p.dy[kS + i] & ~0x7FFFu;
  for (int c = 0; c < 4; ++c) {
    shape_.dx[c] = sign_extend<13>(p.dx[c] >> 14);
    shape_.dy[c] = sign_extend<13>(p.dy[c] >> 14);
  }
  const bool prim_z = s.modes.z_source_sel();
  shape_.z_dx = prim_z ? 0 : sign_extend<22>(p.dx[kZ] >> 10);
  shape_.z_dy = prim_z ? 0 : sign_extend<22>(p.dy[kZ] >> 10);
  const uint32_t dz = prim_z ? s.prim_dz : delta_z(p);
  shape_.dz = static_cast<int32_t>(dz);
  shape_.dz_code = static_cast<int32_t>(dz_code(dz));
}

void Painter::prepare_combiner(const State& s) {
  const SetOtherModes& m = s.modes;
  const bool two = mode_.cycle == Cycle::two;
  for (int i = 0; i < 2; ++i) mode_.combine[i] = combine_of(s.combine[static_cast<size_t>(i)]);
  std::fill_n(mode_.constants, static_cast<int>(kInputs), 0);
  for (size_t c = 0; c < 4; ++c) {
    mode_.constants[kInPrim + c] = s.prim_color[c];
    mode_.constants[kInEnv + c] = s.env_color[c];
  }
  for (size_t c = 0; c < 3; ++c) {
    mode_.constants[kInKeyCenter + c] = s.key_center[c];
    mode_.constants[kInKeyScale + c] = s.key_scale[c];
    mode_.key_width[c] = s.key_width[c];
  }
  mode_.constants[kInOne] = 0x100;
  mode_.constants[kInK4] = ext9(s.k4);
  mode_.constants[kInK5] = s.k5;
  mode_.constants[kInPrimLod] = static_cast<int32_t>(s.prim_lod_frac);
  const auto used = [&](int first, int count) {
    return (two && reads(mode_.combine[0], first, count)) || reads(mode_.combine[1], first, count);
  };
  // Alpha of shade goes to colour, too (selector 11), and to the blender.
  const bool shade_alpha_blended = s.blend[0].a == 2 || (two && s.blend[1].a == 2);
  mode_.uses_shade = used(kInShade, 3);
  mode_.uses_shade_alpha = used(kInShade + 3, 1) || shade_alpha_blended;
  mode_.uses_noise =
      m.rgb_dither_sel() == 2 || m.alpha_dither_sel() == 2 || (m.alpha_compare_en() && m.dither_alpha_en()) || used(kInNoise, 1);
  mode_.key = m.key_en();
  mode_.cvg_times_alpha = m.cvg_times_alpha();
  mode_.alpha_cvg_select = m.alpha_cvg_select();
  mode_.alpha_compare = m.alpha_compare_en();
  mode_.alpha_compare_noise = m.dither_alpha_en();
  mode_.rgb_sel = static_cast<uint8_t>(m.rgb_dither_sel());
  mode_.alpha_sel = static_cast<uint8_t>(m.alpha_dither_sel());
  mode_.field = s.scissor.field;
}

void Painter::prepare_texture(const State& s) {
  const SetOtherModes& m = s.modes;
  const bool two = mode_.cycle == Cycle::two;
  CombineUse first, second;
  if (two) first.add(s.combine[0]);
  second.add(s.combine[1]);
  mode_.lod_tiles = m.tex_lod_en();
  mode_.lod = m.tex_lod_en() || first.lod_frac || second.lod_frac;
  mode_.convert_one = m.convert_one();
  if (two) {
    // Cycle 1 uses TEXEL1 as TEXEL0, and the next pixel's TEXEL0 as TEXEL1.
    mode_.uses_texel1 = first.texel1 || second.texel0;
    mode_.uses_texel0 = first.texel0 || second.texel1 || (mode_.uses_texel1 && mode_.convert_one);
    mode_.needs_next = second.texel1 || m.alpha_compare_en() || s.blend[1].a == 2;
    // Only TEXEL1 of the pixel past the end is special, and only alpha compare sees it.
    mode_.first_texel1_compared = first.texel1 && m.alpha_compare_en();
    mode_.needs_next_line = mode_.needs_next && (mode_.lod || mode_.first_texel1_compared);
  } else {
    mode_.uses_texel0 = second.texel0 || second.texel1;
    mode_.uses_texel1 = mode_.needs_next = second.texel1;
    mode_.needs_next_line = second.texel1 || mode_.lod;
    mode_.first_texel1_compared = false;
  }
  if (mode_.cycle == Cycle::copy) mode_.needs_next = mode_.needs_next_line = false;
  mode_.sharpen = m.sharpen_tex_en();
  mode_.detail = m.detail_tex_en();
  mode_.min_level = static_cast<int32_t>(s.min_level);
  mode_.perspective = m.persp_tex_en();
  mode_.filter = m.sample_type();
  mode_.tlut = m.en_tlut();
  mode_.tlut_ia = m.tlut_type();
  mode_.mid_texel = m.mid_texel();
  mode_.bi_lerp_0 = m.bi_lerp_0();
  mode_.bi_lerp_1 = m.bi_lerp_1();
  std::copy(s.filter_k.begin(), s.filter_k.end(), mode_.filter_k);
  const auto i = [](uint32_t v) { return static_cast<int32_t>(v); };
  for (size_t n = 0; n < 8; ++n) {
    const Tile& t = s.tiles[n];
    mode_.tile[n] = {texel_of(t, mode_.tlut),
                     t.format == kYuv,
                     static_cast<uint8_t>(t.size),
                     i(t.line),
                     i(t.tmem),
                     i(t.palette),
                     axis_of(t.s),
                     axis_of(t.t)};
  }
}

void Painter::prepare_output(const DrawTarget& target) {
  const State& s = target.state;
  const SetOtherModes& m = s.modes;
  mode_.z_compare = m.z_compare_en();
  mode_.z_update = m.z_update_en();
  mode_.uses_z = (mode_.cycle == Cycle::one || mode_.cycle == Cycle::two) && (mode_.z_compare || mode_.z_update);
  mode_.prim_z = m.z_source_sel();
  mode_.prim_z_value = s.prim_z;
  mode_.z_mode = static_cast<uint8_t>(m.z_mode());
  mode_.z_base = s.z_address >> 1;
  mode_.uses_memory_color = false;
  for (size_t i = 0; i < 2; ++i) {
    const BlendCycle& b = s.blend[i];
    mode_.blend[i] = {static_cast<uint8_t>(b.p), static_cast<uint8_t>(b.a), static_cast<uint8_t>(b.m), static_cast<uint8_t>(b.b)};
    if (i == 0 || mode_.cycle == Cycle::two) mode_.uses_memory_color |= b.p == 1 || b.m == 1;
  }
  mode_.force_blend = m.force_blend();
  mode_.antialias = m.antialias_en();
  mode_.color_on_cvg = m.color_on_cvg();
  mode_.image_read = m.image_read_en();
  mode_.cvg_dest = static_cast<uint8_t>(m.cvg_dest());
  std::copy(s.fog_color.begin(), s.fog_color.end(), mode_.fog);
  std::copy(s.blend_color.begin(), s.blend_color.end(), mode_.blend_color);
  mode_.divide = divide_table();
  mode_.pixels = pixels_of(s.color_image);
  mode_.color_base = s.color_image.address >> (s.color_image.size - 1);
  mode_.width = s.color_image.width;
  mode_.fill_color = s.fill_color;
  mode_.scissor_xh = static_cast<int32_t>(2 * s.scissor.xh);
  mode_.scissor_xl = static_cast<int32_t>(2 * s.scissor.xl);
  mode_.field_lines = s.scissor.field;
  mode_.field_odd = s.scissor.odd;
  mode_.ram = target.ram.data();
  mode_.hidden = target.ram.hidden_data();
  mode_.halfwords = target.ram.size() / 2;
  mode_.host_words = target.ram.host_words();
}

}  // namespace pumice::hw::rdp::fast

bool pumice::hw::rdp::available(Execution execution) { return execution != Execution::simd_avx2 || has(CpuFeature::avx2); }
