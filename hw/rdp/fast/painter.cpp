// SPDX-License-Identifier: MIT
/// Turns state into the plain data of the SIMD routines and picks the routine by key and processor.
#include "hw/rdp/fast/painter.h"

#include <algorithm>
#include <cstring>

#include "hw/rdp/framebuffer.h"
#include "hw/rdp/pixel.h"

namespace pumice::hw::rdp::fast {
namespace {

const Routines& routines([[maybe_unused]] Execution execution) {
#ifdef PUMICE_RDP_AVX2
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx2 && execution == Execution::simd) return kRoutinesAvx2;
#endif
  return kRoutinesBase;
}

/// What the scalar texture hook needs.
struct Context {
  const DrawTarget& target;
  const rdp::Primitive& primitive;
  const SpanSetup& setup;
  const rdp::Span& span;
  const rdp::Span& next;
};

void scalar_texels(const void* context, int k, int32_t* texel0, int32_t* texel1, int32_t* lod) {
  const auto& c = *static_cast<const Context*>(context);
  CombineInputs in;
  if (c.target.state.cycle_type() == kTwoCycle)
    two_cycle_texels(c.target, c.primitive, c.setup, c.span, c.next, k, in);
  else
    one_cycle_texels(c.target, c.primitive, c.setup, c.span, c.next, k, in);
  std::copy(in.texel0.begin(), in.texel0.end(), texel0);
  std::copy(in.texel1.begin(), in.texel1.end(), texel1);
  *lod = static_cast<int32_t>(in.lod_frac);
}

Axis axis_of(const TileAxis& a) {
  const auto i = [](uint32_t v) { return static_cast<int32_t>(v); };
  return {a.clamp, a.mirror, i(a.mask), i(a.shift), i(a.mask_bits), i(a.mirror_bit), i(a.low), i(a.high), i(a.extent)};
}

Texel texel_of(const Tile& t, bool tlut) {
  if (tlut) return t.size == k4b ? Texel::tlut4 : t.size == k8b ? Texel::tlut8 : Texel::tlut16;
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

}  // namespace

bool Painter::usable(Execution execution) {
  const State& s = target_.state;
  if (s.cycle_type() == kFill) return s.color_image.size == k16b || s.color_image.size == k32b;
  if (s.cycle_type() == kCopy || s.modes.key_en()) return false;
  if (s.color_image.size != k16b && s.color_image.size != k32b) return false;
  p_.key.two_cycle = s.cycle_type() == kTwoCycle;
  prepare_attributes();
  prepare_combiner();
  prepare_output();
  p_.key.texture = prepare_texture() ? p_.key.texture : Key::scalar;
  routine_ = routines(execution).table[p_.key.two_cycle][p_.key.texture];
  return true;
}

void Painter::prepare_attributes() {
  p_.direction = primitive_.left_major ? 1 : -1;
  std::copy(setup_.step.begin(), setup_.step.end(), p_.step);
  std::copy(setup_.dx.begin(), setup_.dx.end(), p_.dx);
  std::copy(setup_.dy.begin(), setup_.dy.end(), p_.dy);
  p_.z_dx = setup_.z_dx;
  p_.z_dy = setup_.z_dy;
  p_.prim_z = setup_.prim_z;
  p_.prim_z_value = setup_.prim_z_value;
  p_.dz = static_cast<int32_t>(setup_.dz);
  p_.dz_code = static_cast<int32_t>(setup_.dz_code);
}

/// Chooses key.texture; false if texels must come from the reference.
bool Painter::prepare_texture() {
  const State& s = target_.state;
  const SetOtherModes& m = s.modes;
  CombineUse use;
  if (p_.key.two_cycle) use.add(s.combine[0]);
  use.add(s.combine[1]);
  p_.scalar_texels = scalar_texels;
  if (m.tex_lod_en() || use.lod_frac) return false;
  p_.key.texture = use.texel0 || use.texel1 ? Key::simd : Key::none;
  if (p_.key.texture == Key::none) return true;
  const bool filtered = m.sample_type() || m.en_tlut();
  if (!m.bi_lerp_0() || (filtered && m.mid_texel())) return false;
  if (p_.key.two_cycle && (!m.bi_lerp_1() || m.convert_one())) return false;
  if (p_.key.two_cycle) {
    // Cycle 1 knows TEXEL1 as TEXEL0, and the next pixel's TEXEL0 as TEXEL1.
    CombineUse first, second;
    first.add(s.combine[0]);
    second.add(s.combine[1]);
    p_.needs_texel0 = first.texel0 || second.texel1;
    p_.needs_texel1 = first.texel1 || second.texel0;
    // Only TEXEL1 of the pixel past the end is special, and only alpha compare sees it.
    past_end_matters_ = first.texel1 && m.alpha_compare_en();
  } else {
    p_.needs_texel0 = use.texel0;
    p_.needs_texel1 = past_end_matters_ = use.texel1;
  }
  p_.perspective = m.persp_tex_en();
  p_.filter = m.sample_type();
  p_.tlut = m.en_tlut();
  p_.tlut_ia = m.tlut_type();
  p_.tmem = target_.tmem.data();
  for (uint32_t i = 0; i < 2; ++i) {
    const Tile& t = s.tiles[(primitive_.tile + i) & 7];
    if (t.format == kYuv && (i == 0 || p_.key.two_cycle)) return false;
    p_.tile[i] = {
        texel_of(t, p_.tlut), static_cast<int32_t>(t.line), static_cast<int32_t>(t.tmem), static_cast<int32_t>(t.palette), axis_of(t.s),
        axis_of(t.t)};
  }
  return true;
}

void Painter::prepare_combiner() {
  const State& s = target_.state;
  const SetOtherModes& m = s.modes;
  for (int i = 0; i < 2; ++i) p_.combine[i] = combine_of(s.combine[static_cast<size_t>(i)]);
  std::fill_n(p_.constants, static_cast<int>(kInputs), 0);
  for (size_t c = 0; c < 4; ++c) {
    p_.constants[kInPrim + c] = s.prim_color[c];
    p_.constants[kInEnv + c] = s.env_color[c];
  }
  for (size_t c = 0; c < 3; ++c) {
    p_.constants[kInKeyCenter + c] = s.key_center[c];
    p_.constants[kInKeyScale + c] = s.key_scale[c];
  }
  p_.constants[kInOne] = 0x100;
  p_.constants[kInK4] = static_cast<int32_t>(s.k4);
  p_.constants[kInK5] = s.k5;
  p_.constants[kInPrimLod] = static_cast<int32_t>(s.prim_lod_frac);
  p_.noise_seed = primitive_.noise_seed;
  p_.uses_noise = m.rgb_dither_sel() == 2 || m.alpha_dither_sel() == 2 || (m.alpha_compare_en() && m.dither_alpha_en());
  for (const CombineInfo& info : p_.combine)
    for (int c = 0; c < 3; ++c) p_.uses_noise |= info.in[c][0] == kInNoise;
  p_.cvg_times_alpha = m.cvg_times_alpha();
  p_.alpha_cvg_select = m.alpha_cvg_select();
  p_.alpha_compare = m.alpha_compare_en();
  p_.alpha_compare_noise = m.dither_alpha_en();
  p_.rgb_sel = static_cast<uint8_t>(m.rgb_dither_sel());
  p_.alpha_sel = static_cast<uint8_t>(m.alpha_dither_sel());
  p_.field = s.scissor.field;
}

void Painter::prepare_output() {
  const State& s = target_.state;
  const SetOtherModes& m = s.modes;
  p_.z_compare = m.z_compare_en();
  p_.z_update = m.z_update_en();
  p_.z_mode = static_cast<uint8_t>(m.z_mode());
  p_.z_base = s.z_address >> 1;
  for (size_t i = 0; i < 2; ++i) {
    const BlendCycle& b = s.blend[i];
    p_.blend[i] = {static_cast<uint8_t>(b.p), static_cast<uint8_t>(b.a), static_cast<uint8_t>(b.m), static_cast<uint8_t>(b.b)};
  }
  p_.force_blend = m.force_blend();
  p_.antialias = m.antialias_en();
  p_.color_on_cvg = m.color_on_cvg();
  p_.image_read = m.image_read_en();
  p_.cvg_dest = static_cast<uint8_t>(m.cvg_dest());
  std::copy(s.fog_color.begin(), s.fog_color.end(), p_.fog);
  std::copy(s.blend_color.begin(), s.blend_color.end(), p_.blend_color);
  p_.divide = divide_table();
  p_.image32 = s.color_image.size == k32b;
  p_.image_ia = s.color_image.format != kRgba;
  p_.color_base = p_.image32 ? s.color_image.address >> 2 : s.color_image.address >> 1;
  p_.width = s.color_image.width;
  p_.ram = target_.ram.data();
  p_.hidden = target_.ram.hidden_data();
  p_.host_words = target_.ram.host_words();
}

bool Painter::draw(const rdp::Span& span, const rdp::Span& next) {
  const State& state = target_.state;
  if (state.cycle_type() == kFill) return fill(span);
  const int low = primitive_.left_major ? span.start : span.start - span.count + 1;
  const uint64_t first = pixel_index(state.color_image, low, span.y), last = first + static_cast<uint64_t>(span.count) - 1;
  // Halfwords touched, both ends included.
  const uint64_t scale = p_.image32 ? 2 : 1;
  const uint64_t color_first = (p_.color_base + first) * scale, color_last = (p_.color_base + last) * scale + scale - 1;
  const uint64_t halfwords = target_.ram.size() / 2;
  if (color_last >= halfwords) return false;
  if (p_.z_compare || p_.z_update) {
    const uint64_t z_first = p_.z_base + first, z_last = p_.z_base + last;
    if (z_last >= halfwords || (z_first <= color_last && color_first <= z_last)) return false;
  }
  Span s;
  s.y = span.y;
  s.start = span.start;
  s.count = span.count;
  s.skip = span.skip;
  std::copy(span.latched.begin(), span.latched.end(), s.latched);
  std::copy(span.left.begin(), span.left.end(), s.left);
  std::copy(span.right.begin(), span.right.end(), s.right);
  std::copy(span.sub_valid.begin(), span.sub_valid.end(), s.sub_valid);
  const bool all_valid = std::all_of(span.sub_valid.begin(), span.sub_valid.end(), [](bool v) { return v; });
  s.full_left = all_valid ? *std::max_element(span.left.begin(), span.left.end()) : INT32_MAX;
  s.full_right = *std::min_element(span.right.begin(), span.right.end());
  s.scalar_past_end = next.valid && past_end_matters_ && (p_.key.two_cycle ? span.run() >= 3 : span.run() > 7);
  const Context context{target_, primitive_, setup_, span, next};
  s.context = &context;
  routine_(p_, s);
  return true;
}

/// Fill mode by words, two or one pixels each.
bool Painter::fill(const rdp::Span& span) {
  const State& state = target_.state;
  const Image& image = state.color_image;
  const int low = primitive_.left_major ? span.start : span.start - span.count + 1;
  const uint32_t shift = image.size == k32b ? 1 : 0;
  const uint64_t first = uint64_t{(image.address >> (shift + 1)) + pixel_index(image, low, span.y)} << shift;
  const uint64_t end = first + (static_cast<uint64_t>(span.count) << shift);
  if (end > target_.ram.size() / 2) return false;
  const uint32_t color = state.fill_color;
  const uint16_t value[2] = {static_cast<uint16_t>(color >> 16), static_cast<uint16_t>(color)};
  uint8_t* ram = target_.ram.data();
  uint8_t* hidden = target_.ram.hidden_data();
  const auto put = [&](uint64_t i) {
    const uint16_t v = value[i & 1], h = target_.ram.host_words() ? v : __builtin_bswap16(v);
    std::memcpy(ram + 2 * (i ^ (target_.ram.host_words() ? 1 : 0)), &h, 2);
    hidden[i] = v & 1 ? 3 : 0;
  };
  uint64_t i = first;
  if (i & 1) put(i++);
  const uint32_t word = target_.ram.host_words() ? color : __builtin_bswap32(color);
  const uint8_t two[2] = {static_cast<uint8_t>(value[0] & 1 ? 3 : 0), static_cast<uint8_t>(value[1] & 1 ? 3 : 0)};
  for (; i + 1 < end; i += 2) {
    std::memcpy(ram + 2 * i, &word, 4);
    std::memcpy(hidden + i, two, 2);
  }
  if (i < end) put(i);
  return true;
}

}  // namespace pumice::hw::rdp::fast
